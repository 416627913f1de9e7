"""Games with clocks, for tests of what time brings about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from accounts.models import User
from config import clock
from games import services
from games.store.models import Event, Head
from games.table.clock import remaining
from games.table.terms import DAY, ClockTerms, PerMove
from tests.games.people import begun, table
from tests.table.tables import climb_deal

#: A Monday.
NOON = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
THREE_DAYS = ClockTerms(PerMove(3 * DAY)).to_json()


@contextmanager
def stopped() -> Iterator[clock.FrozenClock]:
    """The clock, stopped at noon."""
    with clock.frozen(NOON) as frozen:
        yield frozen


def clocked(first: User, second: User, moves: int = 3, **terms: Any) -> str:
    """The id of a game of Climb of so many moves, at most 5: the even seat moves first. Both hold many cards."""
    game_id = begun(
        "climb", first, second, recorded=climb_deal("2H 4H 6H 8H TH", "3H 5H 7H 9H JH"), quick_pass=False,
        **{"clock": THREE_DAYS, **terms},
    )  # fmt: skip
    for number, card in enumerate(("2H", "3H", "4H", "5H", "6H")[:moves]):
        services.play((first, second)[number % 2], game_id, {"type": "play", "card": card})
    return game_id


def due(game_id: str) -> int:
    """The deadline in the head (microseconds since the epoch)."""
    at = Head.objects.get(game=game_id).deadline_at
    assert at is not None
    return at


def left(game_id: str, at: int | None = None) -> int:
    """What the awaited player has left, now or at a moment (microseconds)."""
    now = table(game_id).clock
    assert now is not None
    time = remaining(now, clock.now_us() if at is None else at)
    assert time is not None
    return time


def kinds(game_id: str) -> list[str]:
    """The types of a game's events from the first one on that isn't a move."""
    rows = Event.objects.filter(game=game_id).order_by("version").values_list("type", flat=True)
    return [name for name in rows if name not in {"table_opened", "sat_down", "started", "dealt", "moved"}]


def last(game_id: str) -> Event:
    return Event.objects.filter(game=game_id).order_by("version").reverse()[0]
