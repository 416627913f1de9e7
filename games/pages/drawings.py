"""Positions that pages show as pictures: made by the engine, so that no picture shows what can't be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from games.engine.ariadne import HAND_VALUE, PACKS, RANKS_WITHOUT_TENS, RULES, SWAPS, State
from games.engine.contract import SPECTATOR
from games.engine.grid import read_cell
from games.pages.boards.base import View

#: A round of Ariadne's Thread that was really played, to its 27th turn: both packs, and the moves in notation.
_BLACK = "6C 2C AC 8C 5C 9S 3C 2S 4S 6S JC 3S QS 5S 8S 7C KC AS QC 4C KS 9C JS 7S"
_RED = "JD KD 3H 6D 2H KH 3D 8D QD QH 4D 9D 4H 5H 8H 7H AD 5D AH 2D 6H 7D 9H JH"
_PLAYED = (
    "AC f6, KD g6, 2C f7, JD h6, 5C e6, 2H g8, 6C e5, KH j f5, 3C f8, 6D g9, 8C x e7, 3H h5, 4S e8, 8D i6, 9S d5, "
    "QH g5, 6S d8, 3D h4, 2S e9, 9D j6, 3S f9, QD x i4, JC d9, 5H j7, QS e4, 8H j8, 8S j i7"
)


@cache
def played() -> View:
    """The table of the front page, as an onlooker sees it."""
    state = RULES.deal(RULES.start({}), (tuple(_BLACK.split()), tuple(_RED.split())))
    for text in _PLAYED.split(","):
        state = _moved(state, text)
    return _closed(_seen(state))


def _moved(state: State, text: str) -> State:
    return RULES.play(state, RULES.parse(state, text)).state


# --- the rules of Ariadne's Thread ------------------------------------------------------------------------------------


def ariadne() -> dict[str, Any]:
    """What its rules page draws: tables by name, as an onlooker sees them, and ``swaps``."""
    threads = ["7S 9C QS JH 3D", "2H 4S 6C- 5D KD", ". 8S 5C 9H JK"]
    swap = _state(["4D 6C .", "JK 9H! .", ". 3S ."], hand=("QS", "JS", "9C"))
    take = _state(["4D 6C .", "JK 9H! .", ". 3S ."], hand=("4S", "JS", "9C"))
    limit = ["8S 3D 6C JK KH 2S QD"]
    return {
        "start": _seen(_state(["JK"])),
        "limit": _unmarked(_seen(_state(limit, corner="d7"))),
        "before": _seen(swap),
        "swapped": _closed(_seen(_moved(swap, "QS x i8"))),
        "taken": _closed(_seen(_moved(take, "4S j f8"))),
        "minotaur": _closed(_unmarked(_seen(_state(threads)))),
        "theseus": _closed(_unmarked(_seen(_state(threads, up=True)))),
        "swaps": swaps(),
    }


def _seen(state: State) -> View:
    return RULES.view(state, SPECTATOR)


def _closed(view: View) -> View:
    """Without the open cells, where they are not what is shown."""
    return {**view, "open": []}


def _unmarked(view: View) -> View:
    """Without the mark of the last card played, which a table that was laid out for a picture has none of."""
    return {**view, "last": None}


@dataclass(frozen=True, slots=True)
class Swap:
    """Which ranks a rank of the hand can take, the highest first; ``value`` is what it counts."""

    rank: str
    value: int
    takes: list[str]


@cache
def swaps() -> list[Swap]:
    """The whole table of swaps, worked out by the engine."""
    return [
        Swap(
            rank,
            HAND_VALUE[f"{rank}S"],
            [last for last in reversed(RANKS_WITHOUT_TENS) if (f"{rank}S", f"{last}H") in SWAPS],
        )
        for rank in sorted(RANKS_WITHOUT_TENS, key=lambda rank: -HAND_VALUE[f"{rank}S"])
    ]


def _state(rows: Iterable[str], *, corner: str = "g7", up: bool = False, hand: tuple[str, ...] = ()) -> State:
    """A table from its picture: cards by row from the cell ``corner``, ``.`` empty, ``-`` face down, ``!`` played last.

    ``hand`` is that of the seat to move.
    """
    left, top = read_cell(corner[0], corner[1:])
    joker = [left, top]
    lying: list[tuple[bool, dict[str, Any]]] = []
    for y, row in enumerate(rows, start=top):
        for x, text in enumerate(row.split(), start=left):
            if text == "JK":
                joker = [x, y]
            elif text != ".":
                entry = {"at": [x, y], "card": text[:2], "down": text.endswith("-")}
                lying.append((text.endswith("!"), entry))
    data = {
        "round": 2 if up else 1,
        "packs": [list(pack) for pack in PACKS],
        "drawn": [24, 24],
        "hands": [list(hand), list(hand)],
        "table": [entry for _last, entry in sorted(lying, key=itemgetter(0))],
        "joker": {"at": joker, "up": up},
        "rounds": [],
    }
    return RULES.from_json(data)
