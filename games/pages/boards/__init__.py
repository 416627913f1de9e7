"""The boards: one a game that can be played on the site. A new game's board is registered here."""

from __future__ import annotations

from games.pages.boards.ariadne import AriadneBoard
from games.pages.boards.base import Board, Scene
from games.pages.boards.conquian import ConquianBoard
from games.pages.boards.forty_thieves import FortyThievesBoard
from games.pages.boards.kathmandu import KathmanduBoard

_BOARDS: dict[str, Board] = {
    board.slug: board for board in (AriadneBoard(), KathmanduBoard(), ConquianBoard(), FortyThievesBoard())
}


def playable() -> list[str]:
    """The rules' slugs of the games that can be opened on the site, in the order in which they are offered."""
    return list(_BOARDS)


def board_for(slug: str) -> Board:
    """The game's board. Raises KeyError for a game that the site can't draw."""
    return _BOARDS[slug]


__all__ = ["Board", "Scene", "board_for", "playable"]
