"""The board of Conquian: both players' melds, the centre card between them, and a hand of up to ten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from games.engine.conquian_melds import BIT, MELDS, can_be_melded, canonical_melds, in_suits, mask
from games.engine.contract import Card, Move
from games.pages.boards import conquian_words as words
from games.pages.boards.base import Board, Choice, Scene, ScoreRow, SeatFacts, Slot, View, Way
from games.pages.cards import card_name
from games.pages.hands import in_order
from games.viewing import Told

CENTRE: Final = "centre"
HAND, DISCARD, LAID = "hand", "discard", "card"


@dataclass(frozen=True, slots=True)
class Place:
    """A card as it is drawn. ``css`` says what is special about it; ``x`` and ``y`` where it is for the arrow keys."""

    card: Card
    touch: str
    label: str
    css: str = ""
    x: int = 0
    y: int = 0
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A meld. ``fits``: the centre card may be forced onto it, or will be if it is declined."""

    cards: list[Place]
    fits: bool


@dataclass(frozen=True, slots=True)
class Side:
    """What lies before a player. ``cards`` is their hand where it is seen but not held by the viewer."""

    seat: int
    name: str
    near: bool
    turn: bool
    dealer: bool
    count: int
    melded: int
    melds: list[Group]
    cards: list[Card] = field(default_factory=list)


class ConquianBoard(Board):
    slug = "conquian"
    template = "games/boards/conquian.html"
    styles = "games/boards-conquian.css"
    growing = True

    # --- drawing ------------------------------------------------------------------------------------------------

    def draw(self, scene: Scene) -> dict[str, Any]:
        """``far`` and ``near`` :class:`Side`, the ``centre`` card's :class:`Place` or None, the viewer's ``hand``,
        the counts of ``stock`` and ``waste``, the stock's order where all is open, and what ``note`` has to say."""
        view = scene.view
        near = scene.seat if scene.seat is not None else 0
        hand = _hand(scene, near) if scene.seat is not None and view["hands"][near]["cards"] is not None else []
        return {
            "far": _side(scene, 1 - near, shown=True),
            "near": _side(scene, near, shown=scene.seat is None),
            "centre": _centre(scene),
            "hand": hand,
            "order": scene.order,
            "stock": view["stock"],
            "stock_cards": [] if scene.still else view.get("stock_cards", []),
            "waste": view["waste"],
            "note": "" if scene.still or scene.frame else words.note(view, scene.seat),
            "discards": [place.card for place in hand],
            "playing": scene.playing,
            "still": scene.still,
        }

    # --- touching -----------------------------------------------------------------------------------------------

    def ways(self, view: View, legal: Sequence[Move]) -> list[Way]:
        """Melds by the hand cards that they use and how all lies then; forcing, allowing and declining are buttons.

        For a meld the centre card and those hand cards are touched in any order, and last of all the discard.
        """
        if not legal:
            return []
        found = list(_meld_ways(view, [move for move in legal if move["type"] == "meld"]))
        discards = tuple(Choice(f"{HAND}:{move['card']}", move["card"]) for move in legal if move["type"] == "discard")
        if discards:
            found.append(Way("discard", _("Discard"), {"type": "discard"}, (Slot("card", discards),)))
        for move in legal:
            if move["type"] == "force":
                meld = tuple(in_suits(mask(move["meld"])))
                found.append(
                    Way(
                        "force",
                        words.force(view, meld),
                        move,
                        variant="".join(meld),
                        picture=(meld,),
                        caption=_("Force onto"),
                    )
                )
        if {"type": "allow"} in legal:
            found.append(Way("allow", words.allow(view), {"type": "allow"}))
        if {"type": "pass"} in legal:
            found.append(Way("pass", words.decline(view), {"type": "pass"}))
        return found

    def heard(self, touched: Sequence[str]) -> Sequence[str]:
        """A form without the script names the discard in a field of its own: the last card touched."""
        discards = [f"{HAND}:{_card(touch)}" for touch in touched if touch.startswith(f"{DISCARD}:")]
        others = [touch for touch in touched if touch and not touch.startswith(f"{DISCARD}:") and touch not in discards]
        return (*others, *discards)

    def intended(self, view: View, touched: Sequence[str], action: str) -> Move | None:
        cards = [_card(touch) for touch in self.heard(touched) if touch.startswith((f"{HAND}:", f"{DISCARD}:"))]
        if not cards and CENTRE not in touched:
            return {"type": action} if action in ("pass", "allow") else None
        if view["phase"] == "discard":
            return {"type": "discard", "card": cards[-1]} if cards else None
        present = [meld["meld"] for meld in view["melds"][view["awaits"] or 0]]
        centre = [view["centre"]] if CENTRE in touched and view["centre"] else []
        move: dict[str, Any] = {"type": "meld"}
        group = sorted({*cards, *centre})
        if len(cards) > 1 and not _is_meld(group):
            move["discard"] = cards[-1]
            group = sorted({*cards[:-1], *centre})
        return {**move, "melds": _laid_out(present, group)}

    def preview(self, view: View, move: Move, seat: int) -> View:
        """What the move itself does. Who has to turn a card has not done so yet: no centre card lies there then."""
        match move["type"]:
            case "meld":
                return _melded(view, move, seat)
            case "force":
                return _forced(view, move, 1 - seat)
            case "discard":
                return _discarded(view, move["card"], seat)
        if move["type"] == "pass" and (view["origin"] == "turned" or _fits(view, seat)):
            return {**view, "awaits": 1 - seat, "melds": [_plain(melds) for melds in view["melds"]]}
        buried = {"centre": None, "origin": None, "waste": view["waste"] + 1, "awaits": None}
        return {**view, **buried, "melds": [_plain(melds) for melds in view["melds"]]}

    def marks(self, view: View, moves: Iterable[Move]) -> frozenset[str]:
        """What a preview laid, and a card that was discarded and still is the centre card."""
        laid = {f"{LAID}:{card}" for card in view.get("laid", [])}
        last = [move.get("discard", move.get("card")) for move in moves][-1:]
        return frozenset(laid | ({CENTRE} if last and last[0] and last[0] == view["centre"] else set()))

    def marked(self, view: View, steps: Iterable[Told]) -> frozenset[str]:
        """Also what was newly melded, which a move doesn't say: it names all that its player has melded."""
        laid: set[Card] = set()
        moves: list[Move] = []
        for told in steps:
            if told.move is None or told.words is None:
                laid.clear()  # the cards of a new deal
                continue
            moves.append(told.move)
            if told.move["type"] == "meld":
                laid.update(told.words.params["cards"])
            elif told.move["type"] == "force":
                laid.add(told.words.params["card"])
        lying = {card for melds in view["melds"] for meld in melds for card in meld["cards"]}
        return frozenset(f"{LAID}:{card}" for card in laid & lying) | self.marks(view, moves)

    # --- words --------------------------------------------------------------------------------------------------

    def offer(self, view: View, move: Move, after: View) -> str:
        return words.offer(view, move, after)

    def how(self, view: View) -> str:
        seat = view["awaits"]
        if not isinstance(seat, int) or view["hands"][seat]["cards"] is None:
            return ""
        return words.how(view, can_meld=view["phase"] == "offer" and _can_meld(view, seat))

    def seat(self, view: View, seat: int) -> SeatFacts:
        if not view or view["dealer"] is None:
            return SeatFacts("", "", "")
        melded = sum(len(meld["cards"]) for meld in view["melds"][seat])
        dealer = _("dealer") if view["dealer"] == seat else _("non-dealer")
        return SeatFacts("", dealer, words.holds(view["hands"][seat]["count"], melded))

    def now(self, view: View) -> str:
        return words.piles(view["stock"], view["waste"])

    def round(self, view: View) -> str:
        if view["target"] == 1:
            return _("A single round")
        return _("Round %(round)s for a stake of %(stake)s, up to %(target)s") % {
            "round": view["round"],
            "stake": view["stake"],
            "target": view["target"],
        }

    def score(self, view: View) -> list[ScoreRow]:
        return [ScoreRow(_("Stakes won"), view["scores"], total=True)]


# --- touches ------------------------------------------------------------------------------------------------------


def _card(touch: str) -> str:
    return touch.partition(":")[2]


def _meld_ways(view: View, moves: Sequence[Move]) -> Iterator[Way]:
    """A way for every set of hand cards used and every arrangement of all that then is melded."""
    seat = view["awaits"]
    hand: list[Card] = view["hands"][seat]["cards"]
    discards: dict[tuple[tuple[Card, ...], ...], list[Card]] = {}
    for move in moves:
        melds = tuple(tuple(meld) for meld in move["melds"])
        discards.setdefault(melds, []).extend([move["discard"]] if "discard" in move else [])
    for melds, cards in discards.items():
        lying = {card for meld in melds for card in meld}
        used = [Choice(CENTRE), *(Choice(f"{HAND}:{card}") for card in hand if card in lying)]
        slots = [Slot(None, tuple(used), len(used), len(used))]
        if cards:
            slots.append(Slot("discard", tuple(Choice(f"{HAND}:{card}", card) for card in cards)))
        move = {"type": "meld", "melds": [list(meld) for meld in melds]}
        name = ".".join("".join(meld) for meld in melds)
        picture = tuple(tuple(in_suits(mask(meld))) for meld in melds)
        yield Way("meld", _("Meld the centre card"), move, tuple(slots), ordered=True, variant=name, picture=picture)


def _is_meld(cards: Iterable[str]) -> bool:
    return all(card in BIT for card in cards) and mask(cards) in MELDS


def _laid_out(present: Sequence[Sequence[Card]], group: Sequence[Card]) -> list[list[Card]]:
    """The group beside the present melds, or added to one of them where it belongs to that."""
    for meld in present:
        if group and not _is_meld(group) and _is_meld([*meld, *group]):
            return [[*other, *group] if other == meld else list(other) for other in present]
    return [list(meld) for meld in present] + ([list(group)] if group else [])


def _can_meld(view: View, seat: int) -> bool:
    melded = mask(card for meld in view["melds"][seat] for card in meld["cards"])
    return can_be_melded(BIT[view["centre"]], melded, mask(view["hands"][seat]["cards"]))


# --- the table as it would be -------------------------------------------------------------------------------------


def _seen(melds: Iterable[int]) -> list[dict[str, Any]]:
    return [{"cards": in_suits(meld), "meld": list(MELDS[meld]), "force": None} for meld in canonical_melds(melds)]


def _plain(melds: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Melds without what forcing means for them, which the next moment decides."""
    return [{**meld, "force": None} for meld in melds]


def _fits(view: View, seat: int) -> bool:
    return any(meld["force"] == "if_declined" for meld in view["melds"][seat])


def _with(pair: Sequence[Any], seat: int, value: Any) -> list[Any]:
    return [value if n == seat else other for n, other in enumerate(pair)]


def _left(view: View, seat: int, gone: Iterable[Card | None]) -> list[Any]:
    """The hands after these cards left that of ``seat``."""
    cards = [card for card in view["hands"][seat]["cards"] if card not in set(gone)]
    return _with(view["hands"], seat, {"count": len(cards), "cards": cards})


def _melded(view: View, move: Move, seat: int) -> View:
    melds = [mask(meld) for meld in move["melds"]]
    before = {card for meld in view["melds"][seat] for card in meld["cards"]}
    laid = [card for card in in_suits(sum(melds)) if card not in before]
    discard = move.get("discard")
    all_melds = _with([_plain(other) for other in view["melds"]], seat, _seen(melds))
    after = {**view, "hands": _left(view, seat, [*laid, discard]), "melds": all_melds, "laid": laid}
    return {**after, "centre": discard, "origin": "discarded" if discard else None, "awaits": 1 - seat}


def _forced(view: View, move: Move, owner: int) -> View:
    named = mask(move["meld"])
    melds = [mask(meld["meld"]) for meld in view["melds"][owner]]
    longer = _seen(meld | BIT[view["centre"]] if meld == named else meld for meld in melds)
    all_melds = _with([_plain(other) for other in view["melds"]], owner, longer)
    after = {**view, "melds": all_melds, "laid": [view["centre"]], "awaits": owner}
    return {**after, "phase": "discard", "centre": None, "origin": None}


def _discarded(view: View, card: Card, seat: int) -> View:
    after = {**view, "hands": _left(view, seat, [card]), "centre": card, "origin": "discarded"}
    return {**after, "phase": "offer", "awaits": 1 - seat}


# --- places -------------------------------------------------------------------------------------------------------


def _centre(scene: Scene) -> Place | None:
    card = scene.view["centre"]
    if card is None:
        return None
    css = [name for name, touches in (("new", scene.marks), ("ghost", scene.ghosts)) if CENTRE in touches]
    label = _("the centre card, %(card)s") % {"card": card_name(card)}
    return Place(card, CENTRE, label, " ".join(css), 5, 1, CENTRE in scene.touched)


def _hand(scene: Scene, seat: int) -> list[Place]:
    held = in_order((scene.frame or scene.view)["hands"][seat]["cards"], scene.order)
    left = scene.view["hands"][seat]["cards"]
    return [
        Place(card, touch, card_name(card), "" if card in left else "leaving", x, 2, touch in scene.touched)
        for x, card in enumerate(held, start=1)
        for touch in [f"{HAND}:{card}"]
    ]


def _side(scene: Scene, seat: int, *, shown: bool) -> Side:
    view = scene.view
    own = seat == scene.seat
    dealer = view["dealer"] == seat
    name = _("You") if own else scene.names.get(seat) or (_("Dealer") if dealer else _("Non-dealer"))
    hand, melds = view["hands"][seat], view["melds"][seat]
    return Side(
        seat=seat,
        name=name,
        near=seat == (scene.seat or 0),
        turn=view["awaits"] == seat and not scene.over,
        dealer=dealer,
        count=hand["count"],
        melded=sum(len(meld["cards"]) for meld in melds),
        melds=[Group([_lying(scene, card) for card in meld["cards"]], bool(meld["force"])) for meld in melds],
        cards=in_order(hand["cards"] or [], scene.order) if shown else [],
    )


def _lying(scene: Scene, card: Card) -> Place:
    touch = f"{LAID}:{card}"
    css = [name for name, touches in (("new", scene.marks), ("ghost", scene.ghosts)) if touch in touches]
    return Place(card, touch, card_name(card), " ".join(css))
