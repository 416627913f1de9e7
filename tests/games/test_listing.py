"""What lists show, to whom, in which order, and at what price."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import listing, services
from games.listing import FINISHED_ROWS, OPEN_ROWS, Listed
from games.selectors import NoSuchGame, waiting_count
from games.services import Terms
from games.store.models import Invitation
from games.table.events import Admits
from tests.games.people import begun, play_on, table


def opened(user: User, admits: Admits = "anyone", *, invite: tuple[User, ...] = (), link: bool = False) -> str:
    terms = Terms("ariadne", admits=admits)
    return services.open_game(user, terms, invite=invite, invite_link=link).table.id


def ids(rows: list[Listed]) -> list[str]:
    return [row.game for row in rows]


def resigned(loser: User, winner: User) -> str:
    game = begun("ariadne", loser, winner)
    services.resign(loser, game)
    return game


def test_games_are_told_apart_by_who_is_awaited(alice: User, bob: User) -> None:
    mine = begun("ariadne", alice, bob)
    theirs = begun("ariadne", bob, alice)
    waits = opened(alice)
    over = resigned(alice, bob)
    games = listing.home(alice)
    assert ids(games.your_turn) == [mine]
    assert ids(games.waiting) == [theirs]
    assert ids(games.open) == [waits]
    assert [row.game for row in games.finished.rows] == [over]
    assert games.your_turn[0].others == ("bob",)


def test_a_patience_has_a_list_of_its_own_and_nobody_waits_for_it(alice: User, bob: User) -> None:
    first, second = (begun("forty_thieves", alice) for _ in range(2))
    play_on(first, alice, moves=1)
    games = listing.home(alice)
    assert ids(games.patiences) == [first, second]
    assert not games.your_turn
    assert not games.waiting
    assert listing.next_waiting(alice) is None
    assert waiting_count(alice) == 0
    theirs = begun("ariadne", alice, bob)
    assert ids(listing.home(alice).your_turn) == [theirs]
    assert listing.next_waiting(alice, after=second) == theirs
    assert waiting_count(alice) == 1
    services.resign(alice, first)
    assert ids(listing.home(alice).patiences) == [second]


def test_the_game_that_waits_longest_comes_first(alice: User, bob: User) -> None:
    first, second, third = (begun("ariadne", alice, bob) for _ in range(3))
    play_on(first, alice, bob, moves=2)  # came back to Alice last
    assert ids(listing.home(alice).your_turn) == [second, third, first]


def test_the_next_game_is_the_one_that_waits_longest(alice: User, bob: User) -> None:
    first, second = (begun("ariadne", alice, bob) for _ in range(2))
    played = begun("ariadne", alice, bob)
    play_on(played, alice, bob, moves=1)
    assert listing.next_waiting(alice, after=played) == first
    assert listing.next_waiting(alice) == first
    assert listing.next_waiting(bob, after=played) is None
    assert second != first


def test_games_left_for_later_come_round_again(alice: User, bob: User) -> None:
    first, second, third = (begun("ariadne", alice, bob) for _ in range(3))
    assert listing.next_waiting(alice, after=first) == second
    assert listing.next_waiting(alice, after=second) == third
    assert listing.next_waiting(alice, after=third) == first


def test_nothing_comes_next_when_nothing_else_waits(alice: User, bob: User, charlie: User) -> None:
    only = begun("ariadne", alice, bob)
    assert listing.next_waiting(alice, after=only) is None
    assert listing.next_waiting(charlie) is None


def test_a_resignation_is_told_to_each_from_their_side(alice: User, bob: User) -> None:
    resigned(alice, bob)
    lost, won = (listing.home(user).finished.rows[0].outcome for user in (alice, bob))
    assert lost is not None
    assert won is not None
    assert (lost.won, lost.by, lost.by_self) == (False, "resignation", True)
    assert (won.won, won.by, won.by_self) == (True, "resignation", False)
    assert won.own_score is None


def test_points_are_told_with_ones_own_first(alice: User, bob: User) -> None:
    game = begun("ariadne", bob, alice)
    after = play_on(game, bob, alice, moves=500)
    result = after.rules.result(after.state)
    assert result is not None
    for user, seat in ((bob, 0), (alice, 1)):
        outcome = listing.home(user).finished.rows[0].outcome
        assert outcome is not None
        assert outcome.own_score == result["scores"][seat]
        assert outcome.other_scores == (result["scores"][1 - seat],)
        assert outcome.won is (result["winner"] == seat)


def test_an_invitation_is_shown_to_who_was_invited_until_the_seat_is_taken(
    alice: User, bob: User, charlie: User
) -> None:
    game = opened(alice, "invited", invite=(bob, charlie))
    assert ids(listing.home(bob).invitations) == [game]
    assert listing.home(bob).invitations[0].others == ("alice",)
    assert listing.home(alice).invitations == []
    services.sit_down(bob, game)
    assert listing.home(bob).invitations == []
    assert listing.home(charlie).invitations == []


def test_only_ones_own_open_table_shows_its_link_and_guests(alice: User, bob: User) -> None:
    opened(alice, "invited", invite=(bob,), link=True)
    row = listing.home(alice).open[0]
    assert row.invited == ("bob",)
    assert row.token == Invitation.objects.get(token__isnull=False).token
    assert listing.home(bob).invitations[0].token is None


def test_open_tables_are_those_that_admit_anyone_and_have_a_seat_left(alice: User, bob: User) -> None:
    first, second = opened(alice), opened(bob)
    opened(alice, "invited", invite=(bob,))
    services.sit_down(bob, opened(alice))
    page = listing.open_tables(bob, ["ariadne"])
    assert [row.game for row in page.rows] == [second, first]
    assert [row.seated for row in page.rows] == [True, False]
    assert page.rows[1].others == ("alice",)
    assert [row.others for row in listing.open_tables(None, ["ariadne"]).rows] == [("bob",), ("alice",)]
    assert not listing.open_tables(bob, ["kathmandu"]).rows


def test_a_page_past_the_end_is_the_last(alice: User) -> None:
    for _ in range(OPEN_ROWS + 1):
        opened(alice)
    page = listing.open_tables(alice, ["ariadne"], page=99)
    assert (page.number, page.pages, page.count, len(page.rows)) == (2, 2, OPEN_ROWS + 1, 1)


def test_a_link_shows_its_table_to_whoever_holds_it(alice: User, bob: User) -> None:
    game = opened(alice, "invited", link=True)
    token = Invitation.objects.get().token
    assert token is not None
    offer = listing.offer(None, game, token)
    assert (offer.row.others, offer.free, offer.opener_seat) == (("alice",), True, "random")
    assert listing.offer(alice, game, token).row.seated
    services.sit_down(bob, game, token=token)
    assert not listing.offer(None, game, token).free


@pytest.mark.parametrize("token", ["", "wrong", "é", "a\x00b", "%"])
def test_a_wrong_token_leads_nowhere_even_to_an_open_table(alice: User, token: str) -> None:
    game = opened(alice, link=True)
    with pytest.raises(NoSuchGame):
        listing.offer(alice, game, token)


def test_a_token_leads_to_its_own_table_only(alice: User) -> None:
    opened(alice, link=True)
    token = Invitation.objects.get().token
    assert token is not None
    with pytest.raises(NoSuchGame):
        listing.offer(None, opened(alice), token)


def test_lists_cost_the_same_for_thirty_games_as_for_one(
    alice: User, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def fill(times: int) -> None:
        for _ in range(times):
            begun("ariadne", alice, bob)
            opened(alice, "invited", invite=(bob,), link=True)
            opened(bob, "invited", invite=(alice,))
            resigned(bob, alice)

    for times, expected in ((1, 1), (29, 30)):
        fill(times)
        with django_assert_num_queries(6):
            games = listing.home(alice)
        assert len(games.your_turn) == len(games.open) == len(games.invitations) == games.finished.count == expected
        with django_assert_num_queries(1):
            listing.next_waiting(alice)
    assert len(games.finished.rows) == FINISHED_ROWS
    for _ in range(OPEN_ROWS):
        opened(alice)
    with django_assert_num_queries(4):
        assert len(listing.open_tables(bob, ["ariadne"]).rows) == OPEN_ROWS


def test_a_row_says_what_the_table_says(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    row, now = listing.home(alice).your_turn[0], table(game)
    assert (row.step, row.awaited_at, row.opened_at, row.taken) == (now.step, now.awaited_at, now.opened_at, 2)
