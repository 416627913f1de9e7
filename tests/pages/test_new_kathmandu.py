"""Opening a table of Kathmandu: how many rounds, and who begins where the dealer's opponent plays first."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services
from games.pages.terms import first_seat, seat_to_begin
from games.store.models import Head, Invitation
from games.table.events import OpenerSeat
from tests.games.people import table
from tests.pages.reading import page_of
from tests.pages.test_new import terms

FORM = "/new/kathmandu/"


def opened(client: Client, opener: User, **chosen: str) -> str:
    client.force_login(opener)
    answer = client.post(FORM, terms(option_rounds="3") | chosen)
    assert answer.status_code == 302
    return str(Head.objects.get().pk)


def test_the_game_is_introduced(client: Client, db: None) -> None:
    page = page_of(client.get("/new/"))
    assert f'href="{FORM}"' in page
    assert "haggle over a market" in page
    assert "#picture-kathmandu" in page


@pytest.mark.parametrize("rounds", [3, 1])
def test_it_is_played_over_as_many_rounds_as_were_chosen(client: Client, alice: User, rounds: int) -> None:
    game = opened(client, alice, option_rounds=str(rounds))
    assert table(game).opened.options == {"rounds": rounds}
    page = page_of(client.get(reverse("table", args=[game])))
    assert ("Three rounds" if rounds == 3 else "One round") in page


def test_three_rounds_are_what_the_form_begins_with(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = page_of(client.get(FORM))
    assert page.index("Three rounds") < page.index("One round")
    assert 'name="option_rounds" value="3"' in page


def test_another_number_of_rounds_is_refused(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.post(FORM, terms(option_rounds="2")).status_code == 422
    assert not Head.objects.exists()


@pytest.mark.parametrize(("who", "said"), [("first", "alice, who opened the table"), ("second", "Whoever sits down")])
def test_who_is_to_begin_makes_the_first_move(client: Client, alice: User, bob: User, who: str, said: str) -> None:
    game = opened(client, alice, opener_seat=who)
    assert said in page_of(client.get(reverse("table", args=[game])))
    link = Invitation.objects.get(game__pk=game)
    client.force_login(bob)
    invited = page_of(client.get(reverse("invitation", args=[game, link.token])))
    assert f"<dt>Begins</dt><dd>{'alice' if who == 'first' else 'You'}</dd>" in invited
    services.sit_down(bob, game)
    now = table(game)
    assert now.awaited_seat == now.seat_of(0 if who == "first" else 1)


def test_the_first_move_is_the_first_seats_or_that_of_who_does_not_deal() -> None:
    assert {rules: first_seat(rules) for rules in ("ariadne", "kathmandu", "conquian")} == {
        "ariadne": 0, "kathmandu": 1, "conquian": 1,
    }  # fmt: skip


@pytest.mark.parametrize("opener_seat", ["first", "second", "random"])
@pytest.mark.parametrize("rules", ["ariadne", "kathmandu"])
def test_who_begins_is_told_from_the_seat_as_the_seat_from_who_begins(rules: str, opener_seat: OpenerSeat) -> None:
    assert seat_to_begin(rules, seat_to_begin(rules, opener_seat)) == opener_seat
