"""Where child processes come from: one process that has imported the libraries, and forks itself for each of them.

Starting an interpreter and importing Django, Celery and the rest takes most of the time that such a test takes. A child
is a process like any other, in a session of its own; what differs between them is imported only by the child: settings
are read from its own environment, apps are set up, connections made.

``python -m tests.chaos.nursery`` reads one JSON line a child from standard input and answers with one.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from tests.plugins.servers import wait_until

ROOT = Path(__file__).resolve().parent.parent.parent
#: So long a child that is run may take, on a machine that is busy with other tests.
CHILD_SECONDS = 180.0
_APPEND = os.O_WRONLY | os.O_APPEND

#: What is imported once. None of it may read the settings, open a connection or start a thread.
LIBRARIES = (
    "celery.apps.worker", "celery.bin.celery", "celery.fixups.django", "celery.concurrency.prefork",
    "kombu.transport.redis", "celery.worker.consumer", "celery.worker.strategy", "celery.beat", "redis.asyncio",
    "psycopg_pool", "psycopg.types.json", "structlog.dev", "css_inline",
    "cryptography.hazmat.primitives.serialization", "smtplib", "django.core.management",
    "django.contrib.postgres.fields", "django.contrib.postgres.search", "django.core.mail",
    "django.core.mail.backends.smtp", "django.db.backends.postgresql.psycopg_any", "django.db.models",
    "django.forms", "django.http", "django.template.engine", "django.test.signals", "django.urls",
    "django.views.generic", "requests", "sqlparse", "py_vapid", "uritemplate", "games.engine",
    "games.table.decider",
)  # fmt: skip


class Nursery:
    """The process that children are forked from. A context manager."""

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.nursery"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def start(self, environment: Mapping[str, str], command: Sequence[str], out: Path, err: Path) -> Child:
        """Start ``python command…`` (``-m`` and a module, or a script) in this environment.

        What it writes to standard output and standard error goes to the ends of these files.
        """
        out.touch()
        err.touch()
        files = {"out": str(out), "err": str(err)}
        told = self._ask({"do": "start", "environment": dict(environment), "command": list(command), **files})
        return Child(self, told["pid"])

    def run(self, environment: Mapping[str, str], *command: str) -> str:
        """What a child prints; raises CalledProcessError, with what it said, if it fails or doesn't end."""
        with tempfile.TemporaryDirectory() as folder:
            out, err = Path(folder, "out"), Path(folder, "err")
            child = self.start(environment, command, out, err)
            if not wait_until(lambda: child.poll() is not None, CHILD_SECONDS):
                child.kill()
            status, printed = child.wait(), out.read_text(errors="replace")
            if status:
                error = subprocess.CalledProcessError(status, command)
                error.add_note(printed + err.read_text(errors="replace"))
                raise error
            return printed

    def status(self, pid: int, *, wait: bool = False) -> int | None:
        """A child's exit status (less than nothing: the signal that ended it); None while it runs."""
        status: int | None = self._ask({"do": "status", "pid": pid, "wait": wait})["status"]
        return status

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told


class Child:
    """A process in a session of its own."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self.nursery = nursery
        self.pid = pid

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""
        return self.nursery.status(self.pid)

    def wait(self) -> int:
        """Its exit status, once it has one."""
        status = self.nursery.status(self.pid, wait=True)
        assert status is not None
        return status

    def kill(self) -> None:
        """End it and every process that it started, at once, and wait for it."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait()


# --- in the nursery itself --------------------------------------------------------------------------------------------


def main() -> None:
    """Answer until standard input closes; the children are on their own then."""
    for name in LIBRARIES:
        import_module(name)
    ended: dict[int, int] = {}
    for line in sys.stdin:
        question = json.loads(line)
        if question.pop("do") == "start":
            answer: dict[str, Any] = {"pid": _fork(**question)}
        else:
            answer = {"status": _status(question["pid"], ended, wait=question["wait"])}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _status(pid: int, ended: dict[int, int], *, wait: bool) -> int | None:
    if pid not in ended:
        done, status = os.waitpid(pid, 0 if wait else os.WNOHANG)
        if done == pid:
            ended[pid] = os.waitstatus_to_exitcode(status)
    return ended.get(pid)


def _fork(environment: dict[str, str], command: list[str], out: str, err: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    for number, (path, flags) in enumerate(((os.devnull, os.O_RDONLY), (out, _APPEND), (err, _APPEND))):
        os.dup2(os.open(path, flags), number)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 - the nursery's own has been read ahead
    status = 0
    try:
        _run(command)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter of its own would
        sys.excepthook(*sys.exc_info())
        status = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    sys.exit(status)


def _run(command: list[str]) -> None:
    if command[0] == "-m":
        sys.argv = command[1:]
        runpy.run_module(command[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = command
        runpy.run_path(command[0], run_name="__main__")


if __name__ == "__main__":
    main()
