"""The first page that a stranger sees."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.pages import catalogue, drawings


@require_safe
@never_cache
def front(request: HttpRequest) -> HttpResponse:
    """What this is, with a real table. Who is logged in goes on to their own games."""
    if request.user.is_authenticated:
        return redirect("home")
    return render(request, "games/front.html", {"table": drawings.played(), "entries": catalogue.entries()})
