"""Who somebody is by name or address and password."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.utils import filter_users_by_email
from django.contrib.auth.models import AbstractBaseUser

from accounts.models import User


class Backend(AuthenticationBackend):  # type: ignore[misc]  # allauth has no types
    """allauth's, but no bot logs in, and an address counts only once it is confirmed.

    Signing up with an address that has an account already makes an account without an address. If a new address could
    log in at once, trying that would tell which of the two an address is.
    """

    def user_can_authenticate(self, user: AbstractBaseUser) -> bool:
        """Bots come in by their tokens alone, whatever session somebody got hold of."""
        return bool(super().user_can_authenticate(user)) and not (isinstance(user, User) and user.is_bot)

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        users: list[User] = filter_users_by_email(email, prefer_verified=True) if email else []
        for user in users:
            if user.pending_since is None and self._check_password(user, password):
                return user
        return None
