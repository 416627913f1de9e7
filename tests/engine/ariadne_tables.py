"""Tables of Ariadne's Thread drawn as text, so that a test shows the position it speaks of."""

from __future__ import annotations

from games.engine.ariadne import PACKS, RULES, State
from games.engine.contract import Card, Packs
from games.engine.grid import Cell


def deal(black: str = "", red: str = "", *, rounds: tuple[tuple[int, int], ...] = ()) -> State:
    """A round dealt with these cards on top of the packs, after so many rounds with these scores."""
    before = State(round_no=len(rounds), rounds=rounds)
    return RULES.deal(before, packs_with(black, red))


def packs_with(black: str, red: str) -> Packs:
    """The two packs with the named cards on top, the others under them in the unshuffled order."""
    tops = black.split(), red.split()
    return tuple((*top, *(card for card in pack if card not in top)) for top, pack in zip(tops, PACKS, strict=True))


def drawn(text: str, *, turn: int = 0, up: bool = False, last: Cell | None = None, hand: str = "") -> State:
    """The table that ``text`` draws, one row a line, cells apart by spaces, the first line's first cell at (0, 0).

    ``JK`` is the joker (``up`` its face), ``..`` an empty cell, ``(5H)`` a card face down. ``last`` is the cell of the
    last card played (a card must lie there); the seat to move has the cards of ``hand``. Cards that are nowhere else
    are in the piles; how they came there is not looked at.
    """
    table: list[tuple[Cell, Card]] = []
    data_table = []
    joker: Cell = (0, 0)
    for y, row in enumerate(text.strip().splitlines()):
        for x, mark in enumerate(row.split()):
            if mark == "JK":
                joker = (x, y)
            elif mark != "..":
                table.append(((x, y), mark.strip("()")))
                data_table.append({"at": [x, y], "card": mark.strip("()"), "down": mark.startswith("(")})
    if last is not None:
        data_table.sort(key=lambda entry: entry["at"] == list(last))
    held = {seat: hand.split() if seat == turn else [] for seat in (0, 1)}
    lying = {card for _, card in table}
    packs, counts = [], []
    for seat, pack in enumerate(PACKS):
        used = [card for card in pack if card in lying or card in held[seat]]
        packs.append([*used, *(card for card in pack if card not in used)])
        counts.append(len(used))
    # The leader of the round follows from its number, and whose turn it is from that and the cards on the table.
    round_no = 1 if (turn + len(table)) % 2 == 0 else 2
    return RULES.from_json(
        {
            "round": round_no,
            "packs": packs,
            "drawn": counts,
            "hands": [held[0], held[1]],
            "table": data_table,
            "joker": {"at": list(joker), "up": up},
            "rounds": [[0, 0]] * (round_no - 1),
        }
    )
