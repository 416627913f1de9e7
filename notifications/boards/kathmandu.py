"""Kathmandu in a mail: the market's five places, both traders' tokens, and the piles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine.cards import is_black, show
from games.pages.boards.kathmandu import KathmanduBoard, idle_text
from games.pages.hands import in_order
from notifications.boards.base import MailBoard

#: A red token's sign.
TOKEN: Final = "●"


@dataclass(frozen=True, slots=True)
class Stall:
    """A place of the market. ``colour`` is empty for a token; ``new``: the last moves brought the card there."""

    text: str
    colour: str = ""
    new: bool = False


class KathmanduMailBoard(MailBoard):
    slug = "kathmandu"
    template = "notifications/boards/kathmandu.html"
    styles = "notifications/boards/kathmandu.css"

    def draw(self, view: Mapping[str, Any], marks: frozenset[str]) -> dict[str, Any]:
        """``market`` is its five :class:`Stall`, ``lines`` what else there is to say of the table."""
        stalls, tokens = list(_stalls(view, marks)), view["market"]["tokens"]
        return {"market": stalls, "lines": list(_lines(view)), "token": TOKEN, "tokens": tokens}

    def text(self, view: Mapping[str, Any]) -> str:
        market = "".join(f"{stall.text:<5}" for stall in _stalls(view, frozenset())).rstrip()
        legend = [f"{TOKEN}  {_('a red token')}"] if view["market"]["tokens"] else []
        return "\n".join([_("Market"), "", market, "", *legend, *_lines(view)])

    def hand(self, view: Mapping[str, Any]) -> list[str]:
        hands = [hand for hand in view["hands"] if hand is not None]
        return in_order(hands[0], "suit") if hands else []


def _stalls(view: Mapping[str, Any], marks: frozenset[str]) -> Iterator[Stall]:
    for card in in_order(view["market"]["cards"], "rank"):
        yield Stall(show(card), "black" if is_black(card) else "red", new=f"market:{card}" in marks)
    for _token in range(view["market"]["tokens"]):
        yield Stall(TOKEN)


def _lines(view: Mapping[str, Any]) -> Iterator[str]:
    own = next((seat for seat, hand in enumerate(view["hands"]) if hand is not None), None)
    for seat in sorted((0, 1), key=lambda seat: seat != own):
        who = _("You") if seat == own else _("Your opponent")
        yield _("%(who)s: %(holds)s") % {"who": who, "holds": KathmanduBoard().seat(view, seat).holds}
    yield _("%(stock)s cards to draw, %(discard)s discarded") % {"stock": view["stock"], "discard": view["discard"]}
    if idle := idle_text(view):
        yield idle
