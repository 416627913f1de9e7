"""The board of the Forty Thieves family: columns, stock, waste and eight foundations.

Touches name places: ``pile:t3.5`` is the fifth card of the third column, ``pile:t3.0`` that column when it is empty,
``pile:w`` the waste, ``pile:f`` the foundations, ``pile:s`` the stock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.cards import show
from games.engine.contract import Move
from games.engine.forty_thieves_eyes import after_move, all_up, group_moves, hint, longest_run
from games.engine.forty_thieves_help import FOUNDATION, WASTE, card_move
from games.pages.boards.base import Board, Choice, Scene, ScoreRow, SeatFacts, Shortcut, Slot, View, Way
from games.pages.cards import card_name

STOCK_TOUCH, WASTE_TOUCH, FOUNDATION_TOUCH = "pile:s", "pile:w", "pile:f"
#: So many of the waste's cards are seen at once.
FANNED = 3


@dataclass(frozen=True, slots=True)
class Lying:
    """A card, or an empty place, as it is drawn. ``card`` is empty for one that isn't seen.

    ``x`` and ``y`` say where it is for the arrow keys; ``touch`` is empty where there is nothing to touch.
    """

    card: str
    label: str
    css: str = ""
    touch: str = ""
    checked: bool = False
    x: int = 0
    y: int = 0
    twice: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    number: int
    cards: list[Lying] = field(default_factory=list)
    #: The place to touch where no card lies.
    empty: Lying | None = None


class FortyThievesBoard(Board):
    slug = "forty_thieves"
    template = "games/boards/forty_thieves.html"
    styles = "games/boards-forty-thieves.css"
    instant = True

    # --- drawing ------------------------------------------------------------------------------------------------

    def draw(self, scene: Scene) -> dict[str, Any]:
        """``columns``, ``stock``, ``waste`` (its last cards), ``looked_through`` (all of it), ``foundations``."""
        view = scene.view
        waste = view["waste"]
        return {
            "columns": [_column(scene, number, column) for number, column in enumerate(view["columns"], start=1)],
            "stock": _stock(scene),
            "stock_count": view["stock"],
            "waste": [_waste_card(scene, n) for n in range(max(len(waste) - FANNED, 0), len(waste))],
            "waste_count": len(waste),
            "found_in_waste": scene.find in waste,
            "looked_through": [_seen(scene, card) for card in reversed(waste) if card is not None],
            "foundations": [_seen(scene, foundation["top"]) for foundation in view["foundations"]],
            "foundation": _place(scene, FOUNDATION_TOUCH, _("Foundations"), x=3),
            "redeals_left": view["redeals_left"],
            "stock_cards": [_seen(scene, card) for card in view["stock_cards"] or ()],
            "playing": scene.playing,
            "still": scene.still,
        }

    # --- touching -----------------------------------------------------------------------------------------------

    def ways(self, view: View, legal: Sequence[Move]) -> list[Way]:
        """A way for each pile and number of cards that can be lifted, and one for turning or redealing.

        Onto a card only one part of a run fits: that is meant by any card of the run from there on.
        """
        found = []
        places = {column["name"]: column["cards"] for column in view["columns"]}
        for (source, count), targets in _by_source(legal).items():
            onto = [name for name in targets if places.get(name)]
            exact = [name for name in targets if name not in onto]
            lifts = [_source_touch(places, source, fewer) for fewer in range(1, count + 1)]
            for touches, names in ((lifts, onto), (lifts[-1:], exact)):
                if names:
                    slots = (
                        Slot(None, tuple(Choice(touch) for touch in touches)),
                        Slot("to", tuple(Choice(_target_touch(places, name), name) for name in names)),
                    )
                    fixed = {"type": "move", "from": source, "count": count}
                    found.append(Way("move", _("Move a card"), fixed, slots, ordered=True))
        for move in legal:
            kind = str(move["type"])
            if kind != "move":
                label = _turn_label(view) if kind == "draw" else _("Redeal")
                found.append(Way(kind, label, dict(move), (Slot(None, (Choice(STOCK_TOUCH),)),)))
        return found

    def shortcuts(self, view: View) -> list[Shortcut]:
        """All that can go up; and, where cards move one at a time, runs by way of empty columns."""
        up = tuple(all_up(view))
        found = [Shortcut("all_up", _("All up"), (), up)] if up else []
        places = {column["name"]: column["cards"] for column in view["columns"]}
        for source, cards in places.items():
            for count in range(2, longest_run(view, cards) + 1):
                for target in places:
                    moves = group_moves(view, source, count, target)
                    if moves:
                        touches = (_source_touch(places, source, count), _target_touch(places, target))
                        found.append(Shortcut("group", _("Move the cards"), touches, tuple(moves)))
        return found

    def hint(self, view: View, legal: Sequence[Move]) -> Move | None:
        return hint(view, legal)

    def intended(self, view: View, touched: Sequence[str], action: str) -> Move | None:
        places = {column["name"]: column["cards"] for column in view["columns"]}
        piles = [(name, count) for touch in touched for name, count in _touched(places, touch)]
        if action in ("draw", "redeal") or STOCK_TOUCH in touched:
            return {"type": action if action in ("draw", "redeal") else "draw" if view["stock"] else "redeal"}
        if len(piles) > 1:
            return card_move(piles[0][0], piles[1][0], max(piles[0][1], 1))
        movable = {column["name"]: column["movable"] for column in view["columns"]}
        if piles and piles[0][1] > movable.get(piles[0][0], 1):
            return card_move(piles[0][0], FOUNDATION, piles[0][1])  # a card that can't be lifted
        return None

    def preview(self, view: View, move: Move, seat: int) -> View:
        return after_move(view, move)

    def marks(self, view: View, moves: Iterable[Move]) -> frozenset[str]:
        """Where the last of the moves put cards."""
        last = next(iter(reversed(list(moves))), None)
        if last is None or last["type"] == "redeal":
            return frozenset()
        if last["type"] == "draw":
            return frozenset({WASTE_TOUCH})
        if last["to"] == FOUNDATION:
            return frozenset({FOUNDATION_TOUCH})
        heights = {column["name"]: len(column["cards"]) for column in view["columns"]}
        height = heights[last["to"]]
        return frozenset(f"pile:{last['to']}.{place}" for place in range(height - last["count"] + 1, height + 1))

    # --- words --------------------------------------------------------------------------------------------------

    def offer(self, view: View, move: Move, after: View) -> str:
        if move["type"] == "draw":
            return _("Turn from the stock.")
        if move["type"] == "redeal":
            return _("Turn the waste over into a new stock.")
        columns = {column["name"]: (n, column["cards"]) for n, column in enumerate(view["columns"], start=1)}
        lying = view["waste"] if move["from"] == WASTE else columns[move["from"]][1]
        said: dict[str, Any] = {"cards": " ".join(show(card) for card in lying[-move["count"] :])}
        if move["from"] != WASTE:
            said["column"] = columns[move["from"]][0]
        if move["to"] == FOUNDATION:
            if move["from"] == WASTE:
                return _("Play %(cards)s from the waste to the foundations.") % said
            return _("Play %(cards)s from column %(column)s to the foundations.") % said
        said["target"], cards = columns[move["to"]]
        if not cards:
            if move["from"] == WASTE:
                return _("Move %(cards)s from the waste to the empty column %(target)s.") % said
            return _("Move %(cards)s from column %(column)s to the empty column %(target)s.") % said
        said["onto"] = show(cards[-1])
        if move["from"] == WASTE:
            return _("Move %(cards)s from the waste onto %(onto)s in column %(target)s.") % said
        return _("Move %(cards)s from column %(column)s onto %(onto)s in column %(target)s.") % said

    def how(self, view: View) -> str:
        if view["awaits"] is None:
            return _("Nothing is legal any more: take back, or give up.")
        if view["only_turning_left"]:
            return _("Only turning is left: no card can move between piles.")
        return _("Touch a card and then where it goes; touch it twice to send it to the foundations.")

    def seat(self, view: View, seat: int) -> SeatFacts:
        return SeatFacts("", "", "")

    def now(self, view: View) -> str:
        return _("%(placed)s of %(cards)s on the foundations") % {"placed": view["placed"], "cards": view["cards"]}

    def round(self, view: View) -> str:
        return ""

    def score(self, view: View) -> list[ScoreRow]:
        return [ScoreRow(_("On the foundations"), [view["placed"]], total=True)]


# --- piles --------------------------------------------------------------------------------------------------------

type Places = dict[str, list[str | None]]


def _by_source(legal: Sequence[Move]) -> dict[tuple[str, int], list[str]]:
    """Where the cards can go that can be lifted from each pile."""
    found: dict[tuple[str, int], list[str]] = {}
    for move in legal:
        if move["type"] == "move":
            found.setdefault((move["from"], move["count"]), []).append(move["to"])
    return found


def _source_touch(places: Places, name: str, count: int) -> str:
    return WASTE_TOUCH if name == WASTE else f"pile:{name}.{len(places[name]) - count + 1}"


def _target_touch(places: Places, name: str) -> str:
    return FOUNDATION_TOUCH if name == FOUNDATION else f"pile:{name}.{len(places[name])}"


def _touched(places: Places, touch: str) -> Iterator[tuple[str, int]]:
    """The pile of a touch, and how many cards of it are lifted there; nothing for what is no pile here."""
    if touch in (WASTE_TOUCH, FOUNDATION_TOUCH):
        yield touch.removeprefix("pile:"), 1
    name, dot, place = touch.removeprefix("pile:").partition(".")
    if dot and name in places and place.isascii() and place.isdigit() and len(place) < 4:
        yield name, max(len(places[name]) - int(place) + 1, 0) if int(place) else 0


def _turn_label(view: View) -> str:
    count = min(view["turn"], view["stock"])
    return ngettext("Turn a card", "Turn %(count)s cards", count) % {"count": count}


# --- what is drawn ------------------------------------------------------------------------------------------------


def _css(scene: Scene, touch: str, card: str | None = None) -> list[str]:
    named = (("new", scene.marks), ("ghost", scene.ghosts), ("hinted", scene.hinted))
    return [name for name, touches in named if touch in touches] + (["found"] if card and card == scene.find else [])


def _name(card: str | None) -> str:
    return _("face down") if card is None else card_name(card)


def _seen(scene: Scene, card: str | None) -> Lying:
    """A card that can't be touched; None is an empty place or a card that isn't seen."""
    return Lying(card or "", _name(card) if card else "", " ".join(_css(scene, "", card)))


def _place(scene: Scene, touch: str, label: str, *, x: int, y: int = 0) -> Lying:
    """A place without a card."""
    css = " ".join(_css(scene, touch))
    return Lying("", label, css, touch if scene.playing else "", touch in scene.touched, x, y)


def _column(scene: Scene, number: int, column: View) -> Column:
    name, cards = column["name"], column["cards"]
    if not cards:
        empty = _place(scene, f"pile:{name}.0", _("empty column %(column)s") % {"column": number}, x=number, y=1)
        return Column(number, [], empty)
    lying = []
    for place, card in enumerate(cards, start=1):
        touch = f"pile:{name}.{place}"
        css = _css(scene, touch, card)
        if len(cards) - place < column["movable"]:
            css.append("free")
        lying.append(
            Lying(
                card=card or "",
                label=_name(card),
                css=" ".join(css),
                touch=touch if scene.playing and card is not None else "",
                checked=touch in scene.touched,
                x=number,
                y=place,
                twice=FOUNDATION_TOUCH if place == len(cards) else "",
            )
        )
    return Column(number, lying)


def _waste_card(scene: Scene, n: int) -> Lying:
    """The waste's n-th card from the bottom; only the last can be touched."""
    waste = scene.view["waste"]
    top = n == len(waste) - 1
    css = " ".join(_css(scene, WASTE_TOUCH if top else "", waste[n]))
    label = _("%(card)s, the top of the waste") % {"card": _name(waste[n])} if top else _name(waste[n])
    touch = WASTE_TOUCH if top and scene.playing else ""
    checked = top and WASTE_TOUCH in scene.touched
    return Lying(waste[n] or "", label, css, touch, checked, x=2, twice=FOUNDATION_TOUCH if top else "")


def _stock(scene: Scene) -> Lying:
    view = scene.view
    if view["stock"]:
        count = ngettext("one card left", "%(count)s cards left", view["stock"]) % {"count": view["stock"]}
        label = _("%(turn)s (stock: %(count)s)") % {"turn": _turn_label(view), "count": count}
    elif view["redeals_left"] and view["waste"]:
        label = _("Turn the waste over into a new stock")
    else:
        label = _("The stock is empty")
    return _place(scene, STOCK_TOUCH, label, x=1)
