"""A kind of event that is no step, as later work has them: a draw offered, a vacation begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.table.events import Event


@dataclass(frozen=True, slots=True)
class Waved(Event):
    """A seat waved to the other. A test registers it in ``EVENT_TYPES`` while it lasts."""

    type: ClassVar[str] = "waved"
    seat: int

    @property
    def seat_column(self) -> int | None:
        return self.seat
