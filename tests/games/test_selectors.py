"""What can be asked about games, and by whom."""

from __future__ import annotations

import pytest

from accounts.models import User
from games import selectors, services
from games.engine.contract import OPEN, SPECTATOR
from games.selectors import NoSuchGame, access_to, look, steps
from games.services import Terms
from games.store.models import Invitation
from games.store.thread import load
from tests.games.people import begun, climb_of_three
from tests.games.test_services import BAD_IDS


def test_owner_member_and_outsider_see_a_public_game_each_with_their_own_eyes(
    alice: User, bob: User, charlie: User
) -> None:
    game_id = climb_of_three(alice, bob)
    held = [look(user, game_id)["view"]["hands"] for user in (alice, bob, charlie, None)]
    first, second = ["6H", "8H", "TH"], ["5H", "7H", "9H", "JH"]
    assert held == [[first, 4], [3, second], [3, 4], [3, 4]]
    assert [look(user, game_id)["seat"] for user in (alice, bob, charlie, None)] == [0, 1, None, None]
    assert [bool(look(user, game_id)["legal"]) for user in (alice, bob, charlie, None)] == [False, True, False, False]


def test_a_private_game_is_shown_to_its_players_and_nobody_else(alice: User, bob: User, charlie: User) -> None:
    game_id = begun("climb", alice, bob, admits="invited")
    for user in (alice, bob):
        assert look(user, game_id)["game"] == game_id
        assert steps(user, game_id)
    for outsider in (charlie, None):
        with pytest.raises(NoSuchGame):
            look(outsider, game_id)
        with pytest.raises(NoSuchGame):
            steps(outsider, game_id)


@pytest.mark.parametrize("game_id", BAD_IDS)
def test_what_is_no_game_is_told_like_a_private_one(alice: User, game_id: str) -> None:
    for ask in (look, steps, access_to):
        with pytest.raises(NoSuchGame):
            ask(alice, game_id)


def test_a_links_token_lets_one_look_and_sit_but_only_with_an_account(alice: User, charlie: User) -> None:
    game_id = services.open_game(alice, Terms("climb", admits="invited"), invite_link=True).table.id
    token = Invitation.objects.get(user=None).token
    assert access_to(charlie, game_id, token=token).may_sit
    assert not access_to(None, game_id, token=token).may_sit
    assert look(None, game_id, token=token)["status"] == "open"
    assert steps(None, game_id, token=token) == []
    with pytest.raises(NoSuchGame):
        steps(None, game_id)


def test_who_is_invited_by_name_may_look_and_sit(alice: User, bob: User) -> None:
    game_id = services.open_game(alice, Terms("climb", admits="invited"), invite=[bob]).table.id
    assert access_to(bob, game_id).may_sit
    assert not access_to(alice, game_id).may_sit


def test_everything_is_open_to_whoever_may_look_once_the_game_is_over(alice: User, bob: User, charlie: User) -> None:
    game_id = climb_of_three(alice, bob)
    running = load(game_id).table
    services.resign(bob, game_id)
    over = load(game_id).table
    access = access_to(charlie, game_id)
    assert access.viewer(running) is SPECTATOR
    assert access.viewer(over) is OPEN
    assert access.eyes(over) is SPECTATOR
    assert access_to(bob, game_id).eyes(over) == 1
    told = look(charlie, game_id)
    assert told["view"]["hands"] == [["6H", "8H", "TH"], ["5H", "7H", "9H", "JH"]]
    assert told["proof"]["secret"]
    assert steps(charlie, game_id)[0]["deal"] is not None


def test_steps_are_given_past_the_one_that_is_known(alice: User, bob: User) -> None:
    game_id = climb_of_three(alice, bob)
    assert [step["n"] for step in steps(bob, game_id)] == [1, 2, 3, 4]
    assert [step["n"] for step in steps(bob, game_id, after=3)] == [4]


def test_who_only_looks_on_has_no_place(alice: User, bob: User, charlie: User) -> None:
    game_id = climb_of_three(alice, bob)
    assert access_to(bob, game_id).seated_place() == 1
    with pytest.raises(NoSuchGame):
        access_to(charlie, game_id).seated_place()


def test_there_is_no_such_game_says_nothing_but_what_was_asked(charlie: User, alice: User, bob: User) -> None:
    private = begun("climb", alice, bob, admits="invited")
    with pytest.raises(NoSuchGame) as refused:
        selectors.access_to(charlie, private)
    assert str(refused.value) == str(NoSuchGame(private))
