"""What every page knows."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from games import selectors

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    """``waiting_count``: how many games await the reader; ``embedded``; ``theme``: what they chose, else empty."""
    user = getattr(request, "user", None)  # an error page may be made before anybody was looked for
    theme = request.COOKIES.get("theme", "")
    return {
        "waiting_count": SimpleLazyObject(lambda: selectors.waiting_count(user) if isinstance(user, User) else 0),
        "embedded": settings.CLEW_EMBEDDED,
        "theme": theme if theme in THEMES else "",
    }
