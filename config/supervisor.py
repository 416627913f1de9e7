"""A small supervisor: starts processes, starts again what dies, and stops all of them, leaving none behind."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

#: Seconds that a process has to end by itself after SIGTERM.
GRACE = 10.0
#: A process that lived shorter than this, in seconds, failed at its start: it waits before the next one.
SHORT_LIFE = 10.0
LONGEST_WAIT = 30.0
#: Seconds between two looks at the processes.
BEAT = 0.2
_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """In a child, before its program: be stopped when the supervisor is killed so hard that it can stop nobody."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class Child:
    """One process that is kept running, in a process group of its own (Ctrl-C reaches the supervisor alone)."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    next_start: float = field(default=0.0)

    def start(self) -> None:
        """Start it now."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            list(self.command),
            env=dict(self.environ),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - the supervisor has one thread
        )

    def look(self, say: Callable[[str], None]) -> None:
        """Start it if it is due, and notice if it has died."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.next_start:
                self.start()
            return
        status = self.process.poll()
        if status is None:
            return
        self.kill_group()  # what it may have left behind would hold its port
        short = now - self.started < SHORT_LIFE
        self.failures = self.failures + 1 if short else 0
        wait = min(LONGEST_WAIT, 2.0 ** (self.failures - 1)) if short else 0.0
        say(f"the {self.name} ended with status {status}; starting it again in {wait:g} s")
        self.process, self.next_start = None, now + wait

    def kill_group(self) -> None:
        """SIGKILL to whatever is left of its process group."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
                return


class Supervisor:
    """Runs children until SIGINT, SIGTERM or SIGHUP. Says ``ready`` once, when ``is_ready`` does."""

    def __init__(
        self,
        children: Sequence[Child],
        say: Callable[[str], None],
        is_ready: Callable[[], bool] = lambda: False,
        ready: str = "",
    ) -> None:
        self.children = children
        self.say = say
        self.is_ready = is_ready
        self.ready = ready
        self.stopping = False

    def run(self) -> None:
        """Block until told to stop; then stop all children."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        try:
            waiting = True
            while not self.stopping:
                for child in self.children:
                    child.look(self.say)
                if waiting and self.is_ready():
                    waiting = False
                    self.say(self.ready)
                time.sleep(BEAT)
        finally:
            self.stop()

    def stop(self) -> None:
        """Ask every child to end, and after :data:`GRACE` seconds end what is left of it."""
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + GRACE
        for process in running:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
        for child in self.children:
            child.kill_group()
            if child.process is not None:
                child.process.wait()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True
