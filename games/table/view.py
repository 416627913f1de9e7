"""What a viewer may see of a table. Everything shown or sent of a game is made from here."""

from __future__ import annotations

from typing import Any

from games.engine.contract import Play, Viewer
from games.table.events import Ended
from games.table.state import Table
from games.table.timing_view import timing_view
from games.table.undo import may_ask


def table_view(table: Table, viewer: Viewer, at: int | None = None) -> dict[str, Any]:
    """The table as JSON for ``viewer`` (a seat, a spectator, or with everything open, which only an ended game is).

    ``legal`` is the complete list of moves, only for the awaited seat's own eyes; ``time`` is of
    :func:`games.table.timing_view.timing_view`, counted for the moment ``at``; ``proof`` only after the end.
    """
    opened = table.opened
    awaits = table.awaited_seat
    data: dict[str, Any] = {
        "game": table.id,
        "rules": opened.rules,
        "rules_version": opened.rules_version,
        "options": dict(opened.options),
        "quick_pass": opened.quick_pass,
        "status": table.status,
        "step": table.step,
        "seats": table.rules.seats,
        "taken": len(table.salts),
        "awaits": awaits,
        "view": table.rules.view(table.state, viewer) if table.state is not None else None,
        "legal": [dict(move) for move in table.rules.legal_moves(table.state)]
        if awaits is not None and viewer == awaits
        else [],
        "stuck": table.stuck,
        "undos": table.undos,
        "hints": table.hints,
        "undo": _undo_view(table, viewer),
        "time": timing_view(table, viewer, at),
        "commitment": opened.commitment,
        "number": opened.number,
        "result": outcome(table),
    }
    if table.ended is not None:
        data["proof"] = _proof(table, table.ended)
    return data


def _proof(table: Table, ended: Ended) -> dict[str, Any]:
    """What lets anyone make the deals again: a deal number; or commitment, secret and salts, and who made each salt."""
    opened = table.opened
    if opened.number is not None:
        return {"algorithm": opened.algorithm, "number": int(opened.number)}
    return {
        "algorithm": opened.algorithm,
        "game": table.id,
        "commitment": opened.commitment,
        "secret": ended.secret,
        "salts": [salt.text for salt in table.salts],
        "salts_by": [salt.by for salt in table.salts],
    }


def _undo_view(table: Table, viewer: Viewer) -> dict[str, Any]:
    """What can be taken back: ``asked`` by which seat to which step; ``may`` undo or ask; ``may_redo``."""
    asked = table.undo_asked
    seated = isinstance(viewer, int)
    return {
        "asked": {"seat": asked.seat, "to_step": asked.to_step} if asked else None,
        "may": isinstance(viewer, int) and asked is None and may_ask(table, viewer),
        "may_redo": seated and table.status == "running" and bool(table.undone),
    }


def outcome(table: Table) -> dict[str, Any] | None:
    """How the game ended, or None while it runs: ``winner`` a seat or None, ``scores`` where the rules gave them.

    What ends a game from outside its rules is the table's to judge: who resigns against one opponent loses.
    """
    if table.ended is None:
        return None
    ended = {"by": table.ended.by, "seat": table.ended.seat}
    result = table.rules.result(table.state) if table.state is not None else None
    if result is not None:
        return {**result, "ended": ended}
    winner = None
    if table.ended.by in ("resignation", "time") and table.rules.seats == 2 and table.ended.seat is not None:
        winner = 1 - table.ended.seat
    return {"scores": None, "winner": winner, "ended": ended}


def steps_view(table: Table, viewer: Viewer, after: int = 0) -> list[dict[str, Any]]:
    """The steps of the line with numbers past ``after``, as this viewer may see them: a deal without its cards."""
    return [
        {
            "n": entry.number,
            "at": entry.at,
            "automatic": entry.automatic,
            "seat": entry.step.seat if isinstance(entry.step, Play) else None,
            **table.rules.public(entry.step, viewer),
        }
        for entry in table.line
        if entry.number > after
    ]
