"""The supervisor keeps its children running and leaves none behind."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config import supervisor
from config.supervisor import Child, Supervisor
from tests.plugins.servers import wait_until


def a_child(folder: Path, program: str) -> Child:
    """A child that runs Python, with its process id in ``folder/pid`` and then ``program``."""
    begin = f"import os, pathlib, time; pathlib.Path({str(folder / 'pid')!r}).write_text(str(os.getpid()) + chr(10))\n"
    return Child("sleeper", [sys.executable, "-c", begin + textwrap.dedent(program)], os.environ)


def pid_in(path: Path) -> int | None:
    """The process id written there, once it is there whole."""
    text = path.read_text() if path.exists() else ""
    return int(text) if text.endswith("\n") else None


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@contextmanager
def a_supervisor(tmp_path: Path, program: str) -> Iterator[subprocess.Popen[bytes]]:
    """A supervisor in a process of its own, whose child writes its process id to ``tmp_path/pid``."""
    child = a_child(tmp_path, program)
    code = (
        "import os; from config.supervisor import Child, Supervisor; "
        f"Supervisor([Child('sleeper', {child.command!r}, os.environ)], print).run()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_the_child_and_what_the_child_started(tmp_path: Path, sig: signal.Signals) -> None:
    program = f"""
        import subprocess, sys
        grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
        pathlib.Path({str(tmp_path / "grandchild")!r}).write_text(str(grandchild.pid) + chr(10))
        time.sleep(100)
    """
    with a_supervisor(tmp_path, program) as process:
        assert wait_until(lambda: pid_in(tmp_path / "grandchild") is not None)
        process.send_signal(sig)
        assert process.wait(10) == 0
    for name in ("pid", "grandchild"):
        pid = pid_in(tmp_path / name)
        assert pid is not None
        assert wait_until(lambda pid=pid: not is_alive(pid), 5), name  # type: ignore[misc]  # pid is bound now


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_the_child_ends_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    with a_supervisor(tmp_path, "time.sleep(100)") as process:
        assert wait_until(lambda: pid_in(tmp_path / "pid") is not None)
        process.kill()
    pid = pid_in(tmp_path / "pid")
    assert pid is not None
    assert wait_until(lambda: not is_alive(pid), 5)


def test_a_child_that_dies_is_started_again(tmp_path: Path) -> None:
    with a_supervisor(tmp_path, "time.sleep(100)"):
        assert wait_until(lambda: pid_in(tmp_path / "pid") is not None)
        first = pid_in(tmp_path / "pid")
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert wait_until(lambda: pid_in(tmp_path / "pid") not in (None, first))


def test_a_child_that_fails_at_its_start_waits_longer_each_time_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("config.supervisor.time.monotonic", lambda: now[0])
    child, said = a_child(tmp_path, "raise SystemExit(3)"), list[str]()
    for _ in range(7):
        now[0] = max(now[0], child.next_start)
        child.look(said.append)
        assert child.process is not None
        child.process.wait()
        child.look(said.append)
    waits = [line.split()[-2] for line in said]
    assert waits == ["1", "2", "4", "8", "16", "30", "30"]
    assert said[0] == "the sleeper ended with status 3; starting it again in 1 s"


def test_a_child_that_lived_long_starts_again_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("config.supervisor.time.monotonic", lambda: now[0])
    child, said = a_child(tmp_path, "raise SystemExit(0)"), list[str]()
    child.look(said.append)
    assert child.process is not None
    child.process.wait()
    now[0] += supervisor.SHORT_LIFE
    child.look(said.append)
    assert child.next_start == now[0]


def test_it_says_once_that_what_it_runs_is_ready_and_not_before_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    said, asked = list[str](), list[int]()

    def is_ready() -> bool:
        asked.append(len(said))
        return len(asked) == 3

    watched = Supervisor([], said.append, is_ready, "ready")
    looks = iter(range(5))
    monkeypatch.setattr("config.supervisor.signal.signal", lambda *_: None)
    monkeypatch.setattr("config.supervisor.time.sleep", lambda _: setattr(watched, "stopping", next(looks) == 4))
    watched.run()
    assert (said, asked) == (["ready"], [0, 0, 0])
