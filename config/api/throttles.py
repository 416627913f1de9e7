"""How much anybody may ask for in a minute: so much that a fair program never notices.

Counted in fixed windows of a minute, in the cache, by account (whatever its token) or else by address. A cache that is
away limits nobody (config.cache).
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.cache import caches
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from config import clock

WINDOW = 60


class PerMinute(BaseThrottle):
    """Counts reads and writes apart; the limits are settings."""

    def __init__(self) -> None:
        self._left = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        what = "reads" if request.method in SAFE_METHODS else "writes"
        if request.user.is_authenticated:
            who, most = f"user-{request.user.pk}", settings.CLEW_API_LIMITS[what]
        else:
            who, most = f"address-{self.get_ident(request)}", settings.CLEW_API_LIMITS["anonymous"]
        now = clock.now().timestamp()
        window, self._left = int(now // WINDOW), WINDOW - now % WINDOW
        key = f"api:{what}:{who}:{window}"
        cache = caches["limits"]
        try:
            count = 1 if cache.add(key, 1, WINDOW) else cache.incr(key)
        except ValueError:  # the window was over in between
            count = 1
        return bool(count <= most)

    def wait(self) -> float:
        """Seconds until the next window."""
        return self._left
