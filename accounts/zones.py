"""Time zones: what a browser may claim, and what a person can choose from."""

from __future__ import annotations

import zoneinfo
from functools import cache
from urllib.parse import unquote

from django.http import HttpRequest
from django.utils.translation import gettext as _

#: clew.js writes the browser's zone here.
ZONE_COOKIE = "timezone"

type Choices = list[tuple[str, str | list[tuple[str, str]]]]


def is_zone(name: str) -> bool:
    """Whether this names a zone of the IANA database."""
    return name in _known()


def zone_of_browser(request: HttpRequest) -> str | None:
    """What the browser said its zone is, if it is one."""
    # The script escapes the slash, and Django leaves cookies as they came.
    name = unquote(request.COOKIES.get(ZONE_COOKIE, ""))
    return name if is_zone(name) else None


def zone_choices(present: str) -> Choices:
    """What to choose from, by continent; ``present`` is always among them, whatever it is."""
    names = {
        "Africa": _("Africa"),
        "America": _("America"),
        "Antarctica": _("Antarctica"),
        "Arctic": _("Arctic"),
        "Asia": _("Asia"),
        "Atlantic": _("Atlantic"),
        "Australia": _("Australia"),
        "Europe": _("Europe"),
        "Indian": _("Indian Ocean"),
        "Pacific": _("Pacific"),
    }
    groups = _by_continent()
    choices: Choices = [("UTC", _("UTC (universal time)"))]
    if present != "UTC" and not any(present in groups[continent] for continent in names):
        choices.append((present, present))
    for continent, name in names.items():
        choices.append((name, [(zone, _city(zone)) for zone in groups[continent]]))
    return choices


@cache
def _known() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


@cache
def _by_continent() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for zone in sorted(_known()):
        continent, slash, _city_of_it = zone.partition("/")
        if slash:
            groups.setdefault(continent, []).append(zone)
    return groups


def _city(zone: str) -> str:
    """``America/Argentina/Buenos_Aires`` → ``Argentina – Buenos Aires``."""
    return zone.partition("/")[2].replace("_", " ").replace("/", " – ")
