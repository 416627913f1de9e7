"""Which rule of the Forty Thieves family a move breaks: a refusal for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.cards import RANK_NUMBER
from games.engine.contract import Card, IllegalMove, Move, gettext_noop, malformed
from games.engine.forty_thieves_help import (
    COLUMN_NUMBER,
    FOUNDATION,
    HOSTS,
    VARIANTS,
    WASTE,
    Build,
    State,
    card_move,
    foundation_for,
    lifted,
    redeals_left,
    run_length,
)

_MOVE_KEYS: Final = frozenset({"type", "from", "to", "count"})
_WRONG_SUIT: Final = {
    Build.SAME_SUIT: gettext_noop("Columns are built down in the same suit here."),
    Build.DIFFERENT_SUIT: gettext_noop("Columns are built down in a different suit here."),
    Build.OTHER_COLOUR: gettext_noop("Columns are built down in the other colour here."),
}


def check_redeal(state: State) -> None:
    """Raise :class:`IllegalMove` unless the waste may become the stock now."""
    if not VARIANTS[state.variant].redeals:
        raise IllegalMove("no_redeal", gettext_noop("There is no redeal in this game."))
    if state.stock:
        raise IllegalMove("stock_not_empty", gettext_noop("A redeal waits until the stock is empty."))
    if not state.waste:
        raise IllegalMove("waste_empty", gettext_noop("The waste is empty: there is nothing to redeal."))
    if not redeals_left(state):
        raise IllegalMove("no_redeals_left", gettext_noop("No redeals are left."))


def check_card_move(state: State, move: Mapping[str, object]) -> Move:
    """The canonical form of a move of cards, or :class:`IllegalMove`: ``malformed_move``, or the rule it breaks."""
    if move.keys() != _MOVE_KEYS:
        raise malformed()
    source, target, count = move["from"], move["to"], move["count"]
    # A bool is an int in Python, and no count.
    if not (isinstance(source, str) and isinstance(target, str) and type(count) is int and count > 0):
        raise malformed()
    for pile in (source, target):
        if pile not in (WASTE, FOUNDATION):
            _check_column(state, pile)
    _check_source(state, source, count)
    card = lifted(state, source, count)[0]
    if target == FOUNDATION:
        _check_foundation(state, card, count)
    elif target == WASTE:
        raise IllegalMove("to_waste", gettext_noop("Cards reach the waste from the stock alone."))
    elif target == source:
        raise IllegalMove("same_column", gettext_noop("A card moves to another column than its own."))
    else:
        _check_building(state, card, COLUMN_NUMBER[target])
    return card_move(source, target, count)


def _check_column(state: State, pile: str) -> None:
    if pile not in COLUMN_NUMBER:
        raise malformed()
    if COLUMN_NUMBER[pile] >= len(state.columns):
        raise IllegalMove(
            "no_such_column", gettext_noop("This game has %(columns)s columns."), columns=len(state.columns)
        )


def _check_source(state: State, source: str, count: int) -> None:
    """Refuse what can't be lifted, wherever it would go."""
    if source == FOUNDATION:
        raise IllegalMove("from_foundation", gettext_noop("Nothing comes back from a foundation."))
    if source == WASTE:
        if not state.waste:
            raise IllegalMove("waste_has_no_card", gettext_noop("The waste is empty: it has no card to move."))
        if count > 1:
            raise IllegalMove("waste_top_only", gettext_noop("Only the top card of the waste can move."))
        return
    number = COLUMN_NUMBER[source]
    cards = state.columns[number]
    if not cards:
        raise IllegalMove("column_empty", gettext_noop("An empty column has no card to move."))
    if count > 1 and not VARIANTS[state.variant].sequences:
        raise IllegalMove("one_card_only", gettext_noop("Cards move one at a time in this game."))
    if count > len(cards):
        raise IllegalMove("too_many_cards", gettext_noop("The column doesn't have that many cards."))
    if count > len(cards) - state.down[number]:
        raise IllegalMove("face_down", gettext_noop("A face-down card can't move."))
    if count > run_length(state, number):
        raise IllegalMove(
            "not_a_run", gettext_noop("Only cards that are in sequence by the building rule move together.")
        )


def _check_foundation(state: State, card: Card, count: int) -> None:
    if count > 1:
        raise IllegalMove("foundation_one_card", gettext_noop("Cards go to the foundations one at a time."))
    if foundation_for(state, card) is None:
        raise IllegalMove(
            "not_next", gettext_noop("A foundation takes the next card of its suit, from the ace up to the king.")
        )


def _check_building(state: State, card: Card, target: int) -> None:
    cards = state.columns[target]
    if not cards:
        return
    build = VARIANTS[state.variant].build
    if cards[-1] in HOSTS[build][card]:
        return
    if RANK_NUMBER[card] + 1 != RANK_NUMBER[cards[-1]]:
        raise IllegalMove("wrong_rank", gettext_noop("In a column a card goes onto one that is one rank higher."))
    raise IllegalMove("wrong_suit", _WRONG_SUIT[build])
