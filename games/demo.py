"""Two demo players, and games for them to look at: some in progress, one of them timed, one finished, one patience.

All is made by the services, as if they had played.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress

from accounts.models import User
from config import clock
from games import services
from games.engine.contract import Move, Rules
from games.selectors import access_to, load_table
from games.services import Terms
from games.table.state import Table
from games.table.terms import DAY, ClockTerms, PerMove
from notifications.models import InboxItem

#: Their names, and the password that is good enough for a site that only this machine can reach.
PLAYERS = ("Mina", "Jonas")
PASSWORD = "follow-the-thread"

_TURNS_IN_PROGRESS = 22
_TURNS_OF_OTHERS = 9
_THREE_DAYS = ClockTerms(PerMove(3 * DAY))

#: A game that is played while it is asked for the moments at which it goes on.
type Course = Iterator[datetime]


def make_demo() -> list[User]:
    """The demo players, made with their games where they aren't there yet; safe to call again."""
    players = [_player(name) for name in PLAYERS]
    now = clock.now()
    courses = [
        _course(players, "finished", now - timedelta(days=41), turns=None),
        _course(players[::-1], "running", now - timedelta(days=6), turns=_TURNS_IN_PROGRESS),
        _course(players, "kathmandu", now - timedelta(days=5), turns=_TURNS_OF_OTHERS, rules="kathmandu"),
        _course(
            players, "conquian", now - timedelta(days=2), turns=_TURNS_OF_OTHERS, rules="conquian", pace=_THREE_DAYS
        ),
    ]
    _in_order(courses)
    services.open_game(players[1], Terms("ariadne"), command="demo-open")
    services.open_game(players[0], Terms("forty_thieves", admits="invited", number=12345), command="demo-patience")
    # What was told of the weeks before has been read.
    InboxItem.objects.filter(user__in=players, read_at__isnull=True).update(read_at=now)
    return players


def _in_order(courses: Iterable[Course]) -> None:
    """Play several games as they would have been played: whatever comes next in any of them."""
    coming = [(next(course), number, course) for number, course in enumerate(courses)]
    while coming:
        moment, number, course = min(coming)
        coming.remove((moment, number, course))
        with clock.frozen(moment):
            following = next(course, None)
        if following is not None:
            coming.append((following, number, course))


def _player(name: str) -> User:
    user = User.objects.filter(name=name).first()
    if user is None:
        user = User.objects.create_user(name, f"{name.lower()}@example.invalid", PASSWORD)
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
    return user


def _begin(players: Sequence[User], name: str, rules: str = "ariadne", pace: ClockTerms | None = None) -> Table:
    """The game of this name as it stands now, opened and begun if it isn't there yet."""
    timed = None if pace is None else pace.to_json()
    terms = Terms(rules, opener_seat="first", quick_pass=False, clock=timed)
    opened = services.open_game(players[0], terms, command=f"demo-{name}")
    services.sit_down(players[1], opened.table.id, command=f"demo-{name}")
    return load_table(access_to(players[0], opened.table.id))


def _course(
    players: Sequence[User],
    name: str,
    begins: datetime,
    *,
    turns: int | None,
    rules: str = "ariadne",
    pace: ClockTerms | None = None,
) -> Course:
    """A game from its beginning until it is over, or has had ``turns`` and the first seat is to move.

    Yields when it goes on, a turn some hours after another, and does so when asked for the next such moment. A game
    that somebody has moved in since stays as it is.
    """
    rng = random.Random(f"{name} 2026")
    at = begins
    yield at
    table = _begin(players, name, rules, pace)
    if turns is not None and table.step > 1:
        return
    while table.status == "running" and (turns is None or table.step <= turns or table.awaited_seat != 0):
        seat = table.awaited_seat
        assert seat is not None
        at += timedelta(minutes=rng.randint(20, 300) if pace is None else rng.randint(10, 60))
        yield at
        move = _sensible(table, seat, rng)
        table = services.play(players[table.place_of(seat)], table.id, move, step=table.step).table


def _sensible(table: Table, seat: int, rng: random.Random) -> Move:
    """A move that a person might make: one of a few that is best for the points on the table right after it."""
    rules: Rules[Any] = table.rules
    moves = rules.legal_moves(table.state)
    if rules.slug != "ariadne":
        return rng.choice([move for move in moves if move["type"] != "pass"] or moves)
    tried = rng.sample(moves, min(40, len(moves)))

    def gain(move: Move) -> int:
        points = rules.view(rules.play(table.state, move).state, seat)["provisional"]
        return int(points[seat] - points[1 - seat])

    return max(tried, key=gain)
