"""Properties of the fold, over random games of every kind."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Refusal
from games.table.commands import PlayMove, Resign, SitDown, Terms
from games.table.decider import decide
from games.table.events import Dealt, Moved, SatDown, Started, TableOpened
from games.table.state import BrokenThread, Stamped, evolve
from tests.contract.play import after_each
from tests.contract.settings import thorough
from tests.table.tables import AT, GAME, SLUGS, Thread, begun, next_move, played

EVERY_GAME = pytest.mark.parametrize("slug", SLUGS)
TERMS: Any = st.fixed_dictionaries(
    {"opener_seat": st.sampled_from(["first", "second", "random"]), "quick_pass": st.booleans()}
)


@EVERY_GAME
@thorough(8)
@given(seed=st.integers(0, 2**32 - 1), moves=st.integers(0, 60), terms=TERMS)
def test_what_was_stored_folds_to_the_table_that_was_played(
    slug: str, seed: int, moves: int, terms: dict[str, Any]
) -> None:
    thread = played(slug, seed, moves, **terms)
    table = thread.table
    assert thread.folded_again() == table
    states = after_each(table.rules, table.opened.options, [entry.step for entry in table.line])
    assert states[-1] == table.state


@EVERY_GAME
@thorough(8)
@given(seed=st.integers(0, 2**32 - 1), moves=st.integers(0, 60), terms=TERMS)
def test_the_version_counts_all_events_and_the_step_deals_and_moves(
    slug: str, seed: int, moves: int, terms: dict[str, Any]
) -> None:
    thread = played(slug, seed, moves, **terms)
    steps = 0
    for version, (table, (name, _, _)) in enumerate(zip(thread.tables, thread.stored, strict=True), start=1):
        steps += name in (Dealt.type, Moved.type)
        assert (table.version, table.step) == (version, steps)
    numbers = [(entry.number, entry.version) for entry in thread.table.line]
    stepping = [v for v, (name, _, _) in enumerate(thread.stored, start=1) if name in (Dealt.type, Moved.type)]
    assert numbers == list(enumerate(stepping, start=1))


@EVERY_GAME
@thorough(8)
@given(seed=st.integers(0, 2**32 - 1), moves=st.integers(0, 60), terms=TERMS)
def test_somebody_is_awaited_since_the_event_that_made_them_so_and_for_a_move_since_the_one_before_it(
    slug: str, seed: int, moves: int, terms: dict[str, Any]
) -> None:
    thread = played(slug, seed, moves, **terms)
    for before, after in zip(thread.tables, thread.tables[1:], strict=False):
        same = (after.awaits, after.status) == (before.awaits, before.status)
        assert after.awaited_since == (before.awaited_since if same else after.version)
        assert after.awaited_at == (before.awaited_at if same and after.line == before.line else after.last_at)


@EVERY_GAME
@thorough(8)
@given(seed=st.integers(0, 2**32 - 1), moves=st.integers(0, 60), terms=TERMS)
def test_after_every_append_a_seat_can_move_or_the_game_is_over(
    slug: str, seed: int, moves: int, terms: dict[str, Any]
) -> None:
    thread, rng = begun(slug, **terms), random.Random(seed)
    for _ in range(moves):
        if thread.table.status == "ended":
            break
        thread.do(next_move(thread.table, rng))
        assert (thread.table.status, thread.table.awaited_seat is None) in [("running", False), ("ended", True)]


@EVERY_GAME
@thorough(5)
@given(seed=st.integers(0, 2**32 - 1), moves=st.integers(0, 30), card=st.sampled_from(["2C", "KH", "AS", "JK", "1X"]))
def test_deciding_leaves_the_table_as_it_was(slug: str, seed: int, moves: int, card: str) -> None:
    thread = played(slug, seed, moves)
    table = thread.table
    seat = table.awaited_seat or 0
    for kind in ("play", "place", "draw", "pass", "discard"):
        with suppress(Refusal):
            decide(table, PlayMove(seat, {"type": kind, "card": card}, None), thread.dealer, table.last_at)
        assert thread.folded_again() == table


# --- the status, and threads that are none ------------------------------------------------------------------------


def test_a_table_is_open_until_all_sit_running_until_the_end_and_then_ended() -> None:
    thread = Thread(Terms("climb"))
    assert [table.status for table in thread.tables] == ["open", "open"]
    thread.sit()
    assert [table.status for table in thread.tables[2:]] == ["open", "running", "running"]
    thread.do(Resign(1))
    assert thread.table.status == "ended"
    assert thread.table.awaits is None


def test_places_and_seats_translate_both_ways_once_the_game_has_begun() -> None:
    assert Thread(Terms("climb")).table.seat_of(0) is None
    table = begun("climb", opener_seat="second").table
    assert [table.seat_of(place) for place in (0, 1)] == [1, 0]
    assert [table.place_of(seat) for seat in (0, 1)] == [1, 0]


OPENED = TableOpened("climb", 1, {}, "anyone", "first", True, "clew-shuffle/1", "0" * 64)


def test_a_thread_begins_with_its_table() -> None:
    with pytest.raises(BrokenThread):
        evolve(None, Stamped(SatDown(0, "a-salt-of-8", "server"), 1, AT), GAME)
    with pytest.raises(BrokenThread):
        evolve(None, Stamped(OPENED, 2, AT), GAME)


def test_versions_follow_one_another_without_a_gap() -> None:
    table = evolve(None, Stamped(OPENED, 1, AT), GAME)
    for version in (0, 1, 3):
        with pytest.raises(BrokenThread):
            evolve(table, Stamped(Started((0, 1)), version, AT), GAME)


def test_nothing_follows_the_end() -> None:
    thread = begun("climb")
    thread.do(Resign(0))
    with pytest.raises(BrokenThread):
        evolve(thread.table, Stamped(Started((0, 1)), thread.table.version + 1, AT), GAME)


def test_sitting_down_keeps_whose_salt_it_was() -> None:
    thread = begun("climb")
    assert [(salt.text, salt.by) for salt in thread.table.salts] == [
        ("alices-own-salt", "player"),
        ("bobs-own-salt", "server"),
    ]
    with pytest.raises(Refusal):
        thread.do(SitDown("a-third-salt", "player"))
