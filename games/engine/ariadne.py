"""Ariadne's Thread: two players build one grid, each growing connected groups of their colour around a joker.

The rules are those of the specification's page ``rules/ariadne.md``; *Ruling* marks what it rules itself. The table is
kept as bit sets (see :mod:`games.engine.grid`), so that the open cells of a position cost a handful of operations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from games.engine.cards import RANK_NUMBER, is_black, pack, typed
from games.engine.contract import (
    DEAL,
    OPEN,
    Awaits,
    BadOption,
    Card,
    IllegalMove,
    Move,
    Options,
    Pack,
    Packs,
    Played,
    Positions,
    Result,
    Rules,
    Viewer,
    Words,
    gettext_noop,
    malformed,
)
from games.engine.frozen import FrozenDict, FrozenList
from games.engine.grid import (
    EVERYWHERE,
    Cell,
    bit,
    bounds,
    cell_name,
    cells,
    components,
    grown,
    number,
    open_cells,
    orthogonally_grown,
    picker,
    read_cell,
)

RANKS_WITHOUT_TENS: Final = "A23456789JQK"
PACKS: Final[Packs] = (pack(RANKS_WITHOUT_TENS, "CS"), pack(RANKS_WITHOUT_TENS, "DH"))
CARDS: Final = frozenset(PACKS[0] + PACKS[1])
TURNS: Final = 48
HAND: Final = 3
THREAD: Final = 5
JOKER_POINTS: Final = 10
CENTRE: Final[Cell] = (0, 0)
COLOURS: Final = ("black", "red")

POINTS: Final = {card: min(RANK_NUMBER[card], 10) for card in CARDS}
#: Rank values for comparing: the ten is out of the pack, so J, Q, K are 10, 11, 12; an ace is 1 on the table.
TABLE_VALUE: Final = {card: RANK_NUMBER[card] - (RANK_NUMBER[card] > 10) for card in CARDS}
#: … and 14 from the hand.
HAND_VALUE: Final = {card: 14 if card[0] == "A" else value for card, value in TABLE_VALUE.items()}

_NOTATION: Final = re.compile(r"(10|[A2-9TJQK])([CDHS])([XJ]?)([A-M])(1[0-3]|[1-9])")
KINDS: Final = ("place", "joker", "swap")
_TARGET: Final = {"place": "at", "joker": "to", "swap": "to"}
_KEYS: Final = {kind: {"type", "card", target} for kind, target in _TARGET.items()}


@cache
def _moves(kind: str, card: Card) -> tuple[Move, ...]:
    """The moves of this kind with this card, by the cell's number. Made once: a position lists about 120 of them."""
    return tuple(
        FrozenDict({"type": kind, "card": card, _TARGET[kind]: FrozenList(cell)}) for cell in cells(EVERYWHERE)
    )


def swap_refusal(card: Card, last: Card) -> IllegalMove | None:
    """The rule that keeps hand card ``card`` from taking the place of ``last``, or None if it may. Ruling: all hold."""
    high, low = HAND_VALUE[card], TABLE_VALUE[last]
    if high <= low:
        return IllegalMove(
            "swap_not_higher", gettext_noop("A swap needs a hand card of a higher value than the last card played.")
        )
    if high % low == 0:
        return IllegalMove(
            "swap_divides",
            gettext_noop("A swap is not allowed where the lower value divides the higher one evenly."),
        )
    if low == high - 1:
        return IllegalMove(
            "swap_one_less", gettext_noop("A swap is not allowed where the lower value is exactly one less.")
        )
    return None


SWAPS: Final = frozenset((card, last) for card in CARDS for last in CARDS if swap_refusal(card, last) is None)


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game. Between rounds and at the end it still shows the round that was played.

    ``table`` holds ``(cell, card)`` in such an order that the last card played is its last entry; ``occupied`` and
    ``down`` are bit sets of the cells with anything on them, and of the cells whose card lies face down.
    """

    round_no: int = 0
    packs: Packs = ()
    drawn: tuple[int, int] = (0, 0)
    hands: tuple[Pack, Pack] = ((), ())
    table: tuple[tuple[Cell, Card], ...] = ()
    occupied: int = 0
    down: int = 0
    joker: Cell = CENTRE
    joker_up: bool = False
    rounds: tuple[tuple[int, int], ...] = ()

    @property
    def turn(self) -> int | None:
        """The seat to move in a running round: black leads odd rounds, red even ones, and every turn adds a card."""
        if len(self.rounds) == self.round_no:
            return None
        return (self.round_no + 1 + len(self.table)) & 1

    @property
    def totals(self) -> tuple[int, int]:
        return sum(r[0] for r in self.rounds), sum(r[1] for r in self.rounds)


@dataclass(frozen=True, slots=True)
class Thread:
    """Five or more orthogonally connected face-up cards of one seat's colour."""

    seat: int
    area: int
    points: int


def threads(state: State) -> list[Thread]:
    """Every thread on the table now."""
    colour = [0, 0]
    points: dict[int, int] = {}
    for cell, card in state.table:
        here = bit(cell)
        if not here & state.down:
            colour[0 if is_black(card) else 1] |= here
            points[here] = POINTS[card]
    return [
        Thread(seat, area, sum(worth for here, worth in points.items() if here & area))
        for seat in (0, 1)
        for area in components(colour[seat])
        if area.bit_count() >= THREAD
    ]


def scores(state: State, found: list[Thread]) -> tuple[int, int]:
    """The points of ``found`` by seat, with the joker's 10: once a round, however many threads it is beside."""
    beside = orthogonally_grown(bit(state.joker))
    joker = JOKER_POINTS if state.joker_up else -JOKER_POINTS
    out = []
    for seat in (0, 1):
        own = [thread for thread in found if thread.seat == seat]
        touched = any(thread.area & beside for thread in own)
        out.append(sum(thread.points for thread in own) + (joker if touched else 0))
    return out[0], out[1]


class Ariadne(Rules[State]):
    """The rules of Ariadne's Thread, version 1."""

    slug = "ariadne"
    version = 1
    seats = 2

    # --- options and course -------------------------------------------------------------------------------------

    def options(self, given: Options) -> dict[str, Any]:
        if given:
            raise BadOption("unknown_option", gettext_noop("Ariadne's Thread has no options."))
        return {}

    def start(self, options: Options) -> State:
        return State()

    def awaits(self, state: State) -> Awaits:
        turn = state.turn
        if turn is not None:
            return turn
        return None if self._over(state) else DEAL

    @staticmethod
    def _over(state: State) -> bool:
        # Ruling: while the totals are equal after round 2, one more round is played.
        black, red = state.totals
        return len(state.rounds) >= 2 and black != red

    def packs(self, state: State) -> Packs:
        """Black (clubs, spades), then red (diamonds, hearts), each suit A to K without the ten."""
        return PACKS

    def deal(self, state: State, packs: Packs) -> State:
        round_no = state.round_no + 1
        return State(
            round_no=round_no,
            packs=packs,
            drawn=(HAND, HAND),
            hands=(packs[0][:HAND], packs[1][:HAND]),
            occupied=bit(CENTRE),
            joker_up=round_no % 2 == 0,
            rounds=state.rounds,
        )

    # --- moves --------------------------------------------------------------------------------------------------

    def legal_moves(self, state: State) -> list[Move]:
        seat = state.turn
        if seat is None:
            return []
        moves: list[Move] = []
        pick = picker(open_cells(state.occupied))
        last = state.table[-1][1] if state.table else None
        for card in state.hands[seat]:
            for kind in KINDS if (card, last) in SWAPS else KINDS[:2]:
                moves += pick(_moves(kind, card))
        return moves

    def check_move(self, state: State, seat: int, move: Mapping[str, object]) -> Move:
        kind, card = move.get("type"), move.get("card")
        if not isinstance(kind, str) or kind not in _KEYS or move.keys() != _KEYS[kind]:
            raise malformed()
        if not isinstance(card, str) or card not in RANK_NUMBER:
            raise malformed()
        cell = _cell(move[_TARGET[kind]])
        if card not in state.hands[seat]:
            raise IllegalMove("not_in_hand", gettext_noop("Only a card of your own hand can be played."))
        if kind == "swap":
            _check_swap(state, card)
        _check_open(state.occupied, cell)
        return _moves(kind, card)[number(cell)]

    def play(self, state: State, move: Move) -> Played[State]:
        """``revealed`` says whether a card was drawn: the card that is played is shown by its owner's own will."""
        seat = state.turn
        assert seat is not None
        card, kind = move["card"], move["type"]
        joker, joker_up, down, table = state.joker, state.joker_up, state.down, state.table
        x, y = move["at"] if kind == "place" else move["to"]
        filled = (x, y)
        if kind == "place":
            table = (*table, (filled, card))
        elif kind == "joker":
            table = (*table, (joker, card))
            joker, joker_up = filled, not joker_up
        else:
            last_cell, last_card = table[-1]
            table = (*table[:-1], (filled, last_card), (last_cell, card))
            down |= bit(filled)
        drawn, hand, stock = state.drawn, state.hands[seat], state.packs[seat]
        at, place = drawn[seat], hand.index(card)
        hand = hand[:place] + hand[place + 1 :] + stock[at : at + 1]
        revealed = at < len(stock)
        after = State(
            state.round_no,
            state.packs,
            (drawn[0] + (revealed and seat == 0), drawn[1] + (revealed and seat == 1)),
            (hand, state.hands[1]) if seat == 0 else (state.hands[0], hand),
            table,
            state.occupied | bit(filled),
            down,
            joker,
            joker_up,
            state.rounds,
        )
        if len(table) == TURNS:
            after = replace(after, rounds=(*after.rounds, scores(after, threads(after))))
        return Played(after, revealed)

    def pass_if_lone(self, state: State) -> Move | None:
        """None: placing is always possible, nobody ever passes."""
        return None

    # --- eyes ---------------------------------------------------------------------------------------------------

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """What the viewer may see; cells are ``[x, y]`` with their names, ``hand`` is None for who has none.

        ``threads`` and ``provisional`` score the table as it lies; when a round has ended, ``rounds`` has them too.
        The open view adds ``hands`` and ``piles``.
        """
        found = threads(state)
        window = open_cells(state.occupied)
        seen: dict[str, Any] = {
            "round": state.round_no,
            "awaits": self.awaits(state),
            "hand": list(state.hands[viewer]) if isinstance(viewer, int) else None,
            "table": [_shown(state, cell, card) for cell, card in sorted(state.table, key=_reading_order)],
            "joker": {"at": list(state.joker), "cell": cell_name(state.joker), "up": state.joker_up},
            "last": _shown(state, *state.table[-1]) if state.table else None,
            "open": [list(cell) for cell in cells(window)],
            "box": bounds(state.occupied) if state.occupied else None,
            "hand_counts": [len(hand) for hand in state.hands],
            "pile_counts": _pile_counts(state),
            "threads": [
                {"seat": t.seat, "points": t.points, "cells": [list(cell) for cell in cells(t.area)]} for t in found
            ],
            "provisional": list(scores(state, found)),
            "rounds": [list(pair) for pair in state.rounds],
            "totals": list(state.totals),
            "result": self.result(state),
        }
        if viewer is OPEN:
            seen["hands"] = [list(hand) for hand in state.hands]
            seen["piles"] = [list(p[n:]) for p, n in zip(state.packs, state.drawn, strict=False)]
        return seen

    def unseen(self, state: State, viewer: Viewer) -> Positions:
        if viewer is OPEN:
            return tuple(frozenset[int]() for _ in state.packs)
        played = {card for _, card in state.table}
        return tuple(
            frozenset(range(state.drawn[seat], len(cards)))
            if seat == viewer
            else frozenset(place for place, card in enumerate(cards) if card not in played)
            for seat, cards in enumerate(state.packs)
        )

    def result(self, state: State) -> Result | None:
        if state.turn is not None or not self._over(state):
            return None
        black, red = state.totals
        return {
            "scores": [black, red],
            "winner": 0 if black > red else 1,
            "rounds": [list(pair) for pair in state.rounds],
        }

    # --- words --------------------------------------------------------------------------------------------------

    def describe(self, state: State, move: Move) -> Words:
        card = move["card"]
        if move["type"] == "place":
            return Words("ariadne.place", {"card": card, "cell": cell_name(move["at"])})
        to = cell_name(move["to"])
        if move["type"] == "joker":
            face = "ariadne.joker_down" if state.joker_up else "ariadne.joker_up"
            return Words(face, {"card": card, "cell": cell_name(state.joker), "to": to})
        cell, moved = state.table[-1]
        return Words("ariadne.swap", {"card": card, "cell": cell_name(cell), "moved": moved, "to": to})

    def notation(self, state: State, move: Move) -> str:
        """``7S h7`` places, ``9S x i8`` swaps (the moved card goes to i8), ``4S j f8`` sends the joker to f8."""
        if move["type"] == "place":
            return f"{move['card']} {cell_name(move['at'])}"
        return f"{move['card']} {'x' if move['type'] == 'swap' else 'j'} {cell_name(move['to'])}"

    def parse(self, state: State, text: str) -> Move:
        seat = state.turn
        found = _NOTATION.fullmatch(re.sub(r"[\s,.:>→-]", "", typed(text)))
        if found is None:
            raise IllegalMove(
                "bad_notation",
                gettext_noop(
                    "Write a card and a cell, as in 7S h7; x swaps, as in 9S x i8; j moves the joker, as in 4S j f8."
                ),
            )
        rank, suit, action, column, row = found.groups()
        cell = list(read_cell(column, row))
        card = ("T" if rank == "10" else rank) + suit
        if not action:
            move: Move = {"type": "place", "card": card, "at": cell}
        else:
            move = {"type": "swap" if action == "X" else "joker", "card": card, "to": cell}
        # Between turns no seat is awaited, and -1 is nobody's.
        return self.check(state, -1 if seat is None else seat, move)

    # --- values -------------------------------------------------------------------------------------------------

    def to_json(self, state: State) -> dict[str, Any]:
        return {
            "round": state.round_no,
            "packs": [list(cards) for cards in state.packs],
            "drawn": list(state.drawn),
            "hands": [list(hand) for hand in state.hands],
            "table": [
                {"at": list(cell), "card": card, "down": bool(bit(cell) & state.down)} for cell, card in state.table
            ],
            "joker": {"at": list(state.joker), "up": state.joker_up},
            "rounds": [list(pair) for pair in state.rounds],
        }

    def from_json(self, data: Mapping[str, Any]) -> State:
        joker = (data["joker"]["at"][0], data["joker"]["at"][1])
        table = tuple(((entry["at"][0], entry["at"][1]), entry["card"]) for entry in data["table"])
        occupied = bit(joker) if data["round"] else 0
        down = 0
        for entry in data["table"]:
            occupied |= bit(entry["at"])
            down |= bit(entry["at"]) if entry["down"] else 0
        return State(
            round_no=data["round"],
            packs=tuple(tuple(cards) for cards in data["packs"]),
            drawn=(data["drawn"][0], data["drawn"][1]),
            hands=(tuple(data["hands"][0]), tuple(data["hands"][1])),
            table=table,
            occupied=occupied,
            down=down,
            joker=joker,
            joker_up=data["joker"]["up"],
            rounds=tuple((black, red) for black, red in data["rounds"]),
        )


def _cell(value: object) -> Cell:
    """``value`` as a cell; malformed unless it is a pair of whole numbers."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise malformed()
    x, y = value
    if type(x) is not int or type(y) is not int:
        raise malformed()
    return x, y


def _check_swap(state: State, card: Card) -> None:
    if not state.table:
        raise IllegalMove(
            "no_last_card", gettext_noop("On a round's first turn there is no last card played to swap with.")
        )
    refusal = swap_refusal(card, state.table[-1][1])
    if refusal is not None:
        raise refusal


def _check_open(occupied: int, cell: Cell) -> None:
    """Judged on the table as it stands before the turn: the cell that a moved card leaves is still occupied."""
    on_grid = abs(cell[0]) <= 7 and abs(cell[1]) <= 7
    here = bit(cell) if on_grid else 0
    if here & open_cells(occupied):
        return
    if here & occupied:
        raise IllegalMove(
            "cell_occupied", gettext_noop("The cell must be empty; the joker's own cell is occupied too.")
        )
    if not here & grown(occupied):
        raise IllegalMove("no_neighbour", gettext_noop("At least one of the cell's eight neighbours must be occupied."))
    raise IllegalMove("outside_square", gettext_noop("The occupied area may be at most 7 cells wide and 7 cells high."))


def _reading_order(entry: tuple[Cell, Card]) -> Cell:
    (x, y), _ = entry
    return y, x


def _shown(state: State, cell: Cell, card: Card) -> dict[str, Any]:
    down = bool(bit(cell) & state.down)
    colour = None if down else COLOURS[0 if is_black(card) else 1]
    return {"at": list(cell), "cell": cell_name(cell), "card": card, "down": down, "colour": colour}


def _pile_counts(state: State) -> list[int]:
    if not state.packs:
        return [0, 0]
    return [len(cards) - drawn for cards, drawn in zip(state.packs, state.drawn, strict=True)]


RULES: Final = Ariadne()
