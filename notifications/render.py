"""What a message says, made from what its reader may see, at the time of sending."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from games import viewing
from games.engine.cards import is_black, show
from games.names import game_name
from games.pages.boards import Board, board_for
from games.selectors import NoSuchGame
from games.viewing import Sight
from games.wording import told_text
from notifications.boards import mail_board
from notifications.kinds import Topic
from notifications.styles import inlined
from notifications.unsubscribe import off_url
from notifications.wording import moment

#: Up to so many legal moves are listed.
FEW = 9


@dataclass(frozen=True, slots=True)
class Rendered:
    """A message in its reader's language: the text says all that the HTML does."""

    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Line:
    """Something that happened, in words, and when."""

    text: str
    at: str


def turn(user: User, game_id: str, since: int) -> Rendered | None:
    """*Your turn* for ``user``, in the active language; None unless they are awaited since that very event."""
    try:
        sight = viewing.sight(user, game_id)
    except NoSuchGame:
        return None
    if not sight.my_turn or sight.awaited_since != since:
        return None
    return turn_mail(user, sight, deadline=_deadline(sight))


def _deadline(sight: Sight) -> int | None:
    """Until when whoever is awaited may move: microseconds since the epoch, None where no time passes."""
    shown = sight.table["time"]["clock"]
    return None if shown is None else shown["deadline"]


def turn_mail(user: User, sight: Sight, *, deadline: int | None = None) -> Rendered:
    """The mail to ``user``, who is awaited at the table, in the active language and the user's own time zone.

    ``deadline`` is until when they may move, in microseconds since the epoch.
    """
    with timezone.override(user.zone()):
        said = _said(user, sight, deadline)
        drawn = _drawn(sight)
        context = said | drawn
        html = render_to_string("notifications/turn.html", context)
        text = render_to_string("notifications/turn.txt", context)
    return Rendered(said["subject"], text, inlined(html))


def _said(user: User, sight: Sight, deadline: int | None) -> dict[str, Any]:
    """What the mail says in words."""
    named = {
        "game": game_name(sight.table["rules"]),
        "others": ", ".join(who.name for who in sight.people if not who.you),
    }
    if any(told.move for told in sight.history):
        opening = _("It is your turn in %(game)s against %(others)s.") % named
    else:
        opening = _("Your game of %(game)s against %(others)s has begun, and the first move is yours.") % named
    moved_before = any(told.seat == sight.seat for told in sight.history)
    return {
        "subject": _("Your turn: %(game)s against %(others)s") % named,
        "opening": opening,
        "deadline": _("Move by %(moment)s.") % {"moment": moment(deadline)} if deadline is not None else "",
        "recent_title": _("Since your last turn") if moved_before else _("So far"),
        "recent": list(_recent(sight)),
        "why": _("You get this mail because you, %(name)s, play on Clew (%(site)s) and are to move.")
        % {"name": user.name, "site": settings.CLEW_SITE_URL},
        "link": settings.CLEW_SITE_URL + reverse("table", args=[sight.table["game"]]),
        "settings_link": settings.CLEW_SITE_URL + reverse("settings"),
        "off_link": off_url(user, Topic.TURN),
    }


def _recent(sight: Sight) -> Iterator[Line]:
    """What has happened since the reader's last turn."""
    names = {who.seat: who.name for who in sight.people}
    for told in sight.since_my_turn():
        if told.words is not None:
            words = _("%(name)s: %(move)s") % {
                "name": names[told.seat],
                "move": told_text(told.words, automatic=told.automatic),
            }
            yield Line(words, moment(told.at))
        elif told.round_no > 1:
            yield Line(_("Round %(round)s was dealt.") % {"round": told.round_no}, moment(told.at))


def _drawn(sight: Sight) -> dict[str, Any]:
    """The table, the hand, the score and the ways on; nothing for a game that mails can't draw."""
    slug, view = sight.table["rules"], sight.table["view"]
    drawing = mail_board(slug)
    if drawing is None:
        return {}
    board = board_for(slug)
    own = board.seat(view, sight.seat or 0).colour
    return {
        "board": drawing.draw(view, board.marked(view, sight.since_my_turn())),
        "board_template": drawing.template,
        "styles": drawing.styles,
        "drawing": drawing.text(view),
        "round": board.round(view),
        "hand_title": _("Your hand (%(colour)s)") % {"colour": own} if own else _("Your hand"),
        "hand": [{"text": show(card), "colour": "black" if is_black(card) else "red"} for card in drawing.hand(view)],
        "ways": _ways(sight, board),
        **_score(sight, board),
    }


def _ways(sight: Sight, board: Board) -> list[str]:
    """What can be done and how the table would stand then, where there is little to choose from."""
    view, legal = sight.table["view"], sight.table["legal"]
    if sight.seat is None or len(legal) > FEW:
        return []
    return [board.offer(view, move, board.preview(view, move, sight.seat)) for move in legal]


def _score(sight: Sight, board: Board) -> dict[str, Any]:
    """``seats`` with name and colour, and ``score``, a row each with its ``text`` in one line."""
    view = sight.table["view"]
    seats = [{"name": who.name, "colour": board.seat(view, who.seat or 0).colour} for who in sight.people]
    rows = []
    for row in board.score(view):
        each = [
            _("%(name)s %(points)s") % {"name": who.name, "points": points}
            for who, points in zip(sight.people, row.points, strict=True)
        ]
        text = _("%(label)s: %(points)s") % {"label": row.label, "points": ", ".join(each)}
        rows.append({"label": row.label, "points": row.points, "total": row.total, "text": text})
    return {"seats": seats, "score": rows}
