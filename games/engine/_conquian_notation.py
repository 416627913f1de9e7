"""How Conquian's moves are written and typed.

``pass``, ``allow``, ``force 4H5H6H``, ``-2C`` (a discard), and for a meld the melds that are new or changed, with
slashes between, then the discard: ``4H5H6H/KCKDKS-2C``; without a discard the player goes out. Melds that stay as
they are need not be written. Case, spaces and commas are free, and a suit may be typed as ``♥``.
"""

from __future__ import annotations

import re
from typing import Any, Final

from games.engine.conquian_melds import BIT, CARDS, MELDS, Melds, mask, partitions
from games.engine.contract import Card, IllegalMove, Move, gettext_noop

_SYMBOLS: Final = str.maketrans(
    {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S", "\ufe0f": "", "\ufe0e": ""}
)
_SPACE: Final = re.compile(r"[\s,.]+")
_FORCE: Final = re.compile(r"FORCE(?:ON(?:TO)?)?")
_DISCARD: Final = re.compile(r"AND|DISCARD(?:ED|ING|S)?")
_MELD: Final = re.compile(r"MELD(?:ED|ING|S)?")
_BETWEEN: Final = re.compile(r"[/;+|]+")
_PASSES: Final = frozenset({"PASS", "P", "DECLINE"})
_ALLOWS: Final = frozenset({"ALLOW", "A", "BURY"})


def write(move: Move, present: Melds) -> str:
    """The notation of a legal move of a player who has the melds ``present``."""
    match move["type"]:
        case "meld":
            kept = {MELDS[meld] for meld in present}
            melds = "/".join("".join(meld) for meld in move["melds"] if tuple(meld) not in kept)
            return f"{melds}-{move['discard']}" if "discard" in move else melds
        case "force":
            return f"force {''.join(move['meld'])}"
        case "discard":
            return f"-{move['card']}"
        case kind:
            return str(kind)


def read(text: str, present: Melds, forcible: Melds, *, forced: bool) -> dict[str, Any]:
    """The move that ``text`` means, yet to be checked against the rules.

    ``present`` are the melds of the player, ``forcible`` those of the other that the centre card would extend;
    ``forced`` says that a discard alone is awaited. Raises IllegalMove ``bad_notation`` or ``ambiguous_notation``.
    """
    plain = _SPACE.sub("", text.upper().translate(_SYMBOLS))
    if not plain:
        raise _bad()
    if plain in _PASSES:
        return {"type": "pass"}
    if plain in _ALLOWS:
        return {"type": "allow"}
    if force := _FORCE.match(plain):
        return {"type": "force", "meld": _forced_meld(plain[force.end() :], forcible)}
    body, dash, discard = _DISCARD.sub("-", _MELD.sub("", plain)).replace(">", "-").partition("-")
    discards = _cards(discard.lstrip("-"))
    if forced and not body:
        return {"type": "discard", "card": _only(discards)}
    if forced and not dash:
        return {"type": "discard", "card": _only(_cards(body))}
    melds = [_cards(group) for group in _BETWEEN.split(body) if group]
    move: dict[str, Any] = {"type": "meld", "melds": _completed(melds, present)}
    return move | {"discard": _only(discards)} if dash else move


def _bad() -> IllegalMove:
    return IllegalMove(
        "bad_notation",
        gettext_noop("This is not a move. Moves are written like 4H5H6H/KCKDKS-2C, -2C, force 4H5H6H, allow or pass."),
    )


def _ambiguous() -> IllegalMove:
    return IllegalMove(
        "ambiguous_notation", gettext_noop("This can be meant in several ways: write every meld, with slashes between.")
    )


def _cards(text: str) -> list[Card]:
    cards = [text[n : n + 2] for n in range(0, len(text), 2)]
    if not CARDS.issuperset(cards) or len(set(cards)) < len(cards):
        raise _bad()
    return cards


def _only(cards: list[Card]) -> Card:
    if len(cards) != 1:
        raise _bad()
    return cards[0]


def _forced_meld(text: str, forcible: Melds) -> list[Card]:
    """The meld named, which may be left out where there is just one."""
    if text:
        return _cards(text)
    if len(forcible) > 1:
        raise IllegalMove(
            "ambiguous_notation", gettext_noop("The card fits several melds: name the one that you mean.")
        )
    return [*MELDS[forcible[0]]] if forcible else []


def _completed(melds: list[list[Card]], present: Melds) -> list[list[Card]]:
    """The melds as written, and the present ones of which no card was written, which stay as they are. Melds written
    without slashes are told apart where there is one way to do it."""
    if len(melds) == 1 and len(melds[0]) > 3 and mask(melds[0]) not in MELDS:
        ways = partitions(mask(melds[0]))
        if len(ways) > 1:
            raise _ambiguous()
        melds = [[*MELDS[meld]] for meld in ways[0]] if ways else melds
    named = {card for meld in melds for card in meld}
    return melds + [[*MELDS[meld]] for meld in present if not any(BIT[card] & meld for card in named)]
