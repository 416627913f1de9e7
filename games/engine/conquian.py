"""Conquian: two-player rummy in which only the centre card can be used, and going out takes eleven melded cards.

Source of the rules: ``rules/conquian.md`` of the specification; its words are quoted where a corner is odd. Cards are
kept as bits (see :mod:`games.engine.conquian_melds`). A player always holds ten cards between hand and melds at the
end of their turn, so an empty hand with the centre card melded is always eleven melded cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal

from games.engine import _conquian_course as course
from games.engine import _conquian_legality as legality
from games.engine import _conquian_notation as written
from games.engine._conquian_course import Standing, State
from games.engine.conquian_melds import BIT, CARD, MELDS, PACK, can_be_melded, extended, in_suits, mask
from games.engine.contract import (
    DEAL,
    OPEN,
    Awaits,
    BadOption,
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
)

TARGETS: Final = (1, 3, 5)


class Conquian(Rules[State]):
    """The North American game: ten cards, eleven melded to go out."""

    slug: ClassVar[str] = "conquian"
    version: ClassVar[int] = 1
    seats: ClassVar[int] = 2
    lone_pass: ClassVar[Literal["never", "optional", "always"]] = "optional"
    offered: ClassVar[Mapping[str, Sequence[Any]]] = {"target": TARGETS}

    # --- options and course -------------------------------------------------------------------------------------

    def options(self, given: Options) -> dict[str, Any]:
        """``target``: the stakes that win the game, 1 (a single round), 3 or 5."""
        for name in given:
            if name != "target":
                raise BadOption("unknown_option", gettext_noop("Conquian has no option but the target."))
        target = given.get("target", TARGETS[0])
        if type(target) is not int or target not in TARGETS:
            raise BadOption("bad_option", gettext_noop("The target is 1, 3 or 5."))
        return {"target": target}

    def start(self, options: Options) -> State:
        standing = Standing(target=options["target"], scores=(0, 0), stake=1, number=0, pack=())
        return State(standing, "deal", 0, 0, (0, 0), ((), ()), 0, None)

    def awaits(self, state: State) -> Awaits:
        if state.phase == "deal":
            return DEAL
        return None if state.phase == "over" else state.seat

    def packs(self, state: State) -> Packs:
        """One pack of 40, suit by suit, the ace first."""
        return (PACK,)

    def deal(self, state: State, packs: Packs) -> State:
        return course.deal(state, packs[0])

    # --- moves --------------------------------------------------------------------------------------------------

    def legal_moves(self, state: State) -> list[Move]:
        return legality.legal_moves(state)

    def pass_if_lone(self, state: State) -> Move | None:
        if state.phase != "offer" or course.may_be_forced(state):
            return None
        seat = state.seat
        return None if can_be_melded(state.centre, sum(state.melds[seat]), state.hands[seat]) else legality.PASS

    def check_move(self, state: State, seat: int, move: Mapping[str, object]) -> Move:
        return legality.check(state, seat, move)

    def play(self, state: State, move: Move) -> Played[State]:
        return course.play(state, move)

    # --- eyes ---------------------------------------------------------------------------------------------------

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """As JSON: ``phase``, ``awaits``, ``round``, ``target``, ``stake``, ``scores``, ``dealer`` (None before the
        first deal); ``centre`` (a card or None) and its ``origin`` as the awaited seat sees it; ``hands``, each
        ``{"count", "cards"}`` with ``cards`` (suit by suit) None where hidden; ``melds`` of each seat, each
        ``{"cards", "meld", "force"}``; the counts ``stock`` and ``waste``; ``result``.

        A meld's ``cards`` lie in their order, ``meld`` is canonical, as moves name it. ``force`` says what forcing
        means for the awaited seat: ``"now"``: they may force the centre card onto it; ``"if_declined"``: if they
        decline, the opponent may force it onto this meld of theirs; else None. With everything open the ``stock``'s
        order is in ``stock_cards``, top card first.
        """
        standing = state.standing
        stock = len(standing.pack) - state.turned
        seen: dict[str, Any] = {
            "phase": state.phase,
            "awaits": self.awaits(state),
            "round": standing.number,
            "target": standing.target,
            "stake": standing.stake,
            "scores": list(standing.scores),
            "dealer": (standing.number - 1) % 2 if standing.number else None,
            "centre": CARD.get(state.centre),
            "origin": state.origin,
            "hands": [
                {"count": hand.bit_count(), "cards": in_suits(hand) if viewer in (seat, OPEN) else None}
                for seat, hand in enumerate(state.hands)
            ],
            "melds": [[_seen_meld(state, owner, meld) for meld in melds] for owner, melds in enumerate(state.melds)],
            "stock": stock,
            "waste": course.waste(state).bit_count(),
            "result": self.result(state),
        }
        if viewer is OPEN:
            seen["stock_cards"] = list(standing.pack[state.turned :])
        return seen

    def unseen(self, state: State, viewer: Viewer) -> Positions:
        """The stock, and the cards still in a hand that isn't the viewer's. The waste was seen; so was every card
        that a hand has melded or discarded."""
        pack = state.standing.pack
        if not pack:
            return ()
        if viewer is OPEN:
            return (frozenset(),)
        hidden = mask(pack[state.turned :]) | sum(hand for seat, hand in enumerate(state.hands) if seat != viewer)
        return (frozenset(place for place, card in enumerate(pack) if BIT[card] & hidden),)

    def result(self, state: State) -> Result | None:
        """``scores``: the stakes won by each seat; ``winner``: who reached the target, None for a drawn game."""
        if state.phase != "over":
            return None
        scores, target = state.standing.scores, state.standing.target
        return {
            "scores": list(scores),
            "winner": next((seat for seat, score in enumerate(scores) if score >= target), None),
        }

    # --- words --------------------------------------------------------------------------------------------------

    def describe(self, state: State, move: Move) -> Words:
        """``card`` is the centre card or the discard, ``cards`` what is newly melded, or the meld forced onto."""
        card = CARD.get(state.centre)
        match move["type"]:
            case "pass":
                return _describe_pass(state)
            case "allow":
                return Words("conquian.allow" if course.has_stock(state) else "conquian.allow_drawn", {"card": card})
            case "meld":
                return _describe_meld(state, move)
            case "force":
                out = "" if state.hands[1 - state.seat] else "_out"
                return Words(f"conquian.force{out}", {"card": card, "cards": list(move["meld"])})
            case _:
                return Words("conquian.discard", {"card": move["card"]})

    def notation(self, state: State, move: Move) -> str:
        return written.write(move, state.melds[state.seat])

    def parse(self, state: State, text: str) -> Move:
        seat = state.seat
        forced = state.phase == "discard"
        move = written.read(text, state.melds[seat], course.may_be_forced(state), forced=forced)
        return self.check(state, seat, move)

    # --- values -------------------------------------------------------------------------------------------------

    def to_json(self, state: State) -> dict[str, Any]:
        standing = state.standing
        return {
            "target": standing.target,
            "scores": list(standing.scores),
            "stake": standing.stake,
            "round": standing.number,
            "pack": list(standing.pack),
            "phase": state.phase,
            "seat": state.seat,
            "turned": state.turned,
            "hands": [in_suits(hand) for hand in state.hands],
            "melds": [[list(MELDS[meld]) for meld in melds] for melds in state.melds],
            "centre": CARD.get(state.centre),
            "origin": state.origin,
        }

    def from_json(self, data: Mapping[str, Any]) -> State:
        first, second = data["scores"]
        standing = Standing(data["target"], (first, second), data["stake"], data["round"], tuple(data["pack"]))
        hands, melds = data["hands"], data["melds"]
        return State(
            standing,
            data["phase"],
            data["seat"],
            data["turned"],
            (mask(hands[0]), mask(hands[1])),
            (tuple(map(mask, melds[0])), tuple(map(mask, melds[1]))),
            BIT[data["centre"]] if data["centre"] else 0,
            data["origin"],
        )


# --- words ------------------------------------------------------------------------------------------------------


def _describe_pass(state: State) -> Words:
    if state.origin == "turned":
        name = "pass"
    elif extended(state.melds[state.seat], state.centre):
        name = "pass_forcible"
    else:
        name = "pass_turn" if course.has_stock(state) else "pass_drawn"
    return Words(f"conquian.{name}", {"card": CARD[state.centre]})


def _describe_meld(state: State, move: Move) -> Words:
    before, after = state.melds[state.seat], [mask(meld) for meld in move["melds"]]
    rearranged = any(all(old & ~new for new in after) for old in before)
    cards = in_suits(sum(after) & ~sum(before))  # in the order of their ranks, as they are shown
    name = "rearrange" if rearranged else "meld"
    if "discard" not in move:
        return Words(f"conquian.{name}_out", {"cards": cards})
    return Words(f"conquian.{name}", {"cards": cards, "card": move["discard"]})


def _seen_meld(state: State, owner: int, meld: int) -> dict[str, Any]:
    force = None
    if state.centre and meld | state.centre in MELDS:
        if owner == state.seat:
            force = "if_declined" if state.phase == "offer" else None
        elif meld in course.may_be_forced(state):
            force = "now"
    return {"cards": in_suits(meld), "meld": list(MELDS[meld]), "force": force}


RULES: Final = Conquian()
