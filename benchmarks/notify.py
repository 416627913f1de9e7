"""What it costs to watch the clocks and to tell people: ``python benchmarks/notify.py [PART…]``.

From an environment with dev.txt. Starts a PostgreSQL of its own, whose commits wait for the disk (fsync on), and a
Valkey for the hints. Parts:

- *sweep*: one sweep with 1,000 and with 1,000,000 games whose clocks run: where nothing is due, and for each of some
  games that it ends. It looks into an index of deadlines, so what waits should cost nothing.
- *send*: mails a second from the outbox to an SMTP server on this machine, by one worker, over one connection: each is
  claimed, looked at again, made with its table and its hand, sent and closed. Turn mails of running games, and ends.
"""

from __future__ import annotations

import signal
import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a plain script, from anywhere

WAITING = (1_000, 1_000_000)
SWEEPS = 15
ENDED = 20
MAILS = 300

#: Heads of running games with deadlines in the next thirty days, as they stand in a table of many games.
HEADS = """
INSERT INTO games_head (game, version, step, status, rules, rules_version, options, admits, quick_pass, seats, taken,
    seating, awaits_seat, awaits_place, awaited_since, awaited_at, opened_at, last_at, deadline_at, result, hash)
SELECT gen_random_uuid(), 9, 6, 'running', 'ariadne', 1, '{}', 'anyone', true, 2, 2,
    '[0, 1]', n %% 2, n %% 2, 9, %(now)s, %(now)s, %(now)s, %(now)s + 60000000 + (random() * 2592000000000)::bigint,
    NULL, '\\x00'
FROM generate_series(1, %(count)s) AS n
"""


def sweep_costs() -> None:
    """Print the milliseconds of a sweep, by how many games wait."""
    from django.db import connection

    from config import clock
    from games import outages, sweeping

    print(f"\n{'one sweep, milliseconds':28}" + "".join(f"{count:>12,}" for count in WAITING))
    idle, ending = [], []
    sweeping.sweep()  # the first one leaves the heartbeat
    inserted = 0
    for count in WAITING:
        with connection.cursor() as cursor:
            cursor.execute(HEADS, {"now": clock.now_us(), "count": count - inserted})
            cursor.execute("VACUUM ANALYZE games_head")
        inserted = count
        outages.beat(clock.now_us())
        idle.append(statistics.median(_timed(sweeping.sweep)[0] for _ in range(SWEEPS)))
        _overdue_games()
        taken, ended = _timed(lambda: sweeping.end_overdue(clock.now_us()))
        assert ended == ENDED, ended
        ending.append(taken / ENDED)
    print(f"{'with nothing due':28}" + "".join(f"{taken:12.1f}" for taken in idle))
    print(f"{'for each game that it ends':28}" + "".join(f"{taken:12.1f}" for taken in ending))


def _overdue_games() -> None:
    from accounts.models import User
    from config import clock
    from games import services

    players = [User.objects.get_or_create(name=name, defaults={"name_key": name})[0] for name in ("mina", "jonas")]
    terms = services.Terms("ariadne", clock={"kind": "move", "per_move": 60_000_000})
    with clock.frozen(clock.now() - timedelta(hours=1)):
        for _ in range(ENDED):
            services.sit_down(players[1], services.open_game(players[0], terms).table.id)


def _timed[T](work: Callable[[], T]) -> tuple[float, T]:
    """The milliseconds that it took, and what it returned."""
    began = time.perf_counter()
    done = work()
    return (time.perf_counter() - began) * 1000, done


def sends() -> None:
    """Print the mails a second, by kind."""
    from django.conf import settings

    from tests.notifications.smtp_sink import Sink

    with Sink() as sink:
        settings.MAILERS = {
            "default": {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "OPTIONS": sink.options}
        }
        print(f"\n{'from outbox to SMTP':28}{'mails':>12}{'a second':>12}")
        for what, ended in (("your turn, with the table", False), ("the game ended", True)):
            _tell(ended=ended)
            before = len(sink.mails)
            taken, _ = _timed(_send)
            count = len(sink.mails) - before
            assert count == MAILS, count
            print(f"{what:28}{count:>12,}{count / taken * 1000:12.1f}")


def _send() -> int:
    from config import clock
    from notifications import sender

    with clock.frozen(clock.now() + timedelta(minutes=5)):
        return sender.send_due(10 * MAILS)


def _tell(*, ended: bool) -> None:
    """A message each for so many people."""
    from accounts.models import User
    from games import services

    host = User.objects.create(name=f"host-{ended}")
    for number in range(MAILS):
        user = User.objects.create(name=f"r{number}-{ended}", email=f"r{number}-{ended}@example.com")
        table = services.open_game(user, services.Terms("ariadne", opener_seat="first")).table
        services.sit_down(host, table.id)
        if ended:
            services.resign(host, table.id)


PARTS: dict[str, Callable[[], None]] = {"sweep": sweep_costs, "send": sends}


def main(names: list[str]) -> None:
    """Run the parts that are named, or all."""
    from benchmarks.store import servers

    with servers():
        for name in names or PARTS:
            PARTS[name]()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers are stopped then too
    main(sys.argv[1:])
