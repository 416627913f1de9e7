"""Hints: after the commit, wake a worker for what the transaction left in the database, or tell open pages of it.

A hint may be lost (the sweep finds the work anyway), so it may not fail or slow the request that gives it: a thread of
its own hands it to the broker, with short timeouts and no retry, and whatever goes wrong there is a line in the log.
"""

import atexit
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import Task
from django.db import transaction

log = structlog.get_logger(__name__)

#: How many hints may wait for a slow broker before further ones are dropped.
BACKLOG = 1000
#: Seconds that a process which ends gives its last hints.
LAST_SECONDS = 1.0

#: What it is for, as the log names it, and what hands it on.
type _Hint = tuple[str, Callable[[], object]]


def hint(task: Task[Any, Any], *args: Any) -> None:
    """Have a worker run ``task(*args)`` soon after this transaction commits; never, where it is rolled back.

    Outside a transaction, at once. Returns without waiting for the broker and raises nothing on its account.
    """
    after_commit(task.name, lambda: task.apply_async(args, retry=False))


def after_commit(name: str, deliver: Callable[[], object]) -> None:
    """Have the thread of the hints call ``deliver`` after this transaction commits; as :func:`hint` otherwise."""
    transaction.on_commit(lambda: _publisher.put(name, deliver), robust=True)


def flush(timeout: float) -> bool:
    """Wait until all hints given so far are with the broker or given up; False after ``timeout`` seconds."""
    return _publisher.flush(timeout)


class Publisher:
    """A queue and the one thread of this process that empties it into the broker."""

    def __init__(self, backlog: int = BACKLOG) -> None:
        self._queue: queue.Queue[_Hint] = queue.Queue(backlog)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, name: str, deliver: Callable[[], object]) -> None:
        """Queue a hint without waiting; drop it, with a warning, where too many wait already."""
        self._ensure_thread()
        try:
            self._queue.put_nowait((name, deliver))
        except queue.Full:
            log.warning("hint dropped: the broker is too slow", task=name)

    def flush(self, timeout: float) -> bool:
        """As :func:`flush`."""
        deadline = time.monotonic() + timeout
        with self._queue.all_tasks_done:
            while self._queue.unfinished_tasks:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return False
                self._queue.all_tasks_done.wait(remaining)
        return True

    def _ensure_thread(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="hints", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            name, deliver = self._queue.get()
            try:
                deliver()
            except Exception as error:  # noqa: BLE001 - a hint may fail in any way, and none may matter
                log.warning("hint lost: the broker did not take it", task=name, error=repr(error))
            finally:
                self._queue.task_done()


def _renew() -> None:
    """A forked child has the queue but not the thread: begin anew, and leave the parent's hints to the parent."""
    global _publisher  # noqa: PLW0603 - replaced once, in a child that nothing else runs in yet
    _publisher = Publisher()


_publisher = Publisher()
os.register_at_fork(after_in_child=_renew)
atexit.register(flush, LAST_SECONDS)
