"""The secret key is made once and kept to the owner."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from config.secret import kept_secret


def test_the_secret_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    secret = kept_secret(folder)
    assert len(secret) >= 50
    assert kept_secret(folder) == secret
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["secret_key"]


def test_processes_that_ask_at_once_get_the_same_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        told = set(threads.map(lambda _: kept_secret(tmp_path), range(32)))
    assert len(told) == 1
