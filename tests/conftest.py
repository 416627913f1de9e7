"""Fixtures for everybody: a database with real commits, a site that runs on it, and an empty Valkey."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

import pytest
import redis
from django.conf import settings
from django.db import connection, connections
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker

from notifications import presence
from tests.plugins.servers import free_port, wait_until

_numbers = count(1)


def _worker() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@contextmanager
def _maintenance() -> Iterator[Any]:
    """A cursor at PostgreSQL outside of the databases that are made and dropped."""
    with connection._nodb_cursor() as cursor:  # Django's own way to create and destroy databases
        yield cursor


def _postgres_clone(source: str, target: str) -> None:
    with _maintenance() as cursor:
        cursor.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')


def _postgres_drop(name: str) -> None:
    with _maintenance() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _sqlite_copy(target: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(target)])


@pytest.fixture(autouse=True)
def forget_visits() -> None:
    """Nobody has visited yet: ids of people that were rolled back come again, and this process remembers them."""
    presence.memory.clear()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The migrated database of the tests. pytest-django's own makes none where all tests take real_database."""
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False, aliases={"default": False})
        yield
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="session")
def database_template(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """A migrated, empty database that nobody is connected to: its name, or on SQLite its file."""
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            path = Path(settings.CLEW_DATA) / f"template-{_worker()}.sqlite3"
            _sqlite_copy(path)
            yield str(path)
            path.unlink()
        else:
            name = f"template_{_worker()}"
            connection.close()  # PostgreSQL copies only a database without connections
            _postgres_clone(connection.settings_dict["NAME"], name)
            yield name
            _postgres_drop(name)


@contextmanager
def own_database(template: str, redis_url: str, blocker: DjangoDbBlocker) -> Iterator[dict[str, str]]:
    """A copy of the template, which this process uses meanwhile; see :func:`real_database`."""
    name = f"real_{_worker()}_{next(_numbers)}"
    on_sqlite = connection.vendor == "sqlite"
    with blocker.unblock():
        if on_sqlite:
            name = str(Path(settings.CLEW_DATA) / f"{name}.sqlite3")
            shutil.copyfile(template, name)
            url = f"sqlite:///{name}"
        else:
            _postgres_clone(template, name)
            url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
        # Threads make their connections from the same dictionary. This thread's connection is put aside rather than
        # closed: SQLite's database of the other tests lives in memory as long as it is open.
        shared, aside = connections.settings["default"], connections["default"]
        before, shared["NAME"] = shared["NAME"], name
        connections["default"] = connections.create_connection("default")
        try:
            yield {**os.environ, "DATABASE_URL": url, "REDIS_URL": redis_url}
        finally:
            connections["default"].close()
            shared["NAME"], connections["default"] = before, aside
            if on_sqlite:
                for path in Path(name).parent.glob(f"{Path(name).name}*"):
                    path.unlink()
            else:
                _postgres_drop(name)


@pytest.fixture
def real_database(database_template: str, valkey: str, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, str]]:
    """A database of the test's own, with real commits: for threads, processes and what happens after a commit.

    Yields the environment that a child process of the test must be started with (a copy of this one's, with
    DATABASE_URL and REDIS_URL set). A thread that used the database closes its connection
    (``django.db.connections.close_all()``) before it ends.
    """
    with own_database(database_template, valkey, django_db_blocker) as environment:
        yield environment


@pytest.fixture
def valkey() -> Iterator[str]:
    """The address of this worker's Valkey database, empty."""
    url = os.environ["REDIS_URL"]
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()


@contextmanager
def serving(
    environment: Mapping[str, str],
    application: str = "config.wsgi:application",
    port: int | None = None,
    *,
    threads: int = 2,
) -> Iterator[str]:
    """The address of the site, served by granian in a process of its own; at a free port where none is given."""
    port = port or free_port()
    url = f"http://localhost:{port}"
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--blocking-threads", str(threads), "--no-ws", "--log-level", "warning", application]
    log = Path(settings.CLEW_DATA) / f"site-{port}.log"
    with log.open("wb") as out:
        environ = {**environment, "CLEW_SITE_URL": url}
        process = subprocess.Popen(command, env=environ, stdout=out, stderr=out, start_new_session=True)
    try:
        answers = wait_until(lambda: process.poll() is not None or _answers(port))
        assert answers, log.read_text()
        assert process.poll() is None, log.read_text()
        yield url
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def live_site(real_database: dict[str, str]) -> Iterator[str]:
    """The address of the site, served by granian in a process of its own from the test's :func:`real_database`."""
    with serving(real_database) as url:
        yield url


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://localhost:{port}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
