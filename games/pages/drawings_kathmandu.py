"""What the rules page of Kathmandu draws: moments of one round, each made by the engine out of the one before."""

from __future__ import annotations

from functools import cache
from typing import Any

from games.engine.cards import pack
from games.engine.contract import SPECTATOR
from games.engine.kathmandu import RULES

#: Of the non-dealer, who is dealt the first card; of the dealer; the first two of the market; the next to be turned up.
_HANDS = ("7C 7D 7H 2C 9D QH KH 4S JS 5C", "8D TD AC 3H 6S 6H 9S JC KS 5S")
_MARKET, _NEXT = "4H QD", "8H 2S KD"


@cache
def kathmandu() -> dict[str, Any]:
    """The market by name, as an onlooker sees it; ``worth`` is what the round would count for both at the end."""
    start = _dealt()
    shed = _moved(start, "shed 2C 9D")
    swapped = _moved(shed, "swap AC 3H / 9D 4H")
    bought = _moved(swapped, "buy QD")
    melded = _moved(_moved(bought, "meld 8D 9D TD"), "meld 7C 7D 7H")
    return {
        "start": RULES.view(start, SPECTATOR),
        "swept": RULES.view(_moved(start, "sweep"), SPECTATOR),
        "shed": RULES.view(shed, SPECTATOR),
        "swapped": RULES.view(swapped, SPECTATOR),
        "bought": RULES.view(bought, SPECTATOR),
        "melded": RULES.view(melded, SPECTATOR),
    }


def _dealt() -> Any:
    first, second = (hand.split() for hand in _HANDS)
    known = [card for pair in zip(first, second, strict=True) for card in pair] + _MARKET.split() + _NEXT.split()
    cards = (*known, *(card for card in pack() if card not in known))
    return RULES.deal(RULES.start(RULES.options({})), (cards,))


def _moved(state: Any, text: str) -> Any:
    return RULES.play(state, RULES.parse(state, text)).state
