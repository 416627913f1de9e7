"""The rules of the games, told to people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.engine.forty_thieves import VARIANTS
from games.pages import catalogue, drawings, drawings_conquian, drawings_kathmandu
from games.pages.drawings_forty_thieves import forty_thieves

#: What the page of each game draws. The text is a template a language: games/rules/<rules>.<language>.html.
_PAGES: dict[str, Callable[[], dict[str, Any]]] = {
    "ariadne": drawings.ariadne,
    "conquian": drawings_conquian.conquian,
    "kathmandu": drawings_kathmandu.kathmandu,
    **{variant: partial(forty_thieves, variant) for variant in VARIANTS},
}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The games whose rules can be read here."""
    entries = [entry for entry in catalogue.entries() if entry.slug in _PAGES]
    return render(request, "games/rules.html", {"entries": entries})


@require_safe
def page(request: HttpRequest, entry: str) -> HttpResponse:
    """One game's rules in the reader's language, with examples drawn by the engine."""
    chosen = catalogue.find(entry)
    if chosen is None or entry not in _PAGES:
        raise Http404
    templates = [f"games/rules/{chosen.rules}.{language}.html" for language in (get_language(), "en")]
    return render(request, templates, {"entry": chosen, **_PAGES[entry]()})
