"""How a game ended, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _


def outcome_text(result: Mapping[str, Any], names: Mapping[int, str], mine: int | None = None) -> str:
    """One or two sentences about ``result`` (of ``games.table.view.outcome``).

    ``names`` are the players' by seat; ``mine`` is the reader's own seat, None for who looks on.
    """
    ended, winner, scores = result["ended"], result["winner"], result.get("scores")
    quitter = names.get(ended["seat"], "")
    won = names.get(winner, "")
    if ended["by"] == "resignation":
        if ended["seat"] == mine:
            return _("You resigned. %(name)s won.") % {"name": won}
        if winner == mine and mine is not None:
            return _("%(name)s resigned. You won.") % {"name": quitter}
        return _("%(quitter)s resigned. %(name)s won.") % {"quitter": quitter, "name": won}
    if ended["by"] == "given_up" or (scores and len(scores) == 1):
        return _alone(ended["by"], winner, quitter, mine)
    if ended["by"] == "time":
        return _by_time(ended["seat"], winner, quitter, won, mine)
    if ended["by"] == "rules" and scores and len(scores) == 2:
        return _by_points(winner, scores, won, mine)
    if ended["by"] == "rules" and winner is not None:
        return _("%(name)s won.") % {"name": won}
    return _without_winner(ended["by"], ended["seat"], quitter, mine)


def _without_winner(by: str, seat: int | None, quitter: str, mine: int | None) -> str:
    own = seat is not None and seat == mine
    if by == "agreement":
        return _("The players agreed on a draw.")
    if by == "lapsed" and own:
        return _("Your time ran out before both of you had moved: nobody won, and nobody lost.")
    if by == "lapsed":
        return _("%(name)s ran out of time before both had moved: nobody won, and nobody lost.") % {"name": quitter}
    if by != "aborted":
        return _("The game ended without a winner.")
    if seat is None:
        return _("The table was closed before anybody joined it.")
    if own:
        return _("You called the game off: nobody won, and nobody lost.")
    return _("%(name)s called the game off: nobody won, and nobody lost.") % {"name": quitter}


def _alone(by: str, winner: int | None, player: str, mine: int | None) -> str:
    """How a patience ended."""
    if by == "given_up":
        return _("You gave up.") if mine is not None else _("%(name)s gave up.") % {"name": player}
    if winner is None:
        return _("Lost: nothing was legal any more.")
    return _("Solved! All the cards are on the foundations.")


def _by_time(seat: int | None, winner: int | None, quitter: str, won: str, mine: int | None) -> str:
    """How a game ended in which somebody (``quitter``) ran out of time."""
    if mine is not None and seat == mine:
        return _("Your time ran out. %(name)s won.") % {"name": won}
    if mine is not None and winner == mine:
        return _("%(name)s ran out of time. You won.") % {"name": quitter}
    return _("%(quitter)s ran out of time. %(name)s won.") % {"quitter": quitter, "name": won}


def _by_points(winner: int | None, scores: list[int], won: str, mine: int | None) -> str:
    if winner is None:
        return _("A draw, %(points)s each.") % {"points": scores[0]}
    points = {"name": won, "points": scores[winner], "other": scores[1 - winner]}
    if winner == mine:
        return _("You won, %(points)s to %(other)s.") % points
    if mine is not None:
        return _("%(name)s won against you, %(points)s to %(other)s.") % points
    return _("%(name)s won, %(points)s to %(other)s.") % points
