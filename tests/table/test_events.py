"""Stored events as values, of this schema and older ones."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import pytest

from games.table.events import (
    EVENT_TYPES,
    Dealt,
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    HintTaken,
    Moved,
    PauseAnswered,
    PauseAsked,
    Payload,
    Resumed,
    SatDown,
    Started,
    TableOpened,
    TimeCredited,
    TimeGiven,
    UndoAnswered,
    UndoAsked,
    Undone,
    UnknownEvent,
    VacationBegan,
    VacationEnded,
    ZoneChanged,
    canonical_json,
    decode,
)
from games.table.state import Stamped, evolve
from tests.table.tables import GAME, begun

EVENTS: list[Event] = [
    TableOpened("ariadne", 1, {"rounds": 1}, "anyone", "random", True, "clew-shuffle/1", "0" * 64),
    SatDown(0, "a-salt-of-8", "player"),
    Started((1, 0)),
    Dealt(1, (("AS", "KD"), ("JK",))),
    Moved(1, {"type": "pass"}, automatic=True),
    Undone(0, 3),
    UndoAsked(1, 4),
    UndoAnswered(0, True),
    HintTaken(0),
    DrawOffered(1),
    DrawDeclined(0),
    PauseAsked(0),
    PauseAnswered(1, True),
    Resumed(0),
    TimeGiven(1, 3_600_000_000),
    TimeCredited(60_000_000),
    VacationBegan(0, automatic=True),
    VacationEnded(0),
    ZoneChanged(1, "Asia/Seoul"),
    Ended("resignation", 0, "00"),
]


@dataclass(frozen=True, slots=True)
class Waved(Event):
    """Somebody waved: schema 1 counted the hands, schema 2 says which."""

    type: ClassVar[str] = "waved"
    schema: ClassVar[int] = 2
    hand: str

    @classmethod
    def upcast(cls, payload: Payload, schema: int) -> Payload:
        if schema != 1:
            raise UnknownEvent(schema)
        return {"hand": "left" if payload["hands"] == 1 else "both"}


@pytest.fixture
def _waving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EVENT_TYPES, "waved", Waved)


def test_every_type_of_event_is_tried_here() -> None:
    assert {type(event) for event in EVENTS} == set(EVENT_TYPES.values())


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
def test_an_event_is_the_same_after_being_stored(event: Event) -> None:
    assert decode(event.type, event.schema, json.loads(canonical_json(event.payload()))) == event


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
def test_no_event_says_who_anybody_is(event: Event) -> None:
    named = {field.name for field in fields(event)}  # type: ignore[arg-type]  # every event is a dataclass
    assert named.isdisjoint({"user", "name", "email", "player", "text", "message"})


@pytest.mark.usefixtures("_waving")
def test_an_event_of_an_older_schema_is_brought_up_to_date() -> None:
    assert decode("waved", 1, {"hands": 1}) == Waved("left")
    assert decode("waved", 2, {"hand": "right"}) == Waved("right")


@pytest.mark.usefixtures("_waving")
@pytest.mark.parametrize(("name", "schema"), [("waved", 3), ("waved", 0), ("moved", 2), ("moved", 0), ("danced", 1)])
def test_an_unknown_type_or_schema_is_refused_rather_than_guessed(name: str, schema: int) -> None:
    with pytest.raises(UnknownEvent):
        decode(name, schema, {})


def test_an_event_type_that_the_fold_does_not_know_only_counts_the_version() -> None:
    table = begun("climb").table
    after = evolve(table, Stamped(Waved("left"), table.version + 1, table.last_at + 5), GAME)
    assert (after.version, after.last_at) == (table.version + 1, table.last_at + 5)
    assert (after.step, after.state, after.awaited_since) == (table.step, table.state, table.awaited_since)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [float("-inf")]}])
def test_canonical_json_knows_no_nan_and_no_infinity(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(value)


def test_canonical_json_is_one_text_whatever_the_order() -> None:
    assert canonical_json({"b": [1, True], "a": "é"}) == canonical_json({"a": "é", "b": [1, True]})
    assert canonical_json({"b": [1, True], "a": "é"}) == '{"a":"\\u00e9","b":[1,true]}'
