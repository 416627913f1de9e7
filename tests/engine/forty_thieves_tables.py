"""Positions and courses of the Forty Thieves family, for its tests."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from games.engine.contract import (
    IllegalMove,
    Move,
)
from games.engine.forty_thieves import RULES, VARIANTS, State

DRAW: Move = {"type": "draw"}
REDEAL: Move = {"type": "redeal"}
FULL = (13,) * 8
NONE_PLACED = (0,) * 8


def move(source: str, target: str, count: int = 1) -> Move:
    return {"type": "move", "from": source, "to": target, "count": count}


def table(
    variant: str,
    columns: Mapping[int, str] | None = None,
    *,
    down: Mapping[int, int] | None = None,
    stock: str = "",
    waste: str = "",
    foundations: tuple[int, ...] = NONE_PLACED,
    redeals: int = 0,
) -> State:
    """A position: columns by their number from 1, each bottom first; the stock top first; the waste top last."""
    width = VARIANTS[variant].columns
    return State(
        variant=variant,
        pack=RULES.packs(RULES.start({"variant": variant}))[0],
        columns=tuple(tuple((columns or {}).get(number, "").split()) for number in range(1, width + 1)),
        down=tuple((down or {}).get(number, 0) for number in range(1, width + 1)),
        stock=tuple(stock.split()),
        waste=tuple(waste.split()),
        foundations=foundations,
        redeals=redeals,
    )


def dealt(variant: str, seed: int = 1) -> State:
    state = RULES.start(RULES.options({"variant": variant}))
    (pack,) = RULES.packs(state)
    shuffled = list(pack)
    random.Random(seed).shuffle(shuffled)
    return RULES.deal(state, (tuple(shuffled),))


def played(state: State, *moves: Move) -> State:
    for each in moves:
        state = RULES.play(state, RULES.check(state, 0, each)).state
    return state


def refused(state: State, attempt: object) -> str:
    with pytest.raises(IllegalMove) as refusal:
        RULES.check(state, 0, attempt)
    assert refusal.value.detail.endswith(".")
    return refusal.value.code


def course(variant: str, seed: int, moves: int) -> list[tuple[State, Move]]:
    """Positions of a random game, each with the move made there; the foundations are preferred, to get somewhere."""
    rng = random.Random(seed)
    state = dealt(variant, seed)
    out: list[tuple[State, Move]] = []
    while len(out) < moves and (legal := RULES.legal_moves(state)):
        chosen = rng.choice([each for each in legal if each.get("to") == "f"] or legal)
        out.append((state, chosen))
        state = RULES.play(state, chosen).state
    return out
