"""Melds that the rummy games share: groups of one rank, and sequences of one suit.

Each game says how its sequences run: ``order`` is the ranks from low to high, neighbours side by side
(Conquian has no 8, 9 and 10, so its 7 and jack touch), and ``ace_high`` lets the order's first rank also stand
after its last. The ace is then low or high, never both: Q-K-A runs, K-A-2 doesn't.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from games.engine.cards import RANKS
from games.engine.contract import Card

type Meld = tuple[Card, ...]

SHORTEST: Final = 3


def is_group(cards: Sequence[Card]) -> bool:
    """Whether these are three or four different cards of one rank."""
    return (
        SHORTEST <= len(cards) <= 4
        and len({card[0] for card in cards}) == 1
        and len({card[1] for card in cards}) == len(cards)
    )


def is_sequence(cards: Sequence[Card], order: str = RANKS, *, ace_high: bool = False) -> bool:
    """Whether these are three or more cards of one suit, consecutive in ``order``; given in any order."""
    if len(cards) < SHORTEST or len({card[1] for card in cards}) != 1:
        return False
    places = sorted(order.find(card[0]) for card in cards)
    if places[0] < 0 or len(set(places)) != len(places):
        return False
    span = len(places) - 1
    if places[-1] - places[0] == span:
        return True
    # The ace moved from below the lowest to above the highest.
    return ace_high and places[0] == 0 and len(order) - places[1] == span


def groups(cards: Iterable[Card]) -> list[Meld]:
    """Every group that can be made of ``cards`` (all different), each sorted by its cards' codes."""
    suits: dict[str, str] = {}
    for card in cards:
        suits[card[0]] = suits.get(card[0], "") + card[1]
    return [meld for rank, held in suits.items() if len(held) >= SHORTEST for meld in _groups_of(rank, held)]


def sequences(cards: Iterable[Card], order: str = RANKS, *, ace_high: bool = False) -> list[Meld]:
    """Every sequence that can be made of ``cards`` (all different), each sorted by its cards' codes."""
    ranks: dict[str, str] = {}
    for card in cards:
        ranks[card[1]] = ranks.get(card[1], "") + card[0]
    line = order + order[0] if ace_high else order
    return [meld for suit, held in ranks.items() if len(held) >= SHORTEST for meld in _sequences_of(suit, held, line)]


@lru_cache(maxsize=1024)
def _groups_of(rank: str, suits: str) -> tuple[Meld, ...]:
    cards = sorted(rank + suit for suit in suits)
    return tuple(meld for size in range(SHORTEST, len(cards) + 1) for meld in combinations(cards, size))


@lru_cache(maxsize=8192)
def _sequences_of(suit: str, ranks: str, line: str) -> tuple[Meld, ...]:
    """The sequences along ``line``, where a rank may stand at both ends."""
    found: dict[Meld, None] = {}  # keyed, since A…K is also 2…A
    longest = len(set(line))
    for start in range(len(line)):
        for end in range(start, min(start + longest, len(line))):
            if line[end] not in ranks:
                break
            if end - start + 1 >= SHORTEST:
                found[tuple(sorted(rank + suit for rank in line[start : end + 1]))] = None
    return tuple(found)
