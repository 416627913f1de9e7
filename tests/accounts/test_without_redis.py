"""Redis is away: people log in, sign up, are mailed a new password and fetch their data, and programs go on."""

from __future__ import annotations

import pytest
from django.conf import settings as configured
from django.core.cache import caches
from django.test import Client
from pytest_django.fixtures import Settings
from structlog.testing import capture_logs

from accounts.models import User
from config import cache
from tests.accounts.conftest import letters, logged_in, sign_up
from tests.api.programs import program
from tests.plugins.servers import free_port

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_there(settings: Settings) -> str:
    """The address of a Redis that isn't there, which both caches are told."""
    address = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {name: {**how, "LOCATION": address} for name, how in configured.CACHES.items()}
    return address


def test_everything_that_is_limited_goes_on_and_the_log_says_it_once(alice: User) -> None:
    with capture_logs() as lines:
        browser = logged_in(alice)
        assert sign_up(Client(), "zoe", "zoe@example.com")[0] == 302
        assert Client().post("/accounts/password/reset/", {"email": "alice@example.com"}).status_code == 302
        assert browser.get("/settings/data/").getvalue()
    assert letters("zoe@example.com")
    assert letters("alice@example.com")
    assert [line["event"] for line in lines if "cache" in line["event"]] == [
        "the cache is away: requests go on, and limits are not counted"
    ]


def test_a_program_is_answered(alice: User) -> None:
    assert program(alice).get("/me/").status_code == 200


def test_each_question_is_answered_as_an_empty_cache_would_that_lets_everybody() -> None:
    one = caches["default"]
    assert one.add("a", 1)
    assert one.get("a", "nothing") == "nothing"
    assert one.get_or_set("a", 7) == 7
    assert one.get_many(["a", "b"]) == {}
    assert (one.incr("a"), one.incr("a", 5), one.has_key("a"), one.touch("a"), one.delete("a")) == (1, 5, *[False] * 3)
    one.set("a", 1)
    assert one.set_many({"a": 1}) == []
    one.delete_many(["a"])
    one.clear()


def test_a_redis_that_failed_is_asked_again_after_a_pause_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [0.0], list[float]()
    monkeypatch.setattr("config.cache.time.monotonic", lambda: now[0])
    outage = cache.Outage()

    def fails() -> int:
        asked.append(now[0])
        raise ConnectionError

    for now[0] in (0.0, 1.0, cache.PAUSE, cache.PAUSE + 1):
        assert outage.ask(fails, 2) == 2
    assert asked == [0.0, cache.PAUSE]
    assert outage.ask(lambda: 1, 2) == 2, "it rests"
    now[0] = 3 * cache.PAUSE
    assert outage.ask(lambda: 1, 2) == outage.ask(lambda: 1, 2) == 1
