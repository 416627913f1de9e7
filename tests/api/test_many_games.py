"""Two programs play many games at once to their ends, by the API alone, from their tokens to the records."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.db import connection

from games.engine.__main__ import main as engine
from tests.api.remote import Remote, real_site

#: How many of each are played at once: quick ones, so that many are. SQLite has one writer at a time.
MANY = {"conquian": 36, "kathmandu": 2, "ariadne": 3, "forty_thieves": 9}
FEW = {"conquian": 3, "kathmandu": 1, "ariadne": 1, "forty_thieves": 2}
OPTIONS: dict[str, dict[str, Any]] = {"conquian": {"target": 1}, "kathmandu": {"rounds": 1}}
#: Requests of one program that are on their way at once.
AT_ONCE = 4
ROUNDS = 400


def test_two_programs_play_fifty_games_at_once_to_their_records(real_database: dict[str, str], tmp_path: Path) -> None:
    counts = FEW if connection.vendor == "sqlite" else MANY
    with real_site(real_database) as site:
        alice, bob = Remote(site, "alice"), Remote(site, "bob")
        games = [
            alice.open(rules, OPTIONS.get(rules, {}), *(["bob"] if rules != "forty_thieves" else []))
            for rules, count in counts.items()
            for _ in range(count)
        ]
        bob.accept_all()
        play_all(alice, bob)
        records = {game: alice.get(f"/games/{game}/record/") for game in games}
    statuses = alice.told + bob.told
    # Neither an error nor a limit.
    assert set(statuses) == {200, 201}, statuses
    assert Counter(record["rules"] for record in records.values()) == counts
    for game, record in records.items():
        file = tmp_path / f"{game}.json"
        file.write_text(json.dumps(record))
        assert engine(["verify", str(file)]) == 0
    # And once as people do it.
    command = [sys.executable, "-m", "games.engine", "verify", str(tmp_path / f"{games[0]}.json")]
    assert '"verified":true' in subprocess.run(command, check=True, capture_output=True, text=True).stdout


def play_all(*programs: Remote) -> None:
    """Each in turn makes the moves that are awaited of it, in all its games at once, until nothing is awaited."""
    rng = random.Random(6)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for _ in range(ROUNDS):
            done = 0
            for program in programs:
                waiting = program.awaiting()
                done += len(waiting)
                list(threads.map(program.take_turn, waiting, [random.Random(rng.random()) for _ in waiting]))
            if not done:
                return
    raise AssertionError("the games don't end")
