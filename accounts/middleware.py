"""Every page in its reader's language and time zone."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import zone_of_browser


def reader(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Activate what the account says; for a stranger the browser's language (LocaleMiddleware) and its zone's cookie.

    Stands after LocaleMiddleware, which says the language that was active at the end in the answer's header.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        user = request.user
        if isinstance(user, User):
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
            zone = user.time_zone
        else:
            zone = zone_of_browser(request) or "UTC"
        with timezone.override(zoneinfo.ZoneInfo(zone)):
            return get_response(request)

    return middleware
