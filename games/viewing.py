"""What the pages of one table ask: the table with its people and its course, and any moment of that course.

As in :mod:`games.selectors`, every read takes who asks and gives what they may see; a table that isn't theirs raises
:class:`NoSuchGame`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any, Final

from django.db.models import BigIntegerField, OuterRef, QuerySet, Subquery, Value

from accounts.models import User, Vacation
from accounts.names import NAMED, shown
from config import clock
from games import hearing
from games.engine.contract import OPEN, SPECTATOR, Card, Deal, Move, Play, Refusal, Viewer, Words
from games.engine.record import record
from games.selectors import Access, NoSuchGame, access_to, canonical_id, load_table, may_take_seat
from games.store.models import Head, Invitation, Remark, Seat
from games.table.clock import deadline
from games.table.events import PUBLIC
from games.table.state import LineStep, Table
from games.table.view import outcome, table_view


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at the table: ``seat`` is None until the game has begun.

    ``name`` is shown to people, a bot's marked as such; ``account`` is the bare one, by which they are found.
    ``away``: they are on vacation; ``away_until`` the moment at which they said they would be back, if they did.
    ``leaves``: from when until when they will be away next, by plan; of a running game, and for its players alone.
    """

    place: int
    seat: int | None
    name: str
    you: bool
    account: str
    is_bot: bool
    away: bool = False
    away_until: int | None = None
    leaves: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A step of the course as people are told it. ``seat``, ``move`` and ``words`` are None for a deal.

    ``turned`` are the cards that the move turned up for all to see.
    """

    number: int
    at: int
    round_no: int
    seat: int | None
    move: Move | None
    words: Words | None
    automatic: bool
    turned: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """A table as one person may see it. Times are microseconds since the epoch.

    ``awaited_since`` is the stream version since which the same seat (or nobody) has been awaited, ``awaited_at`` the
    moment since which for its present move; ``table`` is :func:`games.table.view.table_view`; ``link_token`` the
    invitation link's, for the opener of an open table alone; ``proof`` the shuffle's, after the end.
    """

    version: int
    table: dict[str, Any]
    admits: str
    opener_seat: str
    #: The terms of the clock (see ``games.table.terms``), None where no time is kept.
    clock: Mapping[str, Any] | None
    opened_at: int
    last_at: int
    awaited_since: int
    awaited_at: int
    place: int | None
    seat: int | None
    may_sit: bool
    people: tuple[Sitter, ...]
    history: tuple[Told, ...]
    link_token: str | None
    #: Whom the opener of an open table invited, as they are shown to people; told to the opener alone.
    invited: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        return str(self.table["status"])

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.table["awaits"] == self.seat

    @property
    def deadline_at(self) -> int | None:
        """When whoever is awaited will have run out of time; None where no time passes."""
        shown = self.table["time"]["clock"]
        return None if shown is None else shown["deadline"]

    @property
    def alone(self) -> bool:
        """Whether this is a patience."""
        return bool(self.table["seats"] == 1)

    def since_my_turn(self) -> tuple[Told, ...]:
        """What others did after this person's last move, and deals; for who only looks on, and in a patience, the
        latest move. One's own passes that were made by themselves are no news of others.
        """
        if self.seat is None or self.alone:
            return tuple(told for told in self.history if told.move is not None)[-1:]
        mine = [n for n, told in enumerate(self.history) if told.seat == self.seat and not told.automatic]
        since = self.history[mine[-1] + 1 :] if mine else self.history
        return tuple(told for told in since if told.seat != self.seat)


@dataclass(frozen=True, slots=True)
class Peek:
    """How far a game is, and as what somebody sees it: what a page that polls needs to know whether it is current."""

    version: int
    place: int | None
    may_sit: bool
    #: When whoever is awaited will have run out of time; None where no time passes.
    deadline_at: int | None
    #: How far the talk is (see ``games.hearing.tag``); None for who doesn't sit there.
    talk: str | None


_NOWHERE: Final = (None, None, None)
_NOTHING: Final = (0, "", "", None, *_NOWHERE)


def peek(user: User | None, game_id: str, *, token: str | None = None) -> Peek:
    """One small query for a player's own game or one that anyone may watch; the events aren't read."""
    game_id = canonical_id(game_id)
    heads = Head.objects.filter(game=game_id)
    if user is None:
        found = heads.values_list("version", "admits", "status", "deadline_at").first()
        version, admits, status, deadline_at, place, quiet, said = (*found, *_NOWHERE) if found else _NOTHING
    else:
        own = Seat.objects.filter(game__pk=game_id, user=user)
        said_last = Remark.objects.filter(game=game_id).order_by("-number").values("number")
        columns = heads.annotate(
            own=Subquery(own.values("place")[:1]),
            quiet=Subquery(own.values("talk_quiet")[:1]),
            said=Subquery(said_last[:1]),
        ).values_list("version", "admits", "status", "deadline_at", "own", "quiet", "said")
        version, admits, status, deadline_at, place, quiet, said = columns.first() or _NOTHING
    may_sit = place is None and may_take_seat(user, admits)
    if place is None and admits not in PUBLIC:
        may_sit = access_to(user, game_id, token=token).may_sit
    told = None if place is None else hearing.tag(said, quiet=bool(quiet))
    return Peek(version, place, may_sit and status == "open", deadline_at, told)


def stands(seen: Sight | Peek) -> str:
    """As what somebody sees a table, for tags: by their place, or by whether they may sit down."""
    return str(seen.place) if seen.place is not None else "+" if seen.may_sit else "-"


def sight(user: User | None, game_id: str, *, token: str | None = None, steady: bool = False) -> Sight:
    """The table as it stands, for ``user``; its clocks counted for now, or as :func:`_steady_at` has it."""
    access = access_to(user, game_id, token=token)
    table = load_table(access)
    at = _steady_at(table) if steady else clock.now_us()
    return _sight(access, table, table_view(table, access.viewer(table), at), _history(table))


def after(user: User, table: Table) -> Sight:
    """A table as an action of ``user`` left it, which is not always how it stands now, with steady clocks."""
    access = access_to(user, table.id)
    shown = table_view(table, access.viewer(table), _steady_at(table))
    return _sight(access, table, shown, _history(table))


def _steady_at(table: Table) -> int | None:
    """For which moment clocks are counted so that they are told alike until something happens, or a deadline passes.

    None: for when they last changed; else the deadline that has passed.
    """
    due = None if table.clock is None else deadline(table.clock)
    return due if due is not None and due <= clock.now_us() else None


def _sight(access: Access, table: Table, shown: dict[str, Any], history: tuple[Told, ...]) -> Sight:
    seat = table.seat_of(access.place) if access.place is not None else None
    return Sight(
        version=table.version,
        table=shown,
        admits=table.opened.admits,
        opener_seat=table.opened.opener_seat,
        clock=table.opened.clock,
        opened_at=table.opened_at,
        last_at=table.last_at,
        awaited_since=table.awaited_since,
        awaited_at=table.awaited_at,
        place=access.place,
        seat=seat,
        may_sit=access.may_sit and table.status == "open",
        people=_people(access, table),
        history=history,
        link_token=_link_token(access, table),
        invited=_invited(access, table),
    )


def _people(access: Access, table: Table) -> tuple[Sitter, ...]:
    """Everybody who sits here; in order of seats once those are known, else of places."""
    rows = _with_plans(access, table, Seat.objects.filter(game__pk=table.id)).order_by("place")
    away = _away(table) if table.status == "running" else {}
    people = [
        Sitter(
            place,
            table.seat_of(place),
            shown(name, is_bot),
            place == access.place,
            name,
            is_bot,
            place in away,
            away.get(place),
            None if begins is None else (begins, ends),
        )
        for place, name, is_bot, begins, ends in rows.values_list("place", *NAMED, "begins", "ends")
    ]
    return tuple(sorted(people, key=lambda who: who.place if who.seat is None else who.seat))


def _away(table: Table) -> dict[int, int | None]:
    """The places whose players the game knows to be on vacation, with until when, where they have said that."""
    if not table.away:
        return {}
    now, places = clock.now_us(), {table.place_of(seat) for seat in table.away}
    said = Vacation.objects.filter(
        user__seats__game__pk=table.id, begins_at__lte=now, ends_at__gt=now, until_named=True
    )
    until = dict(said.values_list("user__seats__place", "ends_at"))
    return {place: until.get(place) for place in places}


def _with_plans(access: Access, table: Table, seats: QuerySet[Seat]) -> QuerySet[Seat, Any]:
    """The seats with ``begins`` and ``ends`` of their player's next planned vacation, for who plays here as well."""
    if table.status != "running" or access.place is None or table.rules.seats == 1:
        nothing = Value(None, BigIntegerField())
        return seats.annotate(begins=nothing, ends=nothing)
    planned = Vacation.objects.filter(user=OuterRef("user"), begun=False, begins_at__gt=clock.now_us())
    planned = planned.order_by("begins_at")
    return seats.annotate(
        begins=Subquery(planned.values("begins_at")[:1]), ends=Subquery(planned.values("ends_at")[:1])
    )


def _link_token(access: Access, table: Table) -> str | None:
    if access.place != 0 or table.status != "open":
        return None
    links = Invitation.objects.filter(game__pk=table.id, token__isnull=False)
    return links.values_list("token", flat=True).first()


def _invited(access: Access, table: Table) -> tuple[str, ...]:
    if access.place != 0 or table.status != "open":
        return ()
    people = Invitation.objects.filter(game__pk=table.id, user__isnull=False).values_list(*NAMED)
    return tuple(sorted(starmap(shown, people)))


def _course(table: Table) -> Iterator[tuple[LineStep, Told, Any]]:
    """Each step of the line with how it is told and the state after it."""
    round_no = 0
    states_after = [*(entry.before for entry in table.line[1:]), table.state]
    for entry, after in zip(table.line, states_after, strict=False):
        match entry.step:
            case Deal():
                round_no += 1
                told = Told(entry.number, entry.at, round_no, None, None, None, automatic=False)
            case Play(seat, move):
                words = table.rules.told(entry.before, move, after)
                turned = table.rules.turned(entry.before, after)
                told = Told(entry.number, entry.at, round_no, seat, move, words, entry.automatic, turned)
        yield entry, told, after


def _history(table: Table) -> tuple[Told, ...]:
    return tuple(told for _, told, _ in _course(table))


def why_not(user: User, game_id: str, move: object) -> Refusal | None:
    """The rule that a move of this player's breaks as the table stands, or None if it is legal."""
    access = access_to(user, game_id)
    table = load_table(access)
    seat = table.seat_of(access.seated_place())
    if seat is None or table.status != "running":
        raise NoSuchGame(game_id)
    try:
        table.rules.check(table.state, seat, move)
    except Refusal as refusal:
        return refusal
    return None


# --- looking back -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after step ``number`` as seen with ``eyes`` (of the names in ``may``: ``"0"``, ``"spectator"``…).

    ``sight.history`` is the whole course; ``sight.table["view"]`` is that moment's.
    """

    sight: Sight
    number: int
    told: Told
    eyes: str
    may: tuple[str, ...]
    neighbours: tuple[int, int]


def replay(
    user: User | None, game_id: str, *, step: int | None = None, eyes: str | None = None, token: str | None = None
) -> Moment:
    """The moment after ``step`` (None: the latest; one that isn't there: the nearest before it).

    A running game is seen with one's own eyes only: a player's, or a spectator's. One that is over is open, and can
    be seen with each seat's eyes too. Other eyes, or a game without a deal yet, raise :class:`NoSuchGame`.
    """
    access = access_to(user, game_id, token=token)
    table = load_table(access)
    may = _eyes(access, table)
    eyes = may[0] if eyes is None else eyes
    course = list(_course(table))
    if eyes not in may or not course:
        raise NoSuchGame(game_id)
    at = len(course) - 1
    if step is not None:
        at = max((n for n, (entry, _, _) in enumerate(course) if entry.number <= step), default=0)
    entry, told, state = course[at]
    # The end is an event of its own, after the last step: what was said before it must not show it.
    then = replace(table, state=state, status="running", ended=None, step=entry.number)
    shown = {**table_view(then, _viewer(eyes)), "status": table.status, "legal": [], "result": outcome(table)}
    if table.ended is not None:
        shown["proof"] = table_view(table, OPEN)["proof"]
    history = tuple(told for _, told, _ in course)
    return Moment(
        sight=_sight(access, table, shown, history),
        number=entry.number,
        told=told,
        eyes=eyes,
        may=may,
        neighbours=(history[max(at - 1, 0)].number, history[min(at + 1, len(history) - 1)].number),
    )


def _eyes(access: Access, table: Table) -> tuple[str, ...]:
    """The eyes that somebody may look back with, the usual ones first."""
    if table.status == "ended":
        own = access.eyes(table)
        seats = sorted(range(table.rules.seats), key=lambda seat: seat != own)
        return ("open", *map(str, seats), "spectator")
    own = access.eyes(table)
    return (str(own) if isinstance(own, int) else "spectator",)


def _viewer(eyes: str) -> Viewer:
    return {"open": OPEN, "spectator": SPECTATOR}.get(eyes) or int(eyes)


def game_record(user: User | None, game_id: str, *, token: str | None = None) -> dict[str, Any]:
    """The whole game as a record (see ``games.engine.record``), once it is over; before that :class:`NoSuchGame`."""
    access = access_to(user, game_id, token=token)
    table = load_table(access)
    if table.ended is None or table.state is None:
        raise NoSuchGame(game_id)
    proof = table_view(table, OPEN)["proof"]
    extra: dict[str, Any] = {"shuffle": proof}
    if table.ended.by != "rules":
        extra["ended"] = {"by": table.ended.by, "seat": table.ended.seat}
    if table.undos:
        extra["undos"] = table.undos
    return record(table.rules, table.opened.options, [entry.step for entry in table.line], **extra)
