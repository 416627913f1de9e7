"""Who is told what of an append. Pure: tables before and after in, tellings out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from games.table.state import Table

type Kind = Literal["turn"]


@dataclass(frozen=True, slots=True)
class Telling:
    """Tell who sits at ``place`` of the news made by the event of this version."""

    kind: Kind
    place: int
    version: int


def tellings(before: Table | None, after: Table, actor: int | None) -> Iterator[Telling]:
    """What follows from an append that brought the table from ``before`` to ``after``.

    A player is told when they *become* awaited through somebody else's doing, never again while they stay so.
    ``actor`` is the place whose command it was (None: nobody's).
    """
    seat = after.awaited_seat
    if seat is None or (before is not None and before.awaited_seat == seat):
        return
    place = after.place_of(seat)
    if place != actor:
        yield Telling("turn", place, after.awaited_since)
