"""How fast games are stored and loaded: ``python benchmarks/store.py [SECONDS]``, from an environment with dev.txt.

Starts a PostgreSQL of its own, whose commits wait for the disk (fsync on), and a Valkey for the hints. In the same run,
by 1, 4 and 8 processes at once, each with games of its own:

- *bare insert*: one row, inserted and committed with psycopg alone: the least that anything stored can cost;
- *append*: one move of Ariadne's Thread by the store's ``append`` (the event, its hash, the head), already decided;
- *play*: one move by ``services.play``: who may, load, decide, append, head, messages, commit.

Each round is timed from when all processes are ready until the last has done its share. Then one process loads a
finished game of 97 steps, beside a plain fold of the same steps by the rules alone, and of as many small JSON events.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import statistics
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a plain script, from anywhere

PROCESSES = (1, 4, 8)
ROUNDS = 3
APPENDS = 60
INSERTS = 300
READS = 30
TABLE = "CREATE TABLE bare (id bigserial PRIMARY KEY, game uuid, version int, payload jsonb, at bigint)"

#: Does its preparations, and returns the work and how many of its kind it is.
type Prepare = Callable[[float], Callable[[], int]]


def recorded_game() -> dict[str, Any]:
    """The first recorded case of Ariadne's Thread."""
    with (ROOT / "tests" / "cases" / "ariadne.jsonl").open() as lines:
        document: dict[str, Any] = json.loads(next(lines))
    return document


def prepare_insert(seconds: float) -> Callable[[], int]:
    import psycopg

    connection = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    game, payload = uuid.uuid4(), json.dumps({"seat": 0, "move": {"type": "place", "card": "7S", "cell": "a1"}})

    def work() -> int:
        for version in range(INSERTS):
            connection.execute(
                "INSERT INTO bare (game, version, payload, at) VALUES (%s, %s, %s, %s)",
                (game, version, payload, version),
            )
        return INSERTS

    return work


def prepare_append(seconds: float) -> Callable[[], int]:
    from django.db import transaction

    with transaction.atomic():
        return _prepare_append()


def _prepare_append() -> Callable[[], int]:
    from games.store.thread import append, load
    from games.table.commands import PlayMove, SitDown, Terms
    from games.table.dealer import Dealer
    from games.table.decider import decide, open_table

    dealer = Dealer(lambda: bytes(32))
    ready = []
    for _ in range(APPENDS):
        game_id, at = str(uuid.uuid4()), time.time_ns() // 1000
        events = open_table(game_id, Terms("ariadne"), SitDown("a-salt-of-one", "server"), dealer, at)
        append(None, events, game_id=game_id, at=at, command=None)
        thread = load(game_id)
        append(
            thread, decide(thread.table, SitDown("a-salt-of-two", "server"), dealer, at),
            game_id=game_id, at=at, command=None,
        )  # fmt: skip
        thread = load(game_id)
        table = thread.table
        move = PlayMove(table.awaited_seat or 0, table.rules.legal_moves(table.state)[0], None)
        ready.append((thread, decide(table, move, dealer, at), game_id, at))

    def work() -> int:
        for thread, events, game_id, at in ready:
            append(thread, events, game_id=game_id, at=at, command="0:a-move")
        return APPENDS

    return work


def prepare_play(seconds: float) -> Callable[[], int]:
    from accounts.models import User
    from games import services

    name = uuid.uuid4().hex[:12]
    players = [User.objects.create_user(f"{name}-{seat}") for seat in (0, 1)]
    steps = recorded_game()["steps"]
    deals = [tuple(map(tuple, step["deal"])) for step in steps if "deal" in step]
    recorded = dict(enumerate(deals, start=1))
    moves = [(players[step["seat"]], step["move"]) for step in steps if "move" in step]

    def play_games() -> Iterator[int]:
        while True:
            opened = services.open_game(players[0], services.Terms("ariadne", opener_seat="first"), recorded=recorded)
            services.sit_down(players[1], opened.table.id, recorded=recorded)
            for player, move in moves:
                services.play(player, opened.table.id, move, command=uuid.uuid4().hex, recorded=recorded)
                yield 1

    games = play_games()
    next(games)  # what is imported and connected by the first move is no part of the others

    def work() -> int:
        until, played = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            played += next(games)
        return played

    return work


KINDS: dict[str, Prepare] = {"bare insert": prepare_insert, "append": prepare_append, "play": prepare_play}


def serve(pipe: Connection) -> None:
    """A worker: prepares the kind that it is told, then does its share when told to, until the pipe closes."""
    import django

    django.setup()
    while (told := pipe.recv()) is not None:
        work = KINDS[told[0]](told[1])
        pipe.send("ready")
        pipe.recv()
        began = time.monotonic()
        pipe.send((work(), began, time.monotonic()))


@contextmanager
def workers(count: int) -> Iterator[list[Connection]]:
    """So many processes, each with the end of a pipe to it."""
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for _ in range(count):
        mine, theirs = context.Pipe()
        processes.append(context.Process(target=serve, args=(theirs,), daemon=True))
        processes[-1].start()
        theirs.close()
        pipes.append(mine)
    yield pipes
    for pipe in pipes:
        pipe.send(None)
    for process in processes:
        process.join()


def rate(kind: str, pipes: Sequence[Connection], seconds: float) -> float:
    """How many of a kind are done a second by these workers at once: the median of the rounds."""
    rates = []
    for _ in range(ROUNDS):
        for pipe in pipes:
            pipe.send((kind, seconds))
        for pipe in pipes:
            pipe.recv()
        for pipe in pipes:
            pipe.send("go")
        told = [pipe.recv() for pipe in pipes]
        taken = max(end for _, _, end in told) - min(begin for _, begin, _ in told)
        rates.append(sum(done for done, _, _ in told) / taken)
    return float(statistics.median(rates))


def milliseconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """The median time of one call by this clock, after one that fills caches."""
    work()
    times = []
    for _ in range(READS):
        began = clock()
        work()
        times.append(clock() - began)
    return statistics.median(times) * 1000


def print_load() -> None:
    """Load a finished game of 97 steps, and fold the same without a database."""
    from io import StringIO

    from django.core.management import call_command

    from games.engine import get_rules
    from games.store.thread import load

    out = StringIO()
    call_command("play_record", str(ROOT / "tests" / "cases" / "ariadne.jsonl"), line=1, stdout=out)
    game_id = out.getvalue().partition(":")[0]
    rules, steps = get_rules("ariadne", 1), recorded_game()["steps"]
    texts = [json.dumps({"type": "moved", "by": number % 2}) for number in range(len(steps))]

    def by_the_rules() -> None:
        state = rules.start(rules.options({}))
        for step in steps:
            if "deal" in step:
                state = rules.deal(state, tuple(map(tuple, step["deal"])))
            else:
                state = rules.play(state, step["move"]).state

    def plain() -> None:
        state = {"moves": 0, "by": [0, 0]}
        for text in texts:
            event = json.loads(text)
            by = [count + (seat == event["by"]) for seat, count in enumerate(state["by"])]  # type: ignore[arg-type, var-annotated]
            state = {"moves": state["moves"] + 1, "by": by}  # type: ignore[operator]

    print(f"\n{f'a game of {len(steps)} steps, ms':28}{'passed':>9}{'of this process':>18}")
    works: dict[str, Callable[[], object]] = {
        "load from the database": lambda: load(game_id),
        "fold by the rules alone": by_the_rules,
        "fold of small JSON events": plain,
    }
    for label, work in works.items():
        passed, own = (milliseconds(work, clock) for clock in (time.perf_counter, time.process_time))
        print(f"{label:28}{passed:9.2f}{own:18.2f}")


@contextmanager
def servers() -> Iterator[None]:
    """PostgreSQL and Valkey of this run's own, migrated, in the environment."""
    from tests.plugins.servers import Postgres, Valkey

    with Postgres(fsync=True) as postgres, Valkey() as valkey, TemporaryDirectory() as folder:
        os.environ.update(
            DATABASE_URL=postgres.url,
            REDIS_URL=valkey.url,
            CLEW_DATA=folder,
            DJANGO_SECRET_KEY="a secret of the benchmark",
            DJANGO_SETTINGS_MODULE="config.settings",
            CLEW_LOG_LEVEL="ERROR",
        )
        print(f"PostgreSQL {postgres.version} with fsync, {os.cpu_count()} cores, Python {sys.version.split()[0]}")
        import django
        from django.core.management import call_command
        from django.db import connection

        django.setup()
        call_command("migrate", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute(TABLE)
        yield
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's own


def main(seconds: float) -> None:
    """Print both tables."""
    with servers(), workers(max(PROCESSES)) as pipes:
        print(f"\n{'a second, by processes':28}" + "".join(f"{count:>9}{'':10}" for count in PROCESSES))
        bare: dict[int, float] = {}
        for kind in KINDS:
            line = f"{kind:28}"
            for count in PROCESSES:
                reached = rate(kind, pipes[:count], seconds)
                bare.setdefault(count, reached)
                line += f"{reached:9,.0f}{bare[count] / reached:8.1f} x"
            print(line, flush=True)
        print_load()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers are stopped then too
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
