"""A site, its stream process, and a Valkey that may be killed, with a database of their own: for all tests here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from accounts.models import User
from config import hints
from tests.browser.conftest import allow_database_beside_the_browser, browser_type_launch_args, visit
from tests.browser.visitor import PATIENCE
from tests.conftest import own_database, serving
from tests.games.people import person
from tests.plugins.servers import Valkey, free_port
from tests.streams.live.process import StreamProcess

__all__ = ["allow_database_beside_the_browser", "browser_type_launch_args", "visit"]


@dataclass(frozen=True)
class Backstage:
    """The stream process and its Valkey, the environment of a site beside them, and that site's port."""

    streams: StreamProcess
    valkey: Valkey
    environment: Mapping[str, str]
    port: int


@pytest.fixture(scope="package")
def shared_backstage(database_template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Backstage]:
    """Its database is also this process's while these tests run. A page asks for news once in forty minutes."""
    log = Path(django_settings.CLEW_DATA) / "streams.log"
    with Valkey() as valkey, own_database(database_template, valkey.url, django_db_blocker) as environment:
        port = free_port()
        streams = StreamProcess({**environment, "CLEW_SITE_URL": f"http://localhost:{port}"}, log)
        with streams:
            yield Backstage(streams, valkey, {**streams.environment, "CLEW_PRESENCE": "3600"}, port)
        connection.close()


@pytest.fixture
def backstage(shared_backstage: Backstage, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Backstage:
    """The same, with this process as a web process beside it."""
    settings.CLEW_STREAM_URL = shared_backstage.streams.url
    settings.CLEW_REDIS_URL = shared_backstage.valkey.url
    # Hints of earlier tests may still wait for a broker that isn't there.
    monkeypatch.setattr(hints, "_publisher", hints.Publisher())
    return shared_backstage


@pytest.fixture
def streams(backstage: Backstage) -> Iterator[StreamProcess]:
    if backstage.streams.process is None:
        backstage.streams.start()
    yield backstage.streams
    backstage.streams.hang_up()


@pytest.fixture(scope="package")
def shared_site(shared_backstage: Backstage) -> Iterator[str]:
    with serving(shared_backstage.environment, port=shared_backstage.port) as url:
        yield url


@pytest.fixture
def site(shared_site: str, backstage: Backstage) -> str:
    """The site's address, for a browser."""
    expect.set_options(timeout=PATIENCE)
    return shared_site


@pytest.fixture
def alice(backstage: Backstage) -> User:
    return person("alice")


@pytest.fixture
def bob(backstage: Backstage) -> User:
    return person("bob")


@pytest.fixture
def charlie(backstage: Backstage) -> User:
    return person("charlie")
