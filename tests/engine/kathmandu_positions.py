"""Positions of Kathmandu for its tests, and short ways to name and make moves in them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from games.engine._kathmandu_moves import State
from games.engine.cards import pack
from games.engine.contract import IllegalMove, Move
from games.engine.kathmandu import RULES

PACK = pack()


def position(
    hands: tuple[str, str],
    market: str,
    *,
    red: tuple[int, int] = (1, 1),
    blue: tuple[int, int] = (0, 0),
    stock: int = 20,
    idle: int = 0,
    rounds: int = 1,
    scores: tuple[tuple[int, int], ...] = (),
    turn: int = 0,
) -> State:
    """A round in progress with these cards; what isn't named is melded or, its last ``stock`` cards, in the pile."""
    held = [tuple(sorted(hand.split())) for hand in hands]
    shown = tuple(sorted(market.split()))
    assert len(shown) == sum(red), "five places: market cards and market tokens"
    rest = tuple(card for card in PACK if card not in {*held[0], *held[1], *shown})
    return State(
        rounds=rounds,
        scores=scores,
        playing=True,
        turn=turn,
        idle=idle,
        pack=held[0] + held[1] + shown + rest,
        drawn=len(PACK) - stock,
        market=shown,
        hands=(held[0], held[1]),
        concealed=(frozenset(held[0]), frozenset(held[1])),
        red=red,
        blue=blue,
    )


def move(kind: str, cards: str | None = None, **lists: str) -> dict[str, Any]:
    named = {name: text.split() for name, text in lists.items()}
    return {"type": kind} | ({} if cards is None else {"cards": cards.split()}) | named


def make(state: State, wanted: Move) -> State:
    """The state after a move that is checked first."""
    return RULES.play(state, RULES.check(state, state.turn, wanted)).state


def refused(state: State, wanted: object) -> str:
    """The code with which a move is refused; it isn't among the legal ones either."""
    with pytest.raises(IllegalMove) as caught:
        RULES.check(state, state.turn, wanted)
    assert wanted not in RULES.legal_moves(state)
    assert caught.value.detail.endswith(".")
    return caught.value.code


def kinds(state: State) -> set[str]:
    return {legal["type"] for legal in RULES.legal_moves(state)}


def dealt(rounds: int = 1, cards: Iterable[str] = PACK) -> State:
    return RULES.deal(RULES.start({"rounds": rounds}), (tuple(cards),))


def with_the_last_card_revealed(state: State) -> State:
    """The round ended by a reveal, after all but one card of its draw pile have been set aside."""
    return make(replace(state, drawn=len(PACK) - 1), move("reveal"))
