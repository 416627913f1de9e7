"""People, a stopped clock, and a mail server."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from notifications import presence
from tests.notifications.games import person
from tests.notifications.smtp_sink import Sink

NOON = datetime(2027, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def intervals(settings: Settings) -> None:
    """The waits that these tests count with, whatever the environment says."""
    settings.CLEW_QUIET_SPELL = 60.0
    settings.CLEW_LEASE = 30.0
    settings.CLEW_RETRY_WAITS = [100, 200, 400]


@pytest.fixture
def now() -> Iterator[clock.FrozenClock]:
    """The clock, stopped at noon."""
    with clock.frozen(NOON) as frozen:
        yield frozen


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return person("charlie")


@pytest.fixture
def sink(settings: Settings) -> Iterator[Sink]:
    """A mail server that the site's mails go to."""
    with Sink() as server:
        settings.MAILERS = {
            "default": {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": server.options}
        }
        yield server


@pytest.fixture(autouse=True)
def nobody_was_seen() -> None:
    """What earlier tests' people looked at is forgotten: their ids come again."""
    presence.memory.clear()
