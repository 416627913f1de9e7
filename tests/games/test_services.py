"""What people can do with games, and what happens when they do it twice."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from config import clock
from games import acting, services
from games.engine.contract import IllegalMove
from games.selectors import NoSuchGame
from games.services import Done, Terms
from games.store.models import Event as EventRow
from games.store.models import GameSecret, Head, Invitation, Seat
from games.store.thread import append, load
from games.store.verify import verify_game
from games.table.commands import Refused, Stale
from games.table.decider import decide
from games.table.events import EVENT_TYPES, Event
from games.table.view import table_view
from notifications.models import Message
from tests.games.people import a_move, begun, climb_of_three, play_on, table
from tests.store.waved import Waved

PASS = {"type": "pass"}
FIVE = {"type": "play", "card": "5H"}
BAD_IDS = ["", "x", "0", "not-a-game", "../etc", "\x00", "é" * 32, str(uuid.UUID(int=0)), "g" * 32]


@pytest.fixture
def private(alice: User, bob: User) -> str:
    """A running game between Alice and Bob that admits only who is invited."""
    return begun("climb", alice, bob, admits="invited")


def counts() -> list[int]:
    return [model.objects.count() for model in (EventRow, Head, Seat, GameSecret, Invitation, Message)]


# --- who may do what ----------------------------------------------------------------------------------------------


ACTIONS: dict[str, Callable[[User, str], Done]] = {
    "play": lambda user, game_id: services.play(user, game_id, PASS),
    "resign": services.resign,
    "sit down": services.sit_down,
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_a_private_game_is_none_for_an_outsider(charlie: User, private: str, action: Callable[..., Done]) -> None:
    before = counts()
    with pytest.raises(NoSuchGame):
        action(charlie, private)
    assert counts() == before


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
@pytest.mark.parametrize("game_id", BAD_IDS)
def test_a_game_that_is_not_there_is_told_like_a_private_one(
    alice: User, action: Callable[..., Done], game_id: str
) -> None:
    with pytest.raises(NoSuchGame):
        action(alice, game_id)


def test_an_onlooker_of_a_public_game_cannot_act_in_it(alice: User, bob: User, charlie: User) -> None:
    game_id = begun("climb", alice, bob)
    for action in (ACTIONS["play"], ACTIONS["resign"]):
        with pytest.raises(NoSuchGame):
            action(charlie, game_id)
    with pytest.raises(Refused) as refused:
        services.sit_down(charlie, game_id)
    assert refused.value.code == "table_full"


def test_each_plays_only_their_own_seat(alice: User, bob: User) -> None:
    game_id = begun("climb", alice, bob, opener_seat="second")
    with pytest.raises(IllegalMove) as refused:
        services.play(alice, game_id, PASS)
    assert refused.value.code == "not_your_turn"
    assert services.play(bob, game_id, PASS).seat == 0


def test_a_game_is_the_same_however_its_id_is_spelled(alice: User, bob: User) -> None:
    game_id = services.open_game(alice, Terms("ariadne", opener_seat="first")).table.id
    services.sit_down(bob, game_id.upper())
    services.play(alice, f"{{{game_id}}}", a_move(game_id)[1])
    services.resign(bob, game_id.replace("-", ""))
    assert verify_game(game_id) == []


def test_the_answer_says_who_acted(alice: User, bob: User) -> None:
    opened = services.open_game(alice, Terms("climb", opener_seat="second"))
    assert (opened.place, opened.seat) == (0, None)
    sat = services.sit_down(bob, opened.table.id)
    assert (sat.place, sat.seat) == (1, 0)


# --- invitations --------------------------------------------------------------------------------------------------


def test_who_is_invited_by_name_may_sit_down(alice: User, bob: User, charlie: User) -> None:
    game_id = services.open_game(alice, Terms("climb", admits="invited"), invite=[bob, bob, alice]).table.id
    assert list(Invitation.objects.values_list("user", flat=True)) == [bob.pk]
    with pytest.raises(NoSuchGame):
        services.sit_down(charlie, game_id)
    assert services.sit_down(bob, game_id).table.status == "running"


def test_who_holds_the_links_token_may_sit_down(alice: User, bob: User) -> None:
    game_id = services.open_game(alice, Terms("climb", admits="invited"), invite_link=True).table.id
    token = Invitation.objects.get(user=None).token
    for wrong in (None, "", "x" * 43, "\x00", "é", "\ud800"):
        with pytest.raises(NoSuchGame):
            services.sit_down(bob, game_id, token=wrong)
    assert services.sit_down(bob, game_id, token=token).table.status == "running"


def test_a_token_opens_no_other_table(alice: User, bob: User) -> None:
    services.open_game(alice, Terms("climb", admits="invited"), invite_link=True)
    other = services.open_game(alice, Terms("climb", admits="invited"), invite_link=True).table.id
    token = Invitation.objects.exclude(game__pk=other).get().token
    with pytest.raises(NoSuchGame):
        services.sit_down(bob, other, token=token)


def test_nobody_sits_twice_at_a_table(alice: User) -> None:
    game_id = services.open_game(alice, Terms("climb")).table.id
    with pytest.raises(Refused) as refused:
        services.sit_down(alice, game_id)
    assert refused.value.code == "already_seated"


# --- steps and time -----------------------------------------------------------------------------------------------


def test_a_move_for_a_step_that_has_passed_is_stale(alice: User, bob: User) -> None:
    game_id = climb_of_three(alice, bob)
    before = counts()
    with pytest.raises(Stale):
        services.play(bob, game_id, FIVE, step=table(game_id).step - 1)
    assert counts() == before
    assert services.play(bob, game_id, FIVE, step=table(game_id).step).table.step == 5


def test_a_clock_that_went_back_does_not_take_events_with_it(alice: User, bob: User) -> None:
    with clock.frozen(clock.from_us(2_000_000_000_000_000)):
        game_id = climb_of_three(alice, bob)
    with clock.frozen(clock.from_us(1_000_000_000_000_000)):
        services.play(bob, game_id, FIVE)
    assert table(game_id).last_at == 2_000_000_000_000_000
    assert verify_game(game_id) == []


def test_a_refused_command_leaves_no_trace(alice: User, bob: User) -> None:
    game_id = climb_of_three(alice, bob)
    before = counts()
    with pytest.raises(IllegalMove):
        services.play(bob, game_id, {"type": "play", "card": "2H"}, command="five")
    assert counts() == before
    assert services.play(bob, game_id, FIVE, command="five").table.step == 5


def test_terms_that_are_refused_open_nothing(alice: User) -> None:
    before = counts()
    with pytest.raises(Refused):
        services.open_game(alice, Terms("whist"))
    with pytest.raises(Refused):
        services.open_game(alice, Terms("climb"), salt="short")
    assert counts() == before


def test_an_event_that_is_no_step_makes_no_good_move_stale(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EVENT_TYPES, Waved.type, Waved)
    game_id = climb_of_three(alice, bob)
    thread = load(game_id)
    append(thread, [Waved(0)], game_id=game_id, at=thread.table.last_at, command=None)
    assert services.play(bob, game_id, FIVE, step=thread.table.step).table.version == thread.table.version + 2


# --- the same command again ---------------------------------------------------------------------------------------


def test_the_same_move_again_has_one_effect_and_the_same_answer(alice: User, bob: User) -> None:
    game_id = climb_of_three(alice, bob)
    first = services.play(bob, game_id, FIVE, step=4, command="five")
    before = counts()
    assert services.play(bob, game_id, FIVE, step=4, command="five") == first
    assert counts() == before
    services.play(alice, game_id, {"type": "play", "card": "6H"})
    services.resign(bob, game_id)
    later = services.play(bob, game_id, FIVE, step=4, command="five")
    assert later == first
    assert table_view(later.table, 1) == table_view(first.table, 1)


def test_the_same_resignation_again_has_one_effect(alice: User, bob: User) -> None:
    game_id = climb_of_three(alice, bob)
    first = services.resign(alice, game_id, command="enough")
    assert services.resign(alice, game_id, command="enough") == first
    with pytest.raises(Refused) as refused:
        services.resign(alice, game_id, command="again")
    assert refused.value.code == "game_over"


def test_opening_again_with_the_same_command_is_one_game(alice: User, bob: User) -> None:
    first = services.open_game(alice, Terms("climb", opener_seat="first"), invite_link=True, command="open")
    before = counts()
    services_answer = services.open_game(alice, Terms("climb", opener_seat="first"), invite_link=True, command="open")
    assert services_answer == first
    assert counts() == before
    services.sit_down(bob, first.table.id)
    assert services.open_game(alice, Terms("climb"), command="open") == first


def test_two_people_who_open_with_the_same_command_have_a_game_each(alice: User, bob: User) -> None:
    games = {services.open_game(user, Terms("climb"), command="open").table.id for user in (alice, bob)}
    assert len(games) == 2


def test_sitting_down_again_with_the_same_command_is_answered_as_before(alice: User, bob: User) -> None:
    game_id = services.open_game(alice, Terms("climb", opener_seat="first")).table.id
    first = services.sit_down(bob, game_id, command="sit")
    play_on(game_id, alice, bob, moves=1)
    assert services.sit_down(bob, game_id, command="sit") == first
    with pytest.raises(Refused) as refused:
        services.sit_down(bob, game_id, command="sit again")
    assert refused.value.code == "already_seated"


def test_a_command_id_is_each_players_own(alice: User, bob: User) -> None:
    game_id = climb_of_three(alice, bob)
    services.play(bob, game_id, FIVE, command="mine")
    six = {"type": "play", "card": "6H"}
    assert services.play(alice, game_id, six, command="mine").table.line[-1].step.move == six  # type: ignore[union-attr]  # a play


@pytest.mark.parametrize("command", ["", "x" * 65, "a\x00b", "line\nbreak", "\ud800"])
def test_a_command_id_that_is_none_is_refused(alice: User, bob: User, command: str) -> None:
    game_id = climb_of_three(alice, bob)
    before = counts()
    actions: list[Callable[[], Done]] = [
        lambda: services.play(bob, game_id, FIVE, command=command),
        lambda: services.resign(bob, game_id, command=command),
        lambda: services.open_game(alice, Terms("climb"), command=command),
        lambda: services.sit_down(bob, game_id, command=command),
    ]
    for action in actions:
        with pytest.raises(Refused) as refused:
            action()
        assert refused.value.code == "bad_command_id"
    assert counts() == before


def test_a_command_id_may_be_any_printable_text(alice: User, bob: User) -> None:
    game_id = climb_of_three(alice, bob)
    command = "다섯 " * 21
    first = services.play(bob, game_id, FIVE, command=command)
    assert services.play(bob, game_id, FIVE, command=command) == first
    assert verify_game(game_id) == []


# --- others' appends in between ----------------------------------------------------------------------------------


def test_who_is_overtaken_too_often_is_told_so_and_nothing_is_done(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EVENT_TYPES, Waved.type, Waved)
    game_id = climb_of_three(alice, bob)
    waves: list[int] = []

    def overtaken(*args: Any) -> list[Event]:
        thread = load(game_id)
        append(thread, [Waved(0)], game_id=game_id, at=thread.table.last_at, command=None)
        waves.append(thread.table.version)
        return decide(*args)

    monkeypatch.setattr(acting, "decide", overtaken)
    with pytest.raises(services.TooBusy):
        services.play(bob, game_id, FIVE)
    assert len(waves) == acting.TRIES
    assert table(game_id).step == 4
