"""How tables are drawn in mails: one board a game. A game without one is told of in words alone."""

from __future__ import annotations

from notifications.boards.ariadne import AriadneMailBoard
from notifications.boards.base import MailBoard
from notifications.boards.conquian import ConquianMailBoard
from notifications.boards.kathmandu import KathmanduMailBoard

_BOARDS: dict[str, MailBoard] = {
    board.slug: board for board in (AriadneMailBoard(), KathmanduMailBoard(), ConquianMailBoard())
}


def mail_board(slug: str) -> MailBoard | None:
    """The game's board for mails, or None where there is none."""
    return _BOARDS.get(slug)


__all__ = ["MailBoard", "mail_board"]
