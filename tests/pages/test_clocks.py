"""Clocks shown: on the table for everybody who looks, on a player's own page, and in the mail that calls them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts import vacation
from accounts.models import User
from config import clock
from games import agreeing, learning, listing, outages, services, sweeping, viewing
from games.table.terms import DAY, HOUR, Bank, ClockTerms, PerMove
from notifications.render import turn_mail
from tests.games.clocks import THREE_DAYS, due, stopped
from tests.games.people import begun
from tests.pages.reading import page_of
from tests.pages.tables import ariadne, logged_in

TWO_HOURS = ClockTerms(PerMove(2 * HOUR)).to_json()


def timed(alice: User, bob: User, moves: int = 0, clock: object = THREE_DAYS) -> str:
    return ariadne(alice, bob, moves=moves, clock=clock)


def at_table(user: User, game: str) -> str:
    return page_of(logged_in(user).get(reverse("table", args=[game])))


def test_the_table_says_what_both_have_left_and_until_when(alice: User, bob: User, charlie: User) -> None:
    with stopped() as now:
        game = timed(alice, bob)
        now.advance(hours=5)
        for reader in (alice, bob, charlie):
            page = at_table(reader, game)
            assert "2 days 19 hours left" in page
            assert "3 days for the next move" in page
            assert '<time datetime="2027-03-04T12:00:00+00:00" title="UTC">4 March 2027, 12:00</time>' in page


def test_the_deadline_is_told_in_the_readers_own_zone(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(time_zone="Asia/Seoul", language="ko")
    with stopped():
        game = timed(alice, bob)
        page = at_table(bob, game)
    assert 'title="Asia/Seoul">2027년 3월 4일 21:00' in page
    assert "3일 남음" in page


@pytest.mark.parametrize(("passes", "tag"), [(89, ""), (90, "soon"), (120, "late")])
def test_a_tag_warns_of_a_deadline(alice: User, bob: User, passes: int, tag: str) -> None:
    with stopped() as now:
        game = timed(alice, bob, clock=TWO_HOURS)
        now.advance(minutes=passes)
        for page in (at_table(alice, game), page_of(logged_in(alice).get("/home/"))):
            assert ('class="tag soon"' in page) == (tag == "soon")
            assert ('class="tag late"' in page) == (tag == "late")


def test_a_bank_is_told_of_who_is_not_awaited(alice: User, bob: User) -> None:
    with stopped():
        page = at_table(bob, timed(alice, bob, clock=ClockTerms(Bank(10 * DAY, DAY, 20 * DAY)).to_json()))
    assert "10 days for the next move" in page


def test_no_clock_says_nothing_of_time_left(alice: User, bob: User) -> None:
    page = at_table(alice, ariadne(alice, bob))
    assert " left" not in page
    assert 'class="time"' not in page


def test_a_paused_clock_says_that_it_stands(alice: User, bob: User) -> None:
    with stopped() as now:
        game = timed(alice, bob)
        agreeing.ask_pause(alice, game)
        agreeing.answer_pause(bob, game, granted=True)
        now.advance(days=9)
        page = at_table(bob, game)
        assert "The clock is paused." in page
        assert "3 days left" in page
        assert "The clock stands still." in page_of(logged_in(alice).get("/home/"))


def test_the_opponent_sees_until_when_somebody_is_on_vacation(alice: User, bob: User) -> None:
    with stopped():
        game = timed(alice, bob)
        vacation.begin(alice, until=clock.now_us() + 5 * DAY)
        learning.learn(game)
        page = at_table(bob, game)
    assert "On vacation until" in page
    assert "6 March 2027" in page
    assert "The clock stands still." in page


def test_a_page_that_polls_hears_when_its_words_are_out_of_date(alice: User, bob: User) -> None:
    with stopped() as now:
        client, path = logged_in(bob), reverse("table-state", args=[timed(alice, bob)])
        tag = client.get(path)["ETag"]
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
        now.advance(minutes=61)
        assert "2 days 22 hours left" in page_of(client.get(path, headers={"If-None-Match": tag}))


def test_the_soonest_deadline_comes_first_at_home_and_next(alice: User, bob: User) -> None:
    with stopped() as now:
        never, late, soon = (
            begun("ariadne", alice, bob, clock=terms)
            for terms in (None, THREE_DAYS, ClockTerms(PerMove(DAY)).to_json())
        )
        now.advance(minutes=1)
        assert [row.game for row in listing.home(alice).your_turn] == [soon, late, never]
        assert listing.next_waiting(alice) == soon
        assert listing.next_waiting(alice, after=soon) == late
        page = page_of(logged_in(alice).get("/home/"))
        assert "Move by" in page
        assert "bob moves by" not in page
        assert "alice moves by" in page_of(logged_in(bob).get("/home/"))


def test_who_declines_a_card_and_is_to_move_again_is_awaited_anew(alice: User, bob: User) -> None:
    with stopped() as now:
        game = begun("conquian", alice, bob, clock=THREE_DAYS, quick_pass=False)
        services.play(bob, game, {"type": "pass"})
        now.advance(days=2)
        services.play(alice, game, {"type": "pass"})
        (row,) = listing.home(alice).your_turn
        assert (row.awaited_at, row.deadline_at) == (clock.now_us(), clock.now_us() + 3 * DAY)
        assert "Awaited since" in at_table(alice, game)
        assert "2 days ago" not in at_table(alice, game)


def test_home_with_clocks_costs_as_many_queries_as_without(
    client: Client, alice: User, bob: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        begun("ariadne", alice, bob, clock=THREE_DAYS)
    client.force_login(alice)
    client.get("/home/")
    with django_assert_max_num_queries(10):
        assert page_of(client.get("/home/")).count(">Move by ") == 12


def test_a_table_with_somebody_away_costs_one_query_more(
    alice: User, bob: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = timed(alice, bob, moves=1)
    vacation.begin(bob)
    learning.learn(game)
    client = logged_in(alice)
    client.get(reverse("table", args=[game]))
    with django_assert_max_num_queries(12):
        page = page_of(client.get(reverse("table", args=[game])))
    assert "On vacation" in page


def test_a_game_lost_on_time_says_so_to_both(alice: User, bob: User) -> None:
    with stopped() as now:
        game = timed(alice, bob, moves=2)
        now.advance(days=3, minutes=1)
        assert due(game) < clock.now_us()
        sweeping.sweep()
        sides = ((alice, "Your time ran out.", "bob won."), (bob, "alice ran out of time.", "You won."))
        for reader, why, who in sides:
            assert f"{why} {who}" in at_table(reader, game)
            assert why in page_of(logged_in(reader).get("/home/"))
            assert f"{why} {who}" in page_of(logged_in(reader).get(reverse("replay", args=[game])))


@pytest.mark.parametrize(
    ("language", "own", "others"),
    [
        ("en", "Your time ran out before both", "alice ran out of time before both"),
        ("ko", "내 시간이", "alice님의 시간이"),
    ],
)
def test_a_game_in_which_somebody_never_moved_says_whose_time_ran_out(
    alice: User, bob: User, language: str, own: str, others: str
) -> None:
    User.objects.update(language=language)
    with stopped() as now:
        game = timed(alice, bob)
        now.advance(days=3, minutes=1)
        sweeping.sweep()
        for reader, words in ((alice, own), (bob, others)):
            client = Client()
            client.force_login(User.objects.get(pk=reader.pk))
            for page in (reverse("table", args=[game]), "/home/"):
                assert words in page_of(client.get(page))


@pytest.mark.parametrize(("language", "words"), [("en", "if nobody comes"), ("ko", "아무도 오지 않으면")])
def test_the_owner_of_an_open_table_sees_when_it_is_taken_away_and_nobody_else_does(
    alice: User, bob: User, language: str, words: str
) -> None:
    User.objects.update(language=language)
    with stopped():
        game = services.open_game(alice, services.Terms("ariadne")).table.id
        mine, theirs = logged_in(alice), logged_in(bob)
        for page in (page_of(mine.get("/home/")), page_of(mine.get(reverse("table", args=[game])))):
            assert words in page
            assert 'datetime="2027-03-31T12:00:00+00:00"' in page
        assert words not in page_of(theirs.get(reverse("table", args=[game])))
        services.sit_down(bob, game)
        assert words not in page_of(mine.get(reverse("table", args=[game])))


def test_the_mail_that_calls_says_until_when(alice: User, bob: User) -> None:
    with stopped():
        game = timed(alice, bob)
        sight = viewing.sight(alice, game)
        assert sight.deadline_at == due(game)
        assert "Move by Thursday 4 March 2027" in turn_mail(alice, sight, deadline=sight.deadline_at).text


def test_the_players_see_when_one_of_them_will_be_away_and_nobody_else_does(
    alice: User, bob: User, charlie: User
) -> None:
    with stopped() as now:
        game, other = timed(alice, bob), timed(alice, charlie)
        begins = clock.now_us() + 5 * DAY
        vacation.plan(alice, begins + 20 * DAY, begins + 21 * DAY)
        planned = vacation.plan(alice, begins, begins + 2 * DAY)
        says = ("Away from", "6 March 2027, 12:00", "8 March 2027, 12:00")
        for reader in (alice, bob):
            assert all(words in at_table(reader, game) for words in says)
        assert "Away from" not in at_table(charlie, game)
        assert "Away from" in at_table(charlie, other)
        assert [who.leaves for who in viewing.sight(bob, game).people] == [(begins, begins + 2 * DAY), None]
        vacation.call_off(alice, planned.pk)
        assert "26 March 2027, 12:00" in at_table(bob, game)
        now.us = begins + 20 * DAY
        outages.beat(clock.now_us())
        vacation.tell_due(clock.now_us())
        learning.learn_all()
        page = at_table(bob, game)
        assert "Away from" not in page


def test_a_game_that_is_over_says_nothing_of_vacations(alice: User, bob: User) -> None:
    with stopped():
        game = timed(alice, bob)
        vacation.plan(alice, clock.now_us() + DAY, clock.now_us() + 2 * DAY)
        vacation.begin(bob, until=clock.now_us() + DAY)
        learning.learn_all()
        services.resign(bob, game)
        page = at_table(alice, game)
    assert "Away from" not in page
    assert "On vacation" not in page


def test_another_games_vacation_is_no_news_here(alice: User, bob: User, charlie: User) -> None:
    with stopped():
        timed(alice, charlie)
        game = timed(alice, bob)
        vacation.begin(alice, until=clock.now_us() + 2 * DAY)
        learning.learn_all()
        assert [(who.name, who.away) for who in viewing.sight(bob, game).people] == [("alice", True), ("bob", False)]
        assert viewing.sight(bob, game).people[0].away_until == clock.now_us() + 2 * DAY
