"""Taking back and playing again in a patience, asked and granted between two; hints."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from games import services
from games.pages.asking import hides_private
from games.pages.boards import board_for
from games.pages.deeds import carried_out, number_in
from games.viewing import Sight


@require_POST
@hides_private
def undo(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Take back one move of a patience, or all after the step ``to_step``."""
    to_step, step = number_in(request.POST, "to_step"), number_in(request.POST, "step")
    command = _command(request)
    return carried_out(
        request, game, lambda user: services.undo(user, str(game), to_step=to_step, step=step, command=command)
    )


@require_POST
@hides_private
def redo(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Play again what was taken back last."""
    step, command = number_in(request.POST, "step"), _command(request)
    return carried_out(request, game, lambda user: services.redo(user, str(game), step=step, command=command))


@require_POST
@hides_private
def hint(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The table with a sensible move pointed out, which is counted."""
    command = _command(request)
    return carried_out(request, game, lambda user: services.take_hint(user, str(game), command=command), _hinted)


def _hinted(sight: Sight) -> dict[str, Any]:
    """The hint in words, and the touches that make its move."""
    board, view, legal = board_for(sight.table["rules"]), sight.table["view"], sight.table["legal"]
    move = board.hint(view, legal)
    if move is None:
        return {"hint": _("No move is seen that would lead further. You can take back, or give up.")}
    said = _("Hint: %(move)s") % {"move": board.offer(view, move, board.preview(view, move, sight.seat or 0))}
    (way, *_more) = board.ways(view, [move])
    return {"hint": said, "hinted": [slot.choices[-1].touch for slot in way.slots]}


@require_POST
@hides_private
def ask_undo(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Ask the other player to let one's last move be taken back."""
    step, command = number_in(request.POST, "step"), _command(request)
    return carried_out(request, game, lambda user: services.ask_undo(user, str(game), step=step, command=command))


@require_POST
@hides_private
def answer_undo(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Grant or decline what the other player asked to take back."""
    granted, step, command = request.POST.get("answer") == "grant", number_in(request.POST, "step"), _command(request)

    def act(user: User) -> None:
        services.answer_undo(user, str(game), granted=granted, step=step, command=command)

    return carried_out(request, game, act)


def _command(request: HttpRequest) -> str | None:
    return request.POST.get("command") or None
