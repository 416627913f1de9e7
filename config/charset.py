"""Forms are sent in UTF-8, as every browser does."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

from config.api.problems import is_api, plain


class OnlyUtf8:
    """Refuse a body that names another charset: Django would decode it with any codec of Python's, however odd."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            if is_api(request):
                return plain(415, "unsupported-media-type")
            return HttpResponseBadRequest("Send forms in UTF-8.\n", content_type="text/plain; charset=utf-8")
        return self.get_response(request)
