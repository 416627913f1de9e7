"""Kathmandu's state, and which moves the seat to move may make of it: the list, the checks, the notation.

The market has five places: each holds a card or a red token. Five red tokens lie in the market or with the players,
so the market's are never stored: they are what the players don't hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from games.engine.cards import pack
from games.engine.contract import Card, IllegalMove, Move, Pack, gettext_noop
from games.engine.melds import groups, is_group, is_sequence, sequences

PACK: Final = pack()
CARDS: Final = frozenset(PACK)
RED_TOKENS: Final = 5
BLUE_TOKENS: Final = 17
LARGEST_HAND: Final = 10
DEALT: Final = 2 * LARGEST_HAND
#: So many consecutive turns of shed, buy, swap or pass end the round (ruling) ...
IDLE_LIMIT: Final = 20
#: ... and the page shows the count from here on.
IDLE_SHOWN: Final = 10

type Hand = tuple[Card, ...]
type Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class State:
    """A game of Kathmandu. Hands and market are sorted by their cards' codes; pairs are seat by seat.

    ``pack`` is the latest deal's, empty before the first; its first ``drawn`` cards are no longer in the draw pile.
    ``concealed`` are the dealt cards that a seat still holds and has never shown. ``idle`` counts the latest turns
    without meld, sweep or reveal. ``scores`` are the finished rounds'. Between rounds ``playing`` is false and the
    rest stands as the last round left it.
    """

    rounds: int
    scores: tuple[Pair, ...] = ()
    playing: bool = False
    turn: int = 0
    idle: int = 0
    pack: Pack = ()
    drawn: int = 0
    market: Hand = ()
    hands: tuple[Hand, Hand] = ((), ())
    concealed: tuple[frozenset[Card], frozenset[Card]] = (frozenset(), frozenset())
    red: Pair = (1, 1)
    blue: Pair = (0, 0)

    @property
    def market_tokens(self) -> int:
        return RED_TOKENS - self.red[0] - self.red[1]

    @property
    def stock(self) -> int:
        """The number of cards in the draw pile."""
        return len(self.pack) - self.drawn


def legal_moves(state: State) -> list[Move]:
    """Every legal move of the seat to move. They share their lists of cards: nobody changes a move."""
    hand, market, tokens = state.hands[state.turn], state.market, state.market_tokens
    moves: list[Move] = [{"type": "meld", "cards": list(meld)} for meld in _melds(hand)]
    if tokens:
        moves.append({"type": "reveal"})
        moves += [{"type": "shed", "cards": cards} for cards in _up_to(hand, tokens)]
        if _can_sweep(state):
            moves.append({"type": "sweep"})
    moves += [{"type": "buy", "cards": cards} for cards in _up_to(market, _most_to_buy(state))]
    takes = list(map(list, combinations(market, 2)))
    moves += [
        {"type": "swap", "give": give, "take": take} for give in map(list, combinations(hand, 2)) for take in takes
    ]
    return moves or [{"type": "pass"}]


def _melds(hand: Hand) -> list[Hand]:
    return groups(hand) + sequences(hand, ace_high=True)


def _most_to_buy(state: State) -> int:
    """The most cards that the seat to move may buy: one for each red token, to a hand of at most ten."""
    return min(state.red[state.turn], LARGEST_HAND - len(state.hands[state.turn]))


def _can_sweep(state: State) -> bool:
    """With one token it is a reveal; ruling: the draw pile has a card for every token."""
    return 2 <= state.market_tokens <= state.stock


def must_pass(state: State) -> bool:
    """Ruling: pass only where no other move is legal.

    A token in the market could be revealed. Without one there are five market cards: two hand cards could be
    swapped, and with fewer than two any red token buys.
    """
    return not state.market_tokens and not state.red[state.turn] and len(state.hands[state.turn]) < 2


def _check_meld(state: State, seat: int, cards: list[Card]) -> None:
    _check_held(state, seat, cards)
    if not is_group(cards) and not is_sequence(cards, ace_high=True):
        raise IllegalMove(
            "not_a_meld",
            gettext_noop(
                "A meld is three or four cards of one rank, or three or more consecutive cards of one suit with the "
                "ace low or high, never both."
            ),
        )


def _check_shed(state: State, seat: int, cards: list[Card]) -> None:
    _check_some(cards)
    _check_held(state, seat, cards)
    if len(cards) > state.market_tokens:
        raise IllegalMove(
            "shed_needs_tokens",
            gettext_noop("Each card shed takes a red token from the market, which holds only %(tokens)d."),
            tokens=state.market_tokens,
        )


def _check_sweep(state: State, _seat: int) -> None:
    if state.market_tokens < 2:
        raise IllegalMove(
            "sweep_needs_tokens", gettext_noop("A sweep takes all the market's red tokens, and at least two.")
        )
    if not _can_sweep(state):
        raise IllegalMove(
            "sweep_needs_cards",
            gettext_noop("A sweep replaces every token with a card: the draw pile has only %(stock)d."),
            stock=state.stock,
        )


def _check_buy(state: State, seat: int, cards: list[Card]) -> None:
    _check_some(cards)
    _check_on_market(state, cards)
    if len(cards) > state.red[seat]:
        raise IllegalMove(
            "buy_needs_tokens",
            gettext_noop("Each card bought costs one of your red tokens, of which you have %(tokens)d."),
            tokens=state.red[seat],
        )
    if len(cards) > _most_to_buy(state):
        raise IllegalMove("hand_full", gettext_noop("A hand holds at most ten cards."))


def _check_swap(state: State, seat: int, give: list[Card], take: list[Card]) -> None:
    if len(give) != 2 or len(take) != 2:
        raise IllegalMove(
            "swap_two_for_two", gettext_noop("A swap is exactly two hand cards for exactly two market cards.")
        )
    _check_held(state, seat, give)
    _check_on_market(state, take)


def _check_reveal(state: State, _seat: int) -> None:
    # The draw pile has a card: the round ends when it is empty.
    if not state.market_tokens:
        raise IllegalMove("reveal_needs_token", gettext_noop("The market holds no red token to take."))


def _check_pass(state: State, _seat: int) -> None:
    if not must_pass(state):
        raise IllegalMove("pass_not_forced", gettext_noop("You may pass only where no other move is legal."))


def _check_some(cards: list[Card]) -> None:
    if not cards:
        raise IllegalMove("no_cards", gettext_noop("At least one card must be named."))


def _check_held(state: State, seat: int, cards: list[Card]) -> None:
    for card in cards:
        if card not in state.hands[seat]:
            raise IllegalMove("not_in_hand", gettext_noop("%(card)s is not in your hand."), card=card)


def _check_on_market(state: State, cards: list[Card]) -> None:
    for card in cards:
        if card not in state.market:
            raise IllegalMove("not_in_market", gettext_noop("%(card)s is not in the market."), card=card)


#: For each move its lists of cards, and the check that raises IllegalMove, given state, seat and those lists.
CHECKS: Final[dict[str, tuple[tuple[str, ...], Callable[..., None]]]] = {
    "meld": (("cards",), _check_meld),
    "shed": (("cards",), _check_shed),
    "sweep": ((), _check_sweep),
    "buy": (("cards",), _check_buy),
    "swap": (("give", "take"), _check_swap),
    "reveal": ((), _check_reveal),
    "pass": ((), _check_pass),
}


# --- notation -------------------------------------------------------------------------------------------------------

_SUIT_SYMBOLS: Final = str.maketrans({"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♥": "H", "♡": "H", "♠": "S", "♤": "S"})
#: What people write between cards, and the mark that makes a suit symbol an emoji.
_BETWEEN: Final = re.compile(r"[\s,;:/|+=>.()\[\]\-\N{VARIATION SELECTOR-16}\N{VARIATION SELECTOR-15}]+|\bFOR\b")
_ALL_CARDS: Final = re.compile(r"(?:(?:10|[A2-9TJQK])[CDHS])*")
_CARD: Final = re.compile(r"(10|[A2-9TJQK])([CDHS])")


def meant_moves(state: State, text: str) -> list[Move]:
    """The moves, legal or not, that ``text`` could stand for: at most one of each type."""
    bare = _BETWEEN.sub("", text.upper().translate(_SUIT_SYMBOLS))
    found: dict[str, Move] = {}
    for kind, (names, _) in CHECKS.items():
        for length in range(len(kind), 0, -1):
            rest = bare[length:]
            if bare[:length] == kind[:length].upper() and _ALL_CARDS.fullmatch(rest) and bool(names) >= bool(rest):
                cards = [rank.replace("10", "T") + suit for rank, suit in _CARD.findall(rest)]
                found[kind] = _written(state, kind, cards)
                break
    return list(found.values())


def _written(state: State, kind: str, cards: list[Card]) -> Move:
    """A move of this kind with the cards named. No card is in the hand and in the market: a swap sorts itself."""
    names = CHECKS[kind][0]
    if len(names) < 2:
        return {"type": kind} | dict.fromkeys(names, cards)
    hand = state.hands[state.turn]
    give = [card for card in cards if card in hand]
    return {"type": kind, "give": give, "take": [card for card in cards if card not in hand]}


def _up_to(cards: Hand, most: int) -> list[list[Card]]:
    """Every choice of one to ``most`` of the cards."""
    return [list(chosen) for size in range(1, most + 1) for chosen in combinations(cards, size)]
