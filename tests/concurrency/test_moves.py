"""What is done at the same time, with real commits: one of two moves lands, and a command has one effect."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from games import acting, services
from games.engine.contract import Refusal
from games.services import Done, Terms
from games.store import thread as store
from games.store.models import Event, GameSecret, Head, Seat
from games.store.thread import append, load
from games.store.verify import verify_game
from games.table.commands import Refused, Stale
from games.table.events import EVENT_TYPES
from games.table.view import table_view
from notifications import outbox
from tests.concurrency.together import meet_at, once_after, once_before, together
from tests.games.people import begun, climb_of_three, person, table
from tests.store.waved import Waved

THREADS = 8
FIVE, SEVEN = ({"type": "play", "card": card} for card in ("5H", "7H"))

pytestmark = pytest.mark.usefixtures("real_database")


@pytest.fixture
def people(real_database: dict[str, str]) -> tuple[User, User, User]:
    return person("alice"), person("bob"), person("charlie")


def remove_unique_versions(patch: pytest.MonkeyPatch) -> None:
    """Take the constraint out of the database (and on SQLite, whose table is made anew, the triggers with it)."""
    unique, *others = Event._meta.constraints
    assert unique.name == "event_game_version"
    patch.setattr(Event._meta, "constraints", others)
    with connection.schema_editor() as editor:
        editor.remove_constraint(Event, unique)


def move_heads_unconditionally(patch: pytest.MonkeyPatch) -> None:
    def advance(now: Any, last_hash: bytes, expected: int) -> None:
        Head.objects.filter(game=now.id).update(**store.head_fields(now, last_hash))

    patch.setattr(store, "_advance_head", advance)


@pytest.mark.parametrize("held_to_step", [True, False])
def test_of_two_simultaneous_moves_one_lands_and_the_other_is_refused(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch, held_to_step: bool
) -> None:
    alice, bob, _ = people
    game_id = climb_of_three(alice, bob)
    before = table(game_id)
    step = before.step if held_to_step else None
    meet_at(monkeypatch, acting, "decide", 2)
    outcomes = together([partial(services.play, bob, game_id, move, step=step) for move in (FIVE, SEVEN)])
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    assert [type(outcome) for outcome in outcomes].count(Done) == 1
    assert [refusal.code for refusal in refusals] == ["stale_step" if held_to_step else "not_your_turn"]
    assert isinstance(refusals[0], Stale) == held_to_step
    assert table(game_id).version == before.version + 1
    assert verify_game(game_id) == []


@pytest.mark.parametrize(
    ("head", "constraint", "landed"),
    [(True, True, 1), (True, False, 1), (False, True, 1), (False, False, 2)],
    ids=["both guards", "the head alone", "the constraint alone", "no guard"],
)
def test_either_guard_stops_the_race_and_without_both_it_happens(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch, head: bool, constraint: bool, landed: int
) -> None:
    alice, bob, _ = people
    game_id = climb_of_three(alice, bob)
    before = table(game_id)
    # Two messages of the same news would collide too, and hide what the guards do.
    monkeypatch.setattr(outbox, "announce", lambda *args, **kwargs: None)
    if not head:
        move_heads_unconditionally(monkeypatch)
    if not constraint:
        remove_unique_versions(monkeypatch)
    meet_at(monkeypatch, acting, "decide", 2)
    outcomes = together([partial(services.play, bob, game_id, move, step=4) for move in (FIVE, SEVEN)])
    assert [type(outcome) for outcome in outcomes].count(Done) == landed
    assert Event.objects.filter(game=game_id, version=before.version + 1).count() == landed
    assert bool(verify_game(game_id)) == (landed == 2)


def test_a_move_and_a_resignation_at_once_are_both_done_or_the_move_is_refused(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, _ = people
    game_id = climb_of_three(alice, bob)
    meet_at(monkeypatch, acting, "decide", 2)
    moved, resigned = together([partial(services.play, bob, game_id, FIVE), partial(services.resign, alice, game_id)])
    assert isinstance(resigned, Done)
    assert isinstance(moved, Done) or moved.code == "game_over"
    assert table(game_id).status == "ended"
    assert verify_game(game_id) == []


def test_the_same_move_command_from_many_threads_has_one_effect_and_one_answer(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, _ = people
    game_id = climb_of_three(alice, bob)
    before = table(game_id)
    meet_at(monkeypatch, acting, "decide", THREADS)
    answers = together([partial(services.play, bob, game_id, FIVE, step=4, command="five")] * THREADS)
    assert [type(answer) for answer in answers] == [Done] * THREADS
    assert len({str(table_view(answer.table, 1)) for answer in answers}) == 1
    assert {answer.table.version for answer in answers} == {before.version + 1}
    assert table(game_id).version == before.version + 1
    assert verify_game(game_id) == []


def test_opening_with_the_same_command_from_many_threads_is_one_game(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _, _ = people
    meet_at(monkeypatch, services, "open_table", THREADS)
    answers = together([partial(services.open_game, alice, Terms("climb"), command="open")] * THREADS)
    assert [type(answer) for answer in answers] == [Done] * THREADS
    assert len({str(table_view(answer.table, 0)) for answer in answers}) == 1
    assert [model.objects.count() for model in (Head, Seat, GameSecret)] == [1, 1, 1]
    assert verify_game(answers[0].table.id) == []


def test_sitting_down_with_the_same_command_from_many_threads_is_one_seat(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, _ = people
    game_id = services.open_game(alice, Terms("climb")).table.id
    meet_at(monkeypatch, acting, "decide", THREADS)
    answers = together([partial(services.sit_down, bob, game_id, command="sit")] * THREADS)
    assert [type(answer) for answer in answers] == [Done] * THREADS
    assert len({str(table_view(answer.table, 1)) for answer in answers}) == 1
    assert Seat.objects.filter(game__pk=game_id).count() == 2
    assert verify_game(game_id) == []


# --- sitting down -------------------------------------------------------------------------------------------------


def test_of_two_people_who_race_for_the_last_seat_one_sits(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, *racing = people
    game_id = services.open_game(alice, Terms("climb")).table.id
    meet_at(monkeypatch, acting, "decide", 2)
    outcomes = together([partial(services.sit_down, user, game_id) for user in racing])
    assert [type(outcome) for outcome in outcomes].count(Done) == 1
    assert [outcome.code for outcome in outcomes if isinstance(outcome, Refused)] == ["table_full"]
    seated = racing[[isinstance(outcome, Done) for outcome in outcomes].index(True)]
    assert list(Seat.objects.order_by("place").values_list("user", flat=True)) == [alice.pk, seated.pk]
    assert verify_game(game_id) == []


def test_one_person_who_sits_down_twice_at_once_has_one_seat(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, _ = people
    game_id = services.open_game(alice, Terms("climb")).table.id
    meet_at(monkeypatch, acting, "decide", 2)
    outcomes = together([partial(services.sit_down, bob, game_id, command=command) for command in ("one", "two")])
    assert [type(outcome) for outcome in outcomes].count(Done) == 1
    assert [outcome.code for outcome in outcomes if isinstance(outcome, Refused)] == ["already_seated"]
    assert Seat.objects.count() == 2
    assert verify_game(game_id) == []


@pytest.mark.parametrize("hook", [once_before, once_after])
def test_who_sat_down_while_the_same_request_was_on_its_way_is_told_the_same(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch, hook: Any
) -> None:
    alice, bob, _ = people
    game_id = services.open_game(alice, Terms("climb")).table.id
    first: list[Done] = []
    hook(
        monkeypatch,
        services,
        "load",
        lambda: first.extend(together([partial(services.sit_down, bob, game_id, command="sit")])),
    )
    assert services.sit_down(bob, game_id, command="sit") == first[0]
    assert Seat.objects.count() == 2


# --- events that are no steps -------------------------------------------------------------------------------------


def test_an_event_that_is_no_step_and_comes_in_between_does_not_fail_a_good_move(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EVENT_TYPES, Waved.type, Waved)
    alice, bob, _ = people
    game_id = climb_of_three(alice, bob)
    before = table(game_id)

    def wave() -> None:
        append(load(game_id), [Waved(0)], game_id=game_id, at=before.last_at, command=None)

    once_after(monkeypatch, acting, "decide", lambda: together([wave]))
    done = services.play(bob, game_id, FIVE, step=before.step)
    assert (done.table.version, done.table.step) == (before.version + 2, before.step + 1)
    assert verify_game(game_id) == []


def test_a_step_that_comes_in_between_makes_a_move_stale(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, _ = people
    game_id = climb_of_three(alice, bob)
    once_after(monkeypatch, acting, "decide", lambda: together([partial(services.play, bob, game_id, SEVEN)]))
    with pytest.raises(Stale):
        services.play(bob, game_id, FIVE, step=4)
    assert table(game_id).step == 5


def test_games_do_not_wait_for_each_other(people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob, _ = people
    games = [begun("climb", alice, bob, quick_pass=False) for _ in range(4)]
    meet_at(monkeypatch, acting, "decide", len(games))
    outcomes = together([partial(services.play, alice, game_id, {"type": "pass"}, step=1) for game_id in games])
    assert [type(outcome) for outcome in outcomes] == [Done] * len(games)
    assert [verify_game(game_id) for game_id in games] == [[]] * len(games)


@pytest.mark.parametrize("same_command", [True, False])
def test_of_two_simultaneous_courses_of_moves_one_lands_whole(
    people: tuple[User, User, User], monkeypatch: pytest.MonkeyPatch, same_command: bool
) -> None:
    alice, _, _ = people
    game_id = services.open_game(alice, Terms("forty_thieves", number=1)).table.id
    before = table(game_id)
    meet_at(monkeypatch, acting, "decide", 2)
    draws = [{"type": "draw"}] * 3
    commands = ("same", "same") if same_command else ("one", "other")
    outcomes = together(
        [partial(services.play_many, alice, game_id, draws, step=1, command=command) for command in commands]
    )
    assert table(game_id).version == before.version + 3
    assert [type(outcome) for outcome in outcomes].count(Done) == (2 if same_command else 1)
    assert same_command or any(isinstance(outcome, Stale) for outcome in outcomes)
    assert verify_game(game_id) == []
