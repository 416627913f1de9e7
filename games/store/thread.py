"""Read and append a game's events."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from config.streams import publisher
from games.store.models import Event as EventRow
from games.store.models import Head
from games.table import clock as table_clock
from games.table import events as table_events
from games.table.events import canonical_json
from games.table.state import Stamped, Table, evolve
from games.table.view import outcome


class GameNotFound(LookupError):
    """There is no game of this id."""


class VersionConflict(Exception):
    """Somebody else appended first; nothing was written. Decide again on the present state."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A game as loaded: its table, and the version which each command's append reached."""

    table: Table
    commands: dict[str, int]
    hash: bytes


def event_hash(previous: bytes, row: EventRow) -> bytes:
    """SHA-256 over the previous event's hash and the canonical JSON of all else but ``recorded_at`` and the id."""
    body = canonical_json(
        {
            "game": str(row.game),
            "version": row.version,
            "batch": row.batch,
            "type": row.type,
            "schema": row.schema,
            "seat": row.seat,
            "payload": row.payload,
            "at": row.at,
            "command": row.command,
        }
    )
    return hashlib.sha256(previous + body.encode("ascii")).digest()


def load(game_id: str, *, upto: int | None = None) -> Thread:
    """The game after its first ``upto`` events (all by default). Raises :class:`GameNotFound`.

    Later, a snapshot stamped with stream, rules and table version goes in here: start from it, fold the tail.
    """
    rows = EventRow.objects.filter(game=game_id).order_by("version")
    if upto is not None:
        rows = rows.filter(version__lte=upto)
    table: Table | None = None
    commands: dict[str, int] = {}
    command: str | None = None
    last_hash = b""
    for version, batch, name, schema, payload, at, own_command, row_hash in rows.values_list(
        "version", "batch", "type", "schema", "payload", "at", "command", "hash"
    ):
        table = evolve(table, Stamped(table_events.decode(name, schema, payload), version, at), game_id)
        command = own_command if batch == 0 else command
        if command is not None:
            commands[command] = version
        last_hash = bytes(row_hash)
    if table is None:
        raise GameNotFound(game_id)
    return Thread(table, commands, last_hash)


def append(
    thread: Thread | None, events: Sequence[table_events.Event], *, game_id: str, at: int, command: str | None
) -> Table:
    """Append events after ``thread`` (None for a new game) and bring the head along; returns the table after them.

    Runs in a transaction of its own, or inside the caller's, whose outbox and seat rows then stand or fall with it.
    Raises :class:`VersionConflict` if the thread has grown since it was loaded (or the command is already there):
    then nothing was written.
    """
    table = thread.table if thread else None
    expected = table.version if table else 0
    if table is not None and at < table.last_at:
        raise ValueError("an event can't be before the one that it follows")
    last_hash = thread.hash if thread else b""
    rows = []
    for batch, event in enumerate(events):
        version = expected + batch + 1
        row = EventRow(
            game=game_id,
            version=version,
            batch=batch,
            type=event.type,
            schema=event.schema,
            seat=event.seat_column,
            payload=_as_json(event.payload()),
            at=at,
            command=command if batch == 0 else None,
        )
        row.hash = last_hash = event_hash(last_hash, row)
        rows.append(row)
        table = evolve(table, Stamped(event, version, at), game_id)
    assert table is not None
    with transaction.atomic():
        _advance_head(table, last_hash, expected)
        try:
            EventRow.objects.bulk_create(rows)
        except IntegrityError as error:
            raise VersionConflict(game_id) from error
        publisher.moved_on(game_id, table.version)
    return table


def _advance_head(table: Table, last_hash: bytes, expected: int) -> None:
    """The one conditional update that lets exactly one of two simultaneous appends through."""
    fields = head_fields(table, last_hash)
    if expected == 0:
        try:
            Head.objects.create(game=table.id, **fields)
        except IntegrityError as error:
            raise VersionConflict(table.id) from error
    elif not Head.objects.filter(game=table.id, version=expected).update(**fields):
        raise VersionConflict(table.id)


def head_fields(table: Table, last_hash: bytes) -> dict[str, Any]:
    """Every column of a head but its key, as the fold of the events says it is."""
    awaits = table.awaited_seat
    return {
        "version": table.version,
        "step": table.step,
        "status": table.status,
        "rules": table.opened.rules,
        "rules_version": table.opened.rules_version,
        "options": dict(table.opened.options),
        "admits": table.opened.admits,
        "quick_pass": table.opened.quick_pass,
        "clock": None if table.opened.clock is None else dict(table.opened.clock),
        "seats": table.rules.seats,
        "taken": len(table.salts),
        "seating": list(table.seating),
        "awaits_seat": awaits,
        "awaits_place": table.place_of(awaits) if awaits is not None else None,
        "awaited_since": table.awaited_since,
        "awaited_at": table.awaited_at,
        "opened_at": table.opened_at,
        "last_at": table.last_at,
        "deadline_at": None if table.clock is None else table_clock.deadline(table.clock),
        "result": outcome(table),
        "hash": last_hash,
    }


def game_ids() -> Iterable[str]:
    """The ids of all games that have events, whatever is wrong with them."""
    return (str(game) for game in EventRow.objects.order_by("game").values_list("game", flat=True).distinct())


def _as_json(payload: dict[str, Any]) -> dict[str, Any]:
    """Tuples as lists: what reading the row will give back, so that the hash is over the same value.

    Raises ValueError for a float, which databases may give back otherwise than it was.
    """
    return {key: _listed(value) for key, value in payload.items()}


def _listed(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, float):
        raise ValueError("an event holds no floats")
    return value
