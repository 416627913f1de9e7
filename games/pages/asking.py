"""Who asks for a page of one table, and with which right."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse

from accounts.models import User
from games.selectors import NoSuchGame


def user_of(request: HttpRequest) -> User | None:
    """The person, or None for somebody who hasn't logged in."""
    return request.user if isinstance(request.user, User) else None


def hides_private[**P](view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """A table that isn't the asker's is not found, like one that doesn't exist."""

    @wraps(view)
    def hidden(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(*args, **kwargs)
        except NoSuchGame:
            raise Http404 from None

    return hidden
