"""Forty Thieves and its family: a patience with two packs, eight foundations from ace to king, nine variants.

The source of the rules is ``rules/forty-thieves.md`` of the specification; what it rules where the published games
are silent carries the word *ruling* here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from games.engine.cards import RANKS, SUITS
from games.engine.contract import (
    DEAL,
    OPEN,
    Awaits,
    BadOption,
    IllegalMove,
    Move,
    Options,
    Packs,
    Played,
    Positions,
    Result,
    Rules,
    Viewer,
    Words,
    gettext_noop,
    malformed,
)
from games.engine.forty_thieves_checks import check_card_move, check_redeal
from games.engine.forty_thieves_eyes import hint as sensible_move
from games.engine.forty_thieves_help import (
    COLUMN_NUMBER,
    FOUNDATION,
    VARIANTS,
    WASTE,
    State,
    can_redeal,
    card_moves,
    foundation_for,
    lifted,
    movable_count,
    nothing_legal,
    only_turning_left,
    placed,
    redeals_left,
    unshuffled,
)
from games.engine.forty_thieves_notation import parse_move, write_move

__all__ = ["RULES", "VARIANTS", "FortyThieves", "State", "movable_count", "nothing_legal", "only_turning_left"]

DEFAULT_VARIANT: Final = "forty-thieves"
CARDS: Final = 104
_DRAW: Final = "draw"
_REDEAL: Final = "redeal"


class FortyThieves(Rules[State]):
    """The nine variants, told apart by the option ``variant``."""

    slug = "forty_thieves"
    version = 1
    seats = 1
    lone_pass = "never"
    numbered = True
    offered: ClassVar[Mapping[str, Sequence[Any]]] = {
        "variant": (DEFAULT_VARIANT, *(name for name in VARIANTS if name != DEFAULT_VARIANT))
    }

    # --- options and course -------------------------------------------------------------------------------------

    def options(self, given: Options) -> dict[str, Any]:
        """``{"variant": slug}``, one of :data:`VARIANTS`."""
        for name in given:
            if name != "variant":
                raise BadOption("unknown_option", gettext_noop("Forty Thieves has no option but its variant."))
        variant = given.get("variant", DEFAULT_VARIANT)
        if not isinstance(variant, str) or variant not in VARIANTS:
            raise BadOption("bad_option", gettext_noop("The variant isn't one of the nine that are played here."))
        return {"variant": variant}

    def start(self, options: Options) -> State:
        variant = VARIANTS[options["variant"]]
        return State(
            variant=options["variant"],
            pack=(),
            columns=((),) * variant.columns,
            down=(0,) * variant.columns,
            stock=(),
            waste=(),
            foundations=(int(variant.aces_out),) * 8,
            redeals=0,
        )

    def awaits(self, state: State) -> Awaits:
        if not state.pack:
            return DEAL
        return None if nothing_legal(state) else 0

    def packs(self, state: State) -> Packs:
        """One pack of both, see :func:`unshuffled`."""
        return (unshuffled(VARIANTS[state.variant]),)

    def deal(self, state: State, packs: Packs) -> State:
        """Dealt in rows, left to right, one card to each column a row; the rest is the stock."""
        (pack,) = packs
        variant = VARIANTS[state.variant]
        tableau = variant.columns * variant.rows
        return replace(
            state,
            pack=tuple(pack),
            columns=tuple(tuple(pack[column : tableau : variant.columns]) for column in range(variant.columns)),
            down=(variant.face_down,) * variant.columns,
            stock=tuple(pack[tableau:]),
        )

    # --- moves --------------------------------------------------------------------------------------------------

    def legal_moves(self, state: State) -> list[Move]:
        moves = list(card_moves(state))
        if state.stock:
            moves.append({"type": _DRAW})
        elif can_redeal(state):
            moves.append({"type": _REDEAL})
        return moves

    def check_move(self, state: State, seat: int, move: Mapping[str, object]) -> Move:
        match move.get("type"):
            case "draw" if len(move) == 1:
                if not state.stock:
                    raise IllegalMove("stock_empty", gettext_noop("The stock is empty: there is no card to turn."))
                return {"type": _DRAW}
            case "redeal" if len(move) == 1:
                check_redeal(state)
                return {"type": _REDEAL}
            case "move":
                return check_card_move(state, move)
        raise malformed()

    def play(self, state: State, move: Move) -> Played[State]:
        """``revealed``: a card was turned from the stock, or a face-down card turned up."""
        kind = move["type"]
        if kind == _DRAW:
            turn = VARIANTS[state.variant].turn
            drawn = replace(state, stock=state.stock[turn:], waste=state.waste + state.stock[:turn])
            return Played(drawn, revealed=True)
        if kind == _REDEAL:
            # Ruling: the waste becomes the stock in the order in which it was turned.
            redealt = replace(state, stock=state.waste, waste=(), redeals=state.redeals + 1)
            return Played(redealt, revealed=False)
        return _play_cards(state, move["from"], move["to"], move["count"])

    def hint(self, view: Mapping[str, Any], legal: Sequence[Move]) -> Move | None:
        return sensible_move(view, legal)

    # --- eyes ---------------------------------------------------------------------------------------------------

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """What a board page needs.

        ``columns``: each ``{"name": "t1", "cards": [card, or null face down], "down": n, "movable": n}`` from the
        bottom; ``waste`` from the first turned to the top; ``stock``: the number left; ``foundations``: eight
        ``{"suit", "height", "top": card or null}``; ``placed`` and ``cards``: on the foundations, of how many.
        ``awaits`` and ``result`` are the methods'. With everything open ``stock_cards`` lists the stock from its
        top, else it is null: not even after a redeal is the stock's order shown.
        """
        variant = VARIANTS[state.variant]
        open_eyes = viewer is OPEN
        return {
            "variant": state.variant,
            "build": variant.build.value,
            "sequences": variant.sequences,
            "turn": variant.turn,
            "columns": [
                {
                    "name": name,
                    "cards": [
                        card if open_eyes or place >= state.down[number] else None
                        for place, card in enumerate(state.columns[number])
                    ],
                    "down": state.down[number],
                    "movable": movable_count(state, number),
                }
                for name, number in COLUMN_NUMBER.items()
                if number < variant.columns
            ],
            "waste": list(state.waste),
            "stock": len(state.stock),
            "stock_cards": list(state.stock) if open_eyes else None,
            "foundations": [
                {"suit": suit, "height": height, "top": RANKS[height - 1] + suit if height else None}
                for suit, height in zip((suit for suit in SUITS for _ in range(2)), state.foundations, strict=True)
            ],
            "redeals_left": redeals_left(state),
            "placed": placed(state),
            "cards": CARDS,
            "only_turning_left": only_turning_left(state),
            "awaits": self.awaits(state),
            "result": self.result(state),
        }

    def unseen(self, state: State, viewer: Viewer) -> Positions:
        """The face-down cards, and the stock until it has been turned once: after a redeal its order is known."""
        if not state.pack:
            return ()
        if viewer is OPEN:
            return (frozenset(),)
        columns = len(state.columns)
        hidden = {row * columns + column for column, down in enumerate(state.down) for row in range(down)}
        if not state.redeals:
            hidden.update(range(len(state.pack) - len(state.stock), len(state.pack)))
        return (frozenset(hidden),)

    def result(self, state: State) -> Result | None:
        if self.awaits(state) is not None:
            return None
        on_foundations = placed(state)
        return {"scores": [on_foundations], "winner": 0 if on_foundations == CARDS else None}

    # --- words --------------------------------------------------------------------------------------------------

    def describe(self, state: State, move: Move) -> Words:
        """Names no card that isn't seen before the move: a turned card isn't told."""
        if move["type"] == _DRAW:
            count = min(VARIANTS[state.variant].turn, len(state.stock))
            if count == 1:
                return Words("forty_thieves.draw_one", {})
            return Words("forty_thieves.draw_several", {"count": count})
        if move["type"] == _REDEAL:
            return Words("forty_thieves.redeal", {"left": redeals_left(state) - 1})
        source, target, count = move["from"], move["to"], move["count"]
        cards = lifted(state, source, count)
        params: dict[str, Any] = {"card": cards[0]} if count == 1 else {"cards": list(cards)}
        if source != WASTE:
            params["column"] = COLUMN_NUMBER[source] + 1
        if target != FOUNDATION:
            params["target"] = COLUMN_NUMBER[target] + 1
        what = "run" if count > 1 else "waste" if source == WASTE else "card"
        return Words(f"forty_thieves.{what}_to_{'foundation' if target == FOUNDATION else 'column'}", params)

    def notation(self, state: State, move: Move) -> str:
        return write_move(move)

    def parse(self, state: State, text: str) -> Move:
        return parse_move(state, text, lambda move: self.check(state, 0, move))

    # --- values -------------------------------------------------------------------------------------------------

    def to_json(self, state: State) -> dict[str, Any]:
        return {
            "variant": state.variant,
            "pack": list(state.pack),
            "columns": [list(column) for column in state.columns],
            "down": list(state.down),
            "stock": list(state.stock),
            "waste": list(state.waste),
            "foundations": list(state.foundations),
            "redeals": state.redeals,
        }

    def from_json(self, data: Mapping[str, Any]) -> State:
        return State(
            variant=data["variant"],
            pack=tuple(data["pack"]),
            columns=tuple(tuple(column) for column in data["columns"]),
            down=tuple(data["down"]),
            stock=tuple(data["stock"]),
            waste=tuple(data["waste"]),
            foundations=tuple(data["foundations"]),
            redeals=data["redeals"],
        )


def _play_cards(state: State, source: str, target: str, count: int) -> Played[State]:
    cards = lifted(state, source, count)
    columns, down = list(state.columns), state.down
    waste, foundations = state.waste, state.foundations
    revealed = False
    if source == WASTE:
        waste = waste[:-1]
    else:
        number = COLUMN_NUMBER[source]
        left = columns[number] = columns[number][:-count]
        if left and down[number] == len(left):
            # A face-down card that becomes last in its column turns up by itself.
            down = (*down[:number], len(left) - 1, *down[number + 1 :])
            revealed = True
    if target == FOUNDATION:
        place = foundation_for(state, cards[0])
        assert place is not None
        foundations = (*foundations[:place], foundations[place] + 1, *foundations[place + 1 :])
    else:
        columns[COLUMN_NUMBER[target]] += cards
    after = State(state.variant, state.pack, tuple(columns), down, state.stock, waste, foundations, state.redeals)
    return Played(after, revealed)


RULES: Final = FortyThieves()
