"""The base of every endpoint."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.utils import translation
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from config.api.problems import Problem

_KEY: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?")


class Endpoint(APIView):
    """Somebody's request: with a session and CSRF, or with a token that has the scope; in their language.

    ``scopes`` name the scope that a method needs, where it isn't ``read`` to read and ``play`` for the rest; a
    ``public`` endpoint may be read by anybody. Every POST needs an Idempotency-Key.
    """

    scopes: ClassVar[Mapping[str, str]] = {}
    public: ClassVar[bool] = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.perform_authentication(request)
        self._speak(request)
        super().initial(request, *args, **kwargs)
        if request.method == "POST" and hasattr(self, "post"):  # else it is a method that isn't allowed
            self.command = idempotency_key(request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Kept by nobody but whoever asked, and asked for again each time."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(response, ("Authorization", "Cookie", "Accept-Language"))
        return response

    def user(self) -> User | None:
        """Who asks, or None for nobody we know."""
        return self.request.user if isinstance(self.request.user, User) else None

    def person(self) -> User:
        """Who asks, where only somebody can."""
        assert isinstance(self.request.user, User)
        return self.request.user

    @staticmethod
    def _speak(request: Request) -> None:
        """A token's owner is answered in their language, unless the request names one; sessions are, already."""
        if isinstance(request.user, User) and request.auth is not None and "Accept-Language" not in request.headers:
            translation.activate(request.user.language)


def idempotency_key(request: Request) -> str:
    """What makes the request repeatable: the same key again has no second effect, and the same answer."""
    key: str = request.headers.get("Idempotency-Key", "")
    if not _KEY.fullmatch(key):
        raise Problem(400, "idempotency-key")
    return key


def tagged(response: Response, etag: str) -> Response:
    response["ETag"] = etag
    return response


def is_current(request: Request, etag: str) -> bool:
    """Whether the asker has this answer already. Weak comparison: a proxy that compresses weakens the tag."""
    given = request.headers.get("If-None-Match", "")
    return given.strip() == "*" or etag in {tag.strip().removeprefix("W/") for tag in given.split(",")}
