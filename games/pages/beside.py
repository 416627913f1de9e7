"""The table talk as it stands beside the board on a whole page of a table."""

from __future__ import annotations

import uuid
from typing import Any

from accounts.models import User
from games import hearing, talking
from games.hearing import Talk
from games.viewing import Sight


def beside(user: User | None, sight: Sight, *, seen: bool = True) -> dict[str, Any]:
    """What ``games/talk.html`` shows on a whole page of a table; nothing for who doesn't sit there, or sits alone.

    ``seen``: the page is shown to its reader, who has then seen the talk.
    """
    if user is None or sight.alone or sight.seat is None:
        return {}
    talk = hearing.talk(user, sight.table["game"])
    if seen:
        seen_by(user, talk)
    return {"talk": talk, "talk_command": uuid.uuid4().hex, "talk_unheard": unheard(talk)}


def seen_by(user: User, talk: Talk) -> None:
    """Whoever is shown this stretch of the talk has seen it."""
    if unheard(talk):
        talking.mark_heard(user, talk.game, talk.remarks[-1].number)


def unheard(talk: Talk) -> int:
    """The number up to which there is something that the reader hasn't seen, 0 where there is nothing."""
    return talk.remarks[-1].number if talk.new else 0
