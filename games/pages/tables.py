"""Tables at which anybody may sit down."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games import listing
from games.pages.boards import playable
from games.pages.pagination import page_number


@require_safe
@never_cache
def open_tables(request: HttpRequest) -> HttpResponse:
    """The tables that wait for somebody, newest first, each with a button to sit down."""
    user = request.user if isinstance(request.user, User) else None
    page = listing.open_tables(user, playable(), page=page_number(request))
    return render(request, "games/tables.html", {"page": page})
