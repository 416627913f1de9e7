"""The Forty Thieves family as far as it is seen: what follows from a *view* alone, so that nothing hidden can matter.

What a board shows before a move is made, which cards can all go up, how a group moves through empty columns, and what
a hint says: each is a pure function of the view of :mod:`games.engine.forty_thieves`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from games.engine.cards import RANK_NUMBER, RANKS
from games.engine.contract import Card, Move
from games.engine.forty_thieves_help import FOUNDATION, HOSTS, WASTE, Build, card_move

type View = Mapping[str, Any]
#: A card that is there but not seen.
type Seen = Card | None


def after_move(view: View, move: Move) -> dict[str, Any]:
    """The view after a legal move, without what it turns up: a card that isn't known yet is None."""
    after = {**view, "columns": [{**column, "cards": [*column["cards"]]} for column in view["columns"]]}
    if move["type"] == "draw":
        turned = min(view["turn"], view["stock"])
        after |= {"stock": view["stock"] - turned, "waste": [*view["waste"], *[None] * turned]}
    elif move["type"] == "redeal":
        after |= {"stock": len(view["waste"]), "waste": [], "redeals_left": view["redeals_left"] - 1}
    else:
        _move_cards(after, move)
    return after


def _move_cards(after: dict[str, Any], move: Move) -> None:
    columns = {column["name"]: column for column in after["columns"]}
    if move["from"] == WASTE:
        cards = after["waste"][-1:]
        after["waste"] = after["waste"][:-1]
    else:
        source = columns[move["from"]]
        cards = source["cards"][-move["count"] :]
        source["cards"] = source["cards"][: -move["count"]]
        source["movable"] = _movable(after, source)
    if move["to"] == FOUNDATION:
        after["foundations"] = _raised(after["foundations"], cards[0])
        after["placed"] += 1
    else:
        target = columns[move["to"]]
        target["cards"] += cards
        target["movable"] = _movable(after, target)


def _movable(view: View, column: View) -> int:
    """How many of the column's last cards could be lifted at once; none of which isn't seen."""
    run = longest_run(view, column["cards"])
    return run if view["sequences"] else min(run, 1)


def _raised(foundations: Sequence[View], card: Card) -> list[View]:
    """The foundations with ``card`` on the first that it fits."""
    out = [*foundations]
    for n, foundation in enumerate(out):
        if foundation["suit"] == card[1] and foundation["height"] + 1 == RANK_NUMBER[card]:
            out[n] = {**foundation, "height": foundation["height"] + 1, "top": card}
            return out
    raise ValueError(f"no foundation takes {card}")


def wanted(view: View) -> set[Card]:
    """The cards that the foundations take now."""
    rising = (foundation for foundation in view["foundations"] if foundation["height"] < len(RANKS))
    return {RANKS[foundation["height"]] + foundation["suit"] for foundation in rising}


def tops(view: View) -> Iterator[tuple[str, Seen]]:
    """Each pile that isn't empty, with the card that lies on it."""
    for column in view["columns"]:
        if column["cards"]:
            yield column["name"], column["cards"][-1]
    if view["waste"]:
        yield WASTE, view["waste"][-1]


def all_up(view: View) -> list[Move]:
    """Single moves that bring to the foundations all that can go there, one card laying the next one free."""
    moves: list[Move] = []
    now: View = view
    while True:
        takes = wanted(now)
        source = next((name for name, card in tops(now) if card in takes), None)
        if source is None:
            return moves
        moves.append(card_move(source, FOUNDATION))
        now = after_move(now, moves[-1])


def group_moves(view: View, source: str, count: int, target: str) -> list[Move]:
    """Where one card moves at a time: single moves that bring a run of ``count`` cards over, by way of empty columns.

    Each but the lowest card waits in an empty column of its own. Empty if the cards are no run, don't fit, or find too
    few empty columns.
    """
    columns = {column["name"]: column["cards"] for column in view["columns"]}
    cards: Sequence[Seen] = columns[source][-count:]
    free = [name for name, lying in columns.items() if not lying and name != target]
    if view["sequences"] or count < 2 or len(cards) < count or len(free) < count - 1 or source == target:
        return []
    if not _is_run(view, cards) or (columns[target] and not _takes(view, columns[target][-1], cards[0])):
        return []
    waits = free[: count - 1]
    out = [card_move(source, column) for column in waits]
    back = [card_move(column, target) for column in reversed(waits)]
    return [*out, card_move(source, target), *back]


def longest_run(view: View, cards: Sequence[Seen]) -> int:
    """How many last cards form a run by the columns' building rule, face up."""
    count = min(1, len(cards)) if cards and cards[-1] is not None else 0
    while 0 < count < len(cards) and _takes(view, cards[-count - 1], cards[-count]):
        count += 1
    return count


def _is_run(view: View, cards: Sequence[Seen]) -> bool:
    return longest_run(view, cards) == len(cards)


def _takes(view: View, onto: Seen, card: Seen) -> bool:
    """Whether a column's last card takes ``card``."""
    return onto is not None and card is not None and onto in HOSTS[Build(view["build"])][card]


# --- hints --------------------------------------------------------------------------------------------------------


def hint(view: View, legal: Iterable[Move]) -> Move | None:
    """A sensible one of the legal moves, or None where each would only push cards about.

    The first of these kinds that there is: onto the foundations; turning a face-down card up; making room for a card
    that can then go up; emptying a column; from the waste onto a column; making a run longer; into an empty column so
    that the card below finds a place; turning; the waste into an empty column; redealing. Within a kind the move that
    lifts the fewest cards. Following hints never comes back to the same position.
    """
    ranked = ((rank, move.get("count", 0), n, move) for n, move in enumerate(legal) if (rank := _rank(view, move)))
    best = min(ranked, default=None)
    return best[-1] if best else None


#: The kinds of :func:`hint`, the best first.
_KINDS: Final = ("up", "reveal", "free", "empty", "waste", "build", "through", "draw", "park", "redeal")


def _rank(view: View, move: Move) -> int:
    """The place of the move's kind among :data:`_KINDS`, from 1; 0 for a pointless move."""
    kind = _kind(view, move)
    return _KINDS.index(kind) + 1 if kind else 0


def _kind(view: View, move: Move) -> str:
    if move["type"] != "move":
        return str(move["type"])
    if move["to"] == FOUNDATION:
        return "up"
    columns = {column["name"]: column["cards"] for column in view["columns"]}
    into_empty = not columns[move["to"]]
    if move["from"] == WASTE:
        return "park" if into_empty else "waste"
    lying = columns[move["from"]]
    left = lying[: -move["count"]]
    if not left:
        return "" if into_empty else "empty"
    if left[-1] is None:
        return "reveal"
    if left[-1] in wanted(view):
        return "free"
    if _takes(view, left[-1], lying[-move["count"]]):
        return ""  # it lies as well where it is
    if not into_empty:
        return "build"
    others = [cards[-1] for name, cards in columns.items() if cards and name != move["from"]]
    return "through" if any(_takes(view, onto, left[-1]) for onto in others) else ""
