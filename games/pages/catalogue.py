"""The games that can be opened on the site, as they are introduced to people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine import get_rules, latest_version
from games.names import game_name
from games.pages.boards import playable
from games.pages.terms import Asked, asked


@dataclass(frozen=True, slots=True)
class Entry:
    """A game to choose. ``slug`` stands in the addresses of its form and of its rules."""

    slug: str
    rules: str
    #: How long it takes, and what it is about, each in one line.
    length: str | Promise
    line: str | Promise
    #: The rules' options that make this game of them.
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return game_name(self.slug)

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The options that are asked for, and not already settled by ``options``."""
        return tuple(one for one in asked(self.rules) if one.name not in self.options)

    @property
    def seats(self) -> int:
        return get_rules(self.rules, latest_version(self.rules)).seats


_TWENTY_MINUTES = _("about 20 minutes")


def _patience(variant: str, line: str | Promise, length: str | Promise = _TWENTY_MINUTES) -> Entry:
    return Entry(variant, "forty_thieves", length, line, {"variant": variant})


_ENTRIES = (
    Entry(
        slug="ariadne",
        rules="ariadne",
        length=_("two rounds, 48 turns each"),
        line=_("Two colours share one grid: grow the longer threads, and keep the Minotaur away from them."),
    ),
    Entry(
        slug="kathmandu",
        rules="kathmandu",
        length=_("three rounds, or one"),
        line=_("Two traders haggle over a market of five stalls: meld for blue tokens, and get rid of the red ones."),
    ),
    Entry(
        slug="conquian",
        rules="conquian",
        length=_("about 15 turns each a round"),
        line=_("The oldest rummy: only the card in the middle counts, and eleven must lie where you hold ten."),
    ),
    _patience("forty-thieves", _("One card at a time, suit upon suit: strict and slow. An empty column is treasure.")),
    _patience("indian", _("One card in three lies hidden, and any other suit will do: the friendliest way in.")),
    _patience("limited", _("Twelve short columns leave room to breathe, yet the suits must match.")),
    _patience(
        "little-forty",
        _("Three cards a turn, three redeals, and whole runs move: quick and generous."),
        _("about 30 minutes"),
    ),
    _patience("lucas", _("Thirteen columns and all the aces out already: a wide table and a head start.")),
    _patience("maria", _("Nine columns, red upon black: fewer places, more choices.")),
    _patience("number-ten", _("Half of the cards lie face down; runs in changing colours dig them out.")),
    _patience("rank-and-file", _("Three of four cards are hidden: a siege, with whole runs for soldiers.")),
    _patience("streets", _("Forty Thieves with red upon black: the same ten columns, many more ways through.")),
)


def entries() -> list[Entry]:
    """Every game that can be opened, in the order in which they are offered."""
    boards = playable()
    return sorted((entry for entry in _ENTRIES if entry.rules in boards), key=lambda entry: boards.index(entry.rules))


def find(slug: str) -> Entry | None:
    return next((entry for entry in entries() if entry.slug == slug), None)
