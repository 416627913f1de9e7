"""Tokens of programs: made, found by their secret, revoked."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q
from django.views.decorators.debug import sensitive_variables

from accounts.models import Token, User
from config import clock
from config.streams import publisher

#: What every secret begins with, so that one that leaked is recognised.
PREFIX = "clew_"
#: Who uses a token all the time has it written down once a minute.
_USED_EVERY = timedelta(minutes=1)
#: So many an account may have.
MOST = 20


@sensitive_variables("secret")
def make(
    user: User, label: str, scopes: Iterable[str], *, expires_at: datetime | None = None, command: str | None = None
) -> tuple[Token, str]:
    """A new token and its secret, which is nowhere else: whoever asked is shown it now or never.

    Raises ValueError for a scope that there isn't, or for none; IntegrityError where this command made one before.
    """
    wanted = {Token.Scope(scope) for scope in scopes}
    if not wanted:
        message = "A token without a scope allows nothing."
        raise ValueError(message)
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user,
        label=" ".join(label.split()),
        scope_names=" ".join(scope for scope in Token.Scope.values if scope in wanted),
        secret_hash=_hash(secret),
        made_at=clock.now(),
        expires_at=expires_at,
        command=command,
    )
    return token, secret


def has_room(user: User) -> bool:
    """Whether an account has fewer tokens than it may have."""
    return user.tokens.count() < MOST


@sensitive_variables("secret")
def find(secret: str) -> Token | None:
    """The token with this secret, its user and their owner at hand; None if it may not be used, whyever."""
    token = Token.objects.select_related("user__owner").filter(secret_hash=_hash(secret)).first()
    return token if token is not None and _is_good(token) else None


def note_use(token: Token) -> None:
    """Write down that it was used, at most once a minute."""
    now = clock.now()
    if token.used_at is None or token.used_at <= now - _USED_EVERY:
        unwritten = Q(used_at__isnull=True) | Q(used_at__lte=now - _USED_EVERY)
        Token.objects.filter(unwritten, pk=token.pk).update(used_at=now)


def revoke(user: User, token_id: int) -> bool:
    """Take a token of the user's away, at once, and with it the streams that it opened; whether there was one."""
    deleted, _rows = Token.objects.filter(user=user, pk=token_id).delete()
    if deleted:
        publisher.shut_out(tokens=[token_id])
    return deleted > 0


def which_are_good(token_ids: Iterable[int]) -> set[int]:
    """Those of these tokens that may be used now."""
    found = Token.objects.select_related("user__owner").filter(pk__in=list(token_ids))
    return {token.pk for token in found if _is_good(token)}


@sensitive_variables("secret")
def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _is_good(token: Token) -> bool:
    """Not run out, and its user is somebody who may come in; a bot also needs an owner who may."""
    if token.expires_at is not None and token.expires_at <= clock.now():
        return False
    people = [token.user, *([token.user.owner] if token.user.owner else [])]
    return all(person.is_active and person.pending_since is None for person in people)
