"""The table talk: beside the board, as the part of it that renews itself, and on a page of its own."""

from __future__ import annotations

import hashlib
import uuid

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games import hearing, talking
from games.engine.contract import Refusal
from games.hearing import Talk
from games.listing import entry_of
from games.names import game_name
from games.pages.asking import hides_private, user_of
from games.pages.beside import seen_by, unheard
from games.pages.deeds import busy, by_script, number_in, see_other
from games.services import TooBusy
from games.wording import refusal_text


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@hides_private
def talk(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The talk, ``?before=`` or ``?after=`` a remark's number; a POST says something."""
    user = user_of(request)
    if user is None:
        return _log_in(game)
    if request.method == "POST":
        return _say(request, user, game)
    if by_script(request):
        return _part(request, user, game)
    found = hearing.talk(
        user, str(game), before=number_in(request.GET, "before"), after=number_in(request.GET, "after")
    )
    if request.method == "GET":
        seen_by(user, found)
    return _page(request, user, found)


def _say(request: HttpRequest, user: User, game: uuid.UUID) -> HttpResponse:
    text = request.POST.get("text", "")
    try:
        talking.say(user, str(game), text, command=_command(request.POST.get("command", ""), text))
    except Refusal as refusal:
        why = refusal_text(refusal)
    except TooBusy:
        why = busy()
    else:
        return _part(request, user, game) if by_script(request) else see_other(_at_table(game))
    if by_script(request):
        return _part(request, user, game, why=why, status=422)
    return _page(request, user, hearing.talk(user, str(game)), why=why, draft=text)


def _command(given: str, text: str) -> str | None:
    """A form that is sent twice says one thing once; a page gone back to can say another thing by the same form."""
    return f"{given[:64]}.{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:16]}" if given else None


def _part(request: HttpRequest, user: User, game: uuid.UUID, *, why: str = "", status: int = 200) -> HttpResponse:
    found = hearing.talk(user, str(game))
    context = {
        "talk": found,
        "talk_command": uuid.uuid4().hex,
        "talk_unheard": unheard(found),
        "talk_refusal": why,
    }
    return render(request, "games/talk.html", context, status=status)


def _page(request: HttpRequest, user: User, found: Talk, *, why: str = "", draft: str = "") -> HttpResponse:
    head = hearing.seat_of(user, found.game).game
    context = {
        "talk": found,
        "talk_command": uuid.uuid4().hex,
        "talk_refusal": why,
        "draft": draft,
        "game_name": game_name(entry_of(head.rules, head.options)),
        "may_say": head.taken > 1,
    }
    return render(request, "games/talk_page.html", context, status=422 if why else 200)


@never_cache
@require_POST
@hides_private
def heard(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """The reader was there when the remarks up to a number were on their screen."""
    user = user_of(request)
    if user is None:
        return _log_in(game)
    talking.mark_heard(user, str(game), number_in(request.POST, "number") or 0)
    return HttpResponse(status=204)


@never_cache
@require_POST
@hides_private
def quiet(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """Hide the talk from the reader (``quiet=1``), or have it again."""
    user = user_of(request)
    if user is None:
        return _log_in(game)
    talking.set_quiet(user, str(game), quiet=request.POST.get("quiet") == "1")
    return _part(request, user, game) if by_script(request) else see_other(_at_table(game))


def _at_table(game: uuid.UUID) -> str:
    return reverse("table", args=[game]) + "#talk"


def _log_in(game: uuid.UUID) -> HttpResponse:
    return redirect_to_login(reverse("table", args=[game]), reverse("account_login"))
