"""Kathmandu, by Rey Alicea (2014): two players trade cards and red tokens with a market, and cash melds.

The rule's source is ``rules/kathmandu.md`` of the specification; comments quote its rulings. What a state holds and
which moves are legal in it is told in ``_kathmandu_moves``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from games.engine._kathmandu_moves import (
    BLUE_TOKENS,
    CARDS,
    CHECKS,
    DEALT,
    IDLE_LIMIT,
    IDLE_SHOWN,
    PACK,
    Hand,
    Pair,
    State,
    legal_moves,
    meant_moves,
    must_pass,
)
from games.engine.cards import RANKS, canonical, card_list
from games.engine.contract import (
    DEAL,
    OPEN,
    Awaits,
    BadOption,
    Card,
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


class Kathmandu(Rules[State]):
    """Version 1 of the rules."""

    slug = "kathmandu"
    version = 1
    seats = 2
    # A forced pass discloses nothing: that there are no tokens and fewer than two cards is seen by all.
    lone_pass = "always"
    offered: ClassVar[Mapping[str, Sequence[Any]]] = {"rounds": (3, 1)}

    # --- options and course -------------------------------------------------------------------------------------

    def options(self, given: Options) -> dict[str, Any]:
        """``rounds``: 3 (the published game) or 1."""
        for name in given:
            if name != "rounds":
                raise BadOption("unknown_option", gettext_noop("Kathmandu's only option is its number of rounds."))
        rounds = given.get("rounds", 3)
        if type(rounds) is not int or rounds not in {1, 3}:
            raise BadOption("bad_option", gettext_noop("Kathmandu is played over 1 round or over 3."))
        return {"rounds": rounds}

    def start(self, options: Options) -> State:
        return State(rounds=options["rounds"])

    def awaits(self, state: State) -> Awaits:
        if state.playing:
            return state.turn
        return DEAL if len(state.scores) < state.rounds else None

    def packs(self, state: State) -> Packs:
        return (PACK,) if self.awaits(state) == DEAL else ()

    def deal(self, state: State, packs: Packs) -> State:
        (cards,) = packs
        first = 1 - dealer(len(state.scores))
        # Ten cards each, one at a time, the non-dealer first.
        dealt = cards[:DEALT:2], cards[1:DEALT:2]
        hands = (_sorted(dealt[first]), _sorted(dealt[1 - first]))
        return State(
            rounds=state.rounds,
            scores=state.scores,
            playing=True,
            turn=first,
            pack=cards,
            drawn=DEALT + 2,
            market=_sorted(cards[DEALT : DEALT + 2]),
            hands=hands,
            concealed=(frozenset(hands[0]), frozenset(hands[1])),
        )

    def result(self, state: State) -> Result | None:
        if self.awaits(state) is not None:
            return None
        zero, one = _totals(state)
        # Ruling: equal totals are a draw.
        winner = None if zero == one else int(one > zero)
        return {"scores": [zero, one], "winner": winner, "rounds": [list(pair) for pair in state.scores]}

    # --- moves --------------------------------------------------------------------------------------------------

    def legal_moves(self, state: State) -> list[Move]:
        return legal_moves(state) if state.playing else []

    def check_move(self, state: State, seat: int, move: Mapping[str, object]) -> Move:
        kind = move.get("type")
        if not isinstance(kind, str) or kind not in CHECKS:
            raise malformed()
        names, check = CHECKS[kind]
        if len(move) != 1 + len(names):
            raise malformed()
        lists: list[list[Card]] = []
        for name in names:
            cards = card_list(move.get(name), CARDS)
            if cards is None:
                raise malformed()
            lists.append(cards)
        check(state, seat, *lists)
        return {"type": kind} | {name: canonical(cards) for name, cards in zip(names, lists, strict=True)}

    def pass_if_lone(self, state: State) -> Move | None:
        return {"type": "pass"} if state.playing and must_pass(state) else None

    def play(self, state: State, move: Move) -> Played[State]:
        seat, kind = state.turn, move["type"]
        hand, market, drawn = state.hands[seat], state.market, state.drawn
        red, blue, idle = state.red[seat], state.blue[seat], state.idle + 1
        leaves: list[Card] = []
        match kind:
            case "meld":
                # One blue token, however long the meld.
                leaves, blue, idle = move["cards"], blue + 1, 0
            case "shed":
                leaves = move["cards"]
                market, red = _sorted([*market, *leaves]), red + len(leaves)
            case "sweep" | "reveal":
                tokens = state.market_tokens if kind == "sweep" else 1
                market = _sorted(market + state.pack[drawn : drawn + tokens])
                red, drawn, idle = red + tokens, drawn + tokens, 0
            case "buy":
                bought = move["cards"]
                market, hand, red = _without(market, bought), _sorted([*hand, *bought]), red - len(bought)
            case "swap":
                leaves, take = move["give"], move["take"]
                market = _sorted([*_without(market, take), *leaves])
                hand = _sorted([*hand, *take])
        concealed = state.concealed[seat]
        shown = not concealed.isdisjoint(leaves)
        after = State(
            rounds=state.rounds,
            scores=state.scores,
            playing=True,
            turn=1 - seat,
            idle=idle,
            pack=state.pack,
            drawn=drawn,
            market=market,
            hands=_with(state.hands, seat, _without(hand, leaves) if leaves else hand),
            concealed=_with(state.concealed, seat, concealed.difference(leaves)) if shown else state.concealed,
            red=_with(state.red, seat, red),
            blue=_with(state.blue, seat, blue),
        )
        return Played(_end_round(after), revealed=shown or drawn > state.drawn)

    # --- eyes ---------------------------------------------------------------------------------------------------

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """As JSON; lists are seat by seat.

        ``round`` (from 1; the coming one between rounds), ``rounds``, ``dealer``, ``awaits``, ``playing``, ``hands``
        (a list of cards, or null where the viewer may not see it), ``hand_sizes``, ``market`` (``cards`` and the
        number of ``tokens``), ``red``, ``blue``, ``blue_left``, ``stock`` and ``discard`` (numbers of cards), ``idle``
        with ``idle_limit`` and ``idle_shown`` (from which count on it is shown), ``worth`` (what each seat's round
        would score as it stands), ``scores`` (a list of each finished round's), ``totals`` of those, ``result``.
        """
        sizes = [len(hand) for hand in state.hands]
        number = min(len(state.scores), state.rounds - 1)
        return {
            "round": number + 1,
            "rounds": state.rounds,
            "dealer": dealer(number),
            "awaits": self.awaits(state),
            "playing": state.playing,
            "hands": [list(hand) if viewer in {seat, OPEN} else None for seat, hand in enumerate(state.hands)],
            "hand_sizes": sizes,
            "market": {"cards": list(state.market), "tokens": state.market_tokens},
            "red": list(state.red),
            "blue": list(state.blue),
            "blue_left": BLUE_TOKENS - sum(state.blue),
            "stock": state.stock,
            "discard": len(state.pack) - state.stock - len(state.market) - sum(sizes),
            "idle": state.idle,
            "idle_limit": IDLE_LIMIT,
            "idle_shown": IDLE_SHOWN,
            "worth": list(_worth(state)) if state.pack else [0, 0],
            "scores": [list(pair) for pair in state.scores],
            "totals": list(_totals(state)),
            "result": self.result(state),
        }

    def unseen(self, state: State, viewer: Viewer) -> Positions:
        if not state.pack:
            return ()
        if viewer is OPEN:
            return (frozenset(),)
        # Every card that left the draw pile, or a hand, has lain in the market or was seen as it was melded.
        hidden: set[Card] = set()
        for seat, concealed in enumerate(state.concealed):
            if seat != viewer:
                hidden |= concealed
        dealt = {place for place in range(DEALT) if state.pack[place] in hidden}
        return (frozenset(dealt.union(range(state.drawn, len(state.pack)))),)

    # --- words --------------------------------------------------------------------------------------------------

    def describe(self, state: State, move: Move) -> Words:
        """Never the cards that a sweep or reveal would turn up: legal moves are described before they are made."""
        kind = move["type"]
        match kind:
            case "shed" | "buy":
                cards = move["cards"]
                suffix = "_one" if len(cards) == 1 else ""
                return Words(f"kathmandu.{kind}{suffix}", {"cards": cards, "tokens": len(cards)})
            case "meld":
                return Words("kathmandu.meld", {"cards": sorted(move["cards"], key=lambda card: RANKS.index(card[0]))})
            case "swap":
                return Words("kathmandu.swap", {"give": move["give"], "take": move["take"]})
            case "sweep":
                return Words("kathmandu.sweep", {"tokens": state.market_tokens})
        return Words(f"kathmandu.{kind}", {})

    def turned(self, before: State, after: State) -> tuple[Card, ...]:
        return before.pack[before.drawn : after.drawn]

    def told(self, before: State, move: Move, after: State) -> Words:
        cards = list(self.turned(before, after))
        match move["type"]:
            case "sweep":
                return Words("kathmandu.swept", {"tokens": len(cards), "cards": cards})
            case "reveal":
                return Words("kathmandu.revealed", {"cards": cards})
        return self.describe(before, move)

    def notation(self, state: State, move: Move) -> str:
        """``meld 7C 7D 7H``, ``shed 2C``, ``buy 4H``, ``swap 2C 9D / 4H 4S``, ``sweep``, ``reveal``, ``pass``."""
        lists = [" ".join(move[name]) for name in CHECKS[move["type"]][0]]
        return " ".join([move["type"], " / ".join(lists)]).rstrip()

    def parse(self, state: State, text: str) -> Move:
        """As :meth:`notation` writes it. A move's name may be cut short where one legal move alone begins so."""
        if not state.playing:
            raise IllegalMove("not_your_turn", gettext_noop("It is not this seat's turn to move."))
        meant = meant_moves(state, text)
        if not meant:
            raise IllegalMove(
                "bad_notation",
                gettext_noop(
                    "A move is written as meld, shed, sweep, buy, swap, reveal or pass, and then its cards, as in "
                    "“swap 2C 9D / 4H 4S”."
                ),
            )
        if len(meant) == 1:
            return self.check(state, state.turn, meant[0])
        legal: list[Move] = []
        for move in meant:
            try:
                legal.append(self.check(state, state.turn, move))
            except IllegalMove:
                continue
        if len(legal) != 1:
            raise IllegalMove(
                "ambiguous_notation", gettext_noop("This could mean more than one move: write the move's whole name.")
            )
        return legal[0]

    # --- values -------------------------------------------------------------------------------------------------

    def to_json(self, state: State) -> dict[str, Any]:
        return {
            "rounds": state.rounds,
            "scores": [list(pair) for pair in state.scores],
            "playing": state.playing,
            "turn": state.turn,
            "idle": state.idle,
            "pack": list(state.pack),
            "drawn": state.drawn,
            "market": list(state.market),
            "hands": [list(hand) for hand in state.hands],
            "concealed": [sorted(cards) for cards in state.concealed],
            "red": list(state.red),
            "blue": list(state.blue),
        }

    def from_json(self, data: Mapping[str, Any]) -> State:
        pairs = {name: _pair(data[name]) for name in ("red", "blue")}
        return State(
            rounds=data["rounds"],
            scores=tuple(_pair(score) for score in data["scores"]),
            playing=data["playing"],
            turn=data["turn"],
            idle=data["idle"],
            pack=tuple(data["pack"]),
            drawn=data["drawn"],
            market=tuple(data["market"]),
            hands=(tuple(data["hands"][0]), tuple(data["hands"][1])),
            concealed=(frozenset(data["concealed"][0]), frozenset(data["concealed"][1])),
            **pairs,
        )


# --- the round ------------------------------------------------------------------------------------------------------


def dealer(number: int) -> int:
    """The seat that deals round ``number``, counted from 0. Ruling: seat 0 deals the first; the deal alternates."""
    return number % 2


def _end_round(state: State) -> State:
    """The state itself, or with its round closed: at an empty pile, the last blue token, or too many idle turns.

    Ruling: an empty hand doesn't end it.
    """
    if state.stock and sum(state.blue) < BLUE_TOKENS and state.idle < IDLE_LIMIT:
        return state
    return State(
        rounds=state.rounds,
        scores=(*state.scores, _worth(state)),
        turn=state.turn,
        idle=state.idle,
        pack=state.pack,
        drawn=state.drawn,
        market=state.market,
        hands=state.hands,
        concealed=state.concealed,
        red=state.red,
        blue=state.blue,
    )


def _worth(state: State) -> Pair:
    """Each blue token +5, each red token held -2, each hand card -1."""
    zero, one = (5 * state.blue[seat] - 2 * state.red[seat] - len(state.hands[seat]) for seat in (0, 1))
    return zero, one


def _totals(state: State) -> Pair:
    return sum(score[0] for score in state.scores), sum(score[1] for score in state.scores)


def _sorted(cards: Iterable[Card]) -> Hand:
    return tuple(sorted(cards))


def _without(cards: Iterable[Card], gone: list[Card]) -> Hand:
    return tuple(card for card in cards if card not in gone)


def _with[T](pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    return (pair[0], value) if seat else (value, pair[1])


def _pair(numbers: list[int]) -> Pair:
    return numbers[0], numbers[1]


RULES: Final = Kathmandu()
