"""What is agreed by sitting down: asked of who opens a table, told to everybody who looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import get_rules, latest_version
from games.pages.times import clock_text


@dataclass(frozen=True, slots=True)
class Asked:
    """An option of a game's rules: what it may be, each with a name, the usual one first."""

    name: str
    label: str | Promise
    choices: tuple[tuple[int, str | Promise], ...]


_ASKED: Final[dict[str, tuple[Asked, ...]]] = {
    "kathmandu": (
        Asked(
            "rounds",
            gettext_lazy("How many rounds?"),
            ((3, gettext_lazy("Three rounds")), (1, gettext_lazy("One round"))),
        ),
    ),
    "conquian": (
        Asked(
            "target",
            gettext_lazy("How long is the game?"),
            (
                (1, gettext_lazy("A single round")),
                (3, gettext_lazy("Up to 3 stakes")),
                (5, gettext_lazy("Up to 5 stakes")),
            ),
        ),
    ),
}


def asked(rules: str) -> tuple[Asked, ...]:
    """The options that whoever opens a table of this game is asked for."""
    return _ASKED.get(rules, ())


@cache
def first_seat(rules: str) -> int:
    """The seat that makes a game's first move: where seat 0 deals, it is the other."""
    game = get_rules(rules, latest_version(rules))
    start = game.start(game.options({}))
    awaited = game.awaits(game.deal(start, game.packs(start)))
    assert isinstance(awaited, int)
    return awaited


def seat_to_begin(rules: str, who: str) -> Literal["random", "first", "second"]:
    """The opener's seat if the opener (``"first"``), the other (``"second"``) or the lot is to say who begins.

    Also the other way round: whoever begins where the opener has this seat.
    """
    if who == "random":
        return "random"
    return "first" if (who == "first") == (first_seat(rules) == 0) else "second"


def asks_quick_pass(rules: str) -> bool:
    """Whether passes can be made by themselves at a table of this game, if its players agree."""
    return get_rules(rules, latest_version(rules)).lone_pass == "optional"


def quick_pass_text() -> str:
    """What sitting down at a table with quick passes means."""
    return _(
        "Where passing is your only legal move, it is made for you at once; that tells your opponent that you could "
        "not use the card."
    )


def terms_of(rules: str, options: Mapping[str, Any], *, quick_pass: bool, clock: Mapping[str, Any] | None) -> list[str]:
    """The terms of a table between two, a sentence each; ``clock`` as in :func:`~games.pages.times.clock_text`."""
    found = clock_text(clock)
    found += [
        _("%(term)s.") % {"term": name}
        for one in asked(rules)
        for value, name in one.choices
        if options.get(one.name) == value
    ]
    if asks_quick_pass(rules):
        found.append(
            quick_pass_text() if quick_pass else _("Passes are not made for you: every card waits for your answer.")
        )
    return found
