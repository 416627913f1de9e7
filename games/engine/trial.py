"""Random games, checked at every step: cards and tokens are conserved, and the record replays to the same result."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine import get_rules, latest_version
from games.engine.cards import RANKS, SUITS
from games.engine.contract import DEAL, OPEN, Card, Deal, Move, Options, Play, Result, Rules, Step
from games.engine.forty_thieves import VARIANTS
from games.engine.record import parse_record, record, replay

#: What is offered on the site: each name with its rules and the options that make it of them.
ENTRIES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "ariadne": ("ariadne", {}),
    "kathmandu": ("kathmandu", {}),
    "conquian": ("conquian", {}),
    **{variant: ("forty_thieves", {"variant": variant}) for variant in VARIANTS},
}


class Wrong(Exception):
    """Something in a game isn't as it must be; the message says what, and at which step."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A game that was played: its steps, and its result; None where it was left after so many moves."""

    steps: tuple[Step, ...]
    result: Result | None


def trial(entry: str, seed: int, most: int) -> Trial:
    """A random game of this entry (see :data:`ENTRIES`), to its end or ``most`` moves. Raises :class:`Wrong`."""
    slug, given = ENTRIES[entry]
    rules = get_rules(slug, latest_version(slug))
    options = rules.options(given)
    steps: list[Step] = []
    state = rules.start(options)
    held: Counter[Card] = Counter()
    rng = random.Random(f"{entry}/{seed}")
    while len(steps) < most and (awaits := rules.awaits(state)) is not None:
        if awaits == DEAL:
            deal = Deal(tuple(tuple(rng.sample(pack, len(pack))) for pack in rules.packs(state)))
            steps.append(deal)
            state = rules.deal(state, deal.packs)
            held = Counter(card for pack in deal.packs for card in pack)
        else:
            move = _random_move(rules, state, rng)
            steps.append(Play(int(awaits), move))
            state = rules.play(state, rules.check(state, int(awaits), move)).state
        held = _conserved(rules, state, held, len(steps))
    result = rules.result(state)
    _replayed(rules, options, steps, state)
    return Trial(tuple(steps), result)


def _random_move(rules: Rules[Any], state: Any, rng: random.Random) -> Move:
    """A random kind of move, then one of that kind: so rare kinds are played often too."""
    moves = rules.legal_moves(state)
    kind = rng.choice(sorted({str(move["type"]) for move in moves}))
    return rng.choice([move for move in moves if move["type"] == kind])


def _replayed(rules: Rules[Any], options: Options, steps: list[Step], state: Any) -> None:
    document = json.loads(json.dumps(record(rules, options, steps)))
    *_, again = replay(parse_record(document))
    if again != state or rules.from_json(json.loads(json.dumps(rules.to_json(state)))) != state:
        raise Wrong(f"the record of {len(steps)} steps replays to another state")


# --- what is conserved ----------------------------------------------------------------------------------------------


def _conserved(rules: Rules[Any], state: Any, before: Counter[Card], step: int) -> Counter[Card]:
    """The cards that are held anywhere now. Raises :class:`Wrong` if any came from nowhere, or went there."""
    now = Counter(_cards(rules.slug, rules.to_json(state)))
    if not now <= before:
        raise Wrong(f"step {step}: {sorted((now - before).elements())} came from nowhere")
    # Where cards are discarded for good, the state doesn't list them any more.
    if rules.slug in ("ariadne", "forty_thieves") and now != before:
        raise Wrong(f"step {step}: {sorted((before - now).elements())} are gone")
    tokens = _tokens(rules, state)
    if min(tokens, default=0) < 0:
        raise Wrong(f"step {step}: tokens came from nowhere: {tokens}")
    return now


def _tokens(rules: Rules[Any], state: Any) -> list[int]:
    """How many tokens lie in each place of a game that has some. What nobody holds is what is left of them all."""
    if rules.slug != "kathmandu":
        return []
    view = rules.view(state, OPEN)
    return [*view["red"], *view["blue"], view["market"]["tokens"], view["blue_left"]]


def _cards(slug: str, state: Mapping[str, Any]) -> Iterator[Card]:
    """Every card that a dealt state's JSON holds, wherever it lies."""
    match slug:
        case "ariadne":
            for hand, pack, drawn in zip(state["hands"], state["packs"], state["drawn"], strict=True):
                yield from (*hand, *pack[drawn:])
            yield from (entry["card"] for entry in state["table"])
        case "kathmandu":
            yield from (*state["market"], *state["hands"][0], *state["hands"][1], *state["pack"][state["drawn"] :])
        case "conquian":
            yield from (*state["hands"][0], *state["hands"][1], *state["pack"][state["turned"] :])
            yield from (card for melds in state["melds"] for meld in melds for card in meld)
            yield from [state["centre"]] if state["centre"] else []
        case "forty_thieves":
            for pile in (*state["columns"], state["stock"], state["waste"]):
                yield from pile
            suits = (suit for suit in SUITS for _ in range(2))
            for suit, height in zip(suits, state["foundations"], strict=True):
                # Aces that are out from the start are in no pack.
                yield from (rank + suit for rank in RANKS[int(VARIANTS[state["variant"]].aces_out) : height])
