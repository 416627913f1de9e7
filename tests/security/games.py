"""Games in the database that a viewer can't tell apart: the same moves over other hidden cards."""

from __future__ import annotations

import random
from collections.abc import Iterator, MutableSequence
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from games import services
from games.engine.contract import SPECTATOR, CannotResample, Deal, Play, Refusal, Step, Viewer, resample
from games.services import Terms
from games.table.commands import PlayMove
from games.table.state import Table
from tests.table.tables import Thread, begun, played

#: How many random games are tried before a test says that a game hides nothing.
SEEDS = range(40)
#: How many other deals are tried for each of them.
TRIES = 10


def deals(steps: list[Step]) -> dict[int, Any]:
    """The deals of a course, by round: what a game is played again from."""
    return dict(enumerate((step.packs for step in steps if isinstance(step, Deal)), start=1))


@dataclass(frozen=True)
class Twins:
    """Two games with the same moves, whose deals differ only where ``viewer`` can't know."""

    viewer: Viewer
    real: Thread
    other: Thread

    @property
    def moves(self) -> list[Play]:
        """What the players did themselves, in order."""
        line = self.real.table.line
        return [entry.step for entry in line if isinstance(entry.step, Play) and not entry.automatic]


def steps_of(table: Table) -> list[Step]:
    return [entry.step for entry in table.line]


class Gentle(random.Random):
    """Shuffles by letting a single pair change places: most lone passes then stay what they are."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        if len(x) > 1:
            i, j = self.sample(range(len(x)), 2)
            x[i], x[j] = x[j], x[i]


def twins(slug: str, viewer: Viewer, seed: int, moves: int, *, quick_pass: bool) -> Twins | None:
    """A random running game of at most so many moves and its twin, or None where none was found.

    A twin whose lone passes, which a quick table makes for everyone to see, are others than the real ones is no twin.
    """
    real = played(slug, seed, moves - seed % moves, quick_pass=quick_pass)
    if real.table.status != "running":
        return None
    rng = Gentle(seed) if quick_pass else random.Random(seed)
    for _ in range(TRIES):
        pair = _twins(real, viewer, rng)
        if pair is not None:
            return pair
    return None


def _twins(real: Thread, viewer: Viewer, rng: random.Random) -> Twins | None:
    table, opened = real.table, real.table.opened
    made = [n for n, entry in enumerate(table.line) if entry.automatic]
    quick = made != [] or (opened.quick_pass and table.rules.lone_pass == "optional")
    try:
        steps = resample(table.rules, opened.options, steps_of(table), viewer, rng, automatic=made, quick_pass=quick)
    except CannotResample:
        return None
    if steps == steps_of(table):
        return None
    pair = Twins(viewer, real, begun(opened.rules, deals(steps), quick_pass=opened.quick_pass))
    try:
        for play in pair.moves:
            pair.other.do(PlayMove(play.seat, play.move, None))
    except Refusal:
        return None
    automatic = [[entry.automatic for entry in thread.table.line] for thread in (pair.real, pair.other)]
    return pair if automatic[0] == automatic[1] and steps_of(pair.other.table) == steps else None


def some_twins(slug: str, viewer: Viewer, moves: int, count: int, *, quick_pass: bool = False) -> Iterator[Twins]:
    """So many twins; fails where random games have none."""
    found = 0
    for seed in SEEDS:
        pair = twins(slug, viewer, seed, moves, quick_pass=quick_pass)
        if pair is not None:
            yield pair
            found += 1
            if found == count:
                return
    raise AssertionError(f"{slug} hides nothing from {viewer} in {len(SEEDS)} games")


def viewers(slug: str) -> list[Viewer]:
    return [*range(begun(slug).table.rules.seats), SPECTATOR]


@dataclass(frozen=True)
class Stored:
    """One of two twins in the database, played move by move."""

    game: str
    people: tuple[User, ...]
    deals: dict[int, Any]

    def play(self, play: Play) -> None:
        services.play(self.people[play.seat], self.game, play.move, recorded=self.deals)


def store(thread: Thread, *people: User) -> Stored:
    """Open a thread's game in the database, with its deals; nobody has moved yet."""
    recorded = deals(steps_of(thread.table))
    seated = people[: thread.table.rules.seats]
    opener, *others = seated
    opened = thread.table.opened
    terms = Terms(opened.rules, opened.options, opener_seat="first", quick_pass=opened.quick_pass)
    game_id = services.open_game(opener, terms, recorded=recorded).table.id
    for other in others:
        services.sit_down(other, game_id, recorded=recorded)
    return Stored(game_id, seated, recorded)
