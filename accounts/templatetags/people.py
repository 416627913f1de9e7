"""Template filters of the account pages."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()

#: What a browser's name for itself holds, the most particular first: most claim to be several.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Whale/", "Whale"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@register.filter
def browser(user_agent: str) -> str:
    """Such as ``Firefox · Windows``; what nobody knows is shown as it says itself."""
    names = [next((name for sign, name in signs if sign in user_agent), "") for signs in (_BROWSERS, _SYSTEMS)]
    return " · ".join(filter(None, names)) or user_agent or _("Unknown browser")
