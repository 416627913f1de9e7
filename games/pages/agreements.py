"""What two players agree on at a table, and closing one's own that nobody has joined.

``…/agree/<what>/``: sent, it is done. What ends a game is asked for once more by a page of the same address.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games import agreeing, viewing
from games.engine.contract import Refusal
from games.names import game_name
from games.pages.asking import hides_private, user_of
from games.pages.deeds import busy, carried_out, number_in, see_other
from games.pages.scenes import entry_of, names_of
from games.services import TooBusy
from games.table.terms import MINUTE
from games.wording import refusal_text

type Deed = Callable[[User, str, str | None], object]

DEEDS: Final[Mapping[str, Deed]] = {
    "draw-offer": lambda user, game, command: agreeing.offer_draw(user, game, command=command),
    "draw-accept": lambda user, game, command: agreeing.answer_draw(user, game, accepted=True, command=command),
    "draw-decline": lambda user, game, command: agreeing.answer_draw(user, game, accepted=False, command=command),
    "abort": lambda user, game, command: agreeing.abort(user, game, command=command),
    "pause-ask": lambda user, game, command: agreeing.ask_pause(user, game, command=command),
    "pause-grant": lambda user, game, command: agreeing.answer_pause(user, game, granted=True, command=command),
    "pause-decline": lambda user, game, command: agreeing.answer_pause(user, game, granted=False, command=command),
    "resume": lambda user, game, command: agreeing.resume(user, game, command=command),
}
#: What ends the game, or closes the table.
ENDS: Final = ("draw-accept", "abort", "withdraw")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@hides_private
def agree(request: HttpRequest, game: uuid.UUID, what: str) -> HttpResponse:
    """Do ``what`` (of :data:`DEEDS`, ``"give-time"`` or ``"withdraw"``), or ask whether it is meant."""
    if what not in DEEDS and what not in ("give-time", "withdraw"):
        raise Http404
    if request.method != "POST":
        return _ask(request, game, what) if what in ENDS else HttpResponseNotAllowed(["POST"])
    command = request.POST.get("command") or None
    if what == "withdraw":
        return _withdraw(request, game, command)
    if what == "give-time":
        us = (number_in(request.POST, "minutes") or 0) * MINUTE
        return carried_out(request, game, lambda user: agreeing.give_time(user, str(game), us, command=command))
    return carried_out(request, game, lambda user: DEEDS[what](user, str(game), command))


def _ask(request: HttpRequest, game: uuid.UUID, what: str) -> HttpResponse:
    user = user_of(request)
    if user is None:
        return redirect_to_login(request.path, reverse("account_login"))
    sight = viewing.sight(user, str(game))
    if sight.place is None:
        return HttpResponse(status=403)
    if not _may(sight, what):
        return see_other(reverse("table", args=[game]))
    opponent = next((name for seat, name in names_of(sight).items() if seat != sight.seat), "")
    context = {
        "game": game,
        "what": what,
        "game_name": game_name(entry_of(sight.table)),
        "opponent": opponent,
        "command": uuid.uuid4().hex,
    }
    return render(request, "games/agree.html", context)


def _may(sight: viewing.Sight, what: str) -> bool:
    if what == "withdraw":
        return sight.status == "open" and sight.place == 0
    may: dict[str, Any] = sight.table["time"]["may"]
    return bool(may["abort"] if what == "abort" else may["answer_draw"])


def _withdraw(request: HttpRequest, game: uuid.UUID, command: str | None) -> HttpResponse:
    user = user_of(request)
    if user is None:
        return redirect_to_login(reverse("table", args=[game]), reverse("account_login"))
    try:
        agreeing.withdraw(user, str(game), command=command)
    except Refusal as refusal:
        messages.error(request, refusal_text(refusal))
        return see_other(reverse("table", args=[game]))
    except TooBusy:
        messages.error(request, busy())
        return see_other(reverse("table", args=[game]))
    messages.success(request, _("Your table is closed."))
    return see_other(reverse("home"))
