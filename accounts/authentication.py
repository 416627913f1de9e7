"""Programs authenticate by a token: ``Authorization: Bearer clew_…``."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import tokens
from accounts.models import Token, User


class TokenAuthentication(BaseAuthentication):
    """``request.user`` is the token's user and ``request.auth`` the token, whose ``scopes`` say what it allows.

    One that was revoked, has run out, never was, or belongs to an account that is closed or not confirmed yet is
    refused in the same words.
    """

    scheme = "Bearer"

    @sensitive_variables("secret")
    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """None where the request shows no token; AuthenticationFailed (401) where it shows a bad one."""
        scheme, _space, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != self.scheme.lower():
            return None
        token = tokens.find(secret.strip())
        if token is None:
            raise AuthenticationFailed(_("This token is not valid."))
        tokens.note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return f'{self.scheme} realm="Clew"'
