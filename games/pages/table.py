"""The table: as a page, and as the part of it that changes by itself."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games import viewing
from games.pages import clocks, hands
from games.pages.asking import hides_private, user_of
from games.pages.beside import beside
from games.pages.invitations import remembered_token
from games.pages.scenes import table_context
from games.table.events import PUBLIC


@require_safe
@hides_private
def table(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The whole page, with everything that its reader may see and do."""
    sight = viewing.sight(user_of(request), str(game), token=remembered_token(request, game))
    context = {**table_context(request, sight), **beside(user_of(request), sight, seen=request.method == "GET")}
    response = render(request, "games/table.html", {**context, "etag": _etag(request, sight), "stream": _stream(sight)})
    hands.remember(request, response)
    return _for_this_reader(response)


@require_safe
@hides_private
def state(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The part that changes; 304 while the reader's is current, which costs one small query and reads no event.

    The talk isn't in it: a text may be being typed there. ``X-Talk`` tells who sits at the table, with every answer,
    how far that is.
    """
    user, token = user_of(request), remembered_token(request, game)
    peeked = viewing.peek(user, str(game), token=token)
    etag = _etag(request, peeked)
    if request.headers.get("If-None-Match", "").removeprefix("W/") == etag:
        response = HttpResponse(status=304)
    else:
        response, etag = state_of(request, viewing.sight(user, str(game), token=token))
        hands.remember(request, response)
    if peeked.talk is not None:
        response["X-Talk"] = peeked.talk
    return _tagged(response, etag)


def state_of(
    request: HttpRequest, sight: viewing.Sight, *, status: int = 200, **chosen: Any
) -> tuple[HttpResponse, str]:
    """The part that changes, and its tag. ``chosen`` is handed on to :func:`table_context`."""
    context = table_context(request, sight, **chosen)
    etag = _etag(request, sight)
    return render(request, "games/table_state.html", {**context, "etag": etag}, status=status), etag


def _stream(sight: viewing.Sight) -> dict[str, Any] | None:
    """Where the page hears that the table has moved on; None where it must ask, or nothing will happen any more.

    ``there``: after so many seconds it asks all the same while its reader is there, who then is known to be.
    """
    may_hear = sight.place is not None or sight.admits in PUBLIC
    is_over = sight.alone or (sight.status == "ended" and sight.place is None)
    if not settings.CLEW_STREAM_URL or not may_hear or is_over:
        return None
    return {"url": settings.CLEW_STREAM_URL, "there": max(1, round(settings.CLEW_PRESENCE * 2 / 3))}


def _etag(request: HttpRequest, seen: viewing.Sight | viewing.Peek) -> str:
    """What the page's content follows from, beside the code: how far the game and its time are, for whom, how told.

    The version counts events and nothing more: no hash of a running game may leave the server.
    """
    passed, stands = clocks.passed(seen.deadline_at), viewing.stands(seen)
    return (
        f'"{seen.version}.{stands}.{get_language()}.{get_current_timezone_name()}.{hands.order_of(request)}.{passed}"'
    )


def _tagged(response: HttpResponse, etag: str) -> HttpResponse:
    response["ETag"] = etag
    return _for_this_reader(response)


def _for_this_reader(response: HttpResponse) -> HttpResponse:
    """Kept by nobody but the reader's own browser, and asked for again each time."""
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Cookie", "Accept-Language"))
    return response
