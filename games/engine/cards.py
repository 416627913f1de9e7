"""Cards and packs. A card is two characters, rank then suit: ``"TD"`` is the ten of diamonds; the joker is ``"JK"``."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from games.engine.contract import Card, Pack

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
JOKER: Final[Card] = "JK"
BLACK: Final = frozenset("CS")
RED: Final = frozenset("DH")

#: Every card's rank counted from the ace, 1 to 13.
RANK_NUMBER: Final[dict[Card, int]] = {rank + suit: n for suit in SUITS for n, rank in enumerate(RANKS, start=1)}


def pack(ranks: str = RANKS, suits: str = SUITS) -> Pack:
    """One card of each rank and suit given, suit by suit, each in the order of ``ranks``: the unshuffled order."""
    return tuple(rank + suit for suit in suits for rank in ranks)


def is_black(card: Card) -> bool:
    return card[1] in BLACK


def canonical(cards: Iterable[Card]) -> list[Card]:
    """Cards sorted by their codes' characters (``"2C" < "AD" < "TD"``): the form in which moves are stored."""
    return sorted(cards)


def card_list(value: object, allowed: frozenset[Card] | set[Card]) -> list[Card] | None:
    """``value`` as a list of distinct cards out of ``allowed``, or None if it is anything else."""
    if not isinstance(value, list | tuple):
        return None
    cards: list[Card] = []
    for card in value:
        if not isinstance(card, str) or card not in allowed or card in cards:
            return None
        cards.append(card)
    return cards


SUIT_SYMBOL: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_LETTER_OF_SUIT: Final = {"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♥": "H", "♡": "H", "♠": "S", "♤": "S"}
_EMOJI_MARK: Final = "\ufe0f"
_TYPED: Final = str.maketrans({**_LETTER_OF_SUIT, _EMOJI_MARK: ""})


def show(card: Card) -> str:
    """The card as people are shown it: ``"10♦"`` for ``"TD"``. The joker is ``"★"``."""
    if card == JOKER:
        return "★"
    return ("10" if card[0] == "T" else card[0]) + SUIT_SYMBOL[card[1]]


def typed(text: str) -> str:
    """What a person typed, made plain for reading notation: upper case, suits as letters, ``10`` still ``10``."""
    return unicodedata.normalize("NFKC", text.translate(_TYPED)).upper()
