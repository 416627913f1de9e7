"""Real Celery workers in process groups of their own, so that they can be killed as a machine that dies would."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.chaos.nursery import Nursery


class Worker:
    """``celery worker`` with one sending process, with beat inside if ``beat``. A context manager that ends it."""

    def __init__(self, nursery: Nursery, environment: Mapping[str, str], log: Path, *, beat: bool) -> None:
        self.log = log
        command = [
            "-m", "celery", "-A", "config.celery", "worker", "--concurrency=1", "--loglevel=INFO",
            "--without-gossip", "--without-mingle", "--without-heartbeat", *(["--beat"] if beat else []),
        ]  # fmt: skip
        self.process = nursery.start({**environment, "CLEW_LOG_LEVEL": "INFO"}, command, log, log)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"the worker said:\n{self.log.read_text(errors='replace')[-4000:]}")
        self.process.kill()

    def is_dead(self) -> bool:
        return self.process.poll() is not None

    def is_ready(self) -> bool:
        """Whether it has begun to take tasks. Raises AssertionError where it died before."""
        assert not self.is_dead(), "the worker died"
        return self.says(" ready.")

    def says(self, words: str) -> bool:
        """Whether these words are in its log."""
        return words in self.log.read_text(errors="replace")

    def count(self, what: str) -> int:
        """How many tasks it has said that of: ``received``, ``succeeded``."""
        return len(re.findall(rf"Task \S+ {what}", self.log.read_text(errors="replace")))
