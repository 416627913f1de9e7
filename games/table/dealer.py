"""Where deals and random seats come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.engine import shuffle
from games.engine.contract import Packs

#: The deals of a game that is played again from its record: each round's packs, rounds from 1.
type Recorded = Mapping[int, Packs]

#: A game of this algorithm takes its deals from a record as far as that goes, and from its secret after that.
RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class Dealer:
    """Deals from the game's secret, which is fetched only when a decision needs it; or by number; or from a record."""

    secret: Callable[[], bytes]
    recorded: Recorded | None = None
    number: int | None = None

    @property
    def algorithm(self) -> str:
        if self.recorded is not None:
            return RECORDED
        return shuffle.ALGORITHM if self.number is None else shuffle.NUMBER_ALGORITHM

    def commitment(self, game_id: str) -> str | None:
        """What is published before anyone sits (hex); None where there is no secret."""
        return shuffle.commitment(game_id, self.secret()) if self.number is None else None

    def seating(self, game_id: str, seats: int, salts: Sequence[str]) -> tuple[int, ...]:
        """``seating[place]`` is the seat of that place, drawn by lot."""
        return shuffle.random_seating(seats, secret=self.secret(), game=game_id, salts=salts)

    def packs(self, game_id: str, standard: Packs, salts: Sequence[str], round_no: int) -> Packs:
        """The shuffled packs of a round."""
        if self.recorded is not None and round_no in self.recorded:
            return self.recorded[round_no]
        if self.number is not None:
            return shuffle.deal_by_number(standard, self.number)
        return shuffle.shuffle_packs(standard, secret=self.secret(), game=game_id, salts=salts, round_no=round_no)

    def reveal(self) -> str | None:
        """The secret as hex, for a game's last event; None where there is none."""
        return self.secret().hex() if self.number is None else None
