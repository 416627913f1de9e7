"""Conquian's melds as bits: a card is one bit of forty, a meld or a hand is a mask.

Source of the rules: ``rules/conquian.md`` (Cards; the course of play). The pack has no 8, 9 and 10, so the seven and
the jack are neighbours; the ace is low only. There are just 182 melds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import Final

from games.engine.cards import SUITS, pack
from games.engine.contract import Card

#: The ranks from the lowest to the highest.
RANKS: Final = "A234567JQK"
SHORTEST: Final = 3
LONGEST: Final = 8

#: The pack in its unshuffled order, suit by suit; a card's place in it is its bit.
PACK: Final = pack(RANKS)
CARDS: Final = frozenset(PACK)
BIT: Final[dict[Card, int]] = {card: 1 << place for place, card in enumerate(PACK)}
CARD: Final[dict[int, Card]] = {bit: card for card, bit in BIT.items()}
ALL: Final = (1 << len(PACK)) - 1

type Melds = tuple[int, ...]


def mask(cards: Iterable[Card]) -> int:
    """These distinct cards as one mask."""
    return sum(map(BIT.__getitem__, cards))


def bits(cards: int) -> Iterator[int]:
    """The single cards of a mask, the lowest bit first."""
    while cards:
        low = cards & -cards
        yield low
        cards ^= low


def in_suits(cards: int) -> list[Card]:
    """The cards of a mask as a hand is held: suit by suit, the ace first."""
    return [CARD[bit] for bit in bits(cards)]


def _every_meld() -> Iterator[int]:
    for rank in RANKS:
        for size in (3, 4):
            for suits in combinations(SUITS, size):
                yield mask(rank + suit for suit in suits)
    for suit in SUITS:
        for size in range(SHORTEST, LONGEST + 1):
            for start in range(len(RANKS) - size + 1):
                yield mask(rank + suit for rank in RANKS[start : start + size])


#: Every meld, with its cards in canonical order.
MELDS: Final[dict[int, tuple[Card, ...]]] = {meld: tuple(sorted(in_suits(meld))) for meld in _every_meld()}

_WITH: Final = {bit: tuple(meld for meld in MELDS if meld & bit) for bit in CARD}
_ROW: Final = {bit: mask(c for c in PACK if c[1] == card[1]) for bit, card in CARD.items()}
_COLUMN: Final = {bit: mask(c for c in PACK if c[0] == card[0]) for bit, card in CARD.items()}


def canonical_melds(melds: Iterable[int]) -> Melds:
    """Melds sorted by their first cards: the order in which states and moves hold them."""
    return tuple(sorted(melds, key=MELDS.__getitem__))


def extended(melds: Melds, card: int) -> Melds:
    """Those of ``melds`` that ``card`` by itself extends into a longer meld."""
    return tuple(meld for meld in melds if meld | card in MELDS)


@cache  # at most 40 cards x (512 rows + 8 columns)
def _among(card: int, cards: int) -> Melds:
    return tuple(meld for meld in _WITH[card] if meld & cards == meld)


def melds_with(card: int, cards: int) -> Melds:
    """Every meld that holds ``card``, made from ``cards`` (a mask that includes it)."""
    return _among(card, cards & _ROW[card]) + _among(card, cards & _COLUMN[card])


def arrangements(centre: int, melded: int, hand: int) -> list[Melds]:
    """Every way to lie in melds: the centre card, all that was melded, and any of the hand.

    Each arrangement is found once, with its melds in no particular order: the centre card's meld comes first, then
    always the meld of the lowest card that still must lie, then melds of hand cards alone by their lowest card.
    """
    found: list[Melds] = []
    for meld in melds_with(centre, centre | melded | hand):
        _cover(melded & ~meld, hand & ~meld, (meld,), found)
    return found


def _cover(must: int, may: int, chosen: Melds, found: list[Melds]) -> None:
    if not must:
        _enlarge(may, chosen, found)
        return
    for meld in melds_with(must & -must, must | may):
        _cover(must & ~meld, may & ~meld, (*chosen, meld), found)


def _enlarge(may: int, chosen: Melds, found: list[Melds]) -> None:
    found.append(chosen)
    while may:
        low = may & -may
        for meld in melds_with(low, may):
            _enlarge(may & ~meld, (*chosen, meld), found)
        may ^= low


def can_be_melded(centre: int, melded: int, hand: int) -> bool:
    """Whether :func:`arrangements` would find any, stopping at the first."""
    return any(_coverable(melded & ~meld, hand & ~meld) for meld in melds_with(centre, centre | melded | hand))


def _coverable(must: int, may: int) -> bool:
    return not must or any(_coverable(must & ~meld, may & ~meld) for meld in melds_with(must & -must, must | may))


def partitions(cards: int) -> list[Melds]:
    """Every way to lay exactly these cards out in melds."""
    found: list[Melds] = []
    _cover(cards, 0, (), found)
    return found
