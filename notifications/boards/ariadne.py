"""Ariadne's Thread in a mail: the grid with its coordinates, as characters and as an HTML table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine.ariadne import COLOURS
from games.engine.cards import is_black, show
from games.engine.grid import cell_name
from notifications.boards.base import MailBoard

type Cell = tuple[int, int]

#: The joker's sign by whether it lies face up. One character of the suits' own width each, as is that of open cells.
JOKER: Final = {True: "★", False: "☆"}
OPEN_CELL: Final = "·"


@dataclass(frozen=True, slots=True)
class Square:
    """A cell as it is drawn. ``kind`` is ``card``, ``down``, ``joker``, ``open``, or ``empty`` for one out of reach.

    ``colour`` is a face-up card's; ``thread`` says that it lies in a thread; ``new`` that the last moves changed it.
    """

    kind: str
    text: str = ""
    colour: str = ""
    last: bool = False
    thread: bool = False
    new: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    squares: tuple[Square, ...]


class AriadneMailBoard(MailBoard):
    slug = "ariadne"
    template = "notifications/boards/ariadne.html"
    styles = "notifications/boards/ariadne.css"

    def draw(self, view: Mapping[str, Any], marks: frozenset[str]) -> dict[str, Any]:
        """``columns`` are their letters, ``rows`` :class:`Row`s; ``legend`` pairs a sample square with its meaning.

        ``width`` is the most that the table needs, in pixels.
        """
        columns, rows = _grid(view, marks)
        width = 24 + 46 * len(columns)
        return {"columns": columns, "rows": rows, "width": width, "legend": list(_legend(view, rows, drawn=True))}

    def text(self, view: Mapping[str, Any]) -> str:
        columns, rows = _grid(view)
        lines = ["   " + "".join(f" {column}  " for column in columns)]
        lines += [f"{row.name:>2} " + "".join(map(_characters, row.squares)) for row in rows]
        lines += ["", *(f"{_characters(sample)}  {meaning}" for sample, meaning in _legend(view, rows, drawn=False))]
        return "\n".join(line.rstrip() for line in lines)

    def hand(self, view: Mapping[str, Any]) -> list[str]:
        return list(view["hand"])


def _characters(square: Square) -> str:
    """Four columns of text: brackets mark the last card played, parentheses one that lies face down."""
    if square.last:
        return f"[{square.text}]"
    return f"({square.text})" if square.kind == "down" else f" {square.text:<2} "


def _grid(view: Mapping[str, Any], marks: frozenset[str] = frozenset()) -> tuple[list[str], list[Row]]:
    """The columns' letters, and the rows from the top, of all that is occupied or open."""
    entries = {_cell(entry["at"]): entry for entry in view["table"]}
    opened = {_cell(cell) for cell in view["open"]}
    joker = _cell(view["joker"]["at"])
    last = _cell(view["last"]["at"]) if view["last"] else None
    threaded = {_cell(cell) for thread in view["threads"] for cell in thread["cells"]}

    def square(cell: Cell) -> Square:
        new = f"cell:{cell[0]},{cell[1]}" in marks
        if cell == joker:
            return Square("joker", JOKER[view["joker"]["up"]], new=new)
        if cell not in entries:
            return Square("open", OPEN_CELL) if cell in opened else Square("empty")
        card = entries[cell]["card"]
        if entries[cell]["down"]:
            return Square("down", show(card), new=new)
        colour = COLOURS[0 if is_black(card) else 1]
        return Square("card", show(card), colour, last=cell == last, thread=cell in threaded, new=new)

    shown = [joker, *entries, *opened]
    xs, ys = _span([x for x, _y in shown]), _span([y for _x, y in shown])
    rows = [Row(cell_name((0, y))[1:], tuple(square((x, y)) for x in xs)) for y in ys]
    return [cell_name((x, 0))[0] for x in xs], rows


def _legend(view: Mapping[str, Any], rows: Sequence[Row], *, drawn: bool) -> Iterator[tuple[Square, str]]:
    """What the signs mean, of those that there are; threads can be told only where squares are ``drawn``."""
    squares = [square for row in rows for square in row.squares]
    last = next((square for square in squares if square.last), None)
    if last is not None:
        # As a card outside of any thread: the sample shows one thing at a time.
        yield Square("card", last.text, last.colour, last=True), _("the last card played")
    thread = next((square for square in squares if square.thread and not square.last), None)
    if thread is not None and drawn:
        yield Square("card", thread.text, thread.colour, thread=True), _("in a thread")
    down = next((square for square in squares if square.kind == "down"), None)
    if down is not None:
        yield Square("down", down.text), _("lies face down")
    if view["joker"]["up"]:
        yield Square("joker", JOKER[True]), _("the joker as Theseus, face up")
    else:
        yield Square("joker", JOKER[False]), _("the joker as the Minotaur, face down")
    if any(square.kind == "open" for square in squares):
        yield Square("open", OPEN_CELL), _("an open cell")


def _cell(pair: Sequence[int]) -> Cell:
    return pair[0], pair[1]


def _span(numbers: Sequence[int]) -> range:
    return range(min(numbers), max(numbers) + 1)
