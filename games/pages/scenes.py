"""What the pages of a table show: a sight of the table turned into a template's context."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games import listing
from games.pages.asking import user_of
from games.pages.boards import Scene, board_for
from games.pages.boards.base import SeatFacts
from games.pages.names import game_name
from games.pages.outcomes import outcome_text
from games.viewing import Sight, Told
from games.wording import sentence


@dataclass(frozen=True, slots=True)
class Said:
    """A step in words: ``text`` without a subject, ``name`` its player's; both empty for a deal."""

    number: int
    at: int
    round_no: int
    name: str
    pip: str
    text: str
    new: bool

    @property
    def whole(self) -> str:
        """``Alice: placed 7♠ at h7``."""
        return _("%(name)s: %(move)s") % {"name": self.name, "move": self.text}


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat beside the board. ``name`` is empty while nobody sits there."""

    name: str
    you: bool
    turn: bool
    facts: SeatFacts | None
    points: int | None


def names_of(sight: Sight) -> dict[int, str]:
    """The players' names by seat, once the game has begun."""
    return {who.seat: who.name for who in sight.people if who.seat is not None}


def said(sight: Sight, steps: Sequence[Told], *, mark_new: bool = True) -> list[Said]:
    """Steps in the reader's language; ``new`` are those since their last turn in a running game."""
    board, names = board_for(sight.table["rules"]), names_of(sight)
    marked = mark_new and sight.status == "running"
    new = {told.number for told in sight.since_my_turn()} if marked else set()
    return [
        Said(
            number=told.number,
            at=told.at,
            round_no=told.round_no,
            name=names.get(told.seat, "") if told.seat is not None else "",
            pip=board.seat({}, told.seat).pip if told.seat is not None else "",
            text=sentence(told.words) if told.words else "",
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
) -> dict[str, Any]:
    """Everything that ``games/table_state.html`` shows; ``touched`` and ``action`` are what was chosen already."""
    board = board_for(sight.table["rules"])
    view = sight.table["view"]
    names = names_of(sight)
    shared: dict[str, Any] = {
        "sight": sight,
        "game": sight.table["game"],
        "game_name": game_name(sight.table["rules"]),
        "rules_slug": sight.table["rules"].replace("_", "-"),
        "status": sight.status,
        "players": [who.name for who in sight.people],
        "seats": seats_of(sight),
        "moves": said(sight, sight.history),
        "command": uuid.uuid4().hex,
        "refusal": refusal,
        "action": action,
        "turn": turn_text(sight, names),
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
        marks=board.marks(view, [told.move for told in recent if told.move])
        if sight.status == "running"
        else frozenset(),
        touched=frozenset(touched),
    )
    return shared | {
        "board": board.drawn(scene),
        "how": board.how(view),
        "now": board.now(view),
        "round": board.round(view),
        "score": board.score(view),
        "ways": [way for way in ways if way.slots],
        "bare_ways": [way for way in ways if not way.slots],
        "ways_json": [way.for_script() for way in ways],
        "recent": said(sight, [told for told in recent if told.move]),
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
    if sight.status == "open":
        return _("Waiting for somebody to sit down")
    if sight.my_turn:
        return _("Your turn")
    return _("%(name)s's turn") % {"name": names.get(sight.table["awaits"], "")}


def seats_of(sight: Sight) -> list[SeatShown]:
    """The seats with who sits there, free ones last."""
    board = board_for(sight.table["rules"])
    view = sight.table["view"]
    shown = []
    for who in sight.people:
        facts = board.seat(view or {}, who.seat) if who.seat is not None else None
        points = board.score(view)[-1].points[who.seat] if view and who.seat is not None else None
        turn = who.seat is not None and who.seat == sight.table["awaits"]
        shown.append(SeatShown(who.name, who.you, turn, facts, points))
    free = sight.table["seats"] - len(sight.people)
    return shown + [SeatShown("", you=False, turn=False, facts=None, points=None)] * free
