"""Programs that use the API of a running site, from outside, by HTTP."""

from __future__ import annotations

import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import urllib3
from django.core.management import call_command
from django.db import connection

from accounts import tokens
from tests.conftest import serving
from tests.games.people import person

API = "/api/v1"
WAIT = 30.0


@dataclass(frozen=True)
class Answer:
    """What came back; ``data`` is the JSON."""

    status: int
    headers: Mapping[str, str]
    data: Any


class Remote:
    """Somebody's program with its token. Paths begin below ``/api/v1``; ``told`` counts the statuses it has met."""

    def __init__(self, site: str, name: str, *scopes: str) -> None:
        self.name = name
        self.site = site
        self.secret = tokens.make(person(name), "a program", scopes or ("read", "play"))[1]
        self.told: Counter[int] = Counter()
        self._pool = urllib3.PoolManager(maxsize=16, retries=False, timeout=WAIT)

    def headers(self, key: str | None = None, **more: str) -> dict[str, str]:
        given = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in more.items()}
        return given if key is None else {**given, "Idempotency-Key": key}

    def ask(self, method: str, path: str, body: object = None, *, key: str | None = None, **headers: str) -> Answer:
        if method == "POST" and key is None:
            key = str(uuid.uuid4())
        sent = None if body is None else json.dumps(body).encode()
        answer = self._pool.request(method, f"{self.site}{API}{path}", body=sent, headers=self.headers(key, **headers))
        self.told[answer.status] += 1
        return Answer(answer.status, answer.headers, json.loads(answer.data) if answer.data else None)

    def get(self, path: str) -> Any:
        """What is there; fails where nothing is."""
        answer = self.ask("GET", path)
        assert answer.status == 200, answer
        return answer.data

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        """What it led to; fails where it was refused."""
        answer = self.ask("POST", path, body, **headers)
        assert answer.status in (200, 201), answer
        return answer.data

    def open(self, rules: str, options: Mapping[str, Any], *invited: str) -> str:
        """Open a private table for these people, or a patience; its id."""
        asked = {"invite": list(invited), "visibility": "invited"} if invited else {}
        game: str = self.post("/games/", {"rules": rules, "options": options, **asked})["id"]
        return game

    def accept_all(self) -> None:
        """Sit down wherever somebody has asked for it."""
        for row in self.get("/games/?status=open&limit=200")["results"]:
            if self.name not in [player["name"] for player in row["players"]]:
                self.post(f"/games/{row['id']}/seats/")

    def awaiting(self) -> list[str]:
        return [row["id"] for row in self.get("/games/?awaiting=me&limit=200")["results"]]

    def take_turn(self, game: str, rng: random.Random) -> Any:
        """Make legal moves at random until somebody else is awaited; give a patience up after some. The table then."""
        table = self.get(f"/games/{game}/")
        moves = 0
        while table["status"] == "running" and table["awaits"] == table["you"]:
            if table["seats"] == 1 and (moves == 12 or not table["legal"]):
                table = self.post(f"/games/{game}/actions/", {"action": "resign"})
            else:
                move = rng.choice(table["legal"])
                table = self.post(f"/games/{game}/moves/", {"move": move}, If_Match=f'"{table["step"]}"')
            moves += 1
        return table


@contextmanager
def real_site(environment: Mapping[str, str], *, threads: int = 8, **more: str) -> Iterator[str]:
    """The site as production runs it; on SQLite an embedded one, as bin/play runs it."""
    embedded = connection.vendor == "sqlite"
    if embedded:
        call_command("createcachetable", "clew_cache", verbosity=0)
    environ = {**environment, "CLEW_DB_POOL": "1", "CLEW_LOG_LEVEL": "WARNING", **more}
    environ["CLEW_EMBEDDED"] = "1" if embedded else "0"
    with serving(environ, threads=threads) as url:
        yield url
