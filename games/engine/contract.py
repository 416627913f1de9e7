"""What a game provides, and the errors it raises.

A game is one module with one subclass of :class:`Rules`. It is pure: functions of values, no clock, no randomness,
no I/O, no Django. States are immutable values: equal when equal, JSON and back, cheap to derive from one another.

The vocabulary (see ``rules/README.md`` of the specification):

- a *step* is a :class:`Deal` (whole shuffled packs, top card first) or a :class:`Play` (a seat's move);
- a *card* is two characters, rank then suit (``"TD"``), the joker ``"JK"``;
- a *move* is a JSON object with a ``"type"``; its canonical form is the one that is stored and listed;
- a *viewer* is a seat number, or :data:`SPECTATOR` (sees what is public), or :data:`OPEN` (sees everything).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, Literal, NamedTuple

type Card = str
type Pack = tuple[Card, ...]
type Packs = tuple[Pack, ...]
type Move = Mapping[str, Any]
type Options = Mapping[str, Any]
type Result = Mapping[str, Any]
type Awaits = Literal["deal"] | int | None

DEAL: Final = "deal"


class Eyes(Enum):
    """Viewers that are not seats."""

    SPECTATOR = "spectator"
    OPEN = "open"


SPECTATOR: Final = Eyes.SPECTATOR
OPEN: Final = Eyes.OPEN
type Viewer = int | Eyes


@dataclass(frozen=True, slots=True)
class Deal:
    """The shuffled packs of one round, each with its top card first."""

    packs: Packs


@dataclass(frozen=True, slots=True)
class Play:
    """A move made by a seat."""

    seat: int
    move: Move


type Step = Deal | Play


@dataclass(frozen=True, slots=True)
class Words:
    """A message of the engine, which speaks no language: an id such as ``"ariadne.place"`` and its parameters.

    Parameters are cards (``"7S"``), lists of cards, counts, or short notations such as a cell's name; the outer
    layers have a translated sentence for every id.
    """

    id: str
    params: Mapping[str, Any]


class Refusal(Exception):
    """A move or option is refused; nothing has changed.

    ``code`` is in snake case. ``detail`` is an English sentence that names the rule, made from ``template`` (which is
    also the translation key) and ``params``.
    """

    def __init__(self, code: str, template: str, **params: Any) -> None:
        self.code = code
        self.template = template
        self.params = params
        super().__init__(self.detail)

    @property
    def detail(self) -> str:
        return self.template % self.params if self.params else self.template


class BadOption(Refusal):
    """An option or its value isn't on the game's page."""


class BadDeal(Refusal):
    """The packs of a deal aren't the packs that the game awaits."""


class IllegalMove(Refusal):
    """A move that the rules refuse: ``not_your_turn``, ``malformed_move``, or a code of the game's own."""


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation by the outer layers; the engine itself never translates."""
    return message


class Played[S](NamedTuple):
    """What a move led to. ``revealed``: cards that were hidden from somebody became visible to anyone."""

    state: S
    revealed: bool


type Positions = tuple[frozenset[int], ...]


class Rules[S](ABC):
    """One game's rules at one version. ``S`` is the game's state, a frozen value.

    Methods that take a state trust it, and ``play`` and ``deal`` trust their argument too (replay is fast): validate
    with ``check`` and ``check_deal`` first.
    """

    slug: ClassVar[str]
    version: ClassVar[int]
    seats: ClassVar[int]
    #: Whether a seat whose only legal move is ``pass`` may have it made for it: never, where the table's option
    #: ``quick_pass`` says so, or at every table because it discloses nothing.
    lone_pass: ClassVar[Literal["never", "optional", "always"]] = "never"

    #: The values that each option may have, the usual one first.
    offered: ClassVar[Mapping[str, Sequence[Any]]] = {}

    #: Whether deals have numbers that anyone may choose (see ``games.engine.shuffle.deal_by_number``).
    numbered: ClassVar[bool] = False

    # --- options and course -------------------------------------------------------------------------------------

    @abstractmethod
    def options(self, given: Options) -> dict[str, Any]:
        """The complete options, defaults filled in. Raises :class:`BadOption` for a name or value not on the page."""

    @abstractmethod
    def start(self, options: Options) -> S:
        """The state before the first deal. ``options`` are complete (as :meth:`options` returns them)."""

    @abstractmethod
    def awaits(self, state: S) -> Awaits:
        """``"deal"``, the seat to move, or None when the game is over."""

    @abstractmethod
    def packs(self, state: S) -> Packs:
        """The packs to shuffle for the awaited deal, in a fixed, documented, unshuffled order."""

    @abstractmethod
    def deal(self, state: S, packs: Packs) -> S:
        """The state after this deal (which is trusted)."""

    def check_deal(self, state: S, packs: Packs) -> None:
        """Raise :class:`BadDeal` unless a deal is awaited and ``packs`` are permutations of :meth:`packs`."""
        if self.awaits(state) != DEAL:
            raise BadDeal("deal_not_awaited", gettext_noop("No deal is awaited here."))
        expected = self.packs(state)
        if len(packs) != len(expected) or any(
            sorted(got) != sorted(want) for got, want in zip(packs, expected, strict=True)
        ):
            raise BadDeal("wrong_packs", gettext_noop("These are not the packs that the game is dealt from."))

    # --- moves --------------------------------------------------------------------------------------------------

    @abstractmethod
    def legal_moves(self, state: S) -> list[Move]:
        """Every legal move of the awaited seat, canonical, in no particular order; empty for a deal or the end."""

    def check(self, state: S, seat: int, move: object) -> Move:
        """The canonical form of ``move``, or :class:`IllegalMove`. Fast: doesn't list the legal moves."""
        if self.awaits(state) != seat:
            raise IllegalMove("not_your_turn", gettext_noop("It is not this seat's turn to move."))
        if not isinstance(move, Mapping) or not all(isinstance(key, str) for key in move):
            raise malformed()
        return self.check_move(state, seat, move)

    @abstractmethod
    def check_move(self, state: S, seat: int, move: Mapping[str, object]) -> Move:
        """As :meth:`check`, for the awaited seat. ``move`` may hold anything that JSON can."""

    @abstractmethod
    def play(self, state: S, move: Move) -> Played[S]:
        """The state after a canonical, legal move of the awaited seat."""

    def pass_if_lone(self, state: S) -> Move | None:
        """The move ``pass`` where it is the awaited seat's only legal move, else None."""
        moves = self.legal_moves(state)
        return moves[0] if len(moves) == 1 and moves[0]["type"] == "pass" else None

    # --- eyes ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """What this viewer may see, as JSON. All that is ever shown or sent of a state comes from here."""

    def public(self, step: Step, viewer: Viewer) -> dict[str, Any]:
        """A step as this viewer may see it, as JSON. In these games every move is public; only deals hide."""
        match step:
            case Deal(packs):
                return {"deal": [list(pack) for pack in packs] if viewer is OPEN else None}
            case Play(seat, move):
                return {"seat": seat, "move": dict(move)}

    @abstractmethod
    def unseen(self, state: S, viewer: Viewer) -> Positions:
        """For each pack of the latest deal, the positions (0 the top card) whose card this viewer can't know.

        Includes what the viewer could only infer; excludes all public knowledge (a card seen going into a hand and
        still there, a card seen and buried). Permuting the cards at these positions gives another deal that this
        viewer could not tell from the real one, as long as the recorded moves stay legal.
        """

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """The page's own result, or None while the game isn't over."""

    # --- words --------------------------------------------------------------------------------------------------

    @abstractmethod
    def describe(self, state: S, move: Move) -> Words:
        """What a legal move does, told from the state before it."""

    def turned(self, before: S, after: S) -> tuple[Card, ...]:
        """The cards that a move turned up for all to see, which neither the move nor the state before it says."""
        return ()

    def told(self, before: S, move: Move, after: S) -> Words:
        """What a move has done, with what it turned up."""
        return self.describe(before, move)

    @abstractmethod
    def notation(self, state: S, move: Move) -> str:
        """A short notation of a legal move that a person can type."""

    @abstractmethod
    def parse(self, state: S, text: str) -> Move:
        """The canonical legal move that a person's notation means (case and spacing free). Raises IllegalMove with
        ``bad_notation``, ``ambiguous_notation``, or the code of the rule it breaks."""

    def hint(self, view: Mapping[str, Any], legal: Sequence[Move]) -> Move | None:
        """A sensible one of the legal moves, from what is seen alone; None where none is known."""
        return None

    # --- values -------------------------------------------------------------------------------------------------

    @abstractmethod
    def to_json(self, state: S) -> dict[str, Any]:
        """The full state as JSON, nothing hidden."""

    @abstractmethod
    def from_json(self, data: Mapping[str, Any]) -> S:
        """The inverse of :meth:`to_json`."""


def malformed() -> IllegalMove:
    """The refusal of something that isn't a move of the game at all."""
    return IllegalMove(
        "malformed_move", gettext_noop("A move has exactly the keys and values that the game's page shows.")
    )


class CannotResample(Exception):
    """No other deal was found that this viewer could not tell from the real one."""


def resample(
    rules: Rules[Any],
    options: Options,
    steps: Sequence[Step],
    viewer: Viewer,
    rng: random.Random,
    *,
    known: frozenset[tuple[int, int, int]] = frozenset(),
    automatic: Collection[int] = (),
    quick_pass: bool = False,
    tries: int = 50,
) -> list[Step]:
    """Another course of the game that ``viewer`` could not tell from the real one: the same moves over other deals.

    The cards that the viewer can't know (:meth:`Rules.unseen` at the end of each round) change places; a candidate
    that would make a recorded move illegal is rejected. ``known`` adds (deal, pack, position) triples that the viewer
    knows from elsewhere, such as a line that was undone.

    Where lone passes were made by themselves (``quick_pass``), ``automatic`` are the indexes of those steps, and both
    the marks and their absence are public knowledge: a candidate is rejected in which one of them isn't the only legal
    move, or in which a seat that was left to choose could only have passed. Raises :class:`CannotResample` after
    ``tries`` candidates.
    """
    for _ in range(tries):
        candidate = _permuted(rules, options, steps, viewer, rng, known)
        marks = frozenset(automatic) if quick_pass else None
        if _replays(rules, options, candidate, marks):
            return candidate
    raise CannotResample


def _permuted(
    rules: Rules[Any],
    options: Options,
    steps: Sequence[Step],
    viewer: Viewer,
    rng: random.Random,
    known: frozenset[tuple[int, int, int]],
) -> list[Step]:
    state = rules.start(options)
    out = list(steps)
    latest: int | None = None
    deals = -1

    def shuffle_latest() -> None:
        if latest is None:
            return
        deal = steps[latest]
        assert isinstance(deal, Deal)
        packs = []
        for pack_no, (pack, hidden) in enumerate(zip(deal.packs, rules.unseen(state, viewer), strict=True)):
            places = sorted(place for place in hidden if (deals, pack_no, place) not in known)
            cards = [pack[place] for place in places]
            rng.shuffle(cards)
            dealt = list(pack)
            for place, card in zip(places, cards, strict=True):
                dealt[place] = card
            packs.append(tuple(dealt))
        out[latest] = Deal(tuple(packs))

    for n, step in enumerate(steps):
        if isinstance(step, Deal):
            shuffle_latest()
            latest, deals = n, deals + 1
            state = rules.deal(state, step.packs)
        else:
            state = rules.play(state, step.move).state
    shuffle_latest()
    return out


def _replays(
    rules: Rules[Any], options: Options, steps: Sequence[Step], automatic: frozenset[int] | None = None
) -> bool:
    """Whether the steps are legal and, where ``automatic`` is given, exactly those are lone passes."""
    state = rules.start(options)
    try:
        for n, step in enumerate(steps):
            if isinstance(step, Deal):
                rules.check_deal(state, step.packs)
                state = rules.deal(state, step.packs)
                continue
            if automatic is not None and (rules.pass_if_lone(state) is not None) != (n in automatic):
                return False
            state = rules.play(state, rules.check(state, step.seat, step.move)).state
    except Refusal:
        return False
    return automatic is None or rules.pass_if_lone(state) is None
