"""What lists show of games: who plays, who is awaited, how it ended. Every list is a fixed number of queries.

Lists are read from heads, seats and invitations alone; no list looks into a game's events.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.names import NAMED, shown
from games import hearing
from games.expiry import expires_at
from games.selectors import NoSuchGame, canonical_id
from games.store.models import Head, Invitation, Seat
from games.store.thread import load
from games.table.events import PUBLIC, EndedBy, OpenerSeat

#: How many rows a page of these lists has.
FINISHED_ROWS, OPEN_ROWS = 10, 20


def entry_of(rules: str, options: Mapping[str, Any]) -> str:
    """The slug that a game is offered and named by: its variant's, where it has variants."""
    return str(options.get("variant", rules))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended for one of its players."""

    #: None: nobody won.
    won: bool | None
    #: The rules' points, None where the game ended outside of them.
    own_score: int | None
    other_scores: tuple[int, ...]
    by: EndedBy
    #: Whether the player themself ended it (resigned, ran out of time).
    by_self: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list of one reader's. Times are microseconds since the epoch."""

    game: str
    rules: str
    #: What it is called by: see :func:`entry_of`.
    entry: str
    seats: int
    taken: int
    admits: str
    step: int
    opened_at: int
    awaited_at: int
    last_at: int
    #: Whether the reader sits here.
    seated: bool
    #: The other players' names, by place. Place 0's is the name of who opened the table.
    others: tuple[str, ...]
    #: The rules' options, and whether lone passes are made by themselves.
    options: Mapping[str, Any]
    quick_pass: bool
    #: The terms of the clock (see ``games.table.terms``), None where no time is kept.
    clock: Mapping[str, Any] | None = None
    #: When whoever is awaited will have run out of time; None where no time passes.
    deadline_at: int | None = None
    outcome: Outcome | None = None
    #: Whether another player said something there that the reader hasn't seen.
    talk: bool = False
    #: Of the reader's own table that waits for somebody: when it is taken away if nobody comes, its link's token, and
    #: whom they invited by name.
    expires_at: int | None = None
    token: str | None = None
    invited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a long list; pages count from 1."""

    rows: Sequence[Listed]
    number: int
    pages: int
    count: int


@dataclass(frozen=True, slots=True)
class Home:
    """A player's own games."""

    #: Those that await them, soonest deadline first, then longest waiting.
    your_turn: list[Listed] = field(default_factory=list)
    #: Those that await somebody else, latest move first.
    waiting: list[Listed] = field(default_factory=list)
    #: Patiences that they have not finished, the one that was played last first. Nobody waits for these.
    patiences: list[Listed] = field(default_factory=list)
    #: Their tables that wait for somebody to sit down, newest first.
    open: list[Listed] = field(default_factory=list)
    #: Tables at which a seat is kept for them by name, newest first.
    invitations: list[Listed] = field(default_factory=list)
    finished: Page = field(default_factory=lambda: Page((), 1, 1, 0))


@dataclass(frozen=True, slots=True)
class Offer:
    """What the holder of an invitation link is offered."""

    row: Listed
    opener_seat: OpenerSeat
    #: Whether a seat is still free.
    free: bool


def home(user: User, *, finished_page: int = 1) -> Home:
    """All of a player's games. Six queries, whatever their number."""
    current = list(_seats_of(user).exclude(game__status="ended").order_by("-game__last_at", "game_id"))
    over, number, pages, count = _page(_ended(user), finished_page, FINISHED_ROWS)
    kept = list(_invited_by_name(user))
    names = _names([*(seat.game_id for seat in current), *(seat.game_id for seat in over), *(head.pk for head in kept)])
    tokens, guests = _invitations([seat.game_id for seat in current if seat.game.status == "open"])

    def row(seat: Seat) -> Listed:
        pk = seat.game_id
        listed = _listed(seat.game, names, seat.place, token=tokens.get(pk), invited=tuple(guests.get(pk, ())))
        return replace(listed, talk=vars(seat)["unheard"])  # see _seats_of

    def awaited(seat: Seat) -> bool:
        return seat.game.status == "running" and seat.game.awaits_place == seat.place

    alone = [seat for seat in current if seat.game.seats == 1]
    running = [seat for seat in current if seat.game.status == "running" and seat.game.seats > 1]
    return Home(
        your_turn=[row(seat) for seat in sorted(filter(awaited, running), key=_order_of_turns)],
        waiting=[row(seat) for seat in running if not awaited(seat)],
        patiences=[row(seat) for seat in alone],
        open=[row(seat) for seat in current if seat.game.status == "open"],
        invitations=[_listed(head, names) for head in kept],
        finished=Page([row(seat) for seat in over], number, pages, count),
    )


def _order_of_turns(seat: Seat) -> tuple[bool, int, int, uuid.UUID]:
    head = seat.game
    return head.deadline_at is None, head.deadline_at or 0, head.awaited_at, head.pk


def visible(
    user: User | None,
    *,
    mine: bool = False,
    awaiting: bool = False,
    status: str | None = None,
    rules: str | None = None,
) -> QuerySet[Head]:
    """The games that may be listed for this reader: those that anyone may watch, and those that they have to do with.

    An open table at which no bot may sit down is nothing to a bot.
    ``mine``: only where they sit; ``awaiting``: only where their move is awaited.
    """
    heads = Head.objects.all()
    if user is None:
        heads = heads.filter(admits__in=PUBLIC) if not (mine or awaiting) else heads.none()
    elif mine or awaiting:
        seats = Seat.objects.filter(user=user, game=OuterRef("pk"))
        if awaiting:
            seats = seats.filter(place=OuterRef("awaits_place"))
        heads = heads.filter(Exists(seats))
    else:
        theirs = Seat.objects.filter(user=user, game=OuterRef("pk"))
        invited = Invitation.objects.filter(user=user, game=OuterRef("pk"))
        heads = heads.filter(Q(admits__in=PUBLIC) | Exists(theirs) | Exists(invited))
        if user.is_bot:
            heads = heads.exclude(~Exists(theirs), status="open", admits="people")
    if status is not None:
        heads = heads.filter(status=status)
    if rules is not None:
        heads = heads.filter(rules=rules)
    return heads


def sitters(heads: Sequence[Head]) -> dict[uuid.UUID, list[Seat]]:
    """Who sits at each of these tables, by place, with their users: one query."""
    found: dict[uuid.UUID, list[Seat]] = {head.pk: [] for head in heads}
    for seat in Seat.objects.filter(game__in=found).select_related("user").order_by("place"):
        found[seat.game_id].append(seat)
    return found


def next_waiting(user: User, *, after: str | None = None) -> str | None:
    """The game that awaits this player next, other than ``after``: round and round, in home's order; no patience.

    Coming from a game that still awaits them it is the one behind it, so that one can be left for later.
    """
    seats = Seat.objects.filter(user=user, game__awaits_place=F("place"), game__seats__gt=1)
    order = (F("game__deadline_at").asc(nulls_last=True), "game__awaited_at", "game_id")
    games = [str(pk) for pk in seats.order_by(*order).values_list("game_id", flat=True)]
    at = games.index(after) if after in games else -1
    return next(iter([*games[at + 1 :], *games[: max(at, 0)]]), None)


def open_tables(user: User | None, rules: Collection[str], *, page: int = 1) -> Page:
    """Tables of these games at which anybody may sit down, newest first."""
    heads = Head.objects.filter(status="open", admits__in=PUBLIC, rules__in=rules).order_by("-opened_at", "game")
    found, number, pages, count = _page(heads, page, OPEN_ROWS)
    names = _names([head.pk for head in found])
    mine = dict(
        Seat.objects.filter(user=user, game__in=[head.pk for head in found]).values_list("game_id", "place")
        if user
        else ()
    )
    return Page([_listed(head, names, mine.get(head.pk)) for head in found], number, pages, count)


def offer(user: User | None, game_id: str, token: str) -> Offer:
    """The table that an invitation link leads to. Raises :class:`NoSuchGame` if there is none of this token."""
    pk = canonical_id(game_id)
    if not (token.isascii() and token.isprintable()):
        raise NoSuchGame(pk)
    head = Head.objects.filter(pk=pk, invitations__token=token).first()
    if head is None:
        raise NoSuchGame(pk)
    names = _names([head.pk])
    place = Seat.objects.filter(game=head, user=user).values_list("place", flat=True).first() if user else None
    opened = load(pk, upto=1).table.opened
    return Offer(_listed(head, names, place), opened.opener_seat, free=head.status == "open")


# --- rows -------------------------------------------------------------------------------------------------------------

type _Names = dict[Any, dict[int, str]]


def _seats_of(user: User) -> QuerySet[Seat]:
    return Seat.objects.filter(user=user).select_related("game").annotate(unheard=hearing.unheard())


def _ended(user: User) -> QuerySet[Seat]:
    return _seats_of(user).filter(game__status="ended").order_by("-game__last_at", "game_id")


def _invited_by_name(user: User) -> QuerySet[Head]:
    heads = Head.objects.filter(status="open", invitations__user=user)
    return heads.exclude(sitters__user=user).order_by("-opened_at", "game")


def _names(games: Iterable[Any]) -> _Names:
    """Who sits where, for all these games at once."""
    names: _Names = {}
    seats = Seat.objects.filter(game__in=list(games)).order_by("place")
    for game, place, name, is_bot in seats.values_list("game_id", "place", *NAMED):
        names.setdefault(game, {})[place] = shown(name, is_bot)
    return names


def _invitations(games: Sequence[Any]) -> tuple[dict[Any, str], dict[Any, list[str]]]:
    """The links' tokens, and the names of those invited, of these games."""
    tokens: dict[Any, str] = {}
    guests: dict[Any, list[str]] = {}
    rows = Invitation.objects.filter(game__in=games).order_by("pk")
    for game, token, name, is_bot in rows.values_list("game_id", "token", *NAMED):
        if token is not None:
            tokens[game] = token
        else:
            guests.setdefault(game, []).append(shown(name, is_bot))
    return tokens, guests


def _listed(
    head: Head, names: _Names, place: int | None = None, *, token: str | None = None, invited: tuple[str, ...] = ()
) -> Listed:
    """The row for who sits at ``place`` (None: nowhere)."""
    return Listed(
        game=str(head.pk),
        rules=head.rules,
        entry=entry_of(head.rules, head.options),
        seats=head.seats,
        taken=head.taken,
        admits=head.admits,
        step=head.step,
        opened_at=head.opened_at,
        awaited_at=head.awaited_at,
        last_at=head.last_at,
        seated=place is not None,
        others=tuple(name for other, name in names.get(head.pk, {}).items() if other != place),
        options=head.options,
        quick_pass=head.quick_pass,
        clock=head.clock,
        deadline_at=head.deadline_at,
        outcome=_outcome(head, place) if place is not None else None,
        expires_at=expires_at(head.opened_at) if place == 0 and head.status == "open" else None,
        token=token,
        invited=invited,
    )


def _outcome(head: Head, place: int) -> Outcome | None:
    if head.result is None:
        return None
    seat = head.seating[place] if head.seating else None
    winner, scores, ended = head.result["winner"], head.result["scores"], head.result["ended"]
    return Outcome(
        won=None if winner is None else winner == seat,
        own_score=None if scores is None or seat is None else scores[seat],
        other_scores=() if scores is None else tuple(score for of, score in enumerate(scores) if of != seat),
        by=ended["by"],
        by_self=ended["seat"] is not None and ended["seat"] == seat,
    )


def _page[M: (Head, Seat)](rows: QuerySet[M], number: int, size: int) -> tuple[list[M], int, int, int]:
    """A page's rows, its number (the nearest that there is), how many pages, how many rows."""
    paginator = Paginator(rows, size)
    page = paginator.get_page(max(number, 1))
    return list(page.object_list), page.number, paginator.num_pages, paginator.count
