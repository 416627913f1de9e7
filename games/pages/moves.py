"""What is done at a table: move (looked at first), sit down, resign."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games import services, viewing
from games.engine.contract import Move, Refusal
from games.pages.asking import hides_private, user_of
from games.pages.boards import Scene, board_for
from games.pages.boards.base import meant, resolve
from games.pages.deeds import busy, by_script, carried_out, number_in, refused, see_other, touched_in
from games.pages.hands import order_of
from games.pages.invitations import remembered_token
from games.pages.scenes import Choosable, choices_of, names_of, table_context
from games.services import TooBusy
from games.viewing import Sight
from games.wording import refusal_text


class Unclear(Exception):
    """What was touched makes no move; the text says why, in the reader's language."""


class Several(Unclear):
    """What was touched makes several moves; ``choices`` are to choose from."""

    def __init__(self, choices: Sequence[Choosable]) -> None:
        super().__init__(_("That could be more than one move: say which."))
        self.choices = choices


@require_safe
@never_cache
@hides_private
def preview(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The board as it would be after the move that ``?touch=…`` makes; 422 with the rule that forbids it."""
    user = user_of(request)
    sight = viewing.sight(user, str(game))
    if user is None or sight.seat is None:
        return HttpResponse(status=403)
    if not sight.my_turn or number_in(request.GET, "step") != sight.table["step"]:
        return _plain(_("The table has moved on since you looked at it."), 409)
    board, view = board_for(sight.table["rules"]), sight.table["view"]
    try:
        move = meant_move(user, sight, request.GET)
    except Several as several:
        return render(request, "games/choices.html", {"choices": several.choices})
    except Unclear as unclear:
        return _plain(str(unclear), 422)
    except Refusal as refusal:
        return _plain(refusal_text(refusal), 422)
    after = board.preview(view, move, sight.seat)
    touched = frozenset(touched_in(request.GET))
    scene = Scene(
        after,
        sight.seat,
        playing=True,
        ghosts=board.marks(after, [move]),
        touched=touched,
        frame=view,
        order=order_of(request),
        names=names_of(sight),
    )
    context = {"board": board.drawn(scene), "offer": board.offer(view, move, after)}
    return render(request, "games/table_preview.html", context)


def meant_moves(user: User, sight: Sight, given: QueryDict, *, in_order: bool) -> Sequence[Move]:
    """The moves that a form makes: one, or several by a shortcut. Raises as :func:`meant_move`.

    A form without the script sends touches in the order of the page: they are then tried the other way round, too.
    """
    board, view, touched = board_for(sight.table["rules"]), sight.table["view"], touched_in(given)
    touched = tuple(board.heard(touched))
    orders = [touched] if in_order else [touched, touched[::-1]]
    for shortcut in board.shortcuts(view):
        if shortcut.touches in orders if shortcut.touches else shortcut.action == given.get("action"):
            return shortcut.moves
    if not in_order:
        for order in orders:
            moves = resolve(board.ways(view, sight.table["legal"]), order, given.get("action", ""))
            if len(moves) == 1:
                return moves
    return [meant_move(user, sight, given)]


def meant_move(user: User, sight: Sight, given: QueryDict) -> Move:
    """The legal move that a form's touches and action make.

    Raises Refusal with the rule that forbids what was probably meant, or :class:`Unclear`.
    """
    board, view = board_for(sight.table["rules"]), sight.table["view"]
    touched, action = board.heard(touched_in(given)), given.get("action", "")
    found = meant(board.ways(view, sight.table["legal"]), touched, action)
    if len(found) == 1:
        return found[0][1]
    if found:
        raise Several(choices_of(sight, found))
    intended = board.intended(view, touched, action)
    refusal = viewing.why_not(user, sight.table["game"], intended) if intended is not None else None
    raise refusal or Unclear(_("The move isn't complete yet. %(how)s") % {"how": board.how(view)})


@require_POST
@hides_private
def move(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Make a move. A refused one shows the table as it is now, with the reason and what was chosen."""
    user = user_of(request)
    if user is None:
        return redirect_to_login(reverse("table", args=[game]), reverse("account_login"))
    before = viewing.sight(user, str(game))
    if before.seat is None:
        return HttpResponse(status=403)
    command = request.POST.get("command") or None
    step = number_in(request.POST, "step")
    try:
        moves: Sequence[Move] = [{}]  # already done by the same form, or too late: the service knows
        if step in (None, before.table["step"]) and before.my_turn:
            moves = meant_moves(user, before, request.POST, in_order=by_script(request))
    except Unclear as unclear:
        return refused(request, before, str(unclear))
    except Refusal as refusal:
        return refused(request, before, refusal)

    def act(user: User) -> None:
        if len(moves) == 1:
            services.play(user, str(game), moves[0], step=step, command=command)
        else:
            services.play_many(user, str(game), moves, step=step, command=command)

    return carried_out(request, game, act)


@require_POST
@hides_private
def sit(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Take the free seat."""
    user = user_of(request)
    if user is None:
        return redirect_to_login(reverse("table", args=[game]), reverse("account_login"))
    salt, command = request.POST.get("salt") or None, request.POST.get("command") or None
    try:
        services.sit_down(user, str(game), salt=salt, token=remembered_token(request, game), command=command)
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
    except TooBusy:
        messages.error(request, busy())
    return see_other(reverse("table", args=[game]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@hides_private
def resign(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Ask whether to give the game up; a POST does it."""
    user = user_of(request)
    if user is None:
        return redirect_to_login(request.path, reverse("account_login"))
    sight = viewing.sight(user, str(game))
    if sight.seat is None:
        return HttpResponse(status=403)
    if sight.status != "running":
        return redirect("table", game=game)
    if request.method != "POST":
        context = table_context(request, sight)
        others = [name for seat, name in names_of(sight).items() if seat != sight.seat]
        return render(request, "games/resign.html", {**context, "opponent": others[0] if others else ""})
    try:
        services.resign(user, str(game), command=request.POST.get("command") or None)
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
    except TooBusy:
        messages.error(request, busy())
    return see_other(reverse("table", args=[game]))


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
