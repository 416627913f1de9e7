"""A bot's name never stands without the word that it is one: on no page, in no mail, in no message, in no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import bots, vacation
from accounts.models import User
from accounts.names import shown
from config import clock
from games import agreeing, services, talking, viewing
from games.services import Terms
from games.store.models import Invitation
from notifications import letters, render, truth
from notifications.kinds import Kind
from notifications.models import InboxItem
from notifications.wording import say
from tests.api.programs import program
from tests.games.clocks import THREE_DAYS
from tests.games.people import begun, person, play_on
from tests.pages.reading import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
_NAME = "rufus"
_MARKED = {"en": " (bot)", "ko": "(봇)"}
#: What the parameters of every kind's news can hold.
_PARAMS = {"deadline": 2**52, "us": 3_600_000_000, "at": 2**52, "ends": 2**52, "begins": 2**52, "first": 1, "last": 1}


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def rufus(alice: User) -> User:
    return bots.make(person("bob"), _NAME)


def unmarked(text: str, language: str) -> list[str]:
    """Where the bot's name stands without the word, with what stands around it."""
    found = re.finditer(rf"{_NAME}(?!{re.escape(_MARKED[language])})", text, re.IGNORECASE)
    return [text[max(0, one.start() - 60) : one.end() + 30] for one in found]


def games(alice: User, rufus: User) -> Iterator[str]:
    """Games of Alice with the bot in every state in which one of them is shown: their ids."""
    for slug in ("ariadne", "kathmandu", "conquian"):
        running, over = begun(slug, rufus, alice, clock=THREE_DAYS), begun(slug, alice, rufus)
        play_on(running, rufus, alice, moves=5, seed=3)
        services.resign(rufus, over)
        yield from (running, over)
    drawn, off, asked = (begun("ariadne", alice, rufus, clock=THREE_DAYS) for _ in range(3))
    agreeing.offer_draw(rufus, drawn)
    agreeing.answer_draw(alice, drawn, accepted=True)
    agreeing.abort(rufus, off)
    talking.say(rufus, asked, "Good day", command="1")
    agreeing.offer_draw(rufus, asked)
    agreeing.ask_pause(rufus, asked)
    yield from (drawn, off, asked)


def pages(alice: User, rufus: User) -> Iterator[str]:
    """The addresses of every page that names the bot."""
    played = list(games(alice, rufus))
    mine = services.open_game(alice, Terms("ariadne", admits="invited"), invite=[rufus]).table.id
    theirs = services.open_game(rufus, Terms("ariadne"), invite=[alice], invite_link=True).table.id
    services.open_game(rufus, Terms("kathmandu", admits="invited"), invite=[alice])
    vacation.begin(rufus, until=clock.now_us() + 10 * vacation.DAY)
    token = Invitation.objects.values_list("token", flat=True).get(game__pk=theirs, user=None)
    yield from map(reverse, ("home", "open-tables", "inbox", "deliveries"))
    yield reverse("invitation", args=[theirs, token])
    for game in (*played, mine, theirs):
        yield reverse("table", args=[game])
    for game in played:
        yield from (reverse(name, args=[game]) for name in ("replay", "talk", "resign", "game-messages"))
        yield f"{reverse('replay', args=[game])}?eyes=open"
        yield f"{reverse('replay', args=[game])}?eyes=1&step=2"
        yield from (reverse("agree", args=[game, what]) for what in ("draw-offer", "draw-accept", "abort"))


def test_no_page_names_a_bot_without_saying_so(client: Client, alice: User, rufus: User) -> None:
    language = "ko"  # where the word stands between the name and what is written on to it
    User.objects.update(language=language)
    client.force_login(alice)
    named = 0
    for path in pages(alice, rufus):
        answer = client.get(path)
        if answer.status_code != 200:  # what can't be done at this table has no page
            continue
        page = page_of(answer)
        assert unmarked(page, language) == [], path
        named += _NAME + _MARKED[language] in page
    assert named > 30


def test_a_page_that_names_everybody_marks_bots_alone(client: Client, alice: User, rufus: User) -> None:
    client.force_login(alice)
    page = page_of(client.get(reverse("table", args=[begun("ariadne", alice, rufus)])))
    assert "rufus (bot)" in page
    assert "alice (bot)" not in page


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_message_names_a_bot_without_saying_so(alice: User, rufus: User, language: str) -> None:
    alice.language = language
    alice.save()
    running, over = (begun("ariadne", rufus, alice, clock=THREE_DAYS) for _ in range(2))
    talking.say(rufus, running, "Good day", command="1")
    services.resign(rufus, over)
    for kind in set(Kind) - {Kind.ACCOUNT}:
        game = over if kind == Kind.ENDED else running
        item = InboxItem(kind=kind, user=alice, game=game, version=1, params=_PARAMS, at=clock.now())
        with translation.override(language):
            news = truth.told(item)
            assert news is not None
            said = say(news)
        text = "\n".join((said.title, *said.lines, *said.quotes))
        assert unmarked(text, language) == []
        assert kind in (Kind.AWAY_ENDS, Kind.EXPIRING) or _NAME in text, kind


@pytest.mark.parametrize("slug", ["ariadne", "kathmandu", "conquian"])
def test_no_mail_names_a_bot_without_saying_so(alice: User, rufus: User, slug: str) -> None:
    game = begun(slug, rufus, alice, opener_seat="second")
    services.resign(rufus, begun(slug, alice, rufus))
    for language, mark in _MARKED.items():
        with translation.override(language):
            mails = [render.turn_mail(alice, viewing.sight(alice, game))]
            told = truth.told_all(list(InboxItem.objects.filter(user=alice)))
            mails += [letters.letter(alice, [news]) for news in told if news is not None]
        assert len(mails) > 1
        for part in (part for mail in mails for part in (mail.subject, mail.text, mail.html)):
            assert _NAME + mark in part
            assert unmarked(part, language) == []


def named_in(data: Any) -> Iterator[dict[str, Any]]:
    """Every object of an answer that is somebody at a table."""
    if isinstance(data, dict):
        if {"name", "you"} <= set(data) or {"name", "place"} <= set(data):
            yield data
        for value in data.values():
            yield from named_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from named_in(value)


def test_every_answer_of_the_api_says_who_is_a_bot(alice: User, rufus: User) -> None:
    asks, played = program(alice), list(games(alice, rufus))
    paths = ["/games/?mine", "/me/inbox/"]
    for game in played:
        paths += [f"/games/{game}/", f"/games/{game}/steps/", f"/games/{game}/steps/2/", f"/games/{game}/messages/"]
    found = []
    for path in paths:
        answer = asks.get(path)
        if answer.status_code == 200:
            found += list(named_in(answer.json()))
    assert len(found) > 2 * len(played)
    assert {(one["name"], one["bot"]) for one in found} == {("alice", False), (_NAME, True)}


def test_nobody_can_be_called_like_a_marked_bot() -> None:
    field = User._meta.get_field("name")
    for language in _MARKED:
        with translation.override(language):
            assert shown(_NAME, is_bot=False) == _NAME
            with pytest.raises(ValidationError):
                field.run_validators(shown(_NAME, is_bot=True))


def test_names_of_others_are_read_in_one_way() -> None:
    source = Path(settings.BASE_DIR)
    files = [path for package in ("games", "notifications", "config") for path in (source / package).rglob("*.py")]
    assert len(files) > 100
    assert [str(path) for path in files if "user__name" in path.read_text()] == []
