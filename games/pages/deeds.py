"""What every action at a table has in common: done and shown, or refused with nothing lost."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games import viewing
from games.engine.contract import Refusal
from games.pages.asking import user_of
from games.pages.beside import beside
from games.pages.scenes import table_context
from games.pages.table import state_of
from games.services import TooBusy
from games.viewing import Sight
from games.wording import refusal_text

#: Refusals of a page that is out of date: there is a newer table to be shown.
_PASSED = ("stale_step", "game_over", "not_your_turn")


def carried_out(
    request: HttpRequest,
    game: uuid.UUID,
    act: Callable[[User], object],
    shown: Callable[[Sight], dict[str, Any]] | None = None,
) -> HttpResponse:
    """Do something at a table and answer with the table after it.

    ``shown`` says what is to be shown with it once (see :func:`~games.pages.scenes.table_context`).
    """
    user = user_of(request)
    if user is None:
        return redirect_to_login(reverse("table", args=[game]), reverse("account_login"))
    if viewing.peek(user, str(game)).place is None:
        return HttpResponse(status=403)
    try:
        act(user)
    except Refusal as refusal:
        return refused(request, viewing.sight(user, str(game)), refusal)
    except TooBusy:
        return refused(request, viewing.sight(user, str(game)), busy())
    if shown is None and not by_script(request):
        return see_other(reverse("table", args=[game]))
    sight = viewing.sight(user, str(game))
    return _page(request, sight, 200, shown(sight) if shown else {})


def refused(request: HttpRequest, sight: Sight, why: Refusal | str) -> HttpResponse:
    """The table as it is, with the reason, and what was chosen still chosen."""
    status = 409 if why == busy() or (isinstance(why, Refusal) and why.code in _PASSED) else 422
    text = refusal_text(why) if isinstance(why, Refusal) else why
    chosen = {"touched": touched_in(request.POST), "action": request.POST.get("action", ""), "refusal": text}
    return _page(request, sight, status, chosen)


def busy() -> str:
    return _("Too much is happening at this table just now. Try again.")


def _page(request: HttpRequest, sight: Sight, status: int, shown: dict[str, Any]) -> HttpResponse:
    if by_script(request):
        response, etag = state_of(request, sight, status=status, **shown)
        response["ETag"] = etag
        return response
    context = {**table_context(request, sight, **shown), **beside(user_of(request), sight)}
    return render(request, "games/table.html", context, status=status)


def touched_in(given: QueryDict) -> tuple[str, ...]:
    """The touches of a form: every field ``touch`` or ``touch.…``, in order, none twice."""
    names = [name for name in given if name == "touch" or name.startswith("touch.")]
    return tuple(dict.fromkeys(touch for name in names for touch in given.getlist(name)))[:64]


def number_in(given: Mapping[str, str], name: str) -> int | None:
    """A whole number of a form, or None for anything else."""
    text = given.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def by_script(request: HttpRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def see_other(url: str) -> HttpResponse:
    """303: whatever the form's method was, the browser now gets ``url``."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response
