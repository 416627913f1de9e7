"""What can be asked about games. Every read takes who asks, and gives what they may see."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from accounts.models import User
from games.engine.contract import OPEN, SPECTATOR, Viewer
from games.store.models import Head, Invitation, Seat
from games.store.thread import load
from games.table.events import PUBLIC
from games.table.state import Table
from games.table.view import steps_view, table_view


class NoSuchGame(LookupError):
    """There is no such game, or not for this person: the two are never told apart."""


@dataclass(frozen=True, slots=True)
class Access:
    """What somebody is at a table."""

    game_id: str
    place: int | None
    may_sit: bool

    def seated_place(self) -> int:
        """Their place. Raises :class:`NoSuchGame` for someone who only looks on."""
        if self.place is None:
            raise NoSuchGame(self.game_id)
        return self.place

    def viewer(self, table: Table) -> Viewer:
        """Whose eyes they look with: their seat's, else a spectator's; once it is over, everything is open."""
        if table.status == "ended":
            return OPEN
        return self.eyes(table)

    def eyes(self, table: Table) -> Viewer:
        """Whose eyes they looked with while the game ran."""
        seat = table.seat_of(self.place) if self.place is not None else None
        return SPECTATOR if seat is None else seat


def access_to(user: User | None, game_id: str, *, token: str | None = None) -> Access:
    """What ``user`` (None: nobody we know) is at this table. Raises :class:`NoSuchGame` where they may not look.

    Everybody may look at a table that admits anyone, or all people; at one for those invited only they, and who sits
    there.
    """
    game_id = canonical_id(game_id)
    admits = Head.objects.filter(game=game_id).values_list("admits", flat=True).first()
    if admits is None:
        raise NoSuchGame(game_id)
    if user is not None:
        place = Seat.objects.filter(game__pk=game_id, user=user).values_list("place", flat=True).first()
        if place is not None:
            return Access(game_id, place, may_sit=False)
    if admits in PUBLIC or _invited(user, game_id, token):
        return Access(game_id, None, may_sit=may_take_seat(user, admits))
    raise NoSuchGame(game_id)


def may_take_seat(user: User | None, admits: str) -> bool:
    """Whether somebody who may look at a table that admits these may sit down there, while a seat is free."""
    return user is not None and not (user.is_bot and admits == "people")


def canonical_id(game_id: str) -> str:
    """A game's id in its one spelling. Raises :class:`NoSuchGame` for a text that is no id."""
    try:
        return str(uuid.UUID(game_id))
    except ValueError:
        raise NoSuchGame(game_id) from None


def _invited(user: User | None, game_id: str, token: str | None) -> bool:
    invitations = Invitation.objects.filter(game__pk=game_id)
    if user is not None and invitations.filter(user=user).exists():
        return True
    # A token is ASCII; PostgreSQL can't even be asked for some other texts.
    return token is not None and token.isascii() and token.isprintable() and invitations.filter(token=token).exists()


def load_table(access: Access) -> Table:
    """The table as it stands, unfiltered: for making views of, never for showing."""
    return load(access.game_id).table


def look(user: User | None, game_id: str, *, token: str | None = None) -> dict[str, Any]:
    """The table as ``user`` may see it now (see ``games.table.view.table_view``), with their own seat."""
    access = access_to(user, game_id, token=token)
    table = load_table(access)
    seat = table.seat_of(access.place) if access.place is not None else None
    return {**table_view(table, access.viewer(table)), "seat": seat}


def steps(user: User | None, game_id: str, *, after: int = 0, token: str | None = None) -> list[dict[str, Any]]:
    """The steps of the game past ``after``, as ``user`` may see them."""
    access = access_to(user, game_id, token=token)
    table = load_table(access)
    return steps_view(table, access.viewer(table), after)


def waiting_count(user: User) -> int:
    """In how many games somebody waits for this person's move: patiences don't count."""
    return Seat.objects.filter(user=user, game__awaits_place=F("place"), game__seats__gt=1).count()
