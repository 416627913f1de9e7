"""A ticket opens what it was made for, for a minute, and can't be made by anybody else."""

from datetime import UTC, datetime

import pytest
from django.core import signing
from pytest_django.fixtures import Settings

from config import clock
from config.streams import tickets

GAME = "6f1d7c1e-5f0f-4d0e-9a52-0d9a3f4e8b11"
NOON = datetime(2027, 3, 4, 12, 0, tzinfo=UTC)


def test_a_ticket_says_what_it_was_made_for() -> None:
    for ticket in (
        tickets.ticket_for_game(GAME, 7, sits=True),
        tickets.ticket_for_game(GAME, None, sits=False),
        tickets.ticket_for_person(7),
    ):
        assert tickets.read(ticket.signed()) == ticket


def test_a_ticket_for_a_game_is_for_no_other_game_and_one_for_a_person_for_all_of_theirs() -> None:
    assert tickets.ticket_for_game(GAME, 7, sits=False).game == GAME
    assert not tickets.ticket_for_game(GAME, 7, sits=False).hears_talk
    person = tickets.ticket_for_person(7)
    assert (person.game, person.user, person.hears_talk) == (None, 7, True)


def test_a_ticket_is_of_use_for_a_minute() -> None:
    with clock.frozen(NOON) as now:
        signed = tickets.ticket_for_person(7).signed()
        now.advance(seconds=59.9)
        assert tickets.read(signed).user == 7
        now.advance(seconds=0.1)
        with pytest.raises(tickets.BadTicket):
            tickets.read(signed)


@pytest.mark.parametrize("forged", ["", "nonsense", "a:b:c", "\x00", "ü" * 50])
def test_what_is_no_ticket_is_refused(forged: str) -> None:
    with pytest.raises(tickets.BadTicket):
        tickets.read(forged)


def test_a_ticket_that_was_changed_signed_for_something_else_or_by_another_site_is_refused(settings: Settings) -> None:
    signed = tickets.ticket_for_person(7).signed()
    body, _, rest = signed.partition(":")
    changed = signing.b64_encode(b"[null,8,true,99999999999999999]").decode()
    other_use = signing.dumps([None, 7, True, 99999999999999999], salt="something else")
    for forged in (f"{changed}:{rest}", f"{body}:{rest[:-1]}", other_use):
        with pytest.raises(tickets.BadTicket):
            tickets.read(forged)
    settings.SECRET_KEY = "of another site"
    with pytest.raises(tickets.BadTicket):
        tickets.read(signed)
    settings.SECRET_KEY_FALLBACKS = ["a secret of the tests"]
    assert tickets.read(signed).user == 7
