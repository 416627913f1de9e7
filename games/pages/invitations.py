"""Invitation links: whoever holds one may sit down at the table that it names."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games import listing, services
from games.engine.contract import Refusal
from games.services import NoSuchGame, TooBusy
from games.wording import refusal_text

_SESSION = "invitations"
#: How many tables' tokens a session keeps: the latest.
_KEPT = 20


def remembered_token(request: HttpRequest, game: uuid.UUID | str) -> str | None:
    """The token with which this browser came to the table, so that it may be looked at before sitting down."""
    kept: dict[str, str] = request.session.get(_SESSION, {})
    return kept.get(str(game))


def _remember(request: HttpRequest, game: uuid.UUID, token: str) -> None:
    if remembered_token(request, game) == token:
        return
    kept = {**request.session.get(_SESSION, {}), str(game): token}
    request.session[_SESSION] = dict(list(kept.items())[-_KEPT:])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, game: uuid.UUID, token: str) -> HttpResponse:
    """Who invites to what, and the button to sit down. Looking changes nothing; sending the form sits down."""
    user = request.user if isinstance(request.user, User) else None
    offer = _offer(user, game, token)
    if offer.row.seated:
        return redirect("table", game=game)
    _remember(request, game, token)
    if request.method != "POST":
        return _page(request, offer)
    if user is None:
        return redirect_to_login(request.get_full_path())
    salt, command = request.POST.get("salt") or None, request.POST.get("command") or None
    try:
        services.sit_down(user, str(game), salt=salt, token=token, command=command)
    except Refusal as refusal:
        return _page(request, _offer(user, game, token), refusal=refusal_text(refusal), status=409)
    except TooBusy:
        return _page(request, _offer(user, game, token), busy=True, status=503)
    return redirect("table", game=game)


def _offer(user: User | None, game: uuid.UUID, token: str) -> listing.Offer:
    """The offer behind a link. Raises Http404 for a link that isn't one."""
    try:
        return listing.offer(user, str(game), token)
    except NoSuchGame:
        raise Http404 from None


def _page(request: HttpRequest, offer: listing.Offer, *, status: int = 200, **said: Any) -> HttpResponse:
    return render(request, "games/invitation.html", {"offer": offer, "row": offer.row, **said}, status=status)
