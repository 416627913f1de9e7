"""A player's own games."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games import listing
from games.pages.pagination import page_number


@require_safe
@never_cache
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Whose turn it is in all of their games; ``?page=`` is the page of the finished ones."""
    assert isinstance(request.user, User)
    games = listing.home(request.user, finished_page=page_number(request))
    return render(request, "games/home.html", {"games": games})
