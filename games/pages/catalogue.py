"""The games that can be opened on the site, as they are introduced to people."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine import get_rules, latest_version
from games.pages.boards import playable
from games.pages.names import game_name


@dataclass(frozen=True, slots=True)
class Entry:
    """A game to choose. ``slug`` stands in the addresses of its form and of its rules."""

    slug: str
    rules: str
    #: How long it takes, and what it is about, each in one line.
    length: str | Promise
    line: str | Promise

    @property
    def name(self) -> str:
        return game_name(self.rules)

    @property
    def seats(self) -> int:
        return get_rules(self.rules, latest_version(self.rules)).seats


_ENTRIES = (
    Entry(
        slug="ariadne",
        rules="ariadne",
        length=_("two rounds, 48 turns each"),
        line=_("Two colours share one grid: grow the longer threads, and keep the Minotaur away from them."),
    ),
)


def entries() -> list[Entry]:
    """Every game that can be opened, in the order in which they are offered."""
    boards = playable()
    return sorted((entry for entry in _ENTRIES if entry.rules in boards), key=lambda entry: boards.index(entry.rules))


def find(slug: str) -> Entry | None:
    return next((entry for entry in entries() if entry.slug == slug), None)
