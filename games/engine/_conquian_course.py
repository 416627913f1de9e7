"""The state of a game of Conquian, and where each move leads: the rounds, the centre card's way, the end of the stock.

Source of the rules: ``rules/conquian.md`` (Rounds, deal, stakes; the course of play); its words are quoted where a
corner is odd. The functions trust their arguments: moves are legal and canonical.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from games.engine.conquian_melds import ALL, BIT, Melds, canonical_melds, extended, mask
from games.engine.contract import Move, Pack, Played

HAND_SIZE: Final = 10
FIRST_CENTRE: Final = 2 * HAND_SIZE

#: ``offer``: the awaited seat melds, forces or declines the centre card. ``forcing``: the other seat declined it, and
#: the awaited seat forces it or allows it to be buried. ``discard``: the awaited seat was forced and must discard.
type Phase = Literal["deal", "offer", "forcing", "discard", "over"]
#: Where the centre card came from, seen by the seat that is offered it: they ``turned`` it from the stock themselves,
#: or the opponent ``discarded`` it, or the opponent turned it and ``declined`` it.
type Origin = Literal["turned", "discarded", "declined"]
type Pair[T] = tuple[T, T]


@dataclass(frozen=True, slots=True)
class Standing:
    """What changes only from round to round. ``number`` counts rounds from 1 (0: none dealt yet); ``stake`` is that of
    the present round, or of the next one where a deal is awaited; ``pack`` is the latest deal, top card first."""

    target: int
    scores: Pair[int]
    stake: int
    number: int
    pack: Pack


@dataclass(frozen=True, slots=True)
class State:
    """A moment of the game. ``hands`` and ``centre`` are masks (0: none), ``melds`` masks in canonical order.

    ``turned`` counts the cards of the pack that have left the stock; the stock is the rest. ``seat`` is the awaited
    seat, 0 where none is. A round's end leaves the hands and melds as they lay.
    """

    standing: Standing
    phase: Phase
    seat: int
    turned: int
    hands: Pair[int]
    melds: Pair[Melds]
    centre: int
    origin: Origin | None


def _with[T](pair: Pair[T], seat: int, value: T) -> Pair[T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def deal(state: State, pack: Pack) -> State:
    """Ten cards each, one at a time, the non-dealer first; then the first centre card, offered to the
    non-dealer "as if they had turned it". Seat 0 deals round 1; the deal alternates."""
    old = state.standing
    receiver = (old.number + 1) % 2
    first, second = mask(pack[0:FIRST_CENTRE:2]), mask(pack[1:FIRST_CENTRE:2])
    hands = (first, second) if receiver == 0 else (second, first)
    standing = Standing(old.target, old.scores, old.stake, old.number + 1, pack)
    centre = BIT[pack[FIRST_CENTRE]]
    return State(standing, "offer", receiver, FIRST_CENTRE + 1, hands, ((), ()), centre, "turned")


def play(state: State, move: Move) -> Played[State]:
    """The state after the awaited seat's move."""
    match move["type"]:
        case "pass":
            return _decline(state)
        case "allow":
            return _turn(state, 1 - state.seat)
        case "meld":
            return _meld(state, move)
        case "force":
            return Played(_force(state, mask(move["meld"])), revealed=False)
        case _:
            bit = BIT[move["card"]]
            return Played(_offer_discard(state, state.hands, state.melds, bit), revealed=True)


def _decline(state: State) -> Played[State]:
    """The page: "A card that they turned themselves is then offered to the opponent. A card that came from the
    opponent is buried in the waste, and they turn the next stock card. But first, forcing."
    """
    other = 1 - state.seat
    if state.origin == "turned":
        return Played(_awaiting(state, "offer", other, "declined"), revealed=False)
    if extended(state.melds[state.seat], state.centre):
        return Played(_awaiting(state, "forcing", other, state.origin), revealed=False)
    return _turn(state, state.seat)


def _awaiting(state: State, phase: Phase, seat: int, origin: Origin | None) -> State:
    """The same centre card before the other seat."""
    return State(state.standing, phase, seat, state.turned, state.hands, state.melds, state.centre, origin)


def has_stock(state: State) -> bool:
    return state.turned < len(state.standing.pack)


def _turn(state: State, seat: int) -> Played[State]:
    """The centre card is buried and ``seat`` turns the next; with no stock left the round is drawn."""
    if not has_stock(state):
        return Played(_drawn(state), revealed=False)
    centre = BIT[state.standing.pack[state.turned]]
    after = State(state.standing, "offer", seat, state.turned + 1, state.hands, state.melds, centre, "turned")
    return Played(after, revealed=True)


def _meld(state: State, move: Move) -> Played[State]:
    seat = state.seat
    melds = tuple(map(mask, move["melds"]))
    left = state.hands[seat] & ~sum(melds)
    revealed = left != state.hands[seat]
    hands, all_melds = _with(state.hands, seat, left), _with(state.melds, seat, melds)
    if not left:
        return Played(_won(state, seat, hands, all_melds), revealed)
    return Played(_offer_discard(state, hands, all_melds, BIT[move["discard"]]), revealed=True)


def _force(state: State, meld: int) -> State:
    """The other seat must take the centre card into this meld; "if their hand is empty they have gone out and win"."""
    forced = 1 - state.seat
    longer = canonical_melds(m | state.centre if m == meld else m for m in state.melds[forced])
    melds = _with(state.melds, forced, longer)
    if not state.hands[forced]:
        return _won(state, forced, state.hands, melds)
    return State(state.standing, "discard", forced, state.turned, state.hands, melds, 0, None)


def _offer_discard(state: State, hands: Pair[int], melds: Pair[Melds], card: int) -> State:
    """The awaited seat's ``card`` leaves their hand and becomes the centre card, offered to the other."""
    seat = state.seat
    hands = _with(hands, seat, hands[seat] & ~card)
    return State(state.standing, "offer", 1 - seat, state.turned, hands, melds, card, "discarded")


def _won(state: State, seat: int, hands: Pair[int], melds: Pair[Melds]) -> State:
    """The round is worth the stake, which "falls back to 1 once a round is won"."""
    old = state.standing
    scores = _with(old.scores, seat, old.scores[seat] + old.stake)
    phase: Phase = "over" if scores[seat] >= old.target else "deal"
    standing = Standing(old.target, scores, 1, old.number, old.pack)
    return State(standing, phase, 0, state.turned, hands, melds, 0, None)


def _drawn(state: State) -> State:
    """The page: "With target 1 a drawn round ends the game as a draw; otherwise a drawn round scores nothing and
    doubles the next round's stake, which never exceeds target".
    """
    old = state.standing
    standing = Standing(old.target, old.scores, min(2 * old.stake, old.target), old.number, old.pack)
    phase: Phase = "over" if old.target == 1 else "deal"
    return State(standing, phase, 0, state.turned, state.hands, state.melds, 0, None)


def waste(state: State) -> int:
    """All that is neither held, melded, offered nor in the stock."""
    if not state.standing.pack:
        return 0
    lying = sum(state.hands) + sum(map(sum, state.melds)) + state.centre
    return ALL & ~lying & ~mask(state.standing.pack[state.turned :])


def may_be_forced(state: State) -> Melds:
    """The other seat's melds onto which the awaited seat may force the centre card now: one that the other declined,
    and that extends the meld "by itself (no hand card, no rearranging, at most eight cards)"."""
    if state.phase == "forcing" or (state.phase == "offer" and state.origin == "declined"):
        return extended(state.melds[1 - state.seat], state.centre)
    return ()
