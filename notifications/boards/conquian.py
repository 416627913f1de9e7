"""Conquian in a mail: both players' melds, and the centre card between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.engine.cards import is_black, show
from games.engine.contract import Card
from games.pages.boards.conquian_words import note, piles
from games.pages.hands import in_order
from notifications.boards.base import MailBoard


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table. ``new``: the last moves laid it there."""

    text: str
    colour: str
    new: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """What lies before a player, with a line about them."""

    title: str
    melds: tuple[tuple[Lying, ...], ...]


class ConquianMailBoard(MailBoard):
    slug = "conquian"
    template = "notifications/boards/conquian.html"
    styles = "notifications/boards/conquian.css"

    def draw(self, view: Mapping[str, Any], marks: frozenset[str]) -> dict[str, Any]:
        """``far`` and ``near`` :class:`Side`, the ``centre`` card or None, and ``lines`` about what can't be drawn."""
        near = _own(view)
        centre = view["centre"]
        return {
            "far": _side(view, 1 - near, marks, _("Your opponent")),
            "near": _side(view, near, marks, _("You")),
            "centre": _lying(centre, "centre", marks) if centre else None,
            "lines": list(_lines(view, near)),
        }

    def text(self, view: Mapping[str, Any]) -> str:
        near = _own(view)
        far, own = (_side(view, seat, frozenset(), who) for seat, who in _who(near))
        centre = show(view["centre"]) if view["centre"] else "–"
        lines = [*_rows(far), "", f"{_('Centre card')}: {centre}", *_lines(view, near), "", *_rows(own)]
        return "\n".join(lines)

    def hand(self, view: Mapping[str, Any]) -> list[str]:
        return in_order(view["hands"][_own(view)]["cards"] or [], "suit")


def _own(view: Mapping[str, Any]) -> int:
    """The seat whose hand is seen."""
    return next((seat for seat, hand in enumerate(view["hands"]) if hand["cards"] is not None), 0)


def _who(near: int) -> tuple[tuple[int, str], tuple[int, str]]:
    return (1 - near, _("Your opponent")), (near, _("You"))


def _side(view: Mapping[str, Any], seat: int, marks: frozenset[str], who: str) -> Side:
    melds = view["melds"][seat]
    melded = sum(len(meld["cards"]) for meld in melds)
    holds = _("%(hand)s in hand, %(melded)s of 11 melded") % {"hand": view["hands"][seat]["count"], "melded": melded}
    return Side(
        title=_("%(who)s: %(holds)s") % {"who": who, "holds": holds},
        melds=tuple(tuple(_lying(card, f"card:{card}", marks) for card in meld["cards"]) for meld in melds),
    )


def _lying(card: Card, touch: str, marks: frozenset[str]) -> Lying:
    return Lying(show(card), "black" if is_black(card) else "red", new=touch in marks)


def _rows(side: Side) -> Iterator[str]:
    yield side.title
    for meld in side.melds:
        yield "  " + " ".join(card.text for card in meld)


def _lines(view: Mapping[str, Any], near: int) -> Iterator[str]:
    yield piles(view["stock"], view["waste"])
    if said := note(view, near):
        yield said
