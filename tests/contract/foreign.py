"""Moves that a game may be asked about and mostly must refuse: legal ones spoilt, of other moments, and nonsense."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from games.engine.cards import JOKER, RANK_NUMBER
from games.engine.contract import Play
from tests.contract.play import Course

CARDS = [*RANK_NUMBER, JOKER]
NONSENSE: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, "", "1X", "AS", [], ["AS"], ["AS", "AS"], [["AS"]], [1], [None, {}], {}, {"a": [1]},
    [0, 0, 0], [0.0, 0], [True, 0], [10**30, 0], [[[[[]]]]], "\ud800",
]  # fmt: skip


def reordered(value: Any, rng: random.Random) -> Any:
    """The move with its lists of cards, and its lists of melds, in another order; other lists as they are."""
    if isinstance(value, dict):
        return {key: reordered(item, rng) for key, item in value.items()}
    if isinstance(value, list) and all(isinstance(item, list) or item in CARDS for item in value):
        return rng.sample([reordered(item, rng) for item in value], len(value))
    return value


def foreign_moves(course: Course, state: Any, rng: random.Random, count: int = 60) -> Iterator[Any]:
    """Moves of any kind, most of them illegal at this moment of the course."""
    yield from NONSENSE
    yield {}
    yield {"type": "fly"}
    yield from ({"type": value} for value in NONSENSE)
    played = [step.move for step in course.steps if isinstance(step, Play)]
    yield from rng.sample(played, min(20, len(played)))
    legal = course.rules.legal_moves(state)
    for _ in range(count):
        move = json.loads(json.dumps(rng.choice(legal)))
        yield spoilt(move, rng, str(rng.choice([*played, *legal])["type"]))


def spoilt(move: dict[str, Any], rng: random.Random, other_type: str) -> dict[str, Any]:
    """The move with one thing about it changed."""
    key = rng.choice(sorted(move))
    match rng.randrange(6):
        case 0:
            del move[key]
        case 1:
            move["extra"] = 1
        case 2:
            move[key] = copy.deepcopy(rng.choice(NONSENSE))
        case 3:
            move["type"] = other_type
        case 4:
            move[key] = _altered(move[key], rng)
        case _:
            move = {name: _altered(value, rng) if name != "type" else value for name, value in move.items()}
    return move


def _altered(value: Any, rng: random.Random) -> Any:
    """A value near this one: another card, another number, a list one longer, shorter, or with an item altered."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + rng.choice([-3, -1, 1, 3])
    if isinstance(value, str):
        return rng.choice(CARDS) if value in CARDS else value[:-1] + rng.choice("0123456789wf")
    if not isinstance(value, list):
        return value
    out = list(value)
    match rng.randrange(4) if out else 0:
        case 0:
            out.append(rng.choice(CARDS))
        case 1:
            out.pop(rng.randrange(len(out)))
        case 2:
            out.append(out[0])
        case _:
            at = rng.randrange(len(out))
            out[at] = _altered(out[at], rng)
    return out
