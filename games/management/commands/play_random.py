"""``manage.py play_random``: many random games of each entry, checked at every step."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.trial import ENTRIES, Trial, Wrong, trial


class Command(BaseCommand):
    help = (
        "Play random games of each entry through the engine. At every step cards and tokens are conserved; the record "
        "of each game replays to the same state."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--games", type=int, default=1000, help="of each entry; 1000 by default")
        parser.add_argument("--entry", action="append", choices=ENTRIES, help="only this one; may be given repeatedly")
        parser.add_argument("--moves", type=int, default=300, help="at most, in a patience; 300 by default")
        parser.add_argument("--seed", type=int, default=0, help="of the first game; the next one's is one more")

    def handle(self, *args: Any, games: int, entry: list[str] | None, moves: int, seed: int, **options: Any) -> None:
        for name in entry or ENTRIES:
            most = moves + 1 if ENTRIES[name][0] == "forty_thieves" else sys.maxsize
            began, played = time.monotonic(), []
            for number in range(seed, seed + games):
                try:
                    played.append(trial(name, number, most))
                except Wrong as wrong:
                    raise CommandError(f"{name}, seed {number}: {wrong}") from None
            self.stdout.write(f"{name}: {_told(played)} in {time.monotonic() - began:.0f} s")


def _told(played: list[Trial]) -> str:
    steps = sum(len(one.steps) for one in played)
    ends = Counter("left" if one.result is None else str(one.result["winner"]) for one in played)
    winners = ", ".join(f"{end}: {count}" for end, count in sorted(ends.items()))
    return f"{len(played)} games, {steps} steps, winners {winners}"
