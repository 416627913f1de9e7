"""``bin/play`` before it starts anything."""

import socket
import subprocess
from typing import Any

import pytest

from config import play
from tests.plugins.servers import free_port


def test_a_port_that_was_taken_while_the_site_was_prepared_is_not_shared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    with socket.socket() as other:

        def prepared(command: Any, **_how: Any) -> subprocess.CompletedProcess[str]:
            other.bind(("127.0.0.1", port))
            other.listen()
            return subprocess.CompletedProcess(command, 0)

        monkeypatch.setenv("PORT", str(port))
        monkeypatch.setattr(subprocess, "run", prepared)
        assert play.main([]) == 1
    assert f"port {port} is taken" in capsys.readouterr().out
