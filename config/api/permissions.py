"""With which right somebody asks: a session may do everything, a token what its scopes say."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import Token
from config.api.problems import Problem


class HasScope(BasePermission):
    """Asks for the scope that the view's ``scopes`` name for the method: ``read`` to read, else ``play``.

    A view that is ``public`` may be read by anybody, without the scope, too.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        safe = request.method in SAFE_METHODS
        if not request.user.is_authenticated:
            return bool(safe and view.public)
        needed = view.scopes.get(request.method, "read" if safe else "play")
        # Without a token it is a session.
        if isinstance(request.auth, Token) and needed not in request.auth.scopes:
            raise Problem(403, "forbidden", _("The token lacks the scope “%(scope)s”.") % {"scope": needed})
        return True
