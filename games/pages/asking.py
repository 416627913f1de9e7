"""Who asks for a page of one table, and with which right."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse

from accounts.models import User
from games.selectors import NoSuchGame

#: Where the session keeps the tokens of invitation links that were followed: game id to token.
TOKENS = "invitation_tokens"


def user_of(request: HttpRequest) -> User | None:
    """The person, or None for somebody who hasn't logged in."""
    return request.user if isinstance(request.user, User) else None


def token_for(request: HttpRequest, game: uuid.UUID) -> str | None:
    """The token of the invitation link to this game that was followed in this session."""
    tokens = request.session.get(TOKENS)
    token = tokens.get(str(game)) if isinstance(tokens, dict) else None
    return token if isinstance(token, str) else None


def keep_token(request: HttpRequest, game: uuid.UUID, token: str) -> None:
    """Let this session look at the game, and sit down, as whoever holds the link may."""
    request.session[TOKENS] = {**request.session.get(TOKENS, {}), str(game): token}


def hides_private[**P](view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """A table that isn't the asker's is not found, like one that doesn't exist."""

    @wraps(view)
    def hidden(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(*args, **kwargs)
        except NoSuchGame:
            raise Http404 from None

    return hidden
