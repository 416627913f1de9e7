"""Climb, a tiny game with hidden cards: what a new game is made of. Adding a game:

1. Write its page: set-up, each move's JSON, who sees what, the score, and a ruling wherever the source is silent.
2. Write ``games/engine/<slug>.py``: a frozen state, one subclass of ``Rules`` as below, and ``RULES = <Game>()``.
3. Give every refusal its own code and a ``gettext_noop`` sentence, every move ``Words`` and a typable notation.
4. Write ``games/wording/<slug>.py``: a phrase for every id in ``WORDS``.
5. Say in ``tests/contract/play.py`` where a state's cards are (``HOLDINGS``); run ``pytest tests/contract -k <slug>``.

Five hearts each; play a higher card than the last one or pass; an empty hand or two passes in a row end it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from games.engine import contract as c
from games.engine.cards import RANK_NUMBER, pack


@dataclass(frozen=True, slots=True)
class State:
    pack: c.Pack = ()
    hands: tuple[c.Pack, c.Pack] = ((), ())
    played: c.Pack = ()  # by both, the last one on top
    seat: int = 0
    passes: int = 0
    top: int = 0  # the rank of the last card played


class Climb(c.Rules[State]):
    slug, version, seats, lone_pass = "climb", 1, 2, "optional"

    def options(self, given: c.Options) -> dict[str, Any]:
        if given:
            raise c.BadOption("unknown_option", "Climb has no options.")
        return {}

    def start(self, options: c.Options) -> State:
        return State()

    def awaits(self, state: State) -> c.Awaits:
        running = all(state.hands) and state.passes < 2
        return (state.seat if running else None) if state.pack else c.DEAL

    def packs(self, state: State) -> c.Packs:
        return (pack(suits="H"),)

    def deal(self, state: State, packs: c.Packs) -> State:
        return State(packs[0], (packs[0][:5], packs[0][5:10]))

    def legal_moves(self, state: State) -> list[c.Move]:
        if self.awaits(state) not in (0, 1):
            return []
        higher = (card for card in state.hands[state.seat] if RANK_NUMBER[card] > state.top)
        return [*({"type": "play", "card": card} for card in higher), {"type": "pass"}]

    def check_move(self, state: State, seat: int, move: Mapping[str, object]) -> c.Move:
        match dict(move):
            case {"type": "pass", **rest} if not rest:
                return {"type": "pass"}
            case {"type": "play", "card": str(card), **rest} if not rest and card in RANK_NUMBER:
                if card not in state.hands[seat]:
                    raise c.IllegalMove("not_in_hand", "Only a card of your own hand can be played.")
                if RANK_NUMBER[card] <= state.top:
                    raise c.IllegalMove("too_low", "A card must be higher than the last one.")
                return {"type": "play", "card": card}
        raise c.malformed()

    def play(self, state: State, move: c.Move) -> c.Played[State]:
        if move["type"] == "pass":
            return c.Played(replace(state, seat=1 - state.seat, passes=state.passes + 1), revealed=False)
        first, second = (tuple(card for card in hand if card != move["card"]) for hand in state.hands)
        top, played = RANK_NUMBER[move["card"]], (*state.played, move["card"])
        return c.Played(State(state.pack, (first, second), played, 1 - state.seat, 0, top), revealed=True)

    def view(self, state: State, viewer: c.Viewer) -> dict[str, Any]:
        hands = [list(hand) if viewer in (seat, c.OPEN) else len(hand) for seat, hand in enumerate(state.hands)]
        return {"hands": hands, "played": list(state.played), "awaits": self.awaits(state)}

    def unseen(self, state: State, viewer: c.Viewer) -> c.Positions:
        own = state.hands[viewer] if isinstance(viewer, int) else ()
        seen = state.pack if viewer is c.OPEN else (*state.played, *own)
        return (frozenset(n for n, card in enumerate(state.pack) if card not in seen),)

    def result(self, state: State) -> c.Result | None:
        if self.awaits(state) is not None:
            return None
        a, b = (5 - len(hand) for hand in state.hands)
        return {"scores": [a, b], "winner": None if a == b else int(b > a)}

    def describe(self, state: State, move: c.Move) -> c.Words:
        return c.Words(f"climb.{move['type']}", {key: value for key, value in move.items() if key == "card"})

    def notation(self, state: State, move: c.Move) -> str:
        return str(move.get("card", "pass"))

    def parse(self, state: State, text: str) -> c.Move:
        card = text.strip().upper()
        return self.check(state, state.seat, {"type": "pass"} if card == "PASS" else {"type": "play", "card": card})

    def to_json(self, state: State) -> dict[str, Any]:
        return asdict(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        first, second = map(tuple, data["hands"])
        lists = {"pack": tuple(data["pack"]), "hands": (first, second), "played": tuple(data["played"])}
        return State(**{**data, **lists})
