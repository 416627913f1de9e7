"""A hint may be lost, and may never fail or slow what gives it."""

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any, cast

import pytest
from celery import Celery, Task
from django.db import transaction
from structlog.testing import capture_logs

from config import hints


class FakeTask:
    """Takes the place of a Celery task; ``publish`` is what handing it to the broker does."""

    name = "tests.fake"

    def __init__(self, publish: Any = None) -> None:
        self.calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        self.publish = publish

    def apply_async(self, args: tuple[Any, ...], **options: Any) -> None:
        self.calls.append((args, options))
        if self.publish is not None:
            self.publish()


def as_task(fake: FakeTask) -> Task[Any, Any]:
    return cast("Task[Any, Any]", fake)


@pytest.mark.django_db
def test_a_hint_waits_for_the_commit(django_capture_on_commit_callbacks: Any) -> None:
    task = FakeTask()
    with django_capture_on_commit_callbacks(execute=True):
        hints.hint(as_task(task), 7)
        assert hints.flush(5)
        assert task.calls == []
    assert hints.flush(5)
    assert task.calls == [((7,), {"retry": False})]


def test_a_hint_of_a_transaction_that_is_rolled_back_is_never_given(real_database: dict[str, str]) -> None:
    task = FakeTask()
    with transaction.atomic():
        hints.hint(as_task(task), 1)
        transaction.set_rollback(True)
    with transaction.atomic():
        hints.hint(as_task(task), 2)
    assert hints.flush(5)
    assert [args for args, _ in task.calls] == [(2,)]


def test_a_broker_that_refuses_is_a_warning_and_nothing_more() -> None:
    def refuse() -> None:
        raise ConnectionError("gone")

    publisher, task = hints.Publisher(), FakeTask(refuse)
    with capture_logs() as logs:
        publisher.put(task.name, task.publish)
        publisher.put(task.name, task.publish)
        assert publisher.flush(5)
    assert len(logs) == 2
    assert [line["log_level"] for line in logs] == ["warning", "warning"]
    assert "gone" in logs[0]["error"]


def test_a_broker_that_hangs_holds_up_nobody_and_the_overflow_is_dropped() -> None:
    held = threading.Event()
    publisher, task = hints.Publisher(backlog=2), FakeTask(held.wait)
    with capture_logs() as logs:
        for _ in range(10):
            publisher.put(task.name, task.publish)
        assert not publisher.flush(0)
        assert 7 <= sum(line["event"].startswith("hint dropped") for line in logs) <= 8
    held.set()
    assert publisher.flush(5)


@pytest.fixture
def black_hole() -> Iterator[int]:
    """A port that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("kind", ["silent", "closed"])
def test_a_real_broker_that_is_gone_is_given_up_soon(black_hole: int, kind: str) -> None:
    from django.conf import settings

    port = black_hole if kind == "silent" else 9  # the discard port, where nobody listens
    app = Celery("gone", broker=f"redis://127.0.0.1:{port}/0", set_as_current=False)
    app.conf.broker_transport_options = {**settings.CELERY_BROKER_TRANSPORT_OPTIONS, "socket_timeout": 0.2}
    app.conf.broker_connection_timeout = settings.CELERY_BROKER_CONNECTION_TIMEOUT
    publisher = hints.Publisher()

    @app.task(name=f"tests.gone.{kind}")
    def task() -> None:
        """Never runs."""

    with capture_logs() as logs:
        begun = time.monotonic()
        publisher.put(task.name, lambda: task.apply_async((), retry=False))
        assert time.monotonic() - begun < 0.2
        assert publisher.flush(20)
    assert [line["event"] for line in logs] == ["hint lost: the broker did not take it"]
