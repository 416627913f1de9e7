"""A site made of real processes: the test's own database and Valkey, workers, and a mail server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from config import hints
from notifications.models import Message
from tests.chaos.nursery import Nursery
from tests.chaos.workers import Worker
from tests.notifications.smtp_sink import Sink
from tests.plugins.servers import wait_until

#: Seconds within which everything that is awaited must have come; a worker takes two or three to start, and several
#: times that on a machine that is busy with other tests.
PATIENCE = 90.0


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition; fail, naming it, where it does not come."""
    assert wait_until(condition, PATIENCE), f"not within {PATIENCE:g} s: {what}"


class Site:
    """The environment of the child processes, the mail server, and workers to start."""

    def __init__(
        self, nursery: Nursery, environment: dict[str, str], sink: Sink, folder: Path, stack: ExitStack
    ) -> None:
        self.nursery = nursery
        self.environment = {
            **environment,
            **sink.environment,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "CLEW_QUIET_SPELL": "0",
            "CLEW_LEASE": "1",
            "CLEW_RETRY_WAITS": "1",
            "CLEW_SWEEP_INTERVAL": "0.2",
        }
        self.sink = sink
        self.folder = folder
        self._stack = stack
        self._numbers = count(1)

    def worker(self, *, beat: bool, **environment: str) -> Worker:
        """A worker that runs until it is killed or the test ends."""
        log = self.folder / f"worker-{next(self._numbers)}.log"
        return self._stack.enter_context(Worker(self.nursery, {**self.environment, **environment}, log, beat=beat))

    def run(self, *command: str, **environment: str) -> str:
        """What a Python child process prints; see :meth:`Nursery.run`."""
        return self.nursery.run({**self.environment, **environment}, *command)

    def crashing_worker(self, point: str, what: str, *, beat: bool) -> Worker:
        """A worker whose first send kills it: see tests/chaos/crashing_mail.py."""
        file = self.folder / "crash"
        file.touch()
        return self.worker(
            beat=beat,
            CLEW_MAIL_BACKEND="tests.chaos.crashing_mail.EmailBackend",
            CLEW_TEST_CRASH=f"{point}:{what}:{file}",
        )

    def wait_until_sent(self, messages: int) -> None:
        """Wait until so many messages exist and all are sent."""
        until(lambda: states() == ["sent"] * messages, f"{messages} messages sent (they are {states()})")


def states() -> list[str]:
    """The states of all messages, the oldest first."""
    return list(Message.objects.order_by("id").values_list("state", flat=True))


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where this run's child processes come from."""
    with Nursery() as started:
        yield started


@pytest.fixture
def site(
    nursery: Nursery,
    real_database: dict[str, str],
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Site]:
    """A site without a quiet spell; this process is one of its web processes."""
    settings.CLEW_QUIET_SPELL = 0.0
    # Hints of earlier tests may still wait for a broker that isn't there.
    monkeypatch.setattr(hints, "_publisher", hints.Publisher())
    with Sink() as sink, ExitStack() as stack:
        yield Site(nursery, real_database, sink, tmp_path, stack)
