"""What the pages of a table show: a sight of the table turned into a template's context."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games import listing
from games.engine.cards import RANKS, SUIT_SYMBOL, SUITS
from games.engine.contract import Card, Move
from games.expiry import expires_at
from games.names import game_name
from games.pages.asking import user_of
from games.pages.boards import Scene, board_for
from games.pages.boards.base import SeatFacts, Shortcut, Way, meant
from games.pages.clocks import SeatTime, agreements_context, seat_times
from games.pages.hands import order_of
from games.pages.outcomes import outcome_text
from games.pages.terms import terms_of
from games.viewing import Sight, Told
from games.wording import told_text

#: So many of a patience's latest moves stand beside it; the others are found where it is looked back at.
SHOWN_MOVES = 30


@dataclass(frozen=True, slots=True)
class Said:
    """A step in words: ``text`` without a subject, ``name`` its player's; both empty for a deal.

    In a patience nobody is named. ``number`` counts all steps and stands in addresses; ``move_no`` is what people
    count: the moves up to this one, or before this deal.
    """

    number: int
    move_no: int
    at: int
    round_no: int
    name: str
    seat: int | None
    pip: str
    text: str
    new: bool

    @property
    def whole(self) -> str:
        """``Alice: placed 7♠ at h7``; in a patience without the name, which is always the same."""
        if not self.name:
            return self.text
        return _("%(name)s: %(move)s") % {"name": self.name, "move": self.text}


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat beside the board. ``name`` is empty while nobody sits there."""

    name: str
    you: bool
    turn: bool
    facts: SeatFacts | None
    points: int | None
    time: SeatTime | None = None
    away: bool = False
    away_until: int | None = None
    leaves: tuple[int, int] | None = None


def names_of(sight: Sight) -> dict[int, str]:
    """The players' names by seat, once the game has begun."""
    return {who.seat: who.name for who in sight.people if who.seat is not None}


def said(sight: Sight, steps: Sequence[Told], *, mark_new: bool = True) -> list[Said]:
    """Steps in the reader's language; ``new`` are those since their last turn in a running game."""
    board, names = board_for(sight.table["rules"]), {} if sight.alone else names_of(sight)
    marked = mark_new and sight.status == "running"
    new = {told.number for told in sight.since_my_turn()} if marked else set()
    moves = accumulate(int(told.move is not None) for told in sight.history)
    counted = {told.number: count for told, count in zip(sight.history, moves, strict=True)}
    return [
        Said(
            number=told.number,
            move_no=counted[told.number],
            at=told.at,
            round_no=told.round_no,
            name=names.get(told.seat, "") if told.seat is not None else "",
            seat=told.seat,
            pip=board.seat({}, told.seat).pip if told.seat is not None else "",
            text=told_text(told.words, automatic=told.automatic) if told.words else "",
            new=told.number in new,
        )
        for told in steps
    ]


def table_context(
    request: HttpRequest,
    sight: Sight,
    *,
    touched: Sequence[str] = (),
    action: str = "",
    refusal: str = "",
    hint: str = "",
    hinted: Sequence[str] = (),
) -> dict[str, Any]:
    """Everything that ``games/table_state.html`` shows.

    ``touched`` and ``action`` are what was chosen already, ``hint`` a sentence and ``hinted`` the touches of its move.
    """
    board = board_for(sight.table["rules"])
    view = sight.table["view"]
    names = names_of(sight)
    shared: dict[str, Any] = {
        "sight": sight,
        "game": sight.table["game"],
        "game_name": game_name(entry_of(sight.table)),
        "rules_slug": entry_of(sight.table),
        "alone": sight.alone,
        "terms": terms_shown(sight),
        "status": sight.status,
        "invited": sight.invited,
        "players": [who.name for who in sight.people],
        "seats": seats_of(sight),
        "moves": said(sight, sight.history[-SHOWN_MOVES:] if sight.alone else sight.history),
        "undo_rows": sight.alone and sight.my_turn,
        "command": uuid.uuid4().hex,
        "refusal": refusal,
        "action": action,
        "hint": hint,
        "undo": undo_context(sight, names),
        "agreed": agreements_context(sight, names),
        "expires_at": expires_at(sight.opened_at) if sight.status == "open" and sight.place == 0 else None,
        "turn": turn_text(sight, names),
        "styles": board.styles,
        "instant": board.instant,
        "growing": board.growing,
        **proof_context(sight),
    }
    if sight.link_token:
        path = reverse("invitation", args=[sight.table["game"], sight.link_token])
        shared["link"] = request.build_absolute_uri(path)
    if view is None:
        return shared
    user = user_of(request)
    if user is not None and sight.seat is not None and not sight.my_turn:
        shared["next_game"] = listing.next_waiting(user, after=sight.table["game"])
    if sight.table["result"] is not None:
        shared["outcome"] = outcome_text(sight.table["result"], names, sight.seat)
    recent = sight.since_my_turn()
    ways = board.ways(view, sight.table["legal"])
    scene = Scene(
        view,
        seat=sight.seat,
        playing=sight.my_turn,
        over=sight.status == "ended",
        marks=board.marked(view, recent) if sight.status == "running" else frozenset(),
        touched=frozenset(touched),
        hinted=frozenset(hinted),
        find=finding(request),
        order=order_of(request),
        names=names,
    )
    touching: list[Way | Shortcut] = [*ways, *(board.shortcuts(view) if sight.my_turn else ())]
    return shared | {
        "board": board.drawn(scene),
        "how": board.how(view),
        "now": board.now(view),
        "round": board.round(view),
        "score": board.score(view),
        "ways": list({way.action: way for way in ways if way.slots}.values()),
        "bare_ways": [way for way in touching if not way.for_script()["slots"]],
        "ways_json": list({str(way.for_script()): way.for_script() for way in touching}.values()),
        "choices": choices_of(sight, meant(ways, board.heard(touched), action)) if touched else [],
        "find": scene.find,
        "ranks": RANKS,
        "suits": [(suit, SUIT_SYMBOL[suit]) for suit in reversed(SUITS)],
        "recent": said(sight, [told for told in recent if told.move]),
    }


@dataclass(frozen=True, slots=True)
class Choosable:
    """One of several moves that the same touches make: what it is sent as, its picture (groups of cards) and words."""

    name: str
    picture: tuple[tuple[Card, ...], ...]
    text: str


def choices_of(sight: Sight, found: Sequence[tuple[Way, Move]]) -> list[Choosable]:
    """What there is to choose from; nothing where the move is clear."""
    if len(found) < 2 or sight.seat is None:
        return []
    board, view = board_for(sight.table["rules"]), sight.table["view"]
    return [
        Choosable(way.name, way.picture, board.offer(view, move, board.preview(view, move, sight.seat)))
        for way, move in found
    ]


def entry_of(table: dict[str, Any]) -> str:
    """What the table's game is offered and named by."""
    return listing.entry_of(table["rules"], table["options"])


def finding(request: HttpRequest) -> str:
    """The card that ``?rank=…&suit=…`` asks to be shown wherever it lies; else empty."""
    rank, suit = request.GET.get("rank", ""), request.GET.get("suit", "")
    return rank + suit if len(rank) == 1 and rank in RANKS and len(suit) == 1 and suit in SUITS else ""


def terms_shown(sight: Sight) -> list[str]:
    """What was agreed by sitting down, a sentence each; nothing for a patience."""
    if sight.alone:
        return []
    table = sight.table
    return terms_of(table["rules"], table["options"], quick_pass=table["quick_pass"], clock=sight.clock)


def undo_context(sight: Sight, names: dict[int, str]) -> dict[str, Any]:
    """What was asked to be taken back, of whom, and what the reader may do about it."""
    undo = sight.table["undo"]
    asked = undo["asked"]
    if asked is None:
        return {**undo, "back": [], "asker": ""}
    back = said(sight, [told for told in sight.history if told.number > asked["to_step"]], mark_new=False)
    mine = asked["seat"] == sight.seat
    return {
        **undo,
        "back": back,
        "asker": names[asked["seat"]],
        "mine": mine,
        "may_answer": sight.seat is not None and not mine,
    }


def record_name(sight: Sight) -> str:
    """What the game's record is called when it is downloaded."""
    return f"clew-{sight.table['rules']}-{sight.table['game'][:8]}.json"


def proof_context(sight: Sight) -> dict[str, Any]:
    """What ``games/proof.html`` shows once the game is over: the salts in order of places, with who added them."""
    proof = sight.table.get("proof")
    if proof is None:
        return {}
    people = sorted(sight.people, key=lambda who: who.place)
    salts = [
        {"name": who.name, "you": who.you, "text": text, "by": by}
        for who, text, by in zip(people, proof.get("salts", ()), proof.get("salts_by", ()), strict=False)
    ]
    return {"salts": salts, "record_name": record_name(sight)}


def turn_text(sight: Sight, names: dict[int, str]) -> str:
    """Whose turn it is, in few words."""
    if sight.status == "ended":
        return _("Over")
    if sight.alone:
        if sight.table["stuck"]:
            return _("Nothing is legal any more")
        return _("In play") if sight.seat is not None else _("%(name)s is playing") % {"name": names.get(0, "")}
    if sight.status == "open":
        return _("Waiting for somebody to sit down")
    if sight.my_turn:
        return _("Your turn")
    return _("%(name)s's turn") % {"name": names.get(sight.table["awaits"], "")}


def seats_of(sight: Sight) -> list[SeatShown]:
    """The seats with who sits there, free ones last."""
    board = board_for(sight.table["rules"])
    view = sight.table["view"]
    times = seat_times(sight)
    shown = []
    for who in sight.people:
        facts = board.seat(view or {}, who.seat) if who.seat is not None else None
        points = board.score(view)[-1].points[who.seat] if view and who.seat is not None else None
        turn = who.seat is not None and who.seat == sight.table["awaits"]
        time = times.get(who.seat) if who.seat is not None else None
        shown.append(SeatShown(who.name, who.you, turn, facts, points, time, who.away, who.away_until, who.leaves))
    free = sight.table["seats"] - len(sight.people)
    return shown + [SeatShown("", you=False, turn=False, facts=None, points=None)] * free
