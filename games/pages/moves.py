"""What is done at a table: move (looked at first), sit down, resign."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
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
from games.pages.boards.base import resolve
from games.pages.invitations import remembered_token
from games.pages.scenes import names_of, table_context
from games.pages.table import state_of
from games.services import TooBusy
from games.viewing import Sight
from games.wording import refusal_text

STALE = "stale_step"


class Unclear(Exception):
    """What was touched makes no move; the text says why, in the reader's language."""


def touched_in(given: QueryDict) -> tuple[str, ...]:
    """The touches of a form: every field ``touch`` or ``touch.…``, in order, none twice."""
    names = [name for name in given if name == "touch" or name.startswith("touch.")]
    return tuple(dict.fromkeys(touch for name in names for touch in given.getlist(name)))[:64]


@require_safe
@never_cache
@hides_private
def preview(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The board as it would be after the move that ``?touch=…`` makes; 422 with the rule that forbids it."""
    user = user_of(request)
    sight = viewing.sight(user, str(game))
    if user is None or sight.seat is None:
        return HttpResponse(status=403)
    if not sight.my_turn or _step(request.GET) != sight.table["step"]:
        return _plain(_("The table has moved on since you looked at it."), 409)
    board, view = board_for(sight.table["rules"]), sight.table["view"]
    try:
        move = meant_move(user, sight, request.GET)
    except Unclear as unclear:
        return _plain(str(unclear), 422)
    except Refusal as refusal:
        return _plain(refusal_text(refusal), 422)
    after = board.preview(view, move, sight.seat)
    touched = frozenset(touched_in(request.GET))
    scene = Scene(after, sight.seat, playing=True, ghosts=board.marks(after, [move]), touched=touched, frame=view)
    context = {"board": board.drawn(scene), "offer": board.offer(view, move, after)}
    return render(request, "games/table_preview.html", context)


def meant_move(user: User, sight: Sight, given: QueryDict) -> Move:
    """The legal move that a form's touches and action make.

    Raises Refusal with the rule that forbids what was probably meant, or :class:`Unclear`.
    """
    board, view = board_for(sight.table["rules"]), sight.table["view"]
    touched, action = touched_in(given), given.get("action", "")
    moves = resolve(board.ways(view, sight.table["legal"]), touched, action)
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise Unclear(_("That could be more than one move: say which."))
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
    try:
        step = _step(request.POST)
        if step in (None, before.table["step"]) and before.my_turn:
            services.play(user, str(game), meant_move(user, before, request.POST), step=step, command=command)
        else:
            # Already done by the same form, or too late: the service knows.
            services.play(user, str(game), {}, step=step, command=command)
    except Unclear as unclear:
        return _refused(request, before, str(unclear), 422)
    except Refusal as refusal:
        status = 409 if refusal.code in (STALE, "game_over", "not_your_turn") else 422
        return _refused(request, viewing.sight(user, str(game)), refusal_text(refusal), status)
    except TooBusy:
        text = _("Too much is happening at this table just now. Try again.")
        return _refused(request, viewing.sight(user, str(game)), text, 409)
    if _by_script(request):
        response, etag = state_of(request, viewing.sight(user, str(game)))
        response["ETag"] = etag
        return response
    return _see_other(reverse("table", args=[game]))


def _refused(request: HttpRequest, sight: Sight, text: str, status: int) -> HttpResponse:
    """The table as it is, with the reason, and what was chosen still chosen."""
    chosen = {"touched": touched_in(request.POST), "action": request.POST.get("action", ""), "refusal": text}
    if _by_script(request):
        return state_of(request, sight, status=status, **chosen)[0]
    return render(request, "games/table.html", table_context(request, sight, **chosen), status=status)


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
        messages.error(request, _("Too much is happening at this table just now. Try again."))
    return _see_other(reverse("table", args=[game]))


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
        messages.error(request, _("Too much is happening at this table just now. Try again."))
    return _see_other(reverse("table", args=[game]))


def _step(given: Mapping[str, str]) -> int | None:
    text = given.get("step", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _by_script(request: HttpRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def _plain(text: str, status: int) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


def _see_other(url: str) -> HttpResponse:
    """303: whatever the form's method was, the browser now gets ``url``."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response
