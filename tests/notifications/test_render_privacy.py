"""The whole mail, headers and both bodies, is the same whatever the cards hidden from its reader are."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.core.mail import EmailMessage

from accounts.models import User
from config import clock
from games.engine import all_rules
from games.engine.contract import OPEN, CannotResample, Play, Step, resample
from games.engine.record import Record
from notifications import sender
from notifications.models import Message
from tests.contract.play import Course, random_course
from tests.notifications import games

pytestmark = pytest.mark.any_database

ARIADNE = next(rules for rules in all_rules() if rules.slug == "ariadne")
#: What differs between two mails of the same contents: ids that are made of the game's, and the parts' boundary.
OWN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|<[0-9a-f]{40}@|={15}\d+==")


def course_to_a_turn(seed: int) -> tuple[Course, int]:
    """A random course, of up to one round and a half, whose last move makes the other seat awaited; that seat."""
    course = random_course(ARIADNE, seed, random.Random(seed).randrange(3, 70))
    steps = course.steps
    while not (isinstance(steps[-1], Play) and ARIADNE.awaits(course.states[len(steps)]) == 1 - steps[-1].seat):
        steps.pop()
    return course, 1 - steps[-1].seat


def resampled(course: Course, reader: int, seed: int) -> list[Step] | None:
    try:
        return resample(ARIADNE, course.options, course.steps, reader, random.Random(seed), tries=300)
    except CannotResample:
        return None


def whole_mail(course: Course, steps: Sequence[Step], players: list[User], mailoutbox: list[EmailMessage]) -> str:
    """The mail that the last of these steps leads to, as it goes over the wire, with ids made plain."""
    record = Record(ARIADNE, course.options, tuple(steps), None, {})
    with clock.frozen(clock.from_us(1_800_000_000_000_000)) as now:
        game = games.replayed(record, steps, players[0], players[1]).id
        now.advance(seconds=60)
        claim = sender.claim_message(Message.objects.filter(game=game).latest("version").pk)
        assert claim is not None
        sender.deliver(claim)
    wire = mailoutbox[-1].message()
    return OWN.sub("OWN", "\n".join([str(wire.items()), *(str(part.get_content()) for part in wire.iter_parts())]))


def differing(
    courses: int, players: list[User], mailoutbox: list[EmailMessage], same: Callable[[str, str], bool]
) -> int:
    """How many of so many courses had another deal that their reader could not tell; ``same`` holds of their mails."""
    found = 0
    for seed in range(courses):
        course, reader = course_to_a_turn(seed)
        other = resampled(course, reader, seed)
        if other is None or other == course.steps:
            continue
        found += 1
        real = whole_mail(course, course.steps, players, mailoutbox)
        assert same(real, whole_mail(course, other, players, mailoutbox)), seed
    return found


def test_no_reader_can_tell_other_hidden_cards_from_the_mail(alice: User, bob: User, mailoutbox: Any) -> None:
    assert differing(7, [alice, bob], mailoutbox, lambda real, other: real == other) >= 5


def test_a_mail_made_with_open_eyes_would_be_told_apart(
    alice: User, bob: User, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: the drawing takes what the view gives, and the comparison sees it."""
    closed = type(ARIADNE).view

    def indiscreet(self: Any, state: Any, viewer: Any) -> dict[str, Any]:
        return closed(self, state, viewer) | {
            "hand": [card for hand in closed(self, state, OPEN)["hands"] for card in hand]
        }

    monkeypatch.setattr(type(ARIADNE), "view", indiscreet)
    assert differing(2, [alice, bob], mailoutbox, lambda real, other: real != other) >= 1
