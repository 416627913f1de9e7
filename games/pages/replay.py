"""Looking back: any moment of a game, and the record of one that is over."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import viewing
from games.names import game_name
from games.pages.asking import hides_private, user_of
from games.pages.boards import Scene, board_for
from games.pages.hands import order_of
from games.pages.invitations import remembered_token
from games.pages.outcomes import outcome_text
from games.pages.scenes import entry_of, names_of, proof_context, record_name, said, seats_of
from games.viewing import Moment

#: Seconds for which a browser may show a moment of a finished game without asking again.
KEPT = 600


@require_safe
@hides_private
def replay(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The moment after ``?step=n`` with ``?eyes=``; with ``?part=1`` only the table of that moment.

    A moment never changes once it has passed, so its part may be kept: a while when the game is over, and else to be
    asked for again by its tag.
    """
    moment = viewing.replay(
        user_of(request),
        str(game),
        step=_number(request.GET.get("step")),
        eyes=request.GET.get("eyes"),
        token=remembered_token(request, game),
    )
    if request.GET.get("part"):
        return _part(request, moment)
    response = render(request, "games/replay.html", {**_moment_context(request, moment), **_page_context(moment)})
    response["Cache-Control"] = "private, no-cache"
    return response


def _part(request: HttpRequest, moment: Moment) -> HttpResponse:
    etag = f'"{moment.number}.{moment.eyes}.{moment.sight.status}.{get_language()}.{order_of(request)}"'
    if request.headers.get("If-None-Match", "").removeprefix("W/") == etag:
        response = HttpResponse(status=304)
    else:
        response = render(request, "games/replay_moment.html", _moment_context(request, moment))
    response["ETag"] = etag
    over = moment.sight.status == "ended"
    response["Cache-Control"] = f"private, max-age={KEPT}" if over else "private, no-cache"
    patch_vary_headers(response, ("Cookie", "Accept-Language"))
    return response


def _moment_context(request: HttpRequest, moment: Moment) -> dict[str, Any]:
    """What ``games/replay_moment.html`` shows."""
    sight = moment.sight
    board, view = board_for(sight.table["rules"]), sight.table["view"]
    seat = int(moment.eyes) if moment.eyes.isdigit() else None
    step = said(sight, [moment.told], mark_new=False)[0]
    scene = Scene(
        view, seat=seat, marks=board.marked(view, [moment.told]), order=order_of(request), names=names_of(sight)
    )
    return {
        "board": board.drawn(scene),
        "now": board.now(view),
        "round": board.round(view),
        "score": board.score(view),
        "seats": seats_of(sight),
        "step": step,
        "number": moment.number,
        "move_no": step.move_no,
    }


def _page_context(moment: Moment) -> dict[str, Any]:
    """What the rest of ``games/replay.html`` shows."""
    sight = moment.sight
    names = names_of(sight)
    moves = said(sight, sight.history, mark_new=False)
    return {
        "sight": sight,
        "game": sight.table["game"],
        "game_name": game_name(entry_of(sight.table)),
        "rules_slug": entry_of(sight.table),
        "alone": sight.alone,
        "styles": board_for(sight.table["rules"]).styles,
        "may_undo": sight.alone and sight.seat is not None and sight.status == "running",
        "command": uuid.uuid4().hex,
        "status": sight.status,
        "players": [who.name for who in sight.people],
        "moves": moves,
        "current": moment.number,
        "eyes": moment.eyes,
        "first": moves[0].number,
        "last": moves[-1].number,
        "move_count": moves[-1].move_no,
        "previous": moment.neighbours[0],
        "next": moment.neighbours[1],
        "all_eyes": [(eyes, _eyes_text(eyes, sight, names)) for eyes in moment.may],
        "outcome": outcome_text(sight.table["result"], names, sight.seat) if sight.table["result"] else "",
        "record_name": record_name(sight),
        **proof_context(sight),
    }


def _eyes_text(eyes: str, sight: viewing.Sight, names: dict[int, str]) -> str:
    if eyes == "open":
        return _("All cards open")
    if eyes == "spectator":
        return _("As a spectator")
    if int(eyes) == sight.seat:
        return _("With my eyes")
    return _("With the eyes of %(name)s") % {"name": names[int(eyes)]}


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


@require_safe
@hides_private
def record(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The whole game as a file, once it is over."""
    user, token = user_of(request), remembered_token(request, game)
    document = viewing.game_record(user, str(game), token=token)
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})
    name = f"clew-{document['rules']}-{str(game)[:8]}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-cache"
    return response
