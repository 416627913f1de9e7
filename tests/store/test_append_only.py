"""The database itself refuses to change events, whoever asks: plain SQL, past Django and its settings."""

from __future__ import annotations

import sqlite3
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection

from games import services
from games.store.models import Event
from tests.games.people import begun, person, play_on

COLUMNS = "game, version, batch, type, schema, seat, payload, at, recorded_at, command, hash"
SELECTED = "SELECT {new_id}, game, version, batch, type, schema, seat, payload, 0, recorded_at, command, hash"
STATEMENTS: dict[str, dict[str, str]] = {
    "postgresql": {
        "update": "UPDATE games_event SET at = at + 1 WHERE version = 1",
        "update every row": "UPDATE games_event SET payload = '{}'",
        "delete": "DELETE FROM games_event WHERE version = 1",
        "empty": "TRUNCATE games_event",
        "replace by id": f"INSERT INTO games_event (id, {COLUMNS}) {SELECTED.format(new_id='id')} FROM games_event "
        "ON CONFLICT (id) DO UPDATE SET at = 0",
        "replace by version": f"INSERT INTO games_event (id, {COLUMNS}) {SELECTED.format(new_id='id + 1000')} "
        "FROM games_event ON CONFLICT (game, version) DO UPDATE SET at = 0",
        "merge": "MERGE INTO games_event e USING games_event f ON e.id = f.id WHEN MATCHED THEN DELETE",
    },
    "sqlite": {
        "update": "UPDATE games_event SET at = at + 1 WHERE version = 1",
        "update every row": "UPDATE OR REPLACE games_event SET payload = '{}'",
        "delete": "DELETE FROM games_event WHERE version = 1",
        "empty": "DELETE FROM games_event",
        "replace by id": f"INSERT OR REPLACE INTO games_event (id, {COLUMNS}) "
        f"{SELECTED.format(new_id='id')} FROM games_event",
        "replace by version": f"REPLACE INTO games_event (id, {COLUMNS}) "
        f"{SELECTED.format(new_id='id + 1000')} FROM games_event",
        "merge": f"INSERT INTO games_event (id, {COLUMNS}) {SELECTED.format(new_id='id')} FROM games_event "
        "WHERE true ON CONFLICT (id) DO UPDATE SET at = 0",
    },
}


def open_raw(url: str) -> Any:
    """A connection that Django knows nothing of; on SQLite with its defaults, where REPLACE fires no delete trigger."""
    if url.startswith("sqlite"):
        return sqlite3.connect(urlsplit(url).path)
    return psycopg.connect(url)


def stored() -> list[tuple[Any, ...]]:
    found = Event.objects.order_by("id").values_list("id", "game", "version", "type", "payload", "at", "hash")
    return [(*row[:-1], bytes(row[-1])) for row in found]


@pytest.mark.parametrize("name", STATEMENTS["postgresql"])
def test_an_event_is_neither_changed_nor_removed_nor_replaced(real_database: dict[str, str], name: str) -> None:
    alice, bob = person("alice"), person("bob")
    game_id = begun("climb", alice, bob)
    play_on(game_id, alice, bob, moves=2)
    before = stored()
    raw = open_raw(real_database["DATABASE_URL"])
    try:
        with pytest.raises((psycopg.Error, sqlite3.Error), match="append-only"):
            raw.execute(STATEMENTS[connection.vendor][name])
        raw.rollback()
    finally:
        raw.close()
    assert stored() == before


def test_an_event_that_takes_anothers_command_does_not_replace_it(real_database: dict[str, str]) -> None:
    game_id = services.open_game(person("alice"), services.Terms("climb"), command="once").table.id
    before = stored()
    copied = "game, version + 70, batch, type, schema, seat, payload, at, recorded_at, command, hash"
    verb = "INSERT OR REPLACE" if connection.vendor == "sqlite" else "INSERT"
    raw = open_raw(real_database["DATABASE_URL"])
    try:
        with pytest.raises((psycopg.Error, sqlite3.Error), match=r"append-only|event_game_command"):
            raw.execute(f"{verb} INTO games_event ({COLUMNS}) SELECT {copied} FROM games_event WHERE batch = 0")
        raw.rollback()
    finally:
        raw.close()
    assert stored() == before
    assert game_id == str(Event.objects.get(version=1).game)


def test_the_other_connection_could_have_written(real_database: dict[str, str]) -> None:
    """So that the refusals above are the triggers' and nothing else's."""
    begun("climb", person("alice"), person("bob"))
    copied = "game, version + 70, batch, 'waved', schema, seat, payload, at, recorded_at, command, hash"
    raw = open_raw(real_database["DATABASE_URL"])
    try:
        raw.execute(f"INSERT INTO games_event ({COLUMNS}) SELECT {copied} FROM games_event WHERE version = 1")
        raw.commit()
    finally:
        raw.close()
    assert Event.objects.filter(type="waved").count() == 1
