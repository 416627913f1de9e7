"""What open streams cost, and how soon they tell: ``python benchmarks/stream.py [STREAMS]``, 2,000 unless said.

From an environment with dev.txt. Starts a PostgreSQL of its own, whose commits wait for the disk (fsync on), a Valkey,
and one stream process as it runs in production; one other process holds the readers' connections. In the same run:

- *memory* of the process that holds the streams, before and after they are opened;
- the time from the call of ``services.play``, with all that it does, until readers have the new version: *a game that
  all watch*, to each of them; and *a game of two*, to both of its players, while all the other streams are open;
- as the limit: the same bytes written to as many plain connections by a bare asyncio process that hears the same
  channel, and a message of that channel to one subscriber.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import resource
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a plain script, from anywhere

STREAMS = 2_000
ROUNDS = 15
#: Connections that are opened at a time.
AT_ONCE = 200
SECONDS = 60
CHANNEL = "clew:benchmark"

type Milliseconds = list[float]


# --- the readers' process ---------------------------------------------------------------------------------------------


class Reader(asyncio.Protocol):
    """One connection, which notes when it received what all are waiting for."""

    def __init__(self, readers: Readers, greeting: bytes) -> None:
        self.readers = readers
        self.greeting = greeting
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self.greeting)  # type: ignore[attr-defined] # a TCP connection's can

    def data_received(self, data: bytes) -> None:
        if not self.opened.done() and b"version" in data:
            self.opened.set_result(None)
        elif self.readers.wanted in data:
            self.readers.heard(time.monotonic_ns())


class Readers:
    """All connections of the readers' process, and its end of the pipe: it is told what to do and answers."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.wanted = b"nothing yet"
        self.times: list[int] = []
        self.count = 0
        self.all_heard = asyncio.Event()
        self.open_ones: list[Reader] = []

    def heard(self, at: int) -> None:
        self.times.append(at)
        if len(self.times) == self.count:
            self.all_heard.set()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        while (told := await loop.run_in_executor(None, self.pipe.recv)) is not None:
            what, *arguments = told
            await getattr(self, what)(*arguments)

    async def open(self, port: int, greetings: list[bytes]) -> None:
        loop = asyncio.get_running_loop()
        for start in range(0, len(greetings), AT_ONCE):
            batch = [Reader(self, greeting) for greeting in greetings[start : start + AT_ONCE]]
            for reader in batch:
                await loop.create_connection(lambda reader=reader: reader, "127.0.0.1", port)  # type: ignore[misc]
            async with asyncio.timeout(SECONDS):
                await asyncio.gather(*(reader.opened for reader in batch))
            self.open_ones += batch
        self.pipe.send("open")

    async def expect(self, wanted: bytes, count: int) -> None:
        self.wanted, self.count = wanted, count
        self.times.clear()
        self.all_heard.clear()
        self.pipe.send("ready")
        async with asyncio.timeout(SECONDS):
            await self.all_heard.wait()
        self.pipe.send(self.times)

    async def close(self) -> None:
        for reader in self.open_ones:
            reader.transport.close()
        self.open_ones.clear()
        self.pipe.send("closed")


def read(pipe: Connection) -> None:
    """The readers' process."""
    raise_limit()
    asyncio.run(Readers(pipe).run())


# --- the limit: bare asyncio ------------------------------------------------------------------------------------------


def write_barely(pipe: Connection, redis_url: str) -> None:
    """A process that takes plain connections and writes to all of them what it hears on the channel."""
    raise_limit()
    asyncio.run(_write_barely(pipe, redis_url))


async def _write_barely(pipe: Connection, redis_url: str) -> None:
    from redis.asyncio import Redis

    transports: list[Any] = []

    class Writer(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            transports.append(transport)
            transport.write(b"version")

    server = await asyncio.get_running_loop().create_server(Writer, "127.0.0.1", 0, backlog=4096)
    async with Redis.from_url(redis_url) as client, client.pubsub() as pubsub:
        await pubsub.subscribe(CHANNEL)
        pipe.send(server.sockets[0].getsockname()[1])
        async for message in pubsub.listen():
            if message["type"] == "message":
                for transport in transports:
                    transport.write(message["data"])


# --- measuring --------------------------------------------------------------------------------------------------------


def raise_limit() -> None:
    """Have as many open files as the system lets this process have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@contextmanager
def process(work: Callable[..., None], *arguments: Any) -> Iterator[Connection]:
    """A process of its own, which is ended afterwards, and a pipe to it."""
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=work, args=(there, *arguments), daemon=True)
    child.start()
    try:
        yield here
    finally:
        child.terminate()
        child.join()


def told(pipe: Connection) -> Any:
    """What comes through the pipe; an error where nothing does."""
    if not pipe.poll(2 * SECONDS):
        message = "the other process says nothing"
        raise TimeoutError(message)
    return pipe.recv()


def timed(readers: Connection, wanted: bytes, count: int, act: Callable[[], None]) -> tuple[Milliseconds, float]:
    """From the call of ``act`` until each of so many readers has what is wanted; and how long the call itself took."""
    readers.send(("expect", wanted, count))
    assert told(readers) == "ready"
    began = time.monotonic_ns()
    act()
    done = time.monotonic_ns()
    return [(at - began) / 1e6 for at in told(readers)], (done - began) / 1e6


def resident(pid: int) -> int:
    """The memory of a process and its children that is in use, in bytes."""
    total = 0
    for number in (pid, *_children(pid)):
        status = Path(f"/proc/{number}/status").read_text()
        total += int(status.partition("VmRSS:")[2].split()[0]) * 1024
    return total


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def row(what: str, times: Milliseconds, called: Milliseconds | None = None) -> None:
    """Print a line of the table."""
    ordered = sorted(times)
    shown = [statistics.median(ordered), ordered[int(len(ordered) * 0.99) - 1], ordered[-1]]
    call = "" if called is None else f"{statistics.median(called):12.1f}"
    print(f"{what:52}" + "".join(f"{value:9.1f}" for value in shown) + call, flush=True)


class Site:
    """A web process with games, beside the stream process."""

    def __init__(self) -> None:
        from accounts.models import User

        self.players = [User.objects.create_user(name) for name in ("mina", "jonas")]

    def game(self) -> str:
        from games import services

        opened = services.open_game(self.players[0], services.Terms("ariadne", opener_seat="first"))
        services.sit_down(self.players[1], opened.table.id)
        return str(opened.table.id)

    def next_move(self, game: str) -> tuple[Callable[[], None], bytes]:
        """What makes a random move, and what readers are then told."""
        from games import services
        from games.store.thread import load

        table = load(game).table
        seat = table.awaited_seat
        assert seat is not None
        move = random.choice(table.rules.legal_moves(table.state))
        data = json.dumps({"game": game, "version": table.version + 1})[:-1]
        return lambda: (services.play(self.players[seat], game, move), None)[1], data.encode()

    def greeting(self, game: str) -> bytes:
        from config.streams.tickets import ticket_for_game

        ticket = ticket_for_game(game, self.players[0].pk, sits=True).signed()
        return f"GET /stream/?ticket={ticket} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def measure(streams: int) -> None:
    """Print the table."""
    from django.conf import settings

    from tests.streams.live.process import StreamProcess

    site = Site()
    raise_limit()
    limits = dict.fromkeys(("CLEW_STREAM_PERSON", "CLEW_STREAM_ADDRESS", "CLEW_STREAM_MOST"), str(2 * streams))
    log = Path(settings.CLEW_DATA) / "streams.log"
    with process(read) as readers, StreamProcess({**os.environ, **limits}, log) as server:
        assert server.process is not None
        print(f"\n{'milliseconds until readers know':52}{'p50':>9}{'p99':>9}{'max':>9}{'the call':>12}")
        before = resident(server.process.pid)
        watched, of_two = site.game(), site.game()
        readers.send(("open", server.port, [site.greeting(watched)] * (streams - 2)))
        assert told(readers) == "open"
        readers.send(("open", server.port, [site.greeting(of_two)] * 2))
        assert told(readers) == "open"
        after = resident(server.process.pid)
        for what, game, count in (
            (f"a move in a game that {streams - 2:,} watch", watched, streams - 2),
            (f"a move in a game of two, beside {streams - 2:,} others", of_two, 2),
        ):
            times: Milliseconds = []
            calls: Milliseconds = []
            for _ in range(ROUNDS):
                move, wanted = site.next_move(game)
                reached, call = timed(readers, wanted, count, move)
                times += reached
                calls.append(call)
            row(what, times, calls)
        readers.send(("close",))
        assert told(readers) == "closed"
        bare(readers, streams)
    each = (after - before) / streams / 1024
    print(f"\n{streams:,} streams: {before / 2**20:.0f} MB before, {after / 2**20:.0f} MB after, {each:.1f} KB each")


def bare(readers: Connection, streams: int) -> None:
    """Print what the same costs a process that does nothing else."""
    import redis
    from django.conf import settings

    client = redis.Redis.from_url(settings.CLEW_REDIS_URL)
    with process(write_barely, settings.CLEW_REDIS_URL) as writer:
        readers.send(("open", told(writer), [b"hello"] * streams))
        assert told(readers) == "open"
        times: Milliseconds = []
        for number in range(ROUNDS):
            text = f'id: {number}\ndata: {{"game": "{"0" * 36}", "version": {number}, "talk": 0}}\n\n'.encode()
            times += timed(readers, text, streams, lambda text=text: (client.publish(CHANNEL, text), None)[1])[0]  # type: ignore[misc]
        row(f"bare asyncio, a message to {streams:,} plain connections", times)
    with client.pubsub() as pubsub:  # type: ignore[no-untyped-call] # the library's
        pubsub.subscribe(CHANNEL)
        pubsub.get_message(timeout=5)
        heard: Milliseconds = []
        for _ in range(ROUNDS):
            began = time.monotonic_ns()
            client.publish(CHANNEL, "x")
            while pubsub.get_message(timeout=5) is None:
                pass
            heard.append((time.monotonic_ns() - began) / 1e6)
        row("Valkey alone, a message to one subscriber", heard)
    client.close()


def main(streams: int) -> None:
    """Start the servers and measure."""
    from benchmarks.store import servers

    os.environ["CLEW_STREAM_URL"] = "/stream/"
    os.environ["CLEW_STREAM_HEARTBEAT"] = "3600"
    with servers():
        measure(streams)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers are stopped then too
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STREAMS)
