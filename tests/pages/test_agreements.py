"""What two players agree on, by forms that need no script: draws, pauses, more time, calling off, closing a table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games import agreeing, services
from games.services import Terms
from games.store.models import Head
from games.store.thread import load
from games.table.clock import remaining
from games.table.terms import DAY
from tests.games.clocks import THREE_DAYS, stopped
from tests.pages.reading import field, page_of
from tests.pages.tables import ariadne, logged_in


def playing(alice: User, bob: User, moves: int = 3) -> str:
    return ariadne(alice, bob, moves=moves, clock=THREE_DAYS)


def at_table(user: User, game: str) -> str:
    return page_of(logged_in(user).get(reverse("table", args=[game])))


def send(user: User, game: str, what: str, **data: str) -> Any:
    return logged_in(user).post(reverse("agree", args=[game, what]), data)


def offers(page: str, what: str) -> bool:
    """Whether a page has the button or the link of something that can be agreed."""
    return re.search(rf'/agree/{what}/"', page) is not None


def status(game: str) -> str:
    return Head.objects.get(game=game).status


def test_a_draw_is_offered_shown_to_the_other_and_declined(alice: User, bob: User) -> None:
    game = playing(alice, bob)
    assert send(alice, game, "draw-offer")["Location"] == reverse("table", args=[game])
    assert "You offered a draw; bob has not answered yet." in at_table(alice, game)
    page = at_table(bob, game)
    assert "alice offers a draw." in page
    assert not offers(page, "draw-offer")
    send(bob, game, "draw-decline")
    assert "offers a draw" not in at_table(bob, game)
    assert status(game) == "running"


def test_taking_a_draw_is_asked_once_more_and_ends_the_game(alice: User, bob: User) -> None:
    game = playing(alice, bob)
    send(alice, game, "draw-offer")
    assert offers(at_table(bob, game), "draw-accept")
    asks = page_of(logged_in(bob).get(reverse("agree", args=[game, "draw-accept"])))
    assert "against alice: the game is then over, and nobody has won." in asks
    assert status(game) == "running"
    send(bob, game, "draw-accept", command=field(asks, "command"))
    for reader in (alice, bob):
        assert "The players agreed on a draw." in at_table(reader, game)
        assert "You agreed on a draw." in page_of(logged_in(reader).get("/home/"))


def test_a_draw_that_is_no_longer_offered_can_not_be_taken(alice: User, bob: User) -> None:
    game = playing(alice, bob)
    answer = send(bob, game, "draw-accept")
    assert answer.status_code == 422
    assert "Nothing has been asked that could be answered." in page_of(answer)
    asks = logged_in(bob).get(reverse("agree", args=[game, "draw-accept"]))
    assert (asks.status_code, asks["Location"]) == (303, reverse("table", args=[game]))
    assert status(game) == "running"


def test_a_pause_is_asked_granted_and_ended(alice: User, bob: User) -> None:
    game = playing(alice, bob)
    send(alice, game, "pause-ask")
    assert "You asked to pause the clocks; bob has not answered yet." in at_table(alice, game)
    page = at_table(bob, game)
    assert "alice asks to pause the clocks." in page
    assert offers(page, "pause-decline")
    send(bob, game, "pause-grant")
    for reader in (alice, bob):
        page = at_table(reader, game)
        assert "The clocks are paused until one of you lets them run." in page
        assert not offers(page, "pause-ask")
    send(alice, game, "resume")
    assert "The clocks are paused" not in at_table(bob, game)


def test_a_pause_can_be_declined(alice: User, bob: User) -> None:
    game = playing(alice, bob)
    send(alice, game, "pause-ask")
    send(bob, game, "pause-decline")
    assert "asks to pause" not in at_table(bob, game)
    assert Head.objects.get(game=game).deadline_at is not None


def test_time_is_given_once_however_often_the_form_is_sent(alice: User, bob: User) -> None:
    with stopped() as now:
        game = playing(alice, bob)
        page = at_table(alice, game)
        assert '<button class="button quiet" name="minutes" value="1440">' in page
        command = re.search(r'value="(\w+-give-time)"', page)
        assert command is not None
        for _ in range(2):
            assert send(alice, game, "give-time", minutes="1440", command=command[1]).status_code == 303
        clock = load(game).table.clock
        assert clock is not None
        assert remaining(clock, now.us) == 4 * DAY
        assert "4 days left" in at_table(bob, game)


@pytest.mark.parametrize("minutes", ["", "0", "-5", "x", "999999999"])
def test_no_odd_time_is_given(alice: User, bob: User, minutes: str) -> None:
    game = playing(alice, bob)
    before = Head.objects.get(game=game).version
    assert send(alice, game, "give-time", minutes=minutes).status_code == 422
    assert Head.objects.get(game=game).version == before


def test_a_game_is_called_off_before_its_second_move_after_being_asked(alice: User, bob: User) -> None:
    game = playing(alice, bob, moves=1)
    assert offers(at_table(bob, game), "abort")
    assert "Call this game off?" in page_of(logged_in(bob).get(reverse("agree", args=[game, "abort"])))
    assert status(game) == "running"
    send(bob, game, "abort")
    assert "bob called the game off: nobody won, and nobody lost." in at_table(alice, game)
    assert "You called the game off: nobody won, and nobody lost." in at_table(bob, game)
    assert "bob called it off." in page_of(logged_in(alice).get("/home/"))
    assert "You called it off." in page_of(logged_in(bob).get("/home/"))


def test_a_game_under_way_is_not_called_off(alice: User, bob: User) -> None:
    game = playing(alice, bob, moves=2)
    assert not offers(at_table(bob, game), "abort")
    answer = send(bob, game, "abort")
    assert answer.status_code == 422
    assert "A game can be called off only before its second move." in page_of(answer)


def test_without_a_clock_there_is_nothing_to_pause_or_give(alice: User, bob: User) -> None:
    page = at_table(alice, ariadne(alice, bob, moves=2))
    assert offers(page, "draw-offer")
    assert not offers(page, "pause-ask")
    assert not offers(page, "give-time")


def test_ones_own_open_table_is_closed_after_being_asked(alice: User, bob: User) -> None:
    game = services.open_game(alice, Terms("ariadne", clock=THREE_DAYS)).table.id
    assert offers(at_table(alice, game), "withdraw")
    assert not offers(at_table(bob, game), "withdraw")
    asks = page_of(logged_in(alice).get(reverse("agree", args=[game, "withdraw"])))
    assert "Close this table?" in asks
    for _ in range(2):
        answer = send(alice, game, "withdraw", command=field(asks, "command"))
        assert answer.status_code == 303
    assert status(game) == "ended"
    assert "This table is closed: nobody had joined it" in at_table(alice, game)
    assert "Nobody joined" in page_of(logged_in(alice).get("/home/"))


def test_a_table_that_was_joined_can_not_be_closed(alice: User, bob: User) -> None:
    game = services.open_game(alice, Terms("ariadne")).table.id
    services.sit_down(bob, game)
    assert send(alice, game, "withdraw")["Location"] == reverse("table", args=[game])
    assert status(game) == "running"


def test_somebody_elses_table_is_not_closed(alice: User, bob: User) -> None:
    game = services.open_game(alice, Terms("ariadne")).table.id
    assert logged_in(bob).get(reverse("agree", args=[game, "withdraw"])).status_code == 403
    assert send(bob, game, "withdraw").status_code == 404
    assert status(game) == "open"


@pytest.mark.parametrize("what", ["draw-offer", "draw-accept", "abort", "pause-ask", "give-time", "resume"])
def test_who_only_looks_on_agrees_on_nothing(alice: User, bob: User, charlie: User, what: str) -> None:
    public, private = playing(alice, bob, moves=1), ariadne(alice, bob, admits="invited", clock=THREE_DAYS)
    agreeing.offer_draw(alice, public)
    assert "offers a draw" not in at_table(charlie, public)
    assert send(charlie, public, what).status_code == 403
    assert send(charlie, private, what).status_code == 404
    assert status(public) == "running"


def test_only_what_ends_a_game_is_asked_for_by_a_page(alice: User, bob: User) -> None:
    game = playing(alice, bob)
    client = logged_in(alice)
    assert client.get(reverse("agree", args=[game, "pause-ask"])).status_code == 405
    assert client.get(reverse("agree", args=[game, "nothing"])).status_code == 404
    assert client.post(reverse("agree", args=[game, "nothing"])).status_code == 404


def test_an_offer_is_read_and_answered_in_korean(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(language="ko")
    game = playing(alice, bob)
    agreeing.offer_draw(alice, game)
    page = at_table(bob, game)
    assert "alice님이 무승부를 제안했습니다." in page
    assert "무승부를 받아들이시겠습니까?" in page_of(logged_in(bob).get(reverse("agree", args=[game, "draw-accept"])))
