"""Starts the services that the tests run on, before pytest-django reads the settings.

- PostgreSQL and Valkey from wheels, unless DATABASE_URL or REDIS_URL name others. ``CLEW_TEST_DB=sqlite`` takes SQLite
  in PostgreSQL's place and runs only the tests that touch the database.
- With xdist the controller starts them; each worker has a Redis database of its own.
- ``CLEW_TEST_REPORT`` names a file into which a run writes what it ran on and how many tests, for bin/test.
"""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ON_SQLITE = os.environ.get("CLEW_TEST_DB") == "sqlite"
IN_WORKER = "PYTEST_XDIST_WORKER" in os.environ

#: Fixtures that give a test the database.
DATABASE_FIXTURES = {"db", "django_db_setup", "real_database", "live_site"}
#: Fixtures and marks of pytest-django that flush the tables afterwards, which the event table refuses.
FLUSHING_FIXTURES = {"transactional_db", "django_db_reset_sequences", "django_db_serialized_rollback", "live_server"}


class Services:
    """What this run started, and what it runs on."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.versions: dict[str, str] = {}
        self.ran = 0

    def start(self) -> None:
        """Export DATABASE_URL and REDIS_URL, starting what is not there yet."""
        wanted = {
            "postgres": ("DATABASE_URL", "PostgreSQL"),
            "valkey": ("REDIS_URL", "Valkey"),
        }
        if ON_SQLITE:
            del wanted["postgres"]
        missing = [name for name, (variable, _) in wanted.items() if not os.environ.get(variable)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.plugins.servers", *missing],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        told: dict[str, Any] = json.loads(self.process.stdout.readline() or '{"error": "they ended at once"}')
        if "error" in told:
            message = f"The services of the tests did not start: {told['error']}"
            raise pytest.UsageError(message)
        folder = told["folder"]
        Path(folder, "static").mkdir()  # whitenoise warns where it is missing
        os.environ.update(
            CLEW_DATA=folder,
            DJANGO_SECRET_KEY="a secret of the tests",
            CLEW_DB_POOL="0",  # databases come and go; a pool would hold on to them
            CLEW_STATIC_MANIFEST="0",
            CLEW_EMBEDDED="0",
        )
        if ON_SQLITE:
            os.environ["DATABASE_URL"] = f"sqlite:///{folder}/clew.sqlite3"
            self.versions["SQLite"] = sqlite3.sqlite_version
        for name in missing:
            variable, label = wanted[name]
            os.environ[variable] = told[name]["url"]
            self.versions[label] = told[name]["version"]

    def stop(self) -> None:
        """Stop what was started; its files go with it."""
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            self.process.wait(30)
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None

    @property
    def label(self) -> str:
        """Such as ``PostgreSQL 18.6 and Valkey 9.1.2``."""
        known = [f"{name} {version}" for name, version in self.versions.items()]
        return " and ".join(known) or "the services that DATABASE_URL and REDIS_URL name"


_services = Services()


def worker_redis_url(url: str, worker: str) -> str:
    """The same server, with a database of its own for an xdist worker (``gw0``, ``gw1``…)."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"/{int(worker.removeprefix('gw')) + 1}"))


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, Any, Any]:
    """A wrapper runs before pytest-django's own hook of this name, which reads the settings."""
    if IN_WORKER:
        os.environ["REDIS_URL"] = worker_redis_url(os.environ["REDIS_URL"], os.environ["PYTEST_XDIST_WORKER"])
    else:
        try:
            _services.start()
        except BaseException:
            _services.stop()
            raise
    return (yield)


def touches_database(item: pytest.Item) -> bool:
    """Whether a test asks for the database, by mark or by fixture."""
    if item.get_closest_marker("django_db"):
        return True
    return not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def depends_on_database(item: pytest.Item) -> bool:
    """Whether it matters which database a test runs on."""
    return touches_database(item) and item.get_closest_marker("any_database") is None


def refuse_flushing(items: list[pytest.Item]) -> None:
    """Raise UsageError for a test that would flush the database."""
    for item in items:
        mark = item.get_closest_marker("django_db")
        by_mark = mark is not None and (
            bool(mark.args) or any(mark.kwargs.get(key) for key in ("transaction", "reset_sequences"))
        )
        if by_mark or not FLUSHING_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            message = (
                f"{item.nodeid} flushes the database after it, which the event table refuses. "
                "Use the fixture real_database (or live_site), which gives the test a database of its own."
            )
            raise pytest.UsageError(message)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse tests that flush; on SQLite, leave out those that can't tell it from PostgreSQL."""
    refuse_flushing(items)
    if ON_SQLITE:
        left_out = [item for item in items if not depends_on_database(item)]
        if left_out:
            items[:] = [item for item in items if depends_on_database(item)]
            config.hook.pytest_deselected(items=left_out)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count the tests that ran to an outcome of their own."""
    if report.when == "call" and not report.skipped:
        _services.ran += 1


def pytest_report_header() -> str:
    """Say what the tests run on."""
    return f"services: {_services.label}"


def pytest_unconfigure() -> None:
    """Write the report and stop the services, also after an interruption."""
    if IN_WORKER:
        return
    path = os.environ.get("CLEW_TEST_REPORT")
    if path:
        Path(path).write_text(f"{_services.ran} tests on {_services.label}\n")
    _services.stop()
