"""What stands around the endpoints: what the problems mean, and the answer where there is nothing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from config.api.problems import KINDS, plain


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Every kind of problem explained; a problem's ``type`` leads to its place here."""
    kinds = [(kind, title, text) for kind, (title, text) in KINDS.items()]
    return render(request, "games/api_problems.html", {"kinds": kinds})


@csrf_exempt
def nothing_here(_request: HttpRequest) -> HttpResponse:
    """An address below the API's that is none."""
    return plain(404, "not-found")
