"""What stands around the endpoints: the schema, what the problems mean, and the answer where there is nothing."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from config.api.problems import KINDS, plain
from config.api.views import is_current


class SchemaDocument(SpectacularAPIView):
    """The schema, in the reader's language or that of ``?lang=``. It takes most of a second to make: once a process."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *_args: Any, **_kwargs: Any) -> HttpResponse:
        renderer, _media_type = self.perform_content_negotiation(request)
        language = _language(request)
        body, etag = _schema(language, renderer.media_type)
        headers = {"ETag": etag, "Cache-Control": "no-cache", "Content-Language": language}
        if is_current(request, etag):
            return HttpResponse(status=304, headers=headers)
        headers["Content-Disposition"] = f'inline; filename="clew.{renderer.format}"'
        return HttpResponse(body, content_type=f"{renderer.media_type}; charset=utf-8", headers=headers)


def _language(request: Request) -> str:
    try:
        return translation.get_supported_language_variant(request.query_params.get("lang", ""))
    except LookupError:
        return translation.get_language() or "en"


@cache
def _schema(language: str, media_type: str) -> tuple[bytes, str]:
    """The schema as bytes, and its ETag. It is for everybody: it depends on nothing else."""
    renderer = next(one for one in SchemaDocument.renderer_classes if one.media_type == media_type)
    with translation.override(language):
        made: Any = SpectacularAPIView.generator_class()  # untyped
        text = renderer().render(made.get_schema(public=True), renderer_context={})
    body = text.encode() if isinstance(text, str) else text
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Every kind of problem explained; a problem's ``type`` leads to its place here."""
    kinds = [(kind, title, text) for kind, (title, text) in KINDS.items()]
    return render(request, "games/api_problems.html", {"kinds": kinds})


@csrf_exempt
def nothing_here(_request: HttpRequest) -> HttpResponse:
    """An address below the API's that is none."""
    return plain(404, "not-found")
