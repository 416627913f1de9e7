"""Tables, moves and lists of games as JSON, as their reader may see them.

Everything is made from :class:`games.viewing.Sight` and :mod:`games.listing`: nothing here looks behind a view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config import clock
from config.api.times import moment, seconds
from games.listing import entry_of
from games.store.models import Head, Seat
from games.viewing import Peek, Sight, Sitter, Told, stands
from games.wording import told_text


def etag(seen: Sight | Peek) -> str:
    """What the answer follows from: how far the game and its time are, for whom, in which language.

    The version counts events and nothing more: no hash of a running game may leave the server.
    """
    return f'"{seen.version}.{stands(seen)}.{get_language()}.{int(_passed(seen.deadline_at))}"'


def _passed(deadline_at: int | None) -> bool:
    return deadline_at is not None and deadline_at <= clock.now_us()


def game(sight: Sight) -> dict[str, Any]:
    """A table with everything that its reader may know of it."""
    table = sight.table
    return {
        "id": table["game"],
        "url": page_of(table["game"]),
        "rules": table["rules"],
        "rules_version": table["rules_version"],
        "entry": entry_of(table["rules"], table["options"]),
        "options": table["options"],
        "quick_pass": table["quick_pass"],
        "number": table["number"],
        "visibility": sight.admits,
        "status": table["status"],
        "version": sight.version,
        "step": table["step"],
        "seats": table["seats"],
        "players": [player(one) for one in sight.people],
        "you": sight.seat,
        "may_sit": sight.may_sit,
        "awaits": table["awaits"],
        "deadline": moment(sight.deadline_at),
        "clock": clock_of(table["time"]["clock"]) or _clock_to_come(sight),
        "view": table["view"],
        "legal": table["legal"],
        "stuck": table["stuck"],
        "undos": table["undos"],
        "hints": table["hints"],
        "undo": table["undo"],
        "offers": {"draw": table["time"]["draw_offered"], "pause": table["time"]["pause_asked"]},
        "may": table["time"]["may"],
        "opened_at": moment(sight.opened_at),
        "last_at": moment(sight.last_at),
        "invitation": f"{settings.CLEW_SITE_URL}{reverse('invitation', args=[table['game'], sight.link_token])}"
        if sight.link_token
        else None,
        "commitment": table["commitment"],
        "result": table["result"],
        "proof": table.get("proof"),
    }


def player(who: Sitter) -> dict[str, Any]:
    """Somebody at the table. ``seat`` is null until it is known who begins."""
    return {
        "place": who.place,
        "seat": who.seat,
        "name": who.account,
        "bot": who.is_bot,
        "you": who.you,
        "away": who.away,
        "away_until": moment(who.away_until),
    }


def clock_of(shown: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The clock: its terms, whose time runs, and what each seat has (seconds) as of when the clocks last changed."""
    if shown is None:
        return None
    return {
        "terms": clock_terms(shown["terms"]),
        "paused": shown["paused"],
        "running": shown["running"],
        "ticking": shown["ticking"] is not None,
        "left": [None if left is None else seconds(left) for left in shown["left"]],
        "as_of": moment(shown["at"]),
    }


def _clock_to_come(sight: Sight) -> dict[str, Any] | None:
    """The clock of a game that has not begun: its terms, and no time yet. None where no time will be kept."""
    if sight.clock is None:
        return None
    return {
        "terms": clock_terms(sight.clock),
        "paused": False,
        "running": None,
        "ticking": False,
        "left": [None] * sight.table["seats"],
        "as_of": moment(sight.last_at),
    }


def clock_terms(terms: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The terms of a clock with its times in seconds."""
    if terms is None:
        return None
    times = ("per_move", "start", "increment", "cap")
    return {name: seconds(value) if name in times else value for name, value in terms.items()}


def step(told: Told) -> dict[str, Any]:
    """A step of the course: a deal (``seat`` and ``move`` null, its cards never shown) or a move."""
    text = _("The cards are dealt.") if told.words is None else told_text(told.words, automatic=told.automatic)
    return {
        "n": told.number,
        "seat": told.seat,
        "move": None if told.move is None else dict(told.move),
        "automatic": told.automatic,
        "turned": list(told.turned),
        "at": moment(told.at),
        "text": text,
    }


def row(head: Head, people: Iterable[Seat], you: int | None) -> dict[str, Any]:
    """A game in a list, for who sits at place ``you``."""
    seating = head.seating or []
    return {
        "id": str(head.pk),
        "url": page_of(str(head.pk)),
        "rules": head.rules,
        "rules_version": head.rules_version,
        "entry": entry_of(head.rules, head.options),
        "options": head.options,
        "quick_pass": head.quick_pass,
        "visibility": head.admits,
        "status": head.status,
        "version": head.version,
        "step": head.step,
        "seats": head.seats,
        "players": [
            {
                "place": one.place,
                "seat": seating[one.place] if seating else None,
                "name": one.user.name,
                "bot": one.user.is_bot,
                "you": one.place == you,
            }
            for one in people
        ],
        "you": seating[you] if seating and you is not None else None,
        "awaits": head.awaits_seat,
        "deadline": moment(head.deadline_at),
        "clock": clock_terms(head.clock),
        "opened_at": moment(head.opened_at),
        "last_at": moment(head.last_at),
        "result": head.result,
    }


def page_of(game_id: str) -> str:
    """The table's page on the site, for people."""
    return f"{settings.CLEW_SITE_URL}{reverse('table', args=[game_id])}"
