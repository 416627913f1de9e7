"""Time zones: what a browser may claim, and what a person can choose from.

Offered are the zones of the IANA database's ``zone.tab``: each country's own, without old names and doubles. Any other
name of the database stays valid, and is shown to whoever has it.
"""

from __future__ import annotations

import json
import unicodedata
import zoneinfo
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

#: clew.js writes the browser's zone here.
ZONE_COOKIE = "timezone"
#: Cities as a language calls them, where the zone's name doesn't say it. Written by tools/zone_names.py.
_NAMES: Final = Path(__file__).parent / "zone_names.json"

type Choices = list[tuple[str, str | list[tuple[str, str]]]]


def is_zone(name: str) -> bool:
    """Whether this names a zone of the IANA database."""
    return name in _known()


def canonical(name: str) -> str:
    """The offered zone that an old name stands for (``Asia/Calcutta``: ``Asia/Kolkata``), or the name itself."""
    if name in offered() or "/" not in name:
        return name  # EST is no place, though some country keeps it
    target = _links().get(name, name)
    return target if target in offered() else name


def zone_of_browser(request: HttpRequest) -> str | None:
    """What the browser said its zone is, if it is one. Some browsers know zones by their old names."""
    # The script escapes the slash, and Django leaves cookies as they came.
    name = unquote(request.COOKIES.get(ZONE_COOKIE, ""))
    return canonical(name) if is_zone(name) else None


def zone_choices(present: str) -> Choices:
    """What to choose from, by continent, in the active language; ``present`` is always among it, whatever it is."""
    continents = {
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
    choices: Choices = [("UTC", _("UTC (universal time)"))]
    if present != "UTC" and present not in offered():
        choices.append((present, present))
    for continent, told in continents.items():
        zones = [(zone, zone_name(zone)) for zone in offered() if zone.startswith(f"{continent}/")]
        choices.append((told, sorted(zones, key=lambda zone: unicodedata.normalize("NFD", zone[1]))))
    return choices


def zone_name(zone: str) -> str:
    """What an offered zone's city is called in the active language; any other zone's own name."""
    if zone not in offered():
        return zone
    return _names().get((get_language() or "en").partition("-")[0], {}).get(zone) or city_of(zone)


def city_of(zone: str) -> str:
    """``America/Argentina/Buenos_Aires`` → ``Argentina – Buenos Aires``."""
    return zone.partition("/")[2].replace("_", " ").replace("/", " – ")


@cache
def offered() -> frozenset[str]:
    """The zones of ``zone.tab`` that this machine's database has."""
    lines = _database("zone.tab").splitlines()
    return frozenset(line.split("\t")[2] for line in lines if line and not line.startswith("#")) & _known()


@cache
def _known() -> frozenset[str]:
    # Some systems keep their own zone among those of the database: another one here, and none on the next machine.
    return frozenset(zoneinfo.available_timezones() - {"localtime"})


@cache
def _links() -> dict[str, str]:
    """What old names stand for, by the lines ``L <zone> <old name>`` of the database's source."""
    lines = (line.split() for line in _database("tzdata.zi").splitlines() if line.startswith("L "))
    return {old: zone for _letter, zone, old in lines}


@cache
def _names() -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = json.loads(_NAMES.read_text(encoding="utf-8"))
    return names


def _database(name: str) -> str:
    return resources.files("tzdata").joinpath("zoneinfo", name).read_text(encoding="utf-8")
