"""Games between two people, for tests of what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from accounts.models import User
from games import services
from games.engine import all_rules
from games.engine.cases import read_cases
from games.engine.contract import Deal, Play, Step
from games.engine.record import Record
from games.store.thread import load
from games.table.commands import Terms
from games.table.events import OpenerSeat
from games.table.state import Table
from notifications.models import Message

CASES = Path(__file__).resolve().parent.parent / "cases"

#: Every registered game between two players.
TWO_PLAYER_GAMES = [rules.slug for rules in all_rules() if rules.seats == 2]


def person(name: str, **fields: Any) -> User:
    """Somebody with a mail address."""
    return User.objects.create_user(name, f"{name}@example.com", **fields)


@cache
def cases(slug: str) -> list[Record]:
    """The recorded cases of a game."""
    return [case for _, case in read_cases((CASES / f"{slug}.jsonl").read_bytes())]


def finished_case(slug: str) -> Record:
    """The game's shortest case that reaches its end."""
    return min((case for case in cases(slug) if case.result is not None), key=lambda case: len(case.steps))


def start(first: User, second: User, slug: str = "ariadne", opener_seat: OpenerSeat = "first") -> str:
    """A running game that ``first`` opened and ``second`` sat down at; its id."""
    done = services.open_game(first, Terms(slug, opener_seat=opener_seat))
    return services.sit_down(second, done.table.id).table.id


def move(user: User, game: str) -> Table:
    """Make some legal move; the table after it."""
    table = load(game).table
    return services.play(user, game, table.rules.legal_moves(table.state)[0]).table


def replayed(record: Record, steps: Sequence[Step], first: User, second: User) -> Table:
    """A game in which ``first`` and ``second`` made the moves of these steps over their deals."""
    recorded = dict(enumerate((step.packs for step in steps if isinstance(step, Deal)), start=1))
    terms = Terms(record.rules.slug, record.options, opener_seat="first", quick_pass=False)
    table = services.open_game(first, terms, recorded=recorded).table
    table = services.sit_down(second, table.id, recorded=recorded).table
    for step in steps:
        if isinstance(step, Play):
            table = services.play((first, second)[step.seat], table.id, step.move, recorded=recorded).table
    return table


def states(game: str) -> list[str]:
    """The states of a game's messages, in order of the news."""
    return list(Message.objects.filter(game=game).order_by("version").values_list("state", flat=True))
