"""Bots and tokens made by several requests at once, with real commits."""

from __future__ import annotations

from functools import partial

import pytest
from django.conf import settings as site
from django.db.models import QuerySet
from pytest_django.fixtures import Settings

from accounts import api, bots
from accounts.models import Token, User
from tests.api.programs import new_key, program
from tests.concurrency.together import meet_at, together
from tests.games.people import person

TRIES = 4
MOST = 2
#: Whether the owner's row is held; without is the negative control. SQLite lets one transaction write at a time anyway.
HELD = [True] if site.DATABASES["default"]["ENGINE"].endswith("sqlite3") else [True, False]


@pytest.fixture
def owner(real_database: dict[str, str], settings: Settings) -> User:
    settings.CLEW_BOTS = MOST
    return person("alice")


def made(owner: User, name: str) -> bool:
    try:
        bots.make(owner, name)
    except bots.NoBot:
        return False
    return True


@pytest.mark.parametrize("held", HELD)
def test_many_requests_at_once_make_no_more_bots_than_one_can_have(
    owner: User, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not held:
        monkeypatch.setattr(QuerySet, "select_for_update", lambda query, **_options: query)
        meet_at(monkeypatch, bots, "may_have_another", TRIES)
    count = MOST if held else TRIES
    assert sum(together([partial(made, owner, f"bot{n}") for n in range(TRIES)])) == count
    assert bots.of(owner).count() == count


def test_the_same_command_at_the_same_moment_makes_one_bot_and_tells_its_secret_once(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks, key = program(owner, "bot"), new_key()
    meet_at(monkeypatch, api, "checked", TRIES)
    answers = together([lambda: asks.post("/bot/", {"name": "rufus"}, key=key)] * TRIES)
    assert [answer.status_code for answer in answers] == [201] * TRIES
    told = [answer.json()["token"] for answer in answers]
    assert len({token["id"] for token in told}) == 1
    assert sum(token["secret"] is not None for token in told) == 1
    assert Token.objects.filter(user__owner=owner).count() == 1


def test_the_same_command_at_the_same_moment_makes_one_token(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, asks, key = bots.make(owner, "rufus"), program(owner, "bot"), new_key()
    meet_at(monkeypatch, api, "checked", TRIES)
    answers = together([lambda: asks.post("/bot/rufus/tokens/", key=key)] * TRIES)
    assert [answer.status_code for answer in answers] == [201] * TRIES
    assert sum(answer.json()["secret"] is not None for answer in answers) == 1
    assert bot.tokens.count() == 1
