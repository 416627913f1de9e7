"""Real Celery workers in process groups of their own, so that they can be killed as a machine that dies would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parent.parent.parent
END_SECONDS = 10
CHILD_SECONDS = 180


class Worker:
    """``celery worker`` with one sending process, with beat inside if ``beat``. A context manager that ends it."""

    def __init__(self, environment: Mapping[str, str], log: Path, *, beat: bool) -> None:
        self.log = log
        command = [
            sys.executable, "-m", "celery", "-A", "config.celery", "worker", "--concurrency=1", "--loglevel=INFO",
            "--without-gossip", "--without-mingle", "--without-heartbeat", *(["--beat"] if beat else []),
        ]  # fmt: skip
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**environment, "CLEW_LOG_LEVEL": "INFO"},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"the worker said:\n{self.log.read_text(errors='replace')[-4000:]}")
        self.kill()

    def is_dead(self) -> bool:
        return self.process.poll() is not None

    def kill(self) -> None:
        """End it and every process that it started, at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(END_SECONDS)


def run(environment: Mapping[str, str], *command: str) -> str:
    """What a Python child process prints; raises CalledProcessError, with what it said, if it fails."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT, env=dict(environment), capture_output=True, text=True, check=False, timeout=CHILD_SECONDS,
    )  # fmt: skip
    if done.returncode:
        error = subprocess.CalledProcessError(done.returncode, done.args)
        error.add_note(done.stdout + done.stderr)
        raise error
    return done.stdout
