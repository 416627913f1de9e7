"""A grid of cells as bit sets: the table of Ariadne's Thread, -7 to 7 both ways around the joker's starting cell.

A cell ``(x, y)`` is bit ``16 * (y + 7) + x + 7``; x 8 (the last of each 16) is a guard that no cell has, so that a
shift by one never carries a cell into the next row. Cells that can be played lie within -6 to 6, since the starting
cell is always occupied and the occupied area is at most 7 wide and high; the rim only holds neighbours of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final

type Cell = tuple[int, int]

REACH: Final = 7
SIDE: Final = 7
_ROW: Final = 16
_ROW_BITS: Final = (1 << _ROW) - 1
_LETTERS: Final = "abcdefghijklm"

_GRID: Final = sum(((1 << 15) - 1) << (_ROW * row) for row in range(15))
#: Every bit, the guards too, so that a cell's number is its place among them.
EVERYWHERE: Final = (1 << _ROW * 15) - 1


def number(cell: Sequence[int]) -> int:
    """The number of the cell's bit. Both coordinates within -7 to 7."""
    return _ROW * (cell[1] + REACH) + cell[0] + REACH


def bit(cell: Sequence[int]) -> int:
    """The set of this one cell. Both coordinates within -7 to 7."""
    return 1 << _ROW * (cell[1] + REACH) + cell[0] + REACH


def grown(area: int) -> int:
    """The area with its cells' eight neighbours."""
    wide = area | area << 1 | area >> 1
    return (wide | wide << _ROW | wide >> _ROW) & _GRID


def orthogonally_grown(area: int) -> int:
    """The area with its cells' four orthogonal neighbours."""
    return (area | area << 1 | area >> 1 | area << _ROW | area >> _ROW) & _GRID


def components(area: int) -> Iterator[int]:
    """The orthogonally connected parts of the area."""
    while area:
        part, before = area & -area, 0
        while part != before:
            before, part = part, orthogonally_grown(part) & area
        yield part
        area ^= part


def _extent(area: int) -> tuple[int, int, int, int]:
    """Lowest and highest column and row (0 to 14) of a non-empty area."""
    columns = area | area >> 128
    columns |= columns >> 64
    columns |= columns >> 32
    columns = (columns | columns >> 16) & _ROW_BITS
    return (
        (columns & -columns).bit_length() - 1,
        columns.bit_length() - 1,
        ((area & -area).bit_length() - 1) // _ROW,
        (area.bit_length() - 1) // _ROW,
    )


def bounds(area: int) -> dict[str, int]:
    """The bounding box of a non-empty area, in coordinates, ends included."""
    left, right, top, bottom = _extent(area)
    return {"left": left - REACH, "right": right - REACH, "top": top - REACH, "bottom": bottom - REACH}


@cache
def _window(left: int, right: int, top: int, bottom: int) -> int:
    """The cells with which a bounding box of these columns and rows is still at most 7 wide and 7 high."""
    row = sum(1 << x for x in range(max(right - SIDE + 1, 0), min(left + SIDE, 15)))
    return sum(row << (_ROW * y) for y in range(max(bottom - SIDE + 1, 0), min(top + SIDE, 15)))


def open_cells(occupied: int) -> int:
    """The empty cells beside an occupied one with which the occupied area stays at most 7 wide and 7 high."""
    if not occupied:
        return 0
    return grown(occupied) & ~occupied & _window(*_extent(occupied))


@cache
def _row_numbers(row: int, members: int) -> tuple[int, ...]:
    return tuple(_ROW * row + x for x in range(_ROW) if members >> x & 1)


def numbers(area: int) -> list[int]:
    """The numbers of the area's cells in reading order."""
    found: list[int] = []
    row = 0
    while area:
        if members := area & _ROW_BITS:
            found += _row_numbers(row, members)
        area >>= _ROW
        row += 1
    return found


def picker(area: int) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """What takes the area's cells, in reading order, out of a sequence indexed by cell numbers."""
    members = numbers(area)
    if len(members) == 1:
        return lambda rows: (rows[members[0]],)
    return itemgetter(*members) if members else lambda _: ()


def cells(area: int) -> list[Cell]:
    """The area's cells in reading order."""
    return [(n % _ROW - REACH, n // _ROW - REACH) for n in numbers(area)]


def cell_name(cell: Sequence[int]) -> str:
    """The cell's short name for people: letters a to m for x -6 to 6, numbers 1 to 13 for y; the start is g7."""
    return f"{_LETTERS[cell[0] + 6]}{cell[1] + 7}"


def read_cell(column: str, row: str) -> Cell:
    """The cell of a name's letter (either case) and number."""
    return _LETTERS.index(column.lower()) - 6, int(row) - 7
