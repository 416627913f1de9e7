"""Which moves of Conquian are legal: the complete list, and the rule that an illegal one breaks.

Source of the rules: ``rules/conquian.md`` (the course of play).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from games.engine._conquian_course import Phase, State, may_be_forced
from games.engine.cards import card_list
from games.engine.conquian_melds import BIT, CARD, CARDS, LONGEST, MELDS, arrangements, bits, mask
from games.engine.contract import Card, IllegalMove, Move, gettext_noop, malformed

PASS: Final[Move] = {"type": "pass"}
ALLOW: Final[Move] = {"type": "allow"}
_KEYS: Final[dict[object, frozenset[str]]] = {
    "pass": frozenset({"type"}),
    "allow": frozenset({"type"}),
    "force": frozenset({"type", "meld"}),
    "discard": frozenset({"type", "card"}),
    "meld": frozenset({"type", "melds", "discard"}),
}
_GOING_OUT: Final = frozenset({"type", "melds"})
_KINDS: Final[dict[Phase, frozenset[str]]] = {
    "deal": frozenset(),
    "offer": frozenset({"pass", "meld", "force"}),
    "forcing": frozenset({"force", "allow"}),
    "discard": frozenset({"discard"}),
    "over": frozenset(),
}


def legal_moves(state: State) -> list[Move]:
    """Every legal move of the awaited seat, canonical, in no particular order."""
    match state.phase:
        case "offer":
            moves: list[Move] = [PASS]
            _list_melds(state, moves)
            _list_forces(state, moves)
            return moves
        case "forcing":
            moves = [ALLOW]
            _list_forces(state, moves)
            return moves
        case "discard":
            return [{"type": "discard", "card": CARD[bit]} for bit in bits(state.hands[state.seat])]
        case _:
            return []


def _list_melds(state: State, moves: list[Move]) -> None:
    hand = state.hands[state.seat]
    for arrangement in arrangements(state.centre, sum(state.melds[state.seat]), hand):
        melds = sorted([*MELDS[meld]] for meld in arrangement)
        left = hand & ~sum(arrangement)
        if left:
            moves += [{"type": "meld", "melds": melds, "discard": CARD[bit]} for bit in bits(left)]
        else:
            moves.append({"type": "meld", "melds": melds})


def _list_forces(state: State, moves: list[Move]) -> None:
    moves += [{"type": "force", "meld": [*MELDS[meld]]} for meld in may_be_forced(state)]


def check(state: State, seat: int, move: Mapping[str, object]) -> Move:
    """The canonical form of the awaited seat's ``move``, or IllegalMove."""
    kind = move.get("type")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise malformed()
    if move.keys() != _KEYS[kind] and not (kind == "meld" and move.keys() == _GOING_OUT):
        raise malformed()
    if kind not in _KINDS[state.phase]:
        raise _out_of_place(state.phase, kind)
    match kind:
        case "meld":
            return _check_meld(state, seat, move)
        case "force":
            return _check_force(state, move["meld"])
        case "discard":
            return _check_discard(state, seat, move["card"])
        case _:
            return PASS if kind == "pass" else ALLOW


def _out_of_place(phase: Phase, kind: str) -> IllegalMove:
    """The refusal of a kind of move that isn't asked for in this phase."""
    if phase == "forcing":
        return IllegalMove(
            "force_or_allow",
            gettext_noop("The other player declined a card that fits their meld: force it, or allow it to be buried."),
        )
    if phase == "discard":
        return IllegalMove("discard_awaited", gettext_noop("A card was forced onto your meld: now discard a card."))
    if kind == "allow":
        return IllegalMove("nothing_to_allow", gettext_noop("There is no declined card to be buried or forced here."))
    return IllegalMove("discard_not_awaited", gettext_noop("A discard is made with a meld, or after being forced."))


def _check_force(state: State, value: object) -> Move:
    cards = card_list(value, CARDS)
    if cards is None:
        raise malformed()
    meld = mask(cards)
    forcible = may_be_forced(state)
    if not forcible:
        raise IllegalMove(
            "nothing_to_force",
            gettext_noop("Only a card that the other player declined and that fits their own meld can be forced."),
        )
    if meld not in state.melds[1 - state.seat]:
        raise IllegalMove("no_such_meld", gettext_noop("Name one of the other player's melds by its present cards."))
    if meld not in forcible:
        raise IllegalMove(
            "does_not_extend", gettext_noop("The centre card by itself doesn't make this meld a longer valid meld.")
        )
    return {"type": "force", "meld": [*MELDS[meld]]}


def _check_discard(state: State, seat: int, card: object) -> Move:
    if not isinstance(card, str) or card not in CARDS:
        raise malformed()
    if not BIT[card] & state.hands[seat]:
        raise _not_in_hand(card)
    return {"type": "discard", "card": card}


def _not_in_hand(card: Card) -> IllegalMove:
    return IllegalMove(
        "discard_not_in_hand",
        gettext_noop("The discard comes from the cards left in the hand, and %(card)s isn't there."),
        card=card,
    )


def _check_meld(state: State, seat: int, move: Mapping[str, object]) -> Move:
    given, discard = move["melds"], move.get("discard", "")
    if not isinstance(given, list | tuple) or not isinstance(discard, str):
        raise malformed()
    lists = [card_list(meld, CARDS) for meld in given]
    if None in lists or ("discard" in move and discard not in CARDS):
        raise malformed()
    melds = [mask(cards) for cards in lists if cards is not None]
    hand = state.hands[seat]
    together = _check_arrangement(melds, sum(state.melds[seat]), hand, state.centre)
    left = hand & ~together
    canonical = {"type": "meld", "melds": sorted([*MELDS[meld]] for meld in melds)}
    if "discard" not in move:
        if left:
            raise IllegalMove(
                "discard_missing", gettext_noop("With cards left in the hand, a meld is followed by a discard.")
            )
        return canonical
    if not left:
        raise IllegalMove("nothing_to_discard", gettext_noop("No hand card is left: going out takes no discard."))
    if not BIT[discard] & left:
        raise _not_in_hand(discard)
    return canonical | {"discard": discard}


def _check_arrangement(melds: Iterable[int], melded: int, hand: int, centre: int) -> int:
    """The cards of these melds as one mask, if they are a lawful "complete new arrangement"."""
    together = 0
    for meld in melds:
        if strange := meld & ~(melded | hand | centre):
            raise IllegalMove(
                "card_not_yours",
                gettext_noop("Only the centre card, your own melds and your hand can be melded, not %(card)s."),
                card=CARD[strange & -strange],
            )
        if twice := meld & together:
            raise IllegalMove(
                "card_in_two_melds",
                gettext_noop("A card lies in one meld only, and %(card)s is in two."),
                card=CARD[twice & -twice],
            )
        _check_is_meld(meld)
        together |= meld
    if not centre & together:
        raise IllegalMove("centre_not_melded", gettext_noop("Hand cards are melded only along with the centre card."))
    if missing := melded & ~together:
        raise IllegalMove(
            "melded_card_left_out",
            gettext_noop("What was melded stays melded: %(card)s is missing from the new arrangement."),
            card=CARD[missing & -missing],
        )
    return together


def _check_is_meld(meld: int) -> None:
    if meld.bit_count() > LONGEST:
        raise IllegalMove("meld_too_long", gettext_noop("A meld has at most eight cards."))
    if meld not in MELDS:
        raise IllegalMove(
            "not_a_meld",
            gettext_noop("A meld is three or four cards of one rank, or three or more consecutive cards of one suit."),
        )
