"""Taking back: which step a line may return to, and why not.

In a patience any step may be undone and played again. Between two players one asks and the other grants, and only
back to a point after which no hidden card became visible to anyone.
"""

from __future__ import annotations

from games.engine.contract import Deal, Play, Refusal, gettext_noop
from games.table.state import Table


class CannotUndo(Refusal):
    """The line can't return to that step."""


def undo_target(table: Table, seat: int) -> int | None:
    """The step number that undoing returns to by default: before ``seat``'s own last move; None if there is none."""
    for before, entry in zip(reversed(table.line[:-1]), reversed(table.line[1:]), strict=True):
        if isinstance(entry.step, Play) and entry.step.seat == seat and not entry.automatic:
            return before.number
    return None


def may_ask(table: Table, seat: int) -> bool:
    """Whether ``seat`` has a move that could be taken back now."""
    target = undo_target(table, seat)
    if table.status != "running" or target is None:
        return False
    try:
        check_undo(table, target)
    except CannotUndo:
        return False
    return True


def check_undo(table: Table, to_step: int) -> None:
    """Raise :class:`CannotUndo` unless the line of a running game may return to the step of this number."""
    gone = [entry for entry in table.line if entry.number > to_step]
    if not gone or all(entry.number != to_step for entry in table.line):
        raise CannotUndo("no_such_step", gettext_noop("The game has no such step to go back to."))
    if any(isinstance(entry.step, Deal) for entry in gone):
        raise CannotUndo("past_a_deal", gettext_noop("A deal can't be taken back."))
    if table.rules.seats > 1 and any(entry.revealed for entry in gone):
        raise CannotUndo(
            "cards_were_seen", gettext_noop("A hidden card has been seen since then: that can't be taken back.")
        )
