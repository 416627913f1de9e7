"""Append and load."""

from __future__ import annotations

import uuid

import pytest
from django.db import transaction

from accounts.models import User
from games.store.models import Event, Head
from games.store.thread import GameNotFound, VersionConflict, append, event_hash, load
from games.table.commands import Resign, SitDown, Terms
from games.table.decider import decide, open_table
from games.table.events import Moved, SatDown
from tests.games.people import climb_of_three, events
from tests.table.tables import AT, Thread
from tests.table.tables import begun as begun_in_memory


def rows(game_id: str) -> list[tuple[int, bytes]]:
    return [(row.version, bytes(row.hash)) for row in events(game_id)]


def head(game_id: str) -> dict[str, object]:
    held = Head.objects.filter(game=game_id).values().get()
    return {**held, "hash": bytes(held["hash"])}


@pytest.fixture
def game(alice: User, bob: User) -> str:
    """Three cards have been played; seat 1 is to move, and may pass."""
    return climb_of_three(alice, bob)


def test_an_append_at_a_version_that_is_taken_writes_nothing(game: str) -> None:
    late, early = load(game), load(game)
    at = early.table.last_at
    append(early, [Moved(1, {"type": "pass"})], game_id=game, at=at, command=None)
    before = rows(game), head(game)
    with pytest.raises(VersionConflict):
        append(late, [Moved(1, {"type": "pass"})], game_id=game, at=at, command=None)
    assert (rows(game), head(game)) == before


def test_an_append_with_a_command_that_is_there_writes_nothing(game: str) -> None:
    append(load(game), [Moved(1, {"type": "pass"})], game_id=game, at=AT * 2, command="1:once")
    before = rows(game), head(game)
    with pytest.raises(VersionConflict):
        append(load(game), [Moved(0, {"type": "pass"})], game_id=game, at=AT * 2, command="1:once")
    assert (rows(game), head(game)) == before


def test_a_game_is_opened_once(game: str) -> None:
    opening = begun_in_memory("climb")
    first = open_table(game, Terms("climb"), SitDown("salty-salt", "player"), opening.dealer, AT)
    before = rows(game), head(game)
    with pytest.raises(VersionConflict):
        append(None, first, game_id=game, at=AT, command=None)
    assert (rows(game), head(game)) == before


def test_an_append_stands_or_falls_with_its_callers_transaction(game: str) -> None:
    before = rows(game), head(game)
    thread = load(game)
    with transaction.atomic():
        append(thread, [Moved(1, {"type": "pass"})], game_id=game, at=thread.table.last_at, command=None)
        assert (rows(game), head(game)) != before
        transaction.set_rollback(True)
    assert (rows(game), head(game)) == before


def test_every_event_is_chained_to_the_one_before_it(game: str) -> None:
    last = b""
    for row in events(game):
        assert bytes(row.hash) == event_hash(last, row)
        last = bytes(row.hash)
    assert bytes(Head.objects.get(game=game).hash) == last


def test_the_first_event_of_an_append_bears_the_command_and_the_count_begins_anew(game: str) -> None:
    thread = load(game)
    followed = decide(thread.table, Resign(0), begun_in_memory("climb").dealer, thread.table.last_at)
    append(thread, [Moved(1, {"type": "pass"}), *followed], game_id=game, at=thread.table.last_at, command="0:stop")
    assert [(row.batch, row.command) for row in events(game)][-2:] == [(0, "0:stop"), (1, None)]
    assert load(game).commands["0:stop"] == thread.table.version + 2


def test_an_event_is_never_before_the_one_that_it_follows(game: str) -> None:
    thread = load(game)
    with pytest.raises(ValueError, match="before"):
        append(thread, [Moved(1, {"type": "pass"})], game_id=game, at=thread.table.last_at - 1, command=None)


def test_an_event_with_a_float_is_not_stored(game: str) -> None:
    before = rows(game)
    with pytest.raises(ValueError, match="floats"):
        append(load(game), [Moved(1, {"type": "pass", "speed": [1.5]})], game_id=game, at=AT * 2, command=None)
    assert rows(game) == before


def test_loading_folds_what_appending_returned(game: str) -> None:
    thread = load(game)
    after = append(thread, [Moved(1, {"type": "pass"})], game_id=game, at=thread.table.last_at, command=None)
    assert load(game).table == after


def test_a_game_can_be_loaded_as_it_stood_after_each_event(game: str) -> None:
    whole = load(game).table
    for version in range(1, whole.version + 1):
        earlier = load(game, upto=version)
        assert earlier.table.version == version
        assert earlier.hash == rows(game)[version - 1][1]
    assert load(game, upto=whole.version).table == whole


def test_a_game_that_is_not_there_is_not_found(db: None) -> None:
    with pytest.raises(GameNotFound):
        load(str(uuid.uuid4()))


def test_what_is_stored_is_what_a_thread_in_memory_would_be(alice: User) -> None:
    memory = Thread(Terms("ariadne"))
    game_id = str(uuid.uuid4())
    opening = open_table(game_id, Terms("ariadne"), SitDown("alices-own-salt", "player"), memory.dealer, AT)
    append(None, opening, game_id=game_id, at=AT, command=None)
    kinds = list(Event.objects.filter(game=game_id).order_by("version").values_list("type", "seat", "at"))
    assert kinds == [("table_opened", None, AT), (SatDown.type, None, AT)]
