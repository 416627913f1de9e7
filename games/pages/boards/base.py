"""The contract of a board: how one game is drawn, and how its moves are made by touching what is drawn.

A game needs one :class:`Board` and one template; the table's script knows no game. Everything is made from the *view*
(the JSON of ``Rules.view``), never from the state, so that nothing hidden can be drawn by mistake.

A *touch* is the name of something that can be touched: ``"hand:7S"``, ``"cell:1,-2"``. A :class:`Way` says which
touches make moves of one kind, as a product of choices: so a hundred moves are three short lists.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from games.engine.contract import Card, Move
from games.pages.hands import Order
from games.viewing import Told

type View = Mapping[str, Any]


class Choice(NamedTuple):
    """Something to touch, and what it puts into the move."""

    touch: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a move to be filled by touching ``least`` to ``most`` of the choices.

    ``key`` is the move's key; None for what is only touched to say which move is meant. ``many``: the value is a
    list, even of one.
    """

    key: str | None
    choices: tuple[Choice, ...]
    least: int = 1
    most: int = 1
    many: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """One kind of move: every combination of its slots' choices is legal.

    ``move`` holds the keys that are the same for all, ``label`` names the way where a person must choose between
    several. ``ordered``: what is touched first fills the first slot. Ways with the same slots, whose moves no touch
    tells apart, have a ``variant`` each, and a ``picture``: the groups of cards that are drawn to choose from, on a
    button with a ``caption`` in the place of its longer label.
    ``anywhere``: it may be begun in any slot, so that all are lit from the start. ``exact``: where a form names it, no
    move of another kind is meant, whatever was touched.
    """

    action: str
    label: str
    move: Mapping[str, Any]
    slots: tuple[Slot, ...] = ()
    ordered: bool = False
    variant: str = ""
    picture: tuple[tuple[Card, ...], ...] = ()
    caption: str = ""
    anywhere: bool = False
    exact: bool = False

    @property
    def name(self) -> str:
        """What tells it from every other way, as a form sends it: ``"meld/4H5H6H"``."""
        return f"{self.action}/{self.variant}" if self.variant else self.action

    def moves(self, touched: Sequence[str]) -> Iterator[Move]:
        """The moves that exactly these touches make, in no particular order."""
        for filled in self._fillings(touched, [[] for _ in self.slots]):
            move = dict(self.move)
            for slot, values in zip(self.slots, filled, strict=True):
                if slot.key is not None:
                    move[slot.key] = values if slot.many else values[0]
            yield move

    def _fillings(self, touched: Sequence[str], filled: list[list[Any]]) -> Iterator[list[list[Any]]]:
        if not touched:
            if all(len(values) >= slot.least for slot, values in zip(self.slots, filled, strict=True)):
                yield [list(values) for values in filled]
            return
        begun = max((n for n, values in enumerate(filled) if values), default=0) if self.ordered else 0
        for n, slot in enumerate(self.slots):
            if n < begun or len(filled[n]) >= slot.most:
                continue
            if self.ordered and any(len(filled[k]) < self.slots[k].least for k in range(n)):
                break
            for choice in slot.choices:
                if choice.touch == touched[0]:
                    filled[n].append(choice.value)
                    yield from self._fillings(touched[1:], filled)
                    filled[n].pop()

    def obvious(self) -> list[str]:
        """The touches that this way leaves no choice about; none where their order says what is meant."""
        if self.ordered:
            return []
        return [slot.choices[0].touch for slot in self.slots if len(slot.choices) == 1 and slot.least == 1]

    def for_script(self) -> dict[str, Any]:
        """What the table's script needs to know: never a value, only what can be touched."""
        slots = [
            {"touch": [choice.touch for choice in slot.choices], "least": slot.least, "most": slot.most}
            for slot in self.slots
        ]
        action = self.action if slots else self.name
        told = {"action": action, "label": self.label, "ordered": self.ordered, "slots": slots}
        return {**told, "anywhere": True} if self.anywhere else told


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Several moves of a patience by one touch: recorded as the single moves that they are.

    ``touches`` in their order; none for a button of its own.
    """

    action: str
    label: str
    touches: tuple[str, ...]
    moves: tuple[Move, ...]

    def for_script(self) -> dict[str, Any]:
        """Like a :class:`Way`'s."""
        slots = [{"touch": [touch], "least": 1, "most": 1} for touch in self.touches]
        return {"action": self.action, "label": self.label, "ordered": True, "slots": slots}


def resolve(ways: Iterable[Way], touched: Sequence[str], action: str = "") -> list[Move]:
    """The different moves that were meant by these touches.

    ``action`` (of a way, or its whole name, where the person named one) narrows them, and saves touching what is
    obvious; where what was touched makes no move of that kind, it counts for more than the action.
    """
    return [move for _way, move in meant(ways, touched, action)]


def meant(ways: Iterable[Way], touched: Sequence[str], action: str = "") -> list[tuple[Way, Move]]:
    """As :func:`resolve`, each move with a way that makes it."""
    ways = list(ways)
    named = [way for way in ways if action in (way.action, way.name)]
    found = _distinct((way, move) for way in named for move in way.moves(touched))
    if not found:
        found = _distinct(
            (way, move)
            for way in named
            for move in way.moves([*touched, *(touch for touch in way.obvious() if touch not in touched)])
        )
    if found or any(way.exact for way in named):
        return found
    # What touches nothing is made only where it is named: not by a form that was sent before anything was chosen.
    return _distinct((way, move) for way in ways if way.slots for move in way.moves(touched))


def _distinct(found: Iterable[tuple[Way, Move]]) -> list[tuple[Way, Move]]:
    out: list[tuple[Way, Move]] = []
    for way, move in found:
        if all(move != other for _way, other in out):
            out.append((way, move))
    return out


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn.

    ``playing``: with things to touch. ``marks``: touches of what changed since the viewer's last turn. ``ghosts``:
    touches of what would change. ``touched``: what the viewer has chosen already. ``frame``: the view whose cut-out of
    the table is kept, so that nothing moves while a move is only looked at. ``hinted``: touches of the move that a hint
    says. ``find``: a card to be shown wherever it lies. ``names`` are the players' by seat, where they are known.
    ``over``: nobody is to move any more, whatever the rules say.
    """

    view: View
    seat: int | None = None
    playing: bool = False
    over: bool = False
    marks: frozenset[str] = frozenset()
    ghosts: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    frame: View | None = None
    still: bool = False
    hinted: frozenset[str] = frozenset()
    find: str = ""
    #: How a hand is sorted: see :mod:`games.pages.hands`.
    order: Order = "suit"
    names: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What is said of a seat beside the player's name: its colour's pip (a suit's letter), its name, what it holds.

    Where seats have no colours ``pip`` is empty, and ``colour`` what else tells them apart, or nothing.
    """

    pip: str
    colour: str
    holds: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A line of the score: ``points`` by seat."""

    label: str
    points: Sequence[int]
    total: bool = False


class Board(ABC):
    """How a game is drawn and touched. One instance serves everybody; it keeps nothing."""

    slug: ClassVar[str]
    #: Draws the context of :meth:`draw`, which it finds as ``board``.
    template: ClassVar[str]
    #: A style sheet of the game's own, loaded only where it is drawn.
    styles: ClassVar[str] = ""
    #: Moves are made at once, without looking at them first: they can be taken back.
    instant: ClassVar[bool] = False
    #: What is touched may be a move and the beginning of a larger one, too: a move waits to be confirmed.
    growing: ClassVar[bool] = False

    @abstractmethod
    def draw(self, scene: Scene) -> dict[str, Any]:
        """The template's context."""

    @abstractmethod
    def ways(self, view: View, legal: Sequence[Move]) -> list[Way]:
        """The legal moves as ways: their products are exactly ``legal``."""

    @abstractmethod
    def intended(self, view: View, touched: Sequence[str], action: str) -> Move | None:
        """A move that somebody who touched this may have meant, legal or not: asked which rule forbids it."""

    @abstractmethod
    def preview(self, view: View, move: Move, seat: int) -> View:
        """The table as it would be right after a legal move, before anything is drawn, dealt or turned up."""

    @abstractmethod
    def marks(self, view: View, moves: Iterable[Move]) -> frozenset[str]:
        """The touches of what these moves, the latest ones, changed on the table."""

    @abstractmethod
    def offer(self, view: View, move: Move, after: View) -> str:
        """What a legal move would do, to be confirmed: *Place 7♠ at h7.* ``after`` is its :meth:`preview`."""

    @abstractmethod
    def how(self, view: View) -> str:
        """How a move is made, in a sentence or two."""

    @abstractmethod
    def seat(self, view: View, seat: int) -> SeatFacts:
        """What is said of a seat. ``view`` may be empty before the first deal."""

    @abstractmethod
    def now(self, view: View) -> str:
        """How the game stands in one line."""

    @abstractmethod
    def round(self, view: View) -> str:
        """Which round it is."""

    @abstractmethod
    def score(self, view: View) -> list[ScoreRow]:
        """The score so far, a row a round, then what the table as it lies would give, then the total."""

    def heard(self, touched: Sequence[str]) -> Sequence[str]:
        """The touches as the ways name them, in the order meant, where a form without the script has other fields."""
        return touched

    def marked(self, view: View, steps: Iterable[Told]) -> frozenset[str]:
        """As :meth:`marks`, of these steps, where a move alone doesn't say what it changed."""
        return self.marks(view, [told.move for told in steps if told.move])

    def shortcuts(self, view: View) -> list[Shortcut]:
        """Several moves that can be made by one touch, in a patience."""
        return []

    def hint(self, view: View, legal: Sequence[Move]) -> Move | None:
        """A sensible one of the legal moves, from what is seen alone; None where there is none."""
        return None

    def drawn(self, scene: Scene) -> dict[str, Any]:
        """The context of :meth:`draw` with the template's name, ready to be included."""
        return {"template": self.template, **self.draw(scene)}
