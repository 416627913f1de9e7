"""``python -m tools.zone_names``: writes what the cities of time zones are called into ``accounts/zone_names.json``.

The names are those of Unicode's CLDR, as Babel brings them along: all in Korean, and in English those that the zone's
own name doesn't give. ``--check`` fails if the file isn't what would be written.
To be run when new zones come, or Babel.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from babel import Locale

from accounts.zones import city_of, offered

TARGET = Path(__file__).resolve().parent.parent / "accounts" / "zone_names.json"
LANGUAGES = ("en", "ko")


def names() -> dict[str, dict[str, str]]:
    """The cities by language and zone."""
    found = {}
    for language in LANGUAGES:
        cities = {zone: str(told["city"]) for zone, told in Locale(language).time_zones.items() if "city" in told}
        wanted = {zone: cities[zone] for zone in offered() if zone in cities and cities[zone] != city_of(zone)}
        found[language] = dict(sorted(wanted.items()))
    return found


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    text = json.dumps(names(), ensure_ascii=False, indent=0) + "\n"
    if list(arguments) == ["--check"]:
        return int(TARGET.read_text(encoding="utf-8") != text)
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
