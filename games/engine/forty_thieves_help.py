"""The tableau of the Forty Thieves family: its nine variants, its state, and questions about a state.

Everything here is a pure function of values. The source of the rules is ``rules/forty-thieves.md`` of the
specification.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from games.engine.cards import RANK_NUMBER, RANKS, SUITS, is_black, pack
from games.engine.contract import Card, Move, Pack

WASTE: Final = "w"
FOUNDATION: Final = "f"
#: The columns' names, from the left. A variant has the first of them.
COLUMNS: Final = tuple(f"t{n}" for n in range(1, 14))
COLUMN_NUMBER: Final[dict[str, int]] = {name: n for n, name in enumerate(COLUMNS)}


class Build(Enum):
    """Which suits a card may be built on, in a column, one rank lower."""

    SAME_SUIT = "same_suit"
    DIFFERENT_SUIT = "different_suit"
    OTHER_COLOUR = "other_colour"


@dataclass(frozen=True, slots=True)
class Variant:
    """One line of the page's table.

    ``rows`` cards are dealt to each column, the first ``face_down`` of them face down. ``sequences``: several cards
    may move at once. ``turn`` cards are turned from the stock at a time. ``aces_out``: the aces start on the
    foundations.
    """

    columns: int
    rows: int
    build: Build
    face_down: int = 0
    sequences: bool = False
    turn: int = 1
    redeals: int = 0
    aces_out: bool = False


VARIANTS: Final[dict[str, Variant]] = {
    "forty-thieves": Variant(10, 4, Build.SAME_SUIT),
    "indian": Variant(10, 3, Build.DIFFERENT_SUIT, face_down=1),
    "limited": Variant(12, 3, Build.SAME_SUIT),
    "little-forty": Variant(10, 4, Build.DIFFERENT_SUIT, sequences=True, turn=3, redeals=3),
    "lucas": Variant(13, 3, Build.SAME_SUIT, aces_out=True),
    "maria": Variant(9, 4, Build.OTHER_COLOUR),
    "number-ten": Variant(10, 4, Build.OTHER_COLOUR, face_down=2, sequences=True),
    "rank-and-file": Variant(10, 4, Build.OTHER_COLOUR, face_down=3, sequences=True),
    "streets": Variant(10, 4, Build.OTHER_COLOUR),
}


def fits(build: Build, card: Card, onto: Card) -> bool:
    """Whether ``card`` may be built on ``onto``: one rank lower, and of a suit that the building rule takes."""
    if RANK_NUMBER[card] + 1 != RANK_NUMBER[onto]:
        return False
    match build:
        case Build.SAME_SUIT:
            return card[1] == onto[1]
        case Build.DIFFERENT_SUIT:
            return card[1] != onto[1]
        case Build.OTHER_COLOUR:
            return is_black(card) != is_black(onto)


#: For each building rule and card, the cards that it may be built on.
HOSTS: Final[dict[Build, dict[Card, tuple[Card, ...]]]] = {
    build: {card: tuple(onto for onto in pack() if fits(build, card, onto)) for card in pack()} for build in Build
}
#: For each of the eight foundations, the card that it wants at each height; none wants a card above the king.
_WANTED: Final[tuple[tuple[Card | None, ...], ...]] = tuple(
    (*(rank + suit for rank in RANKS), None) for suit in SUITS for _ in range(2)
)


@dataclass(frozen=True, slots=True)
class State:
    """A patience at some point. Before the deal ``pack`` and all piles are empty.

    ``pack`` is the dealt pack, top card first: a face-down card or a card not yet turned is known by its position.
    ``columns`` hold their cards from the bottom, the first ``down[i]`` of them face down. ``stock`` has its top card
    first, ``waste`` its top card last. ``foundations`` are eight heights, 0 to 13, two a suit in the order of
    ``SUITS``, the higher first. ``redeals`` counts those made.
    """

    variant: str
    pack: Pack
    columns: tuple[tuple[Card, ...], ...]
    down: tuple[int, ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...]
    foundations: tuple[int, ...]
    redeals: int


def unshuffled(variant: Variant) -> Pack:
    """The two packs as one, one whole pack after the other, each suit by suit (clubs, diamonds, hearts, spades)
    from the ace up: 104 cards, or 96 where the aces start on the foundations."""
    one = pack(RANKS[1:] if variant.aces_out else RANKS)
    return one + one


def foundation_for(state: State, card: Card) -> int | None:
    """The foundation, 0 to 7, that ``card`` may go to now, or None. Of two equal foundations it is the first."""
    first = 2 * SUITS.index(card[1])
    below = RANK_NUMBER[card] - 1
    if state.foundations[first] == below:
        return first
    return first + 1 if state.foundations[first + 1] == below else None


def placed(state: State) -> int:
    """How many cards are on the foundations."""
    return sum(state.foundations)


def redeals_left(state: State) -> int:
    return VARIANTS[state.variant].redeals - state.redeals


def can_redeal(state: State) -> bool:
    """**Ruling**: only with an empty stock, a waste that isn't, and redeals left."""
    return not state.stock and bool(state.waste) and redeals_left(state) > 0


def run_length(state: State, column: int) -> int:
    """How many last cards of the column (counted from 0) form a face-up run by the building rule."""
    cards = state.columns[column]
    hosts = HOSTS[VARIANTS[state.variant].build]
    first = len(cards) - 1
    while first > state.down[column] and cards[first - 1] in hosts[cards[first]]:
        first -= 1
    return len(cards) - max(first, 0)


def movable_count(state: State, column: int) -> int:
    """How many last cards of the column (counted from 0) may be lifted at once, disregarding where to; 0 if empty."""
    if VARIANTS[state.variant].sequences:
        return run_length(state, column)
    return min(1, len(state.columns[column]))


def lifted(state: State, source: str, count: int) -> tuple[Card, ...]:
    """The cards that a legal move takes up, in the order in which they lie."""
    return (state.waste if source == WASTE else state.columns[COLUMN_NUMBER[source]])[-count:]


def card_move(source: str, target: str, count: int = 1) -> Move:
    return {"type": "move", "from": source, "to": target, "count": count}


def card_moves(state: State) -> Iterator[Move]:
    """Every legal move of cards between piles: all but turning and redealing."""
    variant = VARIANTS[state.variant]
    hosts = HOSTS[variant.build]
    wanted = {line[height] for line, height in zip(_WANTED, state.foundations, strict=True)}
    empty: list[str] = []
    takers: dict[Card, list[str]] = {}
    tops: list[tuple[str, Card]] = []
    for name, cards in zip(COLUMNS, state.columns, strict=False):
        if cards:
            card = cards[-1]
            tops.append((name, card))
            takers.setdefault(card, []).append(name)
        else:
            empty.append(name)
    if state.waste:
        tops.append((WASTE, state.waste[-1]))
    for source, card in tops:
        if card in wanted:
            yield {"type": "move", "from": source, "to": FOUNDATION, "count": 1}
        for onto in hosts[card]:
            if onto in takers:
                for target in takers[onto]:
                    yield {"type": "move", "from": source, "to": target, "count": 1}
        for target in empty:
            yield {"type": "move", "from": source, "to": target, "count": 1}
    if variant.sequences:
        yield from _sequence_moves(state, hosts, takers, empty)


def _sequence_moves(
    state: State, hosts: dict[Card, tuple[Card, ...]], takers: dict[Card, list[str]], empty: list[str]
) -> Iterator[Move]:
    """The moves of two cards or more. ``takers``: the columns by their last card; ``empty``: those that have none."""
    for source, cards, down in zip(COLUMNS, state.columns, state.down, strict=False):
        first = len(cards) - 1
        while first > down and cards[first - 1] in hosts[cards[first]]:
            first -= 1
            count = len(cards) - first
            for onto in hosts[cards[first]]:
                for target in takers.get(onto, ()):
                    yield {"type": "move", "from": source, "to": target, "count": count}
            for target in empty:
                yield {"type": "move", "from": source, "to": target, "count": count}


def only_turning_left(state: State) -> bool:
    """Whether no card can move between piles, and turning or redealing is all that can be done."""
    return (bool(state.stock) or can_redeal(state)) and next(card_moves(state), None) is None


def nothing_legal(state: State) -> bool:
    """Whether no move is legal at all, turning and redealing included: lost, won, or not dealt yet."""
    return not state.stock and not can_redeal(state) and next(card_moves(state), None) is None
