"""A mail tells its reader nothing that they may not know: it is the same whatever the cards hidden from them are."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.core import mail as django_mail
from django.core.mail import EmailMessage

from accounts.models import User
from config import clock
from games.engine.contract import OPEN, Play, Step, resample
from games.engine.record import Record
from games.store.thread import load
from notifications import render, sender
from notifications.models import Message
from tests.notifications import games

pytestmark = pytest.mark.any_database

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def told_after(record: Record, least: int) -> tuple[list[Step], int]:
    """The first steps of a record, at least so many, whose last move makes another seat awaited; that seat."""
    for n in range(least, len(record.steps) - 1):
        last, following = record.steps[n - 1], record.steps[n]
        if isinstance(last, Play) and isinstance(following, Play) and last.seat != following.seat:
            return list(record.steps[:n]), following.seat
    raise AssertionError("the case is too short")


def mail_after(record: Record, steps: Sequence[Step], players: list[User], now: clock.FrozenClock) -> EmailMessage:
    """The mail that the last of these steps leads to."""
    game = games.replayed(record, steps, players[0], players[1]).id
    now.advance(seconds=60)
    row = Message.objects.filter(game=game).latest("version")
    claim = sender.claim_message(row.pk)
    assert claim is not None
    sender.deliver(claim)
    mail: EmailMessage = django_mail.outbox[-1]
    assert row.user is not None
    assert mail.to == [row.user.email]
    return mail


def text_of(mail: EmailMessage) -> list[str]:
    """Everything that a person can read of a mail, with the game's own id made plain."""
    parts = [part.get_content() for part in mail.message().walk() if part.get_content_maintype() == "text"]
    return [UUID.sub("GAME", text) for text in (mail.subject, *parts)]


def both_mails(slug: str, least: int, players: list[User], now: clock.FrozenClock) -> tuple[EmailMessage, EmailMessage]:
    """A mail, and that of another game which its reader could not tell from the first."""
    record = games.finished_case(slug)
    steps, reader = told_after(record, least)
    other = resample(record.rules, record.options, steps, reader, random.Random(least), tries=500)
    assert other != steps
    at = clock.now()
    real = mail_after(record, steps, players, now)
    now.us = clock.to_us(at)
    return real, mail_after(record, other, players, now)


@pytest.mark.parametrize("slug", games.TWO_PLAYER_GAMES)
@pytest.mark.parametrize("least", [2, 6, 9])
def test_the_mail_is_the_same_over_other_hidden_cards(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, slug: str, least: int
) -> None:
    real, other = both_mails(slug, least, [alice, bob], now)
    assert text_of(real) == text_of(other)


@pytest.mark.parametrize("slug", games.TWO_PLAYER_GAMES)
def test_the_comparison_finds_a_mail_that_shows_what_is_hidden(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    """The negative control: a mail made from the open view would not pass."""
    turn = render.turn

    def indiscreet(user: User, game_id: str, since: int) -> Any:
        rendered = turn(user, game_id, since)
        assert rendered is not None
        table = load(game_id).table
        return replace(rendered, text=rendered.text + repr(table.rules.view(table.state, OPEN)))

    monkeypatch.setattr(render, "turn", indiscreet)
    real, other = both_mails(slug, 6, [alice, bob], now)
    assert text_of(real) != text_of(other)
