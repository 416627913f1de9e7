"""The pages that everybody can see."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.engine import all_rules
from games.pages.names import game_name


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What this is, and the games that it knows."""
    games = [{"name": game_name(rules.slug), "seats": rules.seats} for rules in all_rules()]
    return render(request, "games/front.html", {"games": games})
