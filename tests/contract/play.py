"""The games that the contract suite runs over, and random courses of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.engine import all_rules
from games.engine.cards import RANKS, SUITS
from games.engine.contract import DEAL, Card, Deal, Move, Packs, Play, Rules, Step
from games.engine.record import advance
from tests.contract.tiny import Climb

CASES = Path(__file__).parent.parent / "cases"
GAMES: list[Rules[Any]] = [*all_rules(), Climb()]


@dataclass(frozen=True)
class Course:
    """A course of a game: its steps, and the state before the first and after each of them."""

    rules: Rules[Any]
    options: dict[str, Any]
    steps: list[Step]
    states: list[Any]

    def __repr__(self) -> str:
        return f"<{len(self.steps)} steps of {self.rules.slug} {self.options}>"


def option_sets(rules: Rules[Any]) -> list[dict[str, Any]]:
    """The defaults, and every set of options that the recorded cases were played with."""
    found = [rules.options({})]
    path = CASES / f"{rules.slug}.jsonl"
    for line in path.read_text().splitlines() if path.exists() else []:
        options = rules.options(json.loads(line)["options"])
        if options not in found:
            found.append(options)
    return found


def random_course(rules: Rules[Any], seed: int, length: int) -> Course:
    """So many steps of a random game, or fewer if it ends sooner. Everything follows from the seed."""
    rng = random.Random(seed)
    options = rng.choice(option_sets(rules))
    state = rules.start(options)
    steps: list[Step] = []
    states = [state]
    while len(steps) < length and (awaits := rules.awaits(state)) is not None:
        if awaits == DEAL:
            deal = Deal(shuffled(rules.packs(state), rng))
            steps.append(deal)
            state = rules.deal(state, deal.packs)
        else:
            move = random_move(rules, state, rng)
            steps.append(Play(int(awaits), move))
            state = rules.play(state, move).state
        states.append(state)
    return Course(rules, options, steps, states)


def random_move(rules: Rules[Any], state: Any, rng: random.Random) -> Move:
    """A random kind of move, then one of that kind: so rare kinds (a meld among swaps) are played often too."""
    moves = rules.legal_moves(state)
    kind = rng.choice(sorted({move["type"] for move in moves}))
    return rng.choice([move for move in moves if move["type"] == kind])


def after_each(rules: Rules[Any], options: Mapping[str, Any], steps: list[Step]) -> list[Any]:
    """The state before the first step and after each of them, every step checked."""
    state = rules.start(options)
    states = [state]
    for step in steps:
        state = advance(rules, state, step)
        states.append(state)
    return states


def shuffled(packs: Packs, rng: random.Random) -> Packs:
    return tuple(tuple(rng.sample(pack, len(pack))) for pack in packs)


# --- where the cards are ------------------------------------------------------------------------------------------


def _ariadne(state: Mapping[str, Any]) -> Iterator[Card]:
    for hand, pack, drawn in zip(state["hands"], state["packs"], state["drawn"], strict=True):
        yield from hand
        yield from pack[drawn:]
    yield from (entry["card"] for entry in state["table"])


def _kathmandu(state: Mapping[str, Any]) -> Iterator[Card]:
    yield from (*state["market"], *state["hands"][0], *state["hands"][1], *state["pack"][state["drawn"] :])


def _conquian(state: Mapping[str, Any]) -> Iterator[Card]:
    yield from (*state["hands"][0], *state["hands"][1], *state["pack"][state["turned"] :])
    for melds in state["melds"]:
        for meld in melds:
            yield from meld
    if state["centre"]:
        yield state["centre"]


def _forty_thieves(state: Mapping[str, Any]) -> Iterator[Card]:
    for pile in (*state["columns"], state["stock"], state["waste"]):
        yield from pile
    suits = (suit for suit in SUITS for _ in range(2))
    for suit, height in zip(suits, state["foundations"], strict=True):
        # The eight aces of lucas are in no pack: they lie on the foundations from the start.
        yield from (rank + suit for rank in RANKS[int(state["variant"] == "lucas") : height])


def _climb(state: Mapping[str, Any]) -> Iterator[Card]:
    yield from (*state["hands"][0], *state["hands"][1], *state["played"], *state["pack"][10:])


#: The cards that a dealt state's JSON holds anywhere.
HOLDINGS: dict[str, Callable[[Mapping[str, Any]], Iterator[Card]]] = {
    "ariadne": _ariadne,
    "kathmandu": _kathmandu,
    "conquian": _conquian,
    "forty_thieves": _forty_thieves,
    "climb": _climb,
}
#: Games with a face-down discard or waste that the state doesn't list: what went there is held nowhere any more.
DISCARDING = {"kathmandu", "conquian"}
