"""Pages of long lists, by cursor: rows that come in between shift nothing."""

from __future__ import annotations

from rest_framework.pagination import CursorPagination


class ByCursor(CursorPagination):
    """``?limit=`` rows (50; 200 at most); ``next`` and ``previous`` are addresses, or null at the ends."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200
    ordering: str | tuple[str, ...] = "-pk"
