"""The board of Ariadne's Thread: a grid that grows, a hand of three, the joker and the last card played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.ariadne import RULES, State
from games.engine.cards import show
from games.engine.contract import Move
from games.engine.grid import bit, cell_name
from games.pages.boards.base import Board, Choice, Scene, ScoreRow, SeatFacts, Slot, View, Way
from games.pages.cards import card_name

type Cell = tuple[int, int]

#: Before much lies on the table, so many columns and rows are shown all the same.
LEAST_SIDE = 5
COLOURS: tuple[str | Promise, str | Promise] = (gettext_lazy("black"), gettext_lazy("red"))
PIPS = ("S", "H")
_EDGES = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}


def touch_cell(cell: Sequence[int]) -> str:
    return f"cell:{cell[0]},{cell[1]}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as it is drawn. ``x`` and ``y`` count from 1 in the part of the grid that is shown.

    ``symbol`` is the card sprite's, ``rims`` the sides (``"n e"``) where a thread ends. ``input`` is empty where there
    is nothing to touch.
    """

    x: int
    y: int
    touch: str
    label: str
    css: str
    card: str = ""
    symbol: str = ""
    rims: str = ""
    input: str = ""
    checked: bool = False


class AriadneBoard(Board):
    slug = "ariadne"
    template = "games/boards/ariadne.html"

    # --- drawing ------------------------------------------------------------------------------------------------

    def draw(self, scene: Scene) -> dict[str, Any]:
        """``cells`` in reading order, the names of ``columns`` and ``rows``, the ``hand``, and open hands and piles."""
        left, right, top, bottom = _window(scene.frame or scene.view, 1 if scene.still else LEAST_SIDE)
        grid = [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
        shown = (_shown(scene, _Table(scene.view), cell, (left, top)) for cell in grid)
        hand = scene.view["hand"] if scene.view["hand"] is not None else []
        return {
            "cells": [cell for cell in shown if cell is not None],
            "columns": [cell_name((x, 0))[0] for x in range(left, right + 1)],
            "rows": [cell_name((0, y))[1:] for y in range(top, bottom + 1)],
            "hand": [_held(scene, card, n) for n, card in enumerate(hand, start=1)],
            "playing": scene.playing,
            "still": scene.still,
            "hands": [] if scene.still else _opened(scene.view),
        }

    # --- touching -----------------------------------------------------------------------------------------------

    def ways(self, view: View, legal: Sequence[Move]) -> list[Way]:
        """Place, joker and swap. Every card that may be played in one of these may go to every open cell."""
        labels = {
            "place": _("Place the card"),
            "swap": _("Swap it for the last card played"),
            "joker": _("Take the joker's place"),
        }
        also = {
            "joker": touch_cell(view["joker"]["at"]),
            "swap": touch_cell(view["last"]["at"]) if view["last"] else "",
        }
        found = []
        for kind, label in labels.items():
            moves = [move for move in legal if move["type"] == kind]
            if not moves:
                continue
            target = "at" if kind == "place" else "to"
            cards = dict.fromkeys(move["card"] for move in moves)
            cells = dict.fromkeys(tuple(move[target]) for move in moves)
            slots = [
                Slot("card", tuple(Choice(f"hand:{card}", card) for card in cards)),
                Slot(target, tuple(Choice(touch_cell(cell), list(cell)) for cell in cells)),
            ]
            if kind in also:
                slots.insert(1, Slot(None, (Choice(also[kind]),)))
            found.append(Way(kind, label, {"type": kind}, tuple(slots)))
        return found

    def intended(self, view: View, touched: Sequence[str], action: str) -> Move | None:
        cards = [touch.removeprefix("hand:") for touch in touched if touch.startswith("hand:")]
        cells = [cell for touch in touched if (cell := _touched_cell(touch)) is not None]
        joker = tuple(view["joker"]["at"])
        last = tuple(view["last"]["at"]) if view["last"] else None
        if action not in ("place", "swap", "joker"):
            action = "joker" if joker in cells else "swap" if last in cells else "place"
        meant = [cell for cell in cells if cell not in (joker, last)] or (cells if action == "place" else [])
        if not (cards or view["hand"]) or not (meant or view["open"]):
            return None
        target = list(meant[-1]) if meant else view["open"][0]
        card = cards[-1] if cards else view["hand"][0]
        return {"type": action, "card": card, ("at" if action == "place" else "to"): target}

    def preview(self, view: View, move: Move, seat: int) -> View:
        """The engine's own move, on a state that holds no more than the view: with empty piles nothing is drawn."""
        after = RULES.view(RULES.play(_state(view, seat), move).state, seat)
        counts = [count - (n == seat) for n, count in enumerate(view["hand_counts"])]
        return {**after, "hand_counts": counts, "pile_counts": view["pile_counts"]}

    def marks(self, view: View, moves: Iterable[Move]) -> frozenset[str]:
        lies = {entry["card"]: entry["at"] for entry in view["table"]}
        found: set[str] = set()
        for move in moves:
            if move["card"] in lies:  # not what a new deal took away
                found.add(touch_cell(lies[move["card"]]))
                found.add(touch_cell(move.get("to", lies[move["card"]])))
        return frozenset(found)

    # --- words --------------------------------------------------------------------------------------------------

    def offer(self, view: View, move: Move, after: View) -> str:
        black, red = after["provisional"]
        then = _("Threads then: black %(black)s, red %(red)s.") % {"black": black, "red": red}
        return f"{_offered(view, move)} {then}"

    def how(self, view: View) -> str:
        if view["last"] is None:
            return _("Choose a card and an open cell. To put the card in the joker's place, touch the joker too.")
        return _(
            "Choose a card and an open cell. To put the card in the place of the joker or of the last card played, "
            "touch that too: it then goes to the open cell."
        )

    def seat(self, view: View, seat: int) -> SeatFacts:
        holds = ""
        if view:
            holds = _("%(hand)s in hand, %(pile)s to draw") % {
                "hand": view["hand_counts"][seat],
                "pile": view["pile_counts"][seat],
            }
        return SeatFacts(PIPS[seat], str(COLOURS[seat]), holds)

    def now(self, view: View) -> str:
        black, red = view["provisional"]
        return _("Threads now: black %(black)s, red %(red)s") % {"black": black, "red": red}

    def round(self, view: View) -> str:
        if view["round"] > 2:
            return _("Extra round %(round)s") % {"round": view["round"]}
        return _("Round %(round)s of 2") % {"round": view["round"]}

    def score(self, view: View) -> list[ScoreRow]:
        rows = [ScoreRow(_("Round %(round)s") % {"round": n}, pair) for n, pair in enumerate(view["rounds"], start=1)]
        if len(view["rounds"]) < view["round"]:
            rows.append(ScoreRow(_("Threads now"), view["provisional"]))
        if view["rounds"]:
            rows.append(ScoreRow(_("Total"), view["totals"], total=True))
        return rows


def _offered(view: View, move: Move) -> str:
    card = show(move["card"])
    if move["type"] == "place":
        return _("Place %(card)s at %(cell)s.") % {"card": card, "cell": cell_name(move["at"])}
    said = {"card": card, "to": cell_name(move["to"])}
    if move["type"] == "swap":
        said["last"] = show(view["last"]["card"])
        return _("Swap %(card)s in for %(last)s, which goes face down to %(to)s.") % said
    if view["joker"]["up"]:
        return _("Put %(card)s in the joker's place; the joker goes to %(to)s as the Minotaur.") % said
    return _("Put %(card)s in the joker's place; the joker goes to %(to)s as Theseus.") % said


# --- the grid -----------------------------------------------------------------------------------------------------


class _Table:
    """A view's table, looked up by cell."""

    def __init__(self, view: View) -> None:
        self.entries: dict[Cell, Mapping[str, Any]] = {_cell(entry["at"]): entry for entry in view["table"]}
        self.joker = _cell(view["joker"]["at"]) if view["box"] else None
        self.joker_up: bool = view["joker"]["up"]
        self.last = _cell(view["last"]["at"]) if view["last"] else None
        self.open = {_cell(cell) for cell in view["open"]}
        self.threads: dict[Cell, tuple[int, set[Cell]]] = {}
        for thread in view["threads"]:
            area = {_cell(cell) for cell in thread["cells"]}
            self.threads |= dict.fromkeys(area, (thread["seat"], area))


def _cell(pair: Sequence[int]) -> Cell:
    return pair[0], pair[1]


def _touched_cell(touch: str) -> Cell | None:
    kind, _colon, place = touch.partition(":")
    x, comma, y = place.partition(",")
    if kind != "cell" or not comma:
        return None
    try:
        return int(x), int(y)
    except ValueError:
        return None


def _window(view: View, side: int) -> tuple[int, int, int, int]:
    """The first and last column and row to show: all that is occupied or open, at least ``side`` both ways."""
    shown = [*view["open"], *(entry["at"] for entry in view["table"]), view["joker"]["at"]]
    left, right = _widened([x for x, _y in shown], side)
    top, bottom = _widened([y for _x, y in shown], side)
    return left, right, top, bottom


def _widened(numbers: list[int], side: int) -> tuple[int, int]:
    least, most = min(numbers), max(numbers)
    missing = max(side - (most - least + 1), 0)
    return max(least - missing // 2, -6), min(most + (missing + 1) // 2, 6)


def _shown(scene: Scene, table: _Table, cell: Cell, corner: Cell) -> Shown | None:
    """A cell of the grid; None for one that is neither occupied nor to be touched."""
    touch = touch_cell(cell)
    css = [name for name, touches in (("new", scene.marks), ("ghost", scene.ghosts)) if touch in touches]
    card = symbol = rims = kind = ""
    where = {"cell": cell_name(cell)}
    if cell in table.entries or cell == table.joker:
        card, symbol, label = _lying(table, cell)
        if cell in (table.joker, table.last):
            kind = "checkbox"  # touched beside the cell that it goes to
        if cell == table.last:
            css.append("last")
        if cell in table.threads:
            css.append(("thread-black", "thread-red")[table.threads[cell][0]])
            rims = " ".join(_rims(cell, table.threads[cell][1]))
    elif cell in table.open:
        kind, label = "radio", _("%(cell)s, open") % where
        css.append("open")
    elif scene.playing:
        kind, label = "radio", _("%(cell)s, empty") % where
        css.append("closed")
    else:
        return None
    kind = kind if scene.playing else ""
    css += ["touch"] if kind else []
    x, y = cell[0] - corner[0] + 1, cell[1] - corner[1] + 1
    return Shown(x, y, touch, label, " ".join(css), card, symbol, rims, kind, touch in scene.touched)


def _lying(table: _Table, cell: Cell) -> tuple[str, str, str]:
    """The card at an occupied cell, its symbol in the sprite, and what it is in words."""
    where = cell_name(cell)
    if cell == table.joker:
        if table.joker_up:
            return "JK", "small-JK-up", _("%(cell)s, the joker as Theseus, face up") % {"cell": where}
        return "JK", "small-JK-down", _("%(cell)s, the joker as the Minotaur, face down") % {"cell": where}
    entry = table.entries[cell]
    card = str(entry["card"])
    said = {"cell": where, "card": card_name(card)}
    if entry["down"]:
        return card, f"down-{card}", _("%(cell)s, %(card)s, face down") % said
    if cell == table.last:
        return card, f"small-{card}", _("%(cell)s, %(card)s, the last card played") % said
    if cell in table.threads:
        return card, f"small-{card}", _("%(cell)s, %(card)s, in a thread") % said
    return card, f"small-{card}", _("%(cell)s, %(card)s") % said


def _rims(cell: Cell, area: set[Cell]) -> Iterator[str]:
    for side, (dx, dy) in _EDGES.items():
        if (cell[0] + dx, cell[1] + dy) not in area:
            yield side


def _held(scene: Scene, card: str, place: int) -> dict[str, Any]:
    touch = f"hand:{card}"
    return {"card": card, "touch": touch, "name": card_name(card), "x": place, "checked": touch in scene.touched}


def _opened(view: View) -> list[dict[str, Any]]:
    """Both hands and piles, where everything is open."""
    if "hands" not in view:
        return []
    return [
        {"hand": hand, "pile": pile, "title": title, "pile_title": pile_title}
        for hand, pile, title, pile_title in zip(
            view["hands"],
            view["piles"],
            (_("Black's hand"), _("Red's hand")),
            (_("Black's draw pile, next card first"), _("Red's draw pile, next card first")),
            strict=False,
        )
        if hand
    ]


def _state(view: View, seat: int) -> State:
    """The engine's state as far as the view shows it: the viewer's hand, the table, empty piles."""
    last = view["last"]["at"] if view["last"] else None
    entries = sorted(view["table"], key=lambda entry: entry["at"] == last)  # the last card played comes last
    occupied = bit(view["joker"]["at"])
    down = 0
    for entry in entries:
        occupied |= bit(entry["at"])
        down |= bit(entry["at"]) if entry["down"] else 0
    hand = tuple(view["hand"])
    return State(
        round_no=view["round"],
        packs=((), ()),
        hands=(hand, ()) if seat == 0 else ((), hand),
        table=tuple((_cell(entry["at"]), entry["card"]) for entry in entries),
        occupied=occupied,
        down=down,
        joker=_cell(view["joker"]["at"]),
        joker_up=view["joker"]["up"],
        rounds=tuple((black, red) for black, red in view["rounds"]),
    )
