"""The board of Kathmandu: the market between two traders, their tokens, and the hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.cards import RANKS, show
from games.engine.contract import Card, Move
from games.engine.melds import is_group
from games.pages.boards.base import Board, Choice, Scene, ScoreRow, SeatFacts, Slot, View, Way
from games.pages.cards import card_name
from games.pages.hands import in_order
from games.viewing import Told

HAND, MARKET = "hand", "market"
LARGEST_HAND: Final = 10
#: Moves after which the count of turns without progress goes on.
IDLE: Final = ("shed", "buy", "swap", "pass")


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a card or a token. ``card`` is empty for a token, ``"back"`` for a card that nobody has seen yet.

    ``input``: it can be touched. ``x`` and ``y`` say where it is for the arrow keys.
    """

    touch: str
    label: str
    card: str = ""
    css: str = ""
    x: int = 0
    y: int = 0
    input: bool = False
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Trader:
    """One of the two at the market. ``cards`` is their hand, with names, where it is seen and can't be touched."""

    seat: int
    name: str
    dealer: bool
    turn: bool
    count: int
    red: int
    blue: int
    worth: int
    in_words: str
    cards: list[tuple[Card, str]] = field(default_factory=list)


class KathmanduBoard(Board):
    slug = "kathmandu"
    template = "games/boards/kathmandu.html"
    styles = "games/boards-kathmandu.css"
    sorts_hands = True
    growing = True

    # --- drawing ------------------------------------------------------------------------------------------------

    def draw(self, scene: Scene) -> dict[str, Any]:
        """``other`` and ``own`` :class:`Trader`, the ``market``'s five places, the ``hand``'s, both piles' counts.

        While a move is looked at every place stays where it is: what would come to it is drawn there.
        """
        view = scene.view
        near = scene.seat if scene.seat is not None else 0
        hand = _hand_places(scene) if scene.seat is not None and view["hands"][near] is not None else []
        return {
            "other": _trader(scene, 1 - near, shown=True),
            "own": _trader(scene, near, shown=not hand),
            "market": _market_places(scene),
            "hand": hand,
            "order": scene.order,
            "stock": view["stock"],
            "discard": view["discard"],
            "idle": idle_text(view),
            "playing": scene.playing,
            "still": scene.still,
        }

    # --- touching -----------------------------------------------------------------------------------------------

    def ways(self, view: View, legal: Sequence[Move]) -> list[Way]:
        """Each group or sequence of a meld, and the other moves; sweep, reveal and pass touch nothing."""
        of_kind: dict[str, list[Move]] = {}
        for move in legal:
            of_kind.setdefault(move["type"], []).append(move)
        found = list(_meld_ways(of_kind.get("meld", [])))
        for kind, where, label in (
            ("shed", HAND, _("Shed for red tokens")),
            ("buy", MARKET, _("Buy for red tokens")),
        ):
            if kind in of_kind:
                lists = [move["cards"] for move in of_kind[kind]]
                slot = Slot("cards", _choices(where, lists), most=max(map(len, lists)), many=True)
                found.append(Way(kind, label, {"type": kind}, (slot,), exact=True))
        if "swap" in of_kind:
            slots = (
                Slot("give", _choices(HAND, (move["give"] for move in of_kind["swap"])), 2, 2, many=True),
                Slot("take", _choices(MARKET, (move["take"] for move in of_kind["swap"])), 2, 2, many=True),
            )
            found.append(Way("swap", _("Swap two for two"), {"type": "swap"}, slots, anywhere=True, exact=True))
        tokens = view["market"]["tokens"]
        for kind, label in (
            ("reveal", _("Reveal: 1 token")),
            ("sweep", _("Sweep: all %(tokens)s tokens") % {"tokens": tokens}),
            ("pass", _("Pass")),
        ):
            if kind in of_kind:
                found.append(Way(kind, label, {"type": kind}))
        return found

    def intended(self, view: View, touched: Sequence[str], action: str) -> Move | None:
        hand, market = _touched(touched, HAND), _touched(touched, MARKET)
        if hand and market:
            return {"type": "swap", "give": hand, "take": market}
        if action == "swap":
            return {"type": "swap", "give": hand, "take": market}
        if market:
            return {"type": "buy", "cards": market}
        if hand:
            if action not in ("meld", "shed"):
                alike = len({card[:1] for card in hand}) == 1 or len({card[1:] for card in hand}) == 1
                action = "meld" if alike and len(hand) > 2 else "shed"
            return {"type": action, "cards": hand}
        return {"type": action} if action in ("sweep", "reveal", "pass") else None

    def preview(self, view: View, move: Move, seat: int) -> View:
        """What the move itself does. Cards to be turned up are only counted: ``coming`` in the market."""
        kind = move["type"]
        market, tokens = list(view["market"]["cards"]), view["market"]["tokens"]
        hand, red, blue = list(view["hands"][seat]), view["red"][seat], view["blue"][seat]
        given: list[Card] = move.get("give", move["cards"] if kind in ("shed", "meld") else [])
        taken: list[Card] = move.get("take", move["cards"] if kind == "buy" else [])
        hand = sorted([*(card for card in hand if card not in given), *taken])
        market = sorted([*(card for card in market if card not in taken), *(given if kind != "meld" else [])])
        coming = {"sweep": tokens, "reveal": 1}.get(kind, 0)
        gained = coming + (len(given) if kind == "shed" else 0) - (len(taken) if kind == "buy" else 0)
        red, blue, tokens = red + gained, blue + (kind == "meld"), tokens - gained
        discarded = len(given) if kind == "meld" else 0
        return {
            **view,
            "hands": _with(view["hands"], seat, hand),
            "hand_sizes": _with(view["hand_sizes"], seat, len(hand)),
            "market": {"cards": market, "tokens": tokens, "coming": coming},
            "red": _with(view["red"], seat, red),
            "blue": _with(view["blue"], seat, blue),
            "blue_left": view["blue_left"] - (kind == "meld"),
            "stock": view["stock"] - coming,
            "discard": view["discard"] + discarded,
            "idle": view["idle"] + 1 if kind in IDLE else 0,
            "worth": _with(view["worth"], seat, 5 * blue - 2 * red - len(hand)),
        }

    def marked(self, view: View, steps: Iterable[Told]) -> frozenset[str]:
        """With the cards that a sweep or reveal turned up, as long as they lie there."""
        steps = list(steps)
        lying = set(view["market"]["cards"])
        turned = {card for told in steps for card in told.turned}
        return super().marked(view, steps) | {f"{MARKET}:{card}" for card in turned & lying}

    def marks(self, view: View, moves: Iterable[Move]) -> frozenset[str]:
        lying = set(view["market"]["cards"])
        held = {card for hand in view["hands"] if hand for card in hand}
        found: set[str] = set()
        for move in moves:
            came = move["cards"] if move["type"] == "shed" else move.get("give", [])
            went = move["cards"] if move["type"] == "buy" else move.get("take", [])
            found |= {f"{MARKET}:{card}" for card in came if card in lying}
            found |= {f"{HAND}:{card}" for card in went if card in held}
        return frozenset(found)

    # --- words --------------------------------------------------------------------------------------------------

    def offer(self, view: View, move: Move, after: View) -> str:
        said = _offered(move, view["market"]["tokens"])
        ends = not after["stock"] or not after["blue_left"] or after["idle"] >= view["idle_limit"]
        return _("%(move)s That ends the round.") % {"move": said} if ends else said

    def how(self, view: View) -> str:
        return _("Choose cards of your hand to meld or shed, cards of the market to buy, or two of each to swap.")

    def seat(self, view: View, seat: int) -> SeatFacts:
        if not view:
            return SeatFacts("", "", "")
        cards = view["hand_sizes"][seat]
        holds = ngettext("%(cards)s card", "%(cards)s cards", cards) % {"cards": cards}
        dealer = _("dealer") if view["dealer"] == seat else ""
        return SeatFacts("", dealer, f"{holds}, {_tokens(view['red'][seat], view['blue'][seat])}")

    def now(self, view: View) -> str:
        stock = view["stock"]
        return ngettext("%(cards)s card to draw", "%(cards)s cards to draw", stock) % {"cards": stock}

    def round(self, view: View) -> str:
        if view["rounds"] == 1:
            return _("The only round")
        return _("Round %(round)s of %(rounds)s") % {"round": view["round"], "rounds": view["rounds"]}

    def score(self, view: View) -> list[ScoreRow]:
        rows = [ScoreRow(_("Round %(round)s") % {"round": n}, pair) for n, pair in enumerate(view["scores"], start=1)]
        points = view["totals"]
        if view["playing"]:
            rows.append(ScoreRow(_("Round %(round)s, as it stands") % {"round": view["round"]}, view["worth"]))
            points = [total + worth for total, worth in zip(points, view["worth"], strict=True)]
        if len(rows) > 1:
            rows.append(ScoreRow(_("Total"), points, total=True))
        return rows


# --- touches ------------------------------------------------------------------------------------------------------


def _meld_ways(moves: Sequence[Move]) -> Iterator[Way]:
    """Three or four of a rank are one product; a sequence is a way of its own: not any three of it will do."""
    label = _("Meld for a blue token")
    ranks: dict[str, list[list[Card]]] = {}
    for move in moves:
        cards = move["cards"]
        if is_group(cards):
            ranks.setdefault(cards[0][0], []).append(cards)
        else:
            slot = Slot("cards", _choices(HAND, [cards]), len(cards), len(cards), many=True)
            yield Way("meld", label, {"type": "meld"}, (slot,), exact=True)
    for lists in ranks.values():
        slot = Slot("cards", _choices(HAND, lists), 3, 4, many=True)
        yield Way("meld", label, {"type": "meld"}, (slot,), exact=True)


def _choices(where: str, lists: Iterable[Iterable[Card]]) -> tuple[Choice, ...]:
    """Every card of these lists once."""
    return tuple(Choice(f"{where}:{card}", card) for card in dict.fromkeys(card for cards in lists for card in cards))


def _touched(touched: Iterable[str], where: str) -> list[Card]:
    return [touch.removeprefix(f"{where}:") for touch in touched if touch.startswith(f"{where}:")]


def _with(pair: Sequence[Any], seat: int, value: Any) -> list[Any]:
    return [value if n == seat else other for n, other in enumerate(pair)]


# --- places -------------------------------------------------------------------------------------------------------


def _market_places(scene: Scene) -> list[Place]:
    """The cards from the left, then the tokens, as they lie now; with what would come into each place."""
    now, then = (scene.frame or scene.view)["market"], scene.view["market"]
    lying = in_order(now["cards"], "rank")
    coming = iter([card for card in in_order(then["cards"], "rank") if card not in lying])
    unseen = then.get("coming", 0)
    places = []
    for x, card in enumerate(lying, start=1):
        touch = f"{MARKET}:{card}"
        shown, css = _changed(card, card in then["cards"], coming)
        css += " new" if touch in scene.marks and not scene.frame else ""
        label = _("%(card)s in the market") % {"card": card_name(shown)}
        checked = touch in scene.touched
        places.append(Place(touch, label, shown, css.strip(), x, 1, scene.playing, checked))
    for n in range(now["tokens"]):
        card = next(coming, "")
        if not card and unseen:
            card, unseen = "back", unseen - 1
        label = _("a red token") if not card else _("a card of the draw pile") if card == "back" else card_name(card)
        places.append(Place(f"token:{n + 1}", label, card, "ghost" if card else ""))
    return places


def _changed(card: Card, stays: bool, coming: Iterator[Card]) -> tuple[Card, str]:
    """What is drawn in a card's place: itself, what comes instead of it, or itself as it leaves."""
    if stays:
        return card, ""
    instead = next(coming, None)
    return (card, "leaving") if instead is None else (instead, "ghost")


def _hand_places(scene: Scene) -> list[Place]:
    """The viewer's cards; behind them empty places, unseen until a card would come there."""
    seat = scene.seat or 0
    now, then = (scene.frame or scene.view)["hands"][seat], scene.view["hands"][seat]
    held = in_order(now, scene.order)
    coming = iter([card for card in in_order(then, scene.order) if card not in held])
    places = []
    for x, card in enumerate(held, start=1):
        touch = f"{HAND}:{card}"
        shown, css = _changed(card, card in then, coming)
        if css == "leaving" and scene.view["blue"] != (scene.frame or scene.view)["blue"]:
            css = "melding"
        css += " new" if touch in scene.marks and not scene.frame else ""
        checked = touch in scene.touched
        places.append(Place(touch, card_name(shown), shown, css.strip(), x, 2, scene.playing, checked))
    for n in range(LARGEST_HAND - len(held) if scene.playing else 0):
        card = next(coming, "")
        places.append(Place(f"free:{n + 1}", card_name(card) if card else "", card, "ghost" if card else "free"))
    return places


def _trader(scene: Scene, seat: int, *, shown: bool) -> Trader:
    view = scene.view
    red, blue, count, worth = (view[key][seat] for key in ("red", "blue", "hand_sizes", "worth"))
    cards = ngettext("%(cards)s card", "%(cards)s cards", count) % {"cards": count}
    in_words = _("%(cards)s, %(tokens)s; worth %(points)s points as it stands") % {
        "cards": cards,
        "tokens": _tokens(red, blue),
        "points": worth,
    }
    if seat == scene.seat:
        name = _("You")
    else:
        name = scene.names.get(seat) or (_("Dealer") if view["dealer"] == seat else _("Non-dealer"))
    dealer = view["dealer"] == seat and not scene.still
    hand = in_order(view["hands"][seat] or [], scene.order) if shown else []
    named = [(card, card_name(card)) for card in hand]
    turn = view["awaits"] == seat and not scene.over
    return Trader(seat, name, dealer, turn, count, red, blue, worth, in_words, named)


def idle_text(view: View) -> str:
    """The count of turns without progress, once it is shown, or that it ended the last round."""
    if view["idle"] >= view["idle_limit"]:
        told = _("The round ended as it stood, after %(limit)s turns in a row without a meld, sweep or reveal.")
        return told % {"limit": view["idle_limit"]}
    if view["idle"] < view["idle_shown"] or not view["playing"]:
        return ""
    return _(
        "%(count)s turns in a row without a meld, sweep or reveal. After %(limit)s the round ends as it stands."
    ) % {"count": view["idle"], "limit": view["idle_limit"]}


# --- words --------------------------------------------------------------------------------------------------------


def _tokens(red: int, blue: int) -> str:
    return _("%(red)s red and %(blue)s blue tokens") % {"red": red, "blue": blue}


def _offered(move: Move, tokens: int) -> str:
    kind = move["type"]
    cards = _shown(move.get("cards", []))
    count = len(move.get("cards", []))
    said = {"cards": cards, "tokens": count}
    if kind == "meld":
        return _("Meld %(cards)s for a blue token.") % said
    if kind == "shed":
        text = ngettext("Shed %(cards)s for a red token.", "Shed %(cards)s for %(tokens)s red tokens.", count)
        return text % said
    if kind == "buy":
        return ngettext("Buy %(cards)s for a red token.", "Buy %(cards)s for %(tokens)s red tokens.", count) % said
    if kind == "swap":
        return _("Swap %(give)s for %(take)s.") % {"give": _shown(move["give"]), "take": _shown(move["take"])}
    if kind == "sweep":
        return _("Take all %(tokens)s red tokens; as many cards are turned up in their places.") % {"tokens": tokens}
    if kind == "reveal":
        return _("Take a red token; a card is turned up in its place.")
    return _("Pass: nothing else is legal.")


def _shown(cards: Iterable[Card]) -> str:
    return ", ".join(show(card) for card in sorted(cards, key=lambda card: (RANKS.index(card[0]), card[1])))
