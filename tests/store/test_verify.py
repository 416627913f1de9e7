"""What is wrong with a game is found, and heads can be made again."""

from __future__ import annotations

import json
import random
import uuid
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models

from games import services
from games.store import verify
from games.store.models import Event, GameSecret, Head, Seat
from games.store.thread import event_hash, head_fields, load
from games.store.verify import rebuild, verify_game
from notifications.models import Message
from tests.games.people import begun, climb_of_three, events, person

HASHED = ["game", "version", "batch", "type", "schema", "seat", "payload", "at", "command", "hash"]
HEAD_COLUMNS = [field.name for field in Head._meta.concrete_fields if field.name != "game"]


def disarm() -> None:
    """Take the triggers away, as somebody who owns the database could."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE games_event DISABLE TRIGGER USER")
        else:
            for name in ("update", "delete", "replace"):
                cursor.execute(f"DROP TRIGGER games_event_no_{name}")


@pytest.fixture
def game(real_database: dict[str, str]) -> str:
    """A game of three moves in a database that lets events be changed."""
    game_id = climb_of_three(person("alice"), person("bob"))
    services.play(person("bob"), game_id, {"type": "play", "card": "5H"}, command="five")
    services.resign(person("alice"), game_id)
    disarm()
    return game_id


def flipped(value: Any, rng: random.Random) -> Any:
    """The value with one byte of it changed."""
    match value:
        case None:
            return 0
        case int():
            return value ^ 64  # not into a neighbour's number, which the unique constraint refuses
        case str():
            at = rng.randrange(len(value))
            return value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]
        case uuid.UUID():
            return uuid.UUID(int=value.int ^ 1 << rng.randrange(128))
        case bytes() | memoryview():
            raw = bytearray(value)
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
            return bytes(raw)
        case dict():
            return _flipped_json(value, rng)
    raise AssertionError(value)


def _flipped_json(value: dict[str, Any], rng: random.Random) -> Any:
    text = json.dumps(value)
    while True:
        try:
            other = json.loads(flipped(text, rng))
        except ValueError:
            continue
        if isinstance(other, dict) and json.dumps(other, sort_keys=True) != json.dumps(value, sort_keys=True):
            return other


def test_the_columns_that_are_flipped_are_all_but_the_databases_own() -> None:
    assert {*HASHED, "id", "recorded_at"} == {field.name for field in Event._meta.concrete_fields}


@pytest.mark.parametrize("column", HASHED)
def test_one_flipped_byte_in_any_event_is_found(game: str, column: str) -> None:
    rng = random.Random(column)
    for row in events(game):
        stored = Event.objects.filter(pk=row.pk)
        original = getattr(row, column)
        if column == "command" and original is None:
            original_flip: Any = "0:x"
        else:
            original_flip = flipped(original, rng)
        stored.update(**{column: original_flip})
        assert verify_game(game), f"{column} of {row} became {original_flip}"
        stored.update(**{column: original})
        assert verify_game(game) == []


def test_an_event_that_is_gone_is_found_wherever_it_was(game: str) -> None:
    for row in events(game):
        Event.objects.filter(pk=row.pk).delete()
        assert verify_game(game), f"{row} is gone"
        row.save(force_insert=True)
        assert verify_game(game) == []


def _forge(game_id: str) -> None:
    """Make chain and head fit again after events were changed, as a careful forger would."""
    last = b""
    for row in events(game_id):
        row.hash = last = event_hash(last, row)
        row.save(update_fields=["hash"])
    rebuild(game_id)


def _change(game_id: str, name: str, **payload: Any) -> None:
    row = Event.objects.filter(game=game_id, type=name).order_by("version").last()
    assert row is not None
    row.payload = {**row.payload, **payload}
    row.save(update_fields=["payload"])


@pytest.mark.parametrize(
    ("name", "payload", "fault"),
    [
        ("moved", {"move": {"type": "play", "card": "2H"}}, "illegal (not_in_hand)"),
        ("moved", {"move": {"type": "play", "card": "KH"}}, "illegal (not_in_hand)"),
        ("table_opened", {"commitment": "0" * 64}, "the commitment is not to this game's secret"),
        ("ended", {"secret": "0" * 64}, "the revealed secret is not the one committed to"),
        ("ended", {"by": "rules"}, "the end does not fit where the rules stand"),
        ("sat_down", {"place": 0}, "somebody sat down where no place was free"),
        ("started", {"seating": [1, 0]}, "the opener does not sit where the terms say"),
        ("dealt", {"packs": [["2H"] * 13]}, "These are not the packs that the game is dealt from."),
    ],
)
def test_a_forgery_with_a_whole_chain_is_found_by_the_rules_and_the_secret(
    game: str, name: str, payload: dict[str, Any], fault: str
) -> None:
    _change(game, name, **payload)
    _forge(game)
    faults = verify_game(game)
    assert any(fault in told for told in faults), faults
    assert not any("hash" in told for told in faults)


def test_a_deal_that_the_secret_does_not_make_is_found_though_all_else_fits(real_database: dict[str, str]) -> None:
    game_id = begun("climb", person("alice"), person("bob"))
    disarm()
    packs = load(game_id).table.line[0].step.packs  # type: ignore[union-attr]  # the first step is a deal
    _change(game_id, "dealt", packs=[list(reversed(packs[0]))])
    _forge(game_id)
    assert [fault.partition(": ")[2] for fault in verify_game(game_id)] == [
        "the packs are not the ones that the secret shuffles"
    ]


def test_a_random_seating_that_was_not_drawn_is_found(real_database: dict[str, str]) -> None:
    game_id = begun("climb", person("alice"), person("bob"), opener_seat="random")
    disarm()
    _change(game_id, "started", seating=list(reversed(load(game_id).table.seating)))
    _forge(game_id)
    assert any("seating" in fault for fault in verify_game(game_id))


def test_a_changed_or_lost_secret_is_found(game: str) -> None:
    GameSecret.objects.filter(game=game).update(secret=bytes(32))
    assert len(verify_game(game)) == 2
    GameSecret.objects.filter(game=game).delete()
    assert "event 1: the shuffle's secret is missing" in verify_game(game)


def test_people_who_do_not_fit_the_places_are_found(game: str) -> None:
    Seat.objects.filter(game__pk=game, place=1).delete()
    assert verify_game(game) == ["the people at the table are not as many as sat down"]


def test_a_thread_that_stops_before_the_deal_is_found(real_database: dict[str, str]) -> None:
    game_id = begun("climb", person("alice"), person("bob"))
    disarm()
    Event.objects.filter(game=game_id, type="dealt").delete()
    rebuild(game_id)
    assert verify_game(game_id) == ["a deal is awaited, but no event holds it"]


def test_a_game_that_is_played_while_it_is_verified_is_in_order(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = person("bob")
    game_id = climb_of_three(person("alice"), bob)
    looked: list[str] = []
    check_rows = verify._row_faults

    def play_in_between(*args: Any) -> Any:
        if not looked:
            services.play(bob, game_id, {"type": "play", "card": "5H"})
        looked.append(game_id)
        return check_rows(*args)

    monkeypatch.setattr(verify, "_row_faults", play_in_between)
    assert verify_game(game_id) == []
    assert len(looked) == 2


# --- heads --------------------------------------------------------------------------------------------------------


def other(field: Any, value: Any) -> Any:
    """Another value that the column can hold."""
    match field:
        case models.JSONField():
            return [1, 1] if isinstance(value, list) else {"winner": True}
        case models.BooleanField():
            return not value
        case models.IntegerField():
            return (value or 0) + 1
        case models.CharField():
            return "other"
        case models.BinaryField():
            return bytes(32)
    raise AssertionError(field)


def columns(game_id: str) -> dict[str, Any]:
    held = Head.objects.get(game=game_id)
    values = ((name, getattr(held, name)) for name in HEAD_COLUMNS)
    return {name: bytes(value) if isinstance(value, memoryview) else value for name, value in values}


@pytest.mark.parametrize("column", HEAD_COLUMNS)
def test_a_damaged_head_is_found_and_made_again_identical(db: None, column: str) -> None:
    game_id = climb_of_three(person("alice"), person("bob"))
    before = columns(game_id)
    Head.objects.filter(game=game_id).update(**{column: other(Head._meta.get_field(column), before[column])})
    assert verify_game(game_id) == [f"the head's {column} is not what the events say"]
    assert rebuild(game_id) is True
    assert verify_game(game_id) == []
    assert columns(game_id) == before
    assert rebuild(game_id) is False


def test_true_is_not_one_in_a_head(db: None) -> None:
    game_id = begun("kathmandu", person("alice"), person("bob"), options={"rounds": 1})
    Head.objects.filter(game=game_id).update(options={"rounds": True})
    assert verify_game(game_id) == ["the head's options is not what the events say"]
    assert rebuild(game_id) is True


def test_lost_heads_are_made_again_and_nobody_is_told(db: None) -> None:
    games = [climb_of_three(person("alice"), person("bob")) for _ in range(2)]
    told = list(Message.objects.order_by("id").values())
    assert told
    Head.objects.all()._raw_delete(using="default")
    assert [verify_game(game_id) for game_id in games] == [["the head is missing"]] * 2
    out = StringIO()
    call_command("rebuild", stdout=out)
    assert out.getvalue() == "2 heads made again, 2 of them changed.\n"
    for game_id in games:
        thread = load(game_id)
        assert columns(game_id) == head_fields(thread.table, thread.hash)
    assert list(Message.objects.order_by("id").values()) == told


# --- commands -----------------------------------------------------------------------------------------------------


def test_verify_games_says_which_game_is_wrong_and_exits_with_one(game: str) -> None:
    out, err = StringIO(), StringIO()
    call_command("verify_games", stdout=out)
    assert out.getvalue() == "1 games checked: all in order.\n"
    Event.objects.filter(game=game, version=1).update(version=77)
    with pytest.raises(CommandError, match="1 of 1 games") as failed:
        call_command("verify_games", stderr=err)
    assert failed.value.returncode == 1
    assert game in err.getvalue()


def test_verify_games_finds_a_game_of_which_only_the_head_is_left(game: str) -> None:
    Event.objects.all().delete()
    err = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_games", stderr=err)
    assert f"{game}: no events" in err.getvalue()


def test_verify_games_looks_only_at_those_named(game: str) -> None:
    Event.objects.filter(game=game, version=2).update(at=1)
    other_game = climb_of_three(person("alice"), person("bob"))
    out = StringIO()
    call_command("verify_games", other_game, stdout=out)
    assert out.getvalue() == "1 games checked: all in order.\n"
    with pytest.raises(CommandError):
        call_command("verify_games", game, other_game, stderr=StringIO())


def test_rebuilding_a_game_that_is_not_there_fails(db: None) -> None:
    with pytest.raises(CommandError, match="no game"):
        call_command("rebuild", str(uuid.uuid4()))
