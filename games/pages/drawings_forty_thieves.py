"""What the rules pages of the Forty Thieves family draw: real deals, and moves made by the engine."""

from __future__ import annotations

from functools import cache
from typing import Any

from games.engine.cards import RANKS, SUITS
from games.engine.contract import SPECTATOR
from games.engine.forty_thieves import RULES, State
from games.engine.forty_thieves_eyes import hint
from games.engine.forty_thieves_help import HOSTS, VARIANTS
from games.engine.shuffle import deal_by_number
from games.pages.boards.base import View

#: The deal that the pages show, and how many hints it is played on by.
NUMBER, PLAYED = 12345, 70
_EXAMPLE = "8S"


@cache
def forty_thieves(variant: str) -> dict[str, Any]:
    """A variant's facts and pictures.

    ``start`` and ``middle`` are tables of deal :data:`NUMBER`; ``hosts`` and ``others`` the nines that take an eight
    of spades and those that don't; ``siblings`` the other variants; ``row`` is its line of the table of variants.
    """
    state = RULES.start({"variant": variant})
    state = RULES.deal(state, deal_by_number(RULES.packs(state), NUMBER))
    nines = [f"9{suit}" for suit in reversed(SUITS)]
    hosts = [card for card in nines if card in HOSTS[VARIANTS[variant].build][_EXAMPLE]]
    return {
        "variant": VARIANTS[variant],
        "build": VARIANTS[variant].build.value,
        "stock": 104 - 8 * VARIANTS[variant].aces_out - VARIANTS[variant].columns * VARIANTS[variant].rows,
        "number": NUMBER,
        "start": _seen(state),
        "middle": _seen(_played_on(state)),
        "eight": _EXAMPLE,
        "hosts": hosts,
        "others": [card for card in nines if card not in hosts],
        "rows": VARIANTS.items(),
        "top_rank": RANKS[-1],
    }


def _played_on(state: State) -> State:
    """So many hints later, while there still are some."""
    for _ in range(PLAYED):
        move = hint(_seen(state), RULES.legal_moves(state))
        if move is None:
            break
        state = RULES.play(state, move).state
    return state


def _seen(state: State) -> View:
    return RULES.view(state, SPECTATOR)
