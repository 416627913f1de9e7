"""Pages of long lists, by cursor: rows that come in between shift nothing."""

from __future__ import annotations

import re
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

_MOST: Final = 200
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


class ByCursor(CursorPagination):
    """``?limit=`` rows (50; 200 at most); ``next`` and ``previous`` are addresses, or null at the ends.

    A cursor or a limit that is none is refused: a program that errs shall not take another page for the one it meant.
    """

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = _MOST
    ordering: str | tuple[str, ...] = "-pk"

    def get_page_size(self, request: Request) -> int | None:
        for text in request.query_params.getlist("limit"):
            if not (text.isascii() and text.isdigit() and len(text) <= 3 and 1 <= int(text) <= _MOST):
                message = _("This has to be a number from 1 to %(most)d.") % {"most": _MOST}
                raise ValidationError({"limit": [message]})
        return super().get_page_size(request)

    def decode_cursor(self, request: Request) -> Any:
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise _leads_nowhere() from None
        # All lists are ordered by numbers first; the position is a text that anybody may have made up.
        if cursor is not None and cursor.position is not None and not _NUMBER.fullmatch(str(cursor.position)):
            raise _leads_nowhere()
        return cursor


def _leads_nowhere() -> ValidationError:
    return ValidationError({"cursor": [_("This cursor leads nowhere.")]})
