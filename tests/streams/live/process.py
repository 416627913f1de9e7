"""The stream process for real, and programs that listen to it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.request import urlopen

from config.streams.tickets import Ticket
from tests.plugins.servers import free_port, wait_until

ROOT = Path(__file__).resolve().parents[3]
#: Seconds within which whatever is awaited must have come, also on a machine that is busy with other tests.
PATIENCE = 30.0


def until(condition: Any, what: str) -> None:
    """Wait for a condition; fail, naming it, where it does not come."""
    assert wait_until(condition, PATIENCE), f"not within {PATIENCE:g} s: {what}"


class StreamProcess:
    """granian with the streams, on a port of its own; to be killed and started again. A context manager."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}/stream/"
        self.environment = {**environment, "CLEW_STREAM_URL": self.url, "DJANGO_SETTINGS_MODULE": "config.settings"}
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.listeners: list[Listener] = []

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop(signal.SIGKILL)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"the stream process said:\n{self.log.read_text(errors='replace')[-4000:]}")
        self.stop(signal.SIGKILL)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [
            sys.executable, "-m", "granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(self.port),
            "--no-ws", "--backlog", "4096", "--backpressure", "20000", "--log-level", "warning",
            "config.streams.asgi:application",
        ]  # fmt: skip
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True,
            )  # fmt: skip
        process = self.process
        until(lambda: process.poll() is not None or self.answers(), "the stream process answers")
        assert process.poll() is None, self.log.read_text(errors="replace")

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Send a signal to all of it, and wait until it has ended."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                if number == signal.SIGKILL:
                    os.killpg(self.process.pid, number)
                else:
                    self.process.send_signal(number)
            self.process.wait(PATIENCE)
            self.process = None

    def answers(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except (OSError, HTTPException):
            return False

    def listen(self, ticket: Ticket | str, *, read: bool = True) -> Listener:
        """A program that opens a stream; ``read``: it does so by itself, in the background."""
        self.listeners.append(Listener(self.port, ticket, read=read))
        return self.listeners[-1]

    def hang_up(self) -> None:
        """Close what the programs opened."""
        while self.listeners:
            self.listeners.pop().close()


class Listener:
    """A program that opened a stream, and remembers how far it was told that games are."""

    def __init__(self, port: int, ticket: Ticket | str, *, read: bool = True) -> None:
        signed = ticket if isinstance(ticket, str) else ticket.signed()
        self.connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.connection.request("GET", f"/stream/?ticket={signed}")
        self._socket = self.connection.sock
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        #: How far each game is, by its id; and everything that was said.
        self.versions: dict[str, int] = {}
        self.said: list[dict[str, Any]] = []
        self.events: list[str] = []
        self.ended = False
        self._thread: threading.Thread | None = None
        if read and self.status == 200:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # which ends the thread's reading
        if self._thread is not None:
            self._thread.join(PATIENCE)
        self.answer.close()
        self.connection.close()

    def _run(self) -> None:
        with suppress(OSError, HTTPException, ValueError):
            while line := self.answer.readline().decode():
                if line.startswith("event: "):
                    self.events.append(line.removeprefix("event: ").strip())
                elif line.startswith("data: {"):
                    data = json.loads(line.removeprefix("data: "))
                    self.said.append(data)
                    self.versions[data["game"]] = data["version"]
        self.ended = True

    def hears(self, game: str, version: int) -> None:
        """Wait until it has heard that a game is so far."""
        until(lambda: self.versions.get(game) == version, f"version {version} (it heard {self.said})")
