"""The bot of docs/bots.md, taken from the page as it stands there, plays people to the end."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from accounts import bots, tokens
from tests.api.remote import Remote, real_site
from tests.conftest import serving
from tests.games.people import person
from tests.plugins.servers import free_port, wait_until
from tests.streams.live.process import StreamProcess

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
PATIENCE = 60.0


def program() -> str:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1
    return str(blocks[0])


@contextmanager
def running(file: Path, site: str, name: str, *, spell: float) -> Iterator[None]:
    """The page's program as a process with the token of a bot of this name; it has to go on to the end."""
    file.write_text(program())
    secret = tokens.make(bots.make(person("owner"), name), "first", bots.SCOPES)[1]
    known = {"PATH": os.environ["PATH"], "CLEW_SITE": site, "CLEW_TOKEN": secret, "CLEW_SPELL": str(spell)}
    log = file.with_suffix(".log")
    with log.open("wb") as out:
        process = subprocess.Popen([sys.executable, str(file)], env=known, stdout=out, stderr=out)
    try:
        yield
        assert process.poll() is None, log.read_text()
    except AssertionError as error:
        error.add_note(log.read_text())
        raise
    finally:
        process.kill()
        process.wait(10)


def play_to_the_end(person: Remote, game: str) -> None:
    """Play at random against whoever sits there, until the game is over and its record can be read."""
    rng = random.Random(8)
    over = wait_until(lambda: person.take_turn(game, rng)["status"] == "ended", PATIENCE)
    assert over, person.get(f"/games/{game}/")
    assert person.get(f"/games/{game}/record/")["result"]
    assert set(person.told) == {200, 201}


def test_the_bot_of_the_page_is_short_and_clean() -> None:
    text = program()
    assert len(text.splitlines()) < 60
    for check in (["mypy", "--strict", "--config-file="], ["ruff", "check", "--isolated", "--line-length=120"]):
        file = ["-c", text] if check[0] == "mypy" else ["-"]
        done = subprocess.run(
            [sys.executable, "-m", *check, *file], input=text, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.any_database
def test_the_bot_takes_an_invitation_and_plays_to_the_end(real_database: dict[str, str], tmp_path: Path) -> None:
    """Where the site has no stream, it looks every now and then."""
    with real_site(real_database) as site, running(tmp_path / "bot.py", site, "Rufus", spell=0.1):
        mina = Remote(site, "mina")
        game = mina.open("conquian", {"target": 1}, "Rufus")
        play_to_the_end(mina, game)
        players = mina.get(f"/games/{game}/")["players"]
        assert {(player["name"], player["bot"]) for player in players} == {("mina", False), ("Rufus", True)}


@pytest.mark.any_database
def test_the_bot_finds_an_open_table_and_hears_of_each_move_by_the_stream(
    real_database: dict[str, str], tmp_path: Path
) -> None:
    port = free_port()
    environment = {**real_database, "CLEW_SITE_URL": f"http://localhost:{port}", "CLEW_STREAM_HEARTBEAT": "0.5"}
    with (
        StreamProcess(environment, tmp_path / "streams.log") as streams,
        serving(streams.environment, port=port) as site,
        running(tmp_path / "bot.py", site, "Greta", spell=3600),
    ):
        mina = Remote(site, "mina")
        game = mina.post("/games/", {"rules": "conquian", "options": {"target": 1}})["id"]
        play_to_the_end(mina, game)
