"""Which streams are open, what each follows, and what it still has to say.

How far a game is is a state, not news of its own: a stream keeps only the newest of each game, so a reader who is slow
is owed one line a game, however much happened.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from config.streams.tickets import Ticket


class Mark(NamedTuple):
    """How far a game is: the version that counts its events, and the number of its last remark."""

    version: int = 0
    talk: int = 0

    def joined(self, other: Mark) -> Mark:
        """The later of both, each number by itself: messages may overtake one another."""
        return Mark(max(self.version, other.version), max(self.talk, other.talk))


#: Of a game that is followed without anything being known of it.
NOTHING: Final = Mark()


class Full(Exception):
    """There are too many streams: of this person or address (``own``), or of all."""

    def __init__(self, *, own: bool) -> None:
        super().__init__(own)
        self.own = own


@dataclass(frozen=True, slots=True)
class Limits:
    """How many streams may be open in one process: of all, of one person, from one address."""

    most: int
    person: int
    address: int


class Stream:
    """One open stream. ``game`` is the one it is for, None for one that follows all games of ``user``."""

    __slots__ = ("_known", "_unsaid", "address", "game", "hears_talk", "over", "shut_out", "token", "user", "woken")

    def __init__(self, ticket: Ticket, address: str) -> None:
        self.game = ticket.game
        self.user = ticket.user
        self.token = ticket.token
        self.address = address
        self.woken = asyncio.Event()
        #: It shall say no more.
        self.over = False
        #: Who opened it may not hear any more.
        self.shut_out = False
        self.hears_talk = ticket.hears_talk
        self._known: dict[str, Mark] = {}
        self._unsaid: dict[str, Mark] = {}

    @property
    def person(self) -> int | None:
        """Whose games it follows; None where it is for one game alone."""
        return self.user if self.game is None else None

    @property
    def games(self) -> Iterable[str]:
        """The games that it follows."""
        return self._known

    def follow(self, game: str) -> None:
        """Count a game among its own, though nothing is known of it yet."""
        self._known.setdefault(game, NOTHING)

    def tell(self, game: str, mark: Mark) -> None:
        """Have it say that a game is so far, unless that is known already."""
        before = self._known.get(game, NOTHING)
        after = before.joined(mark if self.hears_talk else Mark(mark.version))
        if after != before:
            self._known[game] = self._unsaid[game] = after
            self.woken.set()

    def end(self) -> None:
        """Have it end."""
        self.over = True
        self.woken.set()

    def take(self) -> dict[str, Mark]:
        """What is to be said now: how far each game is."""
        if not self.over:
            self.woken.clear()
        unsaid, self._unsaid = self._unsaid, {}
        return unsaid


class Hub:
    """All open streams of this process. Not for several threads."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.streams: set[Stream] = set()
        self._followers: dict[str, set[Stream]] = {}
        self._of_person: dict[int, set[Stream]] = {}
        self._counts: Counter[int | str] = Counter()

    @property
    def games(self) -> list[str]:
        """All games that somebody follows."""
        return list(self._followers)

    @property
    def people(self) -> list[int]:
        """Everybody who follows all their games."""
        return list(self._of_person)

    def open(self, ticket: Ticket, address: str) -> Stream:
        """A new stream, which hears of its game from now on. Raises :class:`Full`."""
        if len(self.streams) >= self.limits.most:
            raise Full(own=False)
        if self._counts[address] >= self.limits.address:
            raise Full(own=True)
        if ticket.user is not None and self._counts[ticket.user] >= self.limits.person:
            raise Full(own=True)
        stream = Stream(ticket, address)
        self.streams.add(stream)
        self._counts.update(_owners(stream))
        if stream.game is not None:
            stream.follow(stream.game)
            self._followers.setdefault(stream.game, set()).add(stream)
        elif stream.user is not None:
            self._of_person.setdefault(stream.user, set()).add(stream)
        return stream

    def close(self, stream: Stream) -> None:
        """Forget a stream."""
        self.streams.discard(stream)
        for owner in _owners(stream):
            self._counts[owner] -= 1
            if not self._counts[owner]:
                del self._counts[owner]
        for game in stream.games:
            _leave(self._followers, game, stream)
        if stream.person is not None:
            _leave(self._of_person, stream.person, stream)

    def sits(self, user: int, games: Iterable[str]) -> None:
        """Have the streams of a person follow these games, too."""
        for stream in self._of_person.get(user, ()):
            for game in games:
                self._followers.setdefault(game, set()).add(stream)
                stream.follow(game)

    def shut_out(self, users: Iterable[int], tokens: Iterable[int]) -> None:
        """End the streams of people whose accounts were closed, and those opened by tokens that were revoked."""
        users, tokens = set(users), set(tokens)
        for stream in self.streams:
            if stream.user in users or stream.token in tokens:
                stream.shut_out = True
                stream.end()

    def moved(self, game: str, mark: Mark, users: Iterable[int] = ()) -> None:
        """Tell all who follow a game how far it is; ``users`` are those who have just sat down at it."""
        for user in users:
            self.sits(user, [game])
        for stream in self._followers.get(game, ()):
            stream.tell(game, mark)


def _owners(stream: Stream) -> list[int | str]:
    return [stream.address] if stream.user is None else [stream.address, stream.user]


def _leave[K](streams: dict[K, set[Stream]], key: K, stream: Stream) -> None:
    others = streams.get(key)
    if others is not None:
        others.discard(stream)
        if not others:
            del streams[key]
