"""An answer that is lost on its way comes again with the same Idempotency-Key, and what was done is done once."""

from __future__ import annotations

import json
import os
import random
import socket
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPResponse
from typing import Any, Self
from urllib.parse import urlsplit

import pytest
from pytest_django import DjangoDbBlocker
from urllib3.exceptions import ProtocolError

from games.store.models import Event
from tests.api.programs import new_key
from tests.api.remote import API, Remote, real_site
from tests.conftest import own_database


class Cut:
    """The way to a site, on which an answer that came as far as here is lost: the connection is reset."""

    def __init__(self, site: str) -> None:
        self.answers: list[Any] = []
        self._to = (urlsplit(site).hostname or "", urlsplit(site).port or 0)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://localhost:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(30)
        self._listening.close()

    def _run(self) -> None:
        client, _address = self._listening.accept()
        with client, socket.create_connection(self._to, timeout=30) as site:
            site.sendall(_whole_request(client))
            answer = HTTPResponse(site)
            answer.begin()
            self.answers.append((answer.status, json.loads(answer.read())))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _whole_request(client: socket.socket) -> bytes:
    read = b""
    while b"\r\n\r\n" not in read:
        read += client.recv(65536)
    head, _, body = read.partition(b"\r\n\r\n")
    length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    while len(body) < length:
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body


@pytest.fixture(scope="module")
def site(database_template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """One for all of these tests; its database is also this process's meanwhile."""
    with (
        own_database(database_template, os.environ["REDIS_URL"], django_db_blocker) as environment,
        real_site(environment) as site,
    ):
        yield site


@pytest.fixture
def players(site: str) -> tuple[Remote, Remote]:
    return Remote(site, "alice"), Remote(site, "bob")


def begun(alice: Remote, bob: Remote) -> tuple[str, Remote, Remote]:
    """A game, who is awaited in it, and the other."""
    game = alice.open("conquian", {}, "bob")
    bob.post(f"/games/{game}/seats/")
    return game, *((alice, bob) if awaited(alice, game) else (bob, alice))


def awaited(player: Remote, game: str) -> bool:
    table = player.get(f"/games/{game}/")
    return bool(table["awaits"] == table["you"])


def a_move(player: Remote, game: str, seed: int = 0) -> tuple[dict[str, Any], dict[str, str]]:
    """The body and the header of a random legal move."""
    table = player.get(f"/games/{game}/")
    return {"move": random.Random(seed).choice(table["legal"])}, {"If_Match": f'"{table["step"]}"'}


def events() -> int:
    return Event.objects.count()


def moves_by(game: str, key: str) -> int:
    """How many moves a command of this key has led to, but for lone passes, which follow by themselves."""
    return Event.objects.filter(game=game, command__endswith=f":{key}", type="moved").count()


def lost(player: Remote, path: str, body: object, key: str, **headers: str) -> tuple[int, Any]:
    """What was answered to a POST whose asker never got it."""
    site = player.site
    with Cut(site) as cut:
        player.site = cut.address
        with pytest.raises(ProtocolError):
            player.ask("POST", path, body, key=key, **headers)
        player.site = site
    answer: tuple[int, Any] = cut.answers[0]
    return answer


def test_a_lost_answer_comes_again_and_nothing_happens_twice(players: tuple[Remote, Remote]) -> None:
    game, mover, other = begun(*players)
    move, seen = a_move(mover, game)
    done: list[tuple[Remote, str, Any, dict[str, str]]] = [
        (mover, f"/games/{game}/moves/", move, seen),
        (other, f"/games/{game}/actions/", {"action": "resign"}, {}),
        (mover, "/games/", {"rules": "kathmandu"}, {}),
        (mover, "/games/", {"rules": "forty_thieves"}, {}),
    ]
    for player, path, body, headers in done:
        before = events()
        key = new_key()
        answered = lost(player, path, body, key, **headers)
        assert answered[0] < 300
        after = events()
        assert after > before
        again = player.ask("POST", path, body, key=key, **headers)
        assert (again.status, again.data) == answered
        assert events() == after


def test_a_lost_seat_is_ones_own_when_asked_for_again(players: tuple[Remote, Remote]) -> None:
    alice, bob = players
    game = alice.open("conquian", {}, "bob")
    key = new_key()
    answered = lost(bob, f"/games/{game}/seats/", {"salt": "bobs-own-salt"}, key)
    after = events()
    again = bob.ask("POST", f"/games/{game}/seats/", {"salt": "bobs-own-salt"}, key=key)
    assert (again.status, again.data) == answered
    assert events() == after


def test_the_answer_is_the_same_when_play_went_on_meanwhile(players: tuple[Remote, Remote]) -> None:
    game, mover, other = begun(*players)
    move, seen = a_move(mover, game)
    key = new_key()
    answered = lost(mover, f"/games/{game}/moves/", move, key, **seen)
    while awaited(mover, game):  # who melds has to discard
        mover.post(f"/games/{game}/moves/", a_move(mover, game)[0], **a_move(mover, game)[1])
    other.post(f"/games/{game}/moves/", *a_move(other, game)[:1], **a_move(other, game)[1])
    after = events()
    again = mover.ask("POST", f"/games/{game}/moves/", move, key=key, **seen)
    assert (again.status, again.data) == answered
    assert mover.get(f"/games/{game}/")["step"] > again.data["step"]
    assert events() == after


def test_who_hangs_up_at_once_and_asks_again_has_moved_once(players: tuple[Remote, Remote]) -> None:
    """Whether the first request was still heard or not: that is the server's affair."""
    game, mover, _other = begun(*players)
    move, seen = a_move(mover, game)
    text, key = json.dumps(move).encode(), new_key()
    head = {**mover.headers(key, **seen), "Host": "localhost", "Content-Length": str(len(text))}
    lines = [f"POST {API}/games/{game}/moves/ HTTP/1.1", *(f"{name}: {value}" for name, value in head.items())]
    to = urlsplit(mover.site)
    with socket.create_connection((to.hostname, to.port)) as talk:
        talk.sendall("\r\n".join([*lines, "", ""]).encode() + text)
    again = mover.ask("POST", f"/games/{game}/moves/", move, key=key, **seen)
    assert again.status == 200
    assert again.data["step"] > int(seen["If_Match"].strip('"'))
    assert moves_by(game, key) == 1


def test_the_same_key_twice_at_the_same_time_is_one_move_and_one_answer(players: tuple[Remote, Remote]) -> None:
    game, mover, other = begun(*players)
    for turn in range(6):
        player = mover if awaited(mover, game) else other
        if turn and not awaited(player, game):
            break  # it is over
        move, seen = a_move(player, game, seed=turn)
        before, together = events(), threading.Barrier(2)

        def send(
            player: Remote = player, move: Any = move, seen: Any = seen, turn: int = turn, together: Any = together
        ) -> tuple[int, Any]:
            together.wait()
            answer = player.ask("POST", f"/games/{game}/moves/", move, key=f"turn-{turn}", **seen)
            return answer.status, answer.data

        with ThreadPoolExecutor(2) as threads:
            first, second = (future.result() for future in [threads.submit(send), threads.submit(send)])
        assert first == second
        assert first[0] == 200
        player.ask("POST", f"/games/{game}/moves/", move, key=f"turn-{turn}", **seen)
        assert moves_by(game, f"turn-{turn}") == 1
        assert events() > before


def test_who_saw_an_older_step_is_shown_what_everybody_asks_for(players: tuple[Remote, Remote]) -> None:
    game, mover, other = begun(*players)
    move, seen = a_move(mover, game)
    mover.post(f"/games/{game}/moves/", move, **seen)
    after = events()
    for player in (mover, other):
        stale = player.ask("POST", f"/games/{game}/moves/", move, **seen)
        assert stale.status == 412
        assert stale.headers["Content-Type"] == "application/problem+json"
        assert stale.data["type"].endswith("#stale")
        assert stale.data["game"] == player.get(f"/games/{game}/")
    assert events() == after
