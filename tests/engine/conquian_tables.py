"""States of Conquian set up by hand, and the short hand in which its tests write moves."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.engine._conquian_course import Origin, Phase, Standing, State
from games.engine.conquian import RULES
from games.engine.conquian_melds import BIT, MELDS, PACK, mask
from games.engine.contract import (
    Deal,
    IllegalMove,
    Move,
    Play,
    Step,
)

PASS = {"type": "pass"}
ALLOW = {"type": "allow"}
HAND = "AC AD 3D 5S 7H KC JD 2S 4D QS"


def cards(text: str) -> list[str]:
    return text.split()


def meld(text: str, discard: str | None = None) -> dict[str, Any]:
    """``"4H 5H 6H / KC KD KS"`` as a move, in canonical form."""
    move: dict[str, Any] = {"type": "meld", "melds": sorted(sorted(part.split()) for part in text.split("/"))}
    return move if discard is None else move | {"discard": discard}


def force(text: str) -> dict[str, Any]:
    return {"type": "force", "meld": sorted(text.split())}


def discard(card: str) -> dict[str, Any]:
    return {"type": "discard", "card": card}


def at(
    hand: str,
    melds: str = "",
    *,
    other_melds: str = "",
    other_hand: str | None = None,
    centre: str | None,
    origin: Origin | None = "turned",
    phase: Phase = "offer",
    seat: int = 0,
    stock: str = "",
    stake: int = 1,
    target: int = 1,
) -> State:
    """A state that awaits ``seat``, who has ``hand`` and ``melds``; the other's hand is filled up if not given."""
    mine, theirs = melds.replace("/", " ").split(), other_melds.replace("/", " ").split()
    held = cards(hand)
    placed = {*held, *mine, *theirs, *cards(stock), *([centre] if centre else [])}
    free = [card for card in PACK if card not in placed]
    others = free[: 10 - len(theirs)] if other_hand is None else cards(other_hand)
    assert len(held) + len(mine) == 10 + (phase == "discard")
    assert len(others) + len(theirs) == 10
    pack = [card for card in PACK if card not in cards(stock)] + cards(stock)
    hands = (mask(held), mask(others))
    laid = (_masks(melds), _masks(other_melds))
    return State(
        Standing(target, (0, 0), stake, 1, tuple(pack)),
        phase,
        seat,
        40 - len(cards(stock)),
        hands if seat == 0 else (hands[1], hands[0]),
        laid if seat == 0 else (laid[1], laid[0]),
        BIT[centre] if centre else 0,
        origin,
    )


def _masks(melds: str) -> tuple[int, ...]:
    return tuple(sorted((mask(part.split()) for part in melds.split("/") if part.strip()), key=MELDS.__getitem__))


def refusal(state: State, move: object) -> str:
    """The code with which the awaited seat's move is refused; the state isn't touched and the list agrees."""
    with pytest.raises(IllegalMove) as refused:
        RULES.check(state, state.seat, move)
    assert move not in RULES.legal_moves(state)
    return refused.value.code


def play(state: State, *moves: Move) -> State:
    """The state after these moves, each by the awaited seat and legal."""
    for move in moves:
        canonical = RULES.check(state, state.seat, move)
        assert canonical in RULES.legal_moves(state)
        state = RULES.play(state, canonical).state
    return state


def melded(state: State, seat: int) -> list[list[str]]:
    return [list(MELDS[one]) for one in state.melds[seat]]


def declined_by_seat_0(origin: Origin = "discarded", **more: Any) -> State:
    """Seat 0 has a meld 4H 5H 6H which the centre card 7H would extend, and has declined it."""
    return play(at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", origin=origin, stock="2C 2D", **more), PASS)


def random_game(seed: int, target: int) -> list[tuple[State, Step]]:
    """Each state of a game of random moves with the step that led to it."""
    rng = random.Random(seed)
    state, course = RULES.start({"target": target}), []
    while (awaited := RULES.awaits(state)) is not None:
        step: Step
        if awaited == "deal":
            pack = list(PACK)
            rng.shuffle(pack)
            step = Deal((tuple(pack),))
            state = RULES.deal(state, step.packs)
        else:
            assert isinstance(awaited, int)
            moves = RULES.legal_moves(state)
            usable = [move for move in moves if move != PASS]
            step = Play(awaited, rng.choice(usable if usable and rng.random() < 0.7 else moves))
            state = RULES.play(state, step.move).state
        course.append((state, step))
    return course
