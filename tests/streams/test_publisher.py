"""What is said on Redis, and that saying it never stands in anybody's way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.db import transaction
from pytest_django.fixtures import Settings
from structlog.testing import capture_logs

from accounts import bots, tokens
from config import hints
from config.streams import publisher
from games import services, talking
from games.services import Terms
from tests.games.people import a_move, person


@pytest.fixture
def heard(real_database: dict[str, str], settings: Settings) -> Iterator[Any]:
    """Gives what was said since it was last asked."""
    settings.CLEW_STREAM_URL = "/stream/"
    with redis.Redis.from_url(settings.CLEW_REDIS_URL) as client, client.pubsub() as pubsub:
        pubsub.subscribe(publisher.channel())
        assert pubsub.get_message(timeout=5) is not None

        def said() -> list[dict[str, Any]]:
            assert hints.flush(5)
            client.publish(publisher.channel(), "null")  # comes after all that was said
            found = []
            while (data := json.loads(pubsub.get_message(timeout=5)["data"])) is not None:
                found.append(data)
            return found

        yield said


def test_every_append_is_told_after_its_commit_and_who_has_sat_down(heard: Any) -> None:
    alice, bob = person("alice"), person("bob")
    game = services.open_game(alice, Terms("ariadne", opener_seat="first")).table.id
    assert heard() == [
        {"game": game, "version": 2, "talk": 0, "users": []},
        {"game": game, "version": 2, "talk": 0, "users": [alice.pk]},
    ]
    services.sit_down(bob, game)
    assert heard() == [
        {"game": game, "version": 5, "talk": 0, "users": []},
        {"game": game, "version": 5, "talk": 0, "users": [bob.pk]},
    ]
    services.play(alice, game, a_move(game)[1])
    assert heard() == [{"game": game, "version": 6, "talk": 0, "users": []}]
    talking.say(bob, game, "Oh!")
    assert heard() == [{"game": game, "version": 0, "talk": 1, "users": []}]


def test_revoked_tokens_and_closed_accounts_are_told_and_the_bots_of_who_closed_theirs(heard: Any) -> None:
    alice = person("alice")
    first, second = (tokens.make(alice, "a program", ["read"])[0] for _ in range(2))
    assert tokens.revoke(alice, first.pk)
    assert not tokens.revoke(alice, first.pk)
    assert heard() == [{"shut_out": {"users": [], "tokens": [first.pk]}}]
    retired, kept = (bots.make(alice, name) for name in ("rufus", "rex"))
    gone = retired.pk
    bots.retire(retired)
    assert heard() == [{"shut_out": {"users": [gone], "tokens": []}}]
    alice.is_active = False
    alice.save()
    assert heard() == [{"shut_out": {"users": [alice.pk, kept.pk], "tokens": []}}]
    assert tokens.which_are_good([second.pk]) == set()


def test_what_is_rolled_back_is_not_told(heard: Any) -> None:
    alice = person("alice")
    with transaction.atomic():
        services.open_game(alice, Terms("ariadne"))
        transaction.set_rollback(True)
    assert heard() == []


def test_where_there_is_no_stream_nothing_is_told(heard: Any, settings: Settings) -> None:
    settings.CLEW_STREAM_URL = ""
    services.open_game(person("alice"), Terms("ariadne"))
    assert heard() == []


def test_a_redis_that_is_away_is_a_warning_and_slows_nobody(real_database: dict[str, str], settings: Settings) -> None:
    settings.CLEW_STREAM_URL = "/stream/"
    settings.CLEW_REDIS_URL = "redis://127.0.0.1:9/0"  # the discard port, where nobody listens
    alice = person("alice")
    with capture_logs() as logs:
        begun = time.monotonic()
        publisher.moved_on("6f1d7c1e-5f0f-4d0e-9a52-0d9a3f4e8b11", 3, [alice.pk])
        assert time.monotonic() - begun < 0.2
        assert hints.flush(10)
    assert [(line["event"], line["task"]) for line in logs] == [
        ("hint lost: the broker did not take it", "stream"),
    ]


def test_two_sites_on_one_redis_do_not_hear_each_other(settings: Settings) -> None:
    channels = set()
    for url in ("redis://redis:6379/0", "redis://redis:6379/1", "redis://redis:6379"):
        settings.CLEW_REDIS_URL = url
        channels.add(publisher.channel())
    assert channels == {"clew:stream:0", "clew:stream:1"}
