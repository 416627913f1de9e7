"""The clock of a new table: chosen from a list, and told to everybody before they sit down."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services
from games.pages.times import PACES, clock_text, duration, urgency
from games.services import Terms
from games.store.models import Head, Invitation
from games.table.terms import BANKS, DAY, DAYS_PER_MOVE, HOUR, MINUTE, QUICK_PER_MOVE, Bank, ClockTerms, PerMove
from tests.pages.reading import page_of, ticked
from tests.pages.test_new import FORM, terms


def opened(client: Client, opener: User, **chosen: str) -> Head:
    client.force_login(opener)
    assert client.post(FORM, terms(**chosen)).status_code == 302
    return Head.objects.get()


def test_three_days_a_move_are_chosen_at_first(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = page_of(client.get(FORM))
    assert '<option value="move-3d" selected>3 days a move</option>' in page
    assert ticked(page, "id_vacation")
    assert not ticked(page, "id_weekends_off")


def test_every_pace_of_the_site_is_offered(client: Client, alice: User) -> None:
    assert list(PACES.values()) == [*DAYS_PER_MOVE, *QUICK_PER_MOVE, *BANKS]
    client.force_login(alice)
    page = page_of(client.get(FORM))
    for name in (*PACES, "none"):
        assert f'<option value="{name}"' in page
    assert "10 days, and 1 day more after each move, up to 20 days" in page


@pytest.mark.parametrize(
    ("chosen", "clock"),
    [
        ({"clock": "move-1d"}, ClockTerms(PerMove(DAY))),
        ({"clock": "move-15m", "vacation": ""}, ClockTerms(PerMove(15 * MINUTE), vacation=False)),
        ({"clock": "bank-4320m", "weekends_off": "on"}, ClockTerms(Bank(3 * DAY, 12 * HOUR, 7 * DAY), True)),
        ({"clock": "none", "weekends_off": "on"}, None),
    ],
)
def test_the_table_has_the_clock_that_was_chosen(
    client: Client, alice: User, chosen: dict[str, str], clock: ClockTerms | None
) -> None:
    assert opened(client, alice, **chosen).clock == (clock and clock.to_json())


def test_a_clock_that_is_not_offered_is_refused(client: Client, alice: User) -> None:
    client.force_login(alice)
    answer = client.post(FORM, terms(clock="move-400d"))
    assert answer.status_code == 422
    assert "move-400d is not one of the available choices" in page_of(answer)
    assert not Head.objects.exists()


def test_a_patience_has_no_clock_to_choose(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert 'name="clock"' not in page_of(client.get("/new/forty_thieves/"))


def test_the_clock_is_told_wherever_somebody_could_sit_down(client: Client, alice: User, bob: User) -> None:
    terms = Terms("ariadne", clock=ClockTerms(PerMove(2 * DAY), weekends_off=True, vacation=False).to_json())
    game = services.open_game(alice, terms, invite=[bob], invite_link=True).table.id
    token = Invitation.objects.get(token__isnull=False).token
    client.force_login(bob)
    for path in (
        reverse("open-tables"),
        reverse("home"),
        reverse("table", args=[game]),
        reverse("invitation", args=[game, token]),
    ):
        page = page_of(client.get(path))
        assert "Each move must be made within 2 days." in page, path
        assert "No time passes on Saturdays and Sundays." in page, path
        assert "Clocks run on while their player is on vacation." in page, path


def test_a_table_without_a_clock_says_so(client: Client, alice: User, bob: User) -> None:
    services.open_game(alice, Terms("ariadne"))
    client.force_login(bob)
    assert "There is no clock: nobody's time runs out." in page_of(client.get(reverse("open-tables")))


@pytest.mark.parametrize(
    ("pace", "said"),
    [
        (PerMove(HOUR), "Each move must be made within 1 hour."),
        (Bank(30 * DAY, 0, 30 * DAY), "Each player has 30 days for the whole game."),
        (
            Bank(30 * MINUTE, MINUTE, HOUR),
            "Each player has 30 minutes for the whole game, and gets 1 minute after each move, up to 1 hour.",
        ),
    ],
)
def test_a_pace_is_said_in_a_sentence(pace: PerMove | Bank, said: str) -> None:
    assert clock_text(ClockTerms(pace).to_json()) == [said]


def test_a_time_is_told_in_its_two_largest_units() -> None:
    assert duration(2 * DAY + 3 * HOUR + 59 * MINUTE) == "2 days 3 hours"
    assert duration(DAY + 5 * MINUTE) == "1 day"
    assert duration(1) == "1 minute"


@pytest.mark.parametrize(
    ("pace", "left", "tag"),
    [
        (PerMove(14 * DAY), 2 * DAY, ""),
        (PerMove(14 * DAY), DAY, "soon"),
        (PerMove(HOUR), 16 * MINUTE, ""),
        (PerMove(HOUR), 15 * MINUTE, "soon"),
        (Bank(3 * DAY, HOUR, 7 * DAY), 18 * HOUR, "soon"),
        (PerMove(HOUR), 0, "late"),
    ],
)
def test_a_deadline_is_soon_in_its_last_day_or_quarter(pace: PerMove | Bank, left: int, tag: str) -> None:
    assert urgency(1000 * DAY + left, 1000 * DAY, ClockTerms(pace).to_json()) == tag


def test_what_has_no_deadline_is_never_soon() -> None:
    assert urgency(None, 5, ClockTerms(PerMove(DAY)).to_json()) == ""
    assert urgency(9, 5, None) == ""


def test_the_form_speaks_of_clocks_in_korean(client: Client, alice: User) -> None:
    alice.language = "ko"
    alice.save()
    client.force_login(alice)
    page = page_of(client.get(FORM))
    assert "한 수에 3일" in page
    assert "시간을 얼마나" in page
