"""How fast the rules are: ``python benchmarks/engine.py [GAME …]``. Needs no database and no Django.

For each game: moves a second of random play, with the complete list of legal moves made at each step; and steps a
second of replaying the recorded cases, every step checked (as a move by a person is) and trusted (as stored events
are). Beside them, in the same run: a plain Python fold of small JSON events (200 to a game), the least that any
event-sourced game can cost, and what a state costs that is copied whole instead of derived; and random play of gin
rummy by OpenSpiel and RLCard, where these are installed. Medians of five; a second is one of this process's own, so
that what else the machine does hardly matters.

The peers want an environment of their own, beside what the rules need; nothing of them is a dependency of Clew::

    python -m venv /some/where && /some/where/bin/pip install open-spiel rlcard
    /some/where/bin/python benchmarks/engine.py
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # so that it runs as a plain script, from anywhere

from games.engine import all_rules  # noqa: E402 - only now it can be found
from games.engine.cases import read_cases  # noqa: E402
from games.engine.contract import DEAL, Deal, Rules  # noqa: E402
from games.engine.record import Record, advance  # noqa: E402

REPETITIONS = 5
FOLDED_EVENTS = 200


def rate(work: Callable[[], int], seconds: float) -> float:
    """How many of what ``work`` counts are done a second: the median of the repetitions."""
    work()  # the first time fills caches
    rates = []
    for _ in range(REPETITIONS):
        done, began = 0, time.process_time()
        while (taken := time.process_time() - began) < seconds / REPETITIONS:
            done += work()
        rates.append(done / taken)
    return statistics.median(rates)


def random_game(rules: Rules[Any], options: dict[str, Any], rng: random.Random, limit: int = 1000) -> int:
    """Play one random game with the full list of legal moves at each step; the number of moves."""
    state = rules.start(options)
    moves = 0
    while moves < limit and (awaits := rules.awaits(state)) is not None:
        if awaits == DEAL:
            state = rules.deal(state, tuple(tuple(rng.sample(pack, len(pack))) for pack in rules.packs(state)))
        else:
            state = rules.play(state, rng.choice(rules.legal_moves(state))).state
            moves += 1
    return moves


def legal_cases(rules: Rules[Any]) -> list[Record]:
    """The recorded cases of this game that have no step to be refused."""
    path = ROOT / "tests" / "cases" / f"{rules.slug}.jsonl"
    cases = [case for _, case in read_cases(path.read_bytes())] if path.exists() else []
    return [case for case in cases if "expect_error_step" not in case.document]


def replay_checked(cases: list[Record]) -> int:
    for case in cases:
        state = case.rules.start(case.options)
        for step in case.steps:
            state = advance(case.rules, state, step)
    return sum(len(case.steps) for case in cases)


def replay_trusted(cases: list[Record]) -> int:
    for case in cases:
        rules = case.rules
        state = rules.start(case.options)
        for step in case.steps:
            state = rules.deal(state, step.packs) if isinstance(step, Deal) else rules.play(state, step.move).state
    return sum(len(case.steps) for case in cases)


def small_events() -> list[str]:
    """The JSON of a game's events as small as they can be."""
    moves = [{"type": "place", "card": "7S", "at": [n % 7, n % 5]} for n in range(FOLDED_EVENTS)]
    return [json.dumps({"version": n, "seat": n % 2, "move": move}) for n, move in enumerate(moves)]


def fold(events: list[str]) -> int:
    """The peer: read each event, put its card on a table, count the turns."""
    table: dict[tuple[int, int], str] = {}
    turns = 0
    for text in events:
        move = json.loads(text)["move"]
        table[tuple(move["at"])] = move["card"]
        turns += 1
    return turns


def peers(seconds: float) -> list[tuple[str, float, str]]:
    events = small_events()
    rules = next(rules for rules in all_rules() if rules.slug == "ariadne")
    case = legal_cases(rules)[0]
    state = rules.start(case.options)
    for step in case.steps[:30]:
        state = advance(rules, state, step)
    written = rules.to_json(state)
    size = len(json.dumps(written))
    move = rules.legal_moves(state)[0]
    return [
        ("fold of small JSON events, plain Python", rate(lambda: fold(events), seconds), "events/s"),
        (f"deepcopy of a {size:,}-byte state", rate(lambda: bool(copy.deepcopy(written)), seconds), "states/s"),
        ("JSON round trip of the same", rate(lambda: bool(json.loads(json.dumps(written))), seconds), "states/s"),
        ("the same state derived by a move (ours)", rate(lambda: bool(rules.play(state, move)), seconds), "states/s"),
    ]


def spiel_gin_rummy(seconds: float) -> float | None:
    """Random play of OpenSpiel's gin rummy through its Python API, in actions a second; None where it isn't there."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    game, rng = pyspiel.load_game("gin_rummy"), random.Random(1)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    return rate(play, seconds)


class RandomAgent:
    """As RLCard's own, whose package can't be imported on a Python without distutils and without pip beside it."""

    use_raw = False

    def __init__(self) -> None:
        self.rng = random.Random(1)

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.rng.choice(list(state["legal_actions"])), {}


def rlcard_gin_rummy(seconds: float) -> float | None:
    """Random play of RLCard's gin rummy through its environment, in steps a second; None where it isn't there."""
    try:
        rlcard = import_module("rlcard")
    except ImportError:
        return None
    env = rlcard.make("gin-rummy", config={"seed": 1})
    env.set_agents([RandomAgent() for _ in range(env.num_players)])
    return rate(lambda: sum(len(course) // 2 for course in env.run(is_training=False)[0]), seconds)


def main() -> None:
    known = {rules.slug: rules for rules in all_rules()}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"any of {', '.join(known)}; all of them by default")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each figure (default 2)")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.games) - set(known))
    if unknown:
        parser.error(f"no such game: {', '.join(unknown)}")
    print(f"{'game':<16}{'random play':>16}{'replay, checked':>18}{'replay, trusted':>18}")
    print(f"{'':<16}{'moves/s':>16}{'steps/s':>18}{'events/s':>18}")
    for slug in chosen.games or known:
        rules, rng = known[slug], random.Random(1)
        cases = legal_cases(rules)
        figures = [
            rate(work, chosen.seconds)
            for work in (
                partial(random_game, rules, rules.options({}), rng),
                partial(replay_checked, cases),
                partial(replay_trusted, cases),
            )
        ]
        print(f"{slug:<16}{figures[0]:>16,.0f}{figures[1]:>18,.0f}{figures[2]:>18,.0f}")
    print()
    for name, figure, unit in peers(chosen.seconds):
        print(f"{name:<44}{figure:>12,.0f} {unit}")
    for name, measured in (
        ("OpenSpiel gin rummy, random play", spiel_gin_rummy(chosen.seconds)),
        ("RLCard gin rummy, random play", rlcard_gin_rummy(chosen.seconds)),
    ):
        print(f"{name:<44}{'not installed' if measured is None else f'{measured:>12,.0f} moves/s'}")


if __name__ == "__main__":
    main()
