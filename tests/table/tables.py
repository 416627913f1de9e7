"""Tables for tests: opened, played and folded in memory, with a fixed secret and clock."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

import games.engine
from games.engine.cards import pack
from games.engine.contract import Packs, Play
from games.table.commands import Command, PlayMove, SitDown, Terms
from games.table.dealer import Dealer, Recorded
from games.table.decider import decide, open_table
from games.table.events import Event, canonical_json, decode
from games.table.state import Stamped, Table, evolve
from tests.contract.play import random_move
from tests.contract.tiny import Climb

GAME = "0a7bfa0c-5f0e-4b7e-9b43-4f6f3b1d2c11"
AT = 1_800_000_000_000_000
SECRET = bytes(range(32))
SALTS = ("alices-own-salt", "bobs-own-salt")
#: Every game that is played here, by slug: the real ones, and the tiny one.
SLUGS = ["ariadne", "climb", "conquian", "forty_thieves", "kathmandu"]


@contextmanager
def climb_known() -> Iterator[None]:
    """While it lasts, the tiny example game is registered like any other."""
    registered = {**games.engine._registry(), ("climb", 1): Climb()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games.engine, "_registry", lambda: registered)
        yield


class Thread:
    """A thread in memory: every append is kept as it would be stored."""

    def __init__(self, terms: Terms, recorded: Recorded | None = None) -> None:
        self.dealer = Dealer(lambda: SECRET, recorded)
        self.stored: list[tuple[str, int, str]] = []
        self.tables: list[Table] = []
        self._extend(open_table(GAME, terms, SitDown(SALTS[0], "player"), self.dealer, AT))

    @property
    def table(self) -> Table:
        return self.tables[-1]

    def do(self, command: Command) -> list[Event]:
        """Decide and append; what was decided. Time goes on by a second."""
        at = self.table.last_at + 1_000_000
        return self._extend(decide(self.table, command, self.dealer, at), at)

    def sit(self) -> list[Event]:
        return self.do(SitDown(SALTS[1], "server"))

    def _extend(self, events: Sequence[Event], at: int = AT) -> list[Event]:
        for event in events:
            before = self.tables[-1] if self.tables else None
            self.tables.append(evolve(before, Stamped(event, len(self.tables) + 1, at), GAME))
            self.stored.append((event.type, event.schema, canonical_json(event.payload())))
        return list(events)

    def folded_again(self) -> Table:
        """The table as folded from what was stored, read back from JSON."""
        table: Table | None = None
        for number, (name, schema, payload) in enumerate(self.stored, start=1):
            event = decode(name, schema, json.loads(payload))
            table = evolve(table, Stamped(event, number, self.tables[number - 1].last_at), GAME)
        assert table is not None
        return table


def begun(slug: str, recorded: Recorded | None = None, **terms: Any) -> Thread:
    """A game that has started, seats in order of places unless said otherwise."""
    thread = Thread(Terms(slug, **{"opener_seat": "first", **terms}), recorded)
    while thread.table.status == "open":
        thread.sit()
    return thread


def played(slug: str, seed: int, moves: int, recorded: Recorded | None = None, **terms: Any) -> Thread:
    """A game after so many random moves, or fewer if it ends sooner."""
    thread, rng = begun(slug, recorded, **terms), random.Random(seed)
    for _ in range(moves):
        if thread.table.awaited_seat is None or thread.table.stuck:
            break
        thread.do(next_move(thread.table, rng))
    return thread


def next_move(table: Table, rng: random.Random) -> PlayMove:
    """A random legal move of the awaited seat."""
    seat = table.awaited_seat
    assert seat is not None
    return PlayMove(seat, random_move(table.rules, table.state, rng), table.step)


def line(table: Table) -> list[Any]:
    """The steps of the line, for comparing with others."""
    return [(entry.step, entry.automatic if isinstance(entry.step, Play) else None) for entry in table.line]


def climb_deal(first: str, second: str) -> dict[int, Packs]:
    """A recorded deal of Climb with these hands, such as ``"2H 4H 6H 8H TH"``."""
    hands = first.split() + second.split()
    return {1: ((*hands, *(card for card in pack(suits="H") if card not in hands)),)}
