"""The short notation of the Forty Thieves family, as a person types it.

``t3 t5`` moves the last card of the third column to the fifth, ``t3 t5 4`` the last four; ``w t2`` and ``w f`` move
the top card of the waste; ``t1 f`` plays to a foundation; ``draw`` turns from the stock; ``redeal`` redeals. A card's
name may stand for the pile that it lies in: ``7♠ 8♠``, ``10d f``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from games.engine.contract import IllegalMove, Move, gettext_noop
from games.engine.forty_thieves_help import COLUMNS, FOUNDATION, HOSTS, VARIANTS, WASTE, State, card_move, movable_count

type Check = Callable[[Move], Move]

_WORDS: Final = {"draw": "draw", "d": "draw", "turn": "draw", "redeal": "redeal", "r": "redeal"}
_SUIT_LETTERS: Final = str.maketrans(
    {"♣": "c", "♧": "c", "♦": "d", "♢": "d", "♥": "h", "♡": "h", "♠": "s", "♤": "s", "\ufe0e": "", "\ufe0f": ""}
)
_CARD: Final = r"(?:10|[a2-9tjqk])\s*[cdhs]"
_BETWEEN: Final = r"[\s,.:>→–-]*"
_MOVE: Final = re.compile(
    rf"(?P<source>t\s*[0-9]{{1,2}}|w|f|{_CARD}){_BETWEEN}(?P<target>t\s*[0-9]{{1,2}}|w|f|{_CARD})"
    r"(?:(?:[\s,]+[x×]?|[x×])\s*(?P<count>[0-9]{1,3}))?"
)
#: The same without any space, where the count's digits follow the column's: ``t3t112`` is ``t3 t11 2`` or ``t3 t1 12``.
_TIGHT: Final = tuple(
    re.compile(rf"(?P<source>t[0-9]{{1,2}}){_BETWEEN}(?P<target>t[0-9]{digits})(?P<count>[1-9][0-9]?)")
    for digits in ("", "[0-9]")
)
#: Longer than any notation; what is longer isn't looked into.
_LONGEST: Final = 40


def write_move(move: Move) -> str:
    """``move``, a canonical one, in the notation."""
    if move["type"] != "move":
        return str(move["type"])
    count = f" {move['count']}" if move["count"] > 1 else ""
    return f"{move['from']} {move['to']}{count}"


def parse_move(state: State, text: str, check: Check) -> Move:
    """The legal move that ``text`` means in this state.

    ``check`` gives a legal move's canonical form and raises :class:`IllegalMove` for another, as this does, or with
    the code ``bad_notation`` or ``ambiguous_notation``.
    """
    refusal = IllegalMove(
        "bad_notation",
        gettext_noop("Write a move like t3 t5, t3 t5 4, w t2, w f, 7♠ 8♠, draw or redeal."),
    )
    if len(text) > _LONGEST:
        raise refusal
    typed = text.translate(_SUIT_LETTERS).casefold().strip()
    if typed in _WORDS:
        return check({"type": _WORDS[typed]})
    legal: list[Move] = []
    first_refusal: IllegalMove | None = None
    for candidate in _candidates(state, typed):
        try:
            move = check(candidate)
        except IllegalMove as illegal:
            first_refusal = first_refusal or illegal
        else:
            if move not in legal:
                legal.append(move)
    if not legal:
        raise first_refusal or refusal
    if len(legal) > 1:
        raise IllegalMove("ambiguous_notation", gettext_noop("This could mean more than one move: name the piles."))
    return legal[0]


def _candidates(state: State, typed: str) -> Iterator[Move]:
    """The moves that the text might mean, legal or not, the likeliest first."""
    read = _MOVE.fullmatch(typed)
    if read is not None:
        count = None if read["count"] is None else int(read["count"])
        targets = _targets(state, _name(read["target"]))
        for source, lifted in _sources(state, _name(read["source"])):
            for target in targets:
                if count is None:
                    yield card_move(source, target, lifted or _fitting_count(state, source, target))
                elif lifted is None or lifted == count:
                    yield card_move(source, target, count)
    if VARIANTS[state.variant].sequences:
        for pattern in _TIGHT:
            read = pattern.fullmatch(typed)
            if read is not None and int(read["count"]) > 1:
                yield card_move(read["source"], read["target"], int(read["count"]))


def _name(typed: str) -> str:
    """A pile's name, or a card's code, as the engine writes it."""
    word = "".join(typed.split())
    if word in (WASTE, FOUNDATION) or (word[1].isdigit() and word[0] == "t"):
        return word
    return word.replace("10", "t").upper()


def _is_card(name: str) -> bool:
    return name.isupper()


def _sources(state: State, name: str) -> list[tuple[str, int | None]]:
    """The piles meant by ``name``; for a card's, each pile where it can be lifted and how many cards that lifts."""
    if not _is_card(name):
        return [(name, None)]
    found: list[tuple[str, int | None]] = [(WASTE, 1)] if state.waste[-1:] == (name,) else []
    for number, cards in enumerate(state.columns):
        movable = range(1, movable_count(state, number) + 1)
        found.extend((COLUMNS[number], count) for count in movable if cards[-count] == name)
    if not found:
        # Said alike of a card that is buried, face down or in the stock: where it lies is not told.
        raise IllegalMove("card_not_free", gettext_noop("%(card)s can't move now."), card=name)
    return found


def _targets(state: State, name: str) -> list[str]:
    if not _is_card(name):
        return [name]
    found = [column for column, cards in zip(COLUMNS, state.columns, strict=False) if cards[-1:] == (name,)]
    if not found:
        raise IllegalMove("card_not_last", gettext_noop("No column ends with %(card)s."), card=name)
    return found


def _fitting_count(state: State, source: str, target: str) -> int:
    """Onto a card at most one part of a run fits; that is meant where no count is typed. Else one card is."""
    columns = dict(zip(COLUMNS, enumerate(state.columns), strict=False))
    if source not in columns or target not in columns:
        return 1
    (number, cards), (_, onto) = columns[source], columns[target]
    hosts = HOSTS[VARIANTS[state.variant].build]
    for count in range(1, movable_count(state, number) + 1):
        if onto and onto[-1] in hosts[cards[-count]]:
            return count
    return 1
