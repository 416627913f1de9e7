"""How a game between two players ended, said to each of them and to others."""

from __future__ import annotations

from typing import Any

import pytest

from games.pages.outcomes import outcome_text

NAMES = {0: "alice", 1: "bob"}


def ended(by: str, seat: int | None, winner: int | None, scores: list[int] | None = None) -> dict[str, Any]:
    return {"scores": scores, "winner": winner, "ended": {"by": by, "seat": seat}}


@pytest.mark.parametrize(
    ("result", "to_alice", "to_bob", "to_others"),
    [
        (
            ended("rules", None, 0, [90, 70]),
            "You won, 90 to 70.",
            "alice won against you, 90 to 70.",
            "alice won, 90 to 70.",
        ),
        (
            ended("rules", None, None, [7, 7]),
            "A draw, 7 each.",
            "A draw, 7 each.",
            "A draw, 7 each.",
        ),
        (
            ended("resignation", 1, 0),
            "bob resigned. You won.",
            "You resigned. alice won.",
            "bob resigned. alice won.",
        ),
        (
            ended("time", 0, 1),
            "Your time ran out. bob won.",
            "alice ran out of time. You won.",
            "alice ran out of time. bob won.",
        ),
        (
            ended("agreement", None, None),
            "The players agreed on a draw.",
            "The players agreed on a draw.",
            "The players agreed on a draw.",
        ),
        (
            ended("aborted", 1, None),
            "bob called the game off: nobody won, and nobody lost.",
            "You called the game off: nobody won, and nobody lost.",
            "bob called the game off: nobody won, and nobody lost.",
        ),
        (
            ended("aborted", None, None),
            "The table was closed before anybody joined it.",
            "The table was closed before anybody joined it.",
            "The table was closed before anybody joined it.",
        ),
        (
            ended("lapsed", 0, None),
            "Your time ran out before both of you had moved: nobody won, and nobody lost.",
            "alice ran out of time before both had moved: nobody won, and nobody lost.",
            "alice ran out of time before both had moved: nobody won, and nobody lost.",
        ),
    ],
    ids=["points", "draw", "resignation", "time", "agreement", "called off", "taken away", "lapsed"],
)
def test_everybody_is_told_the_end_from_where_they_sit(
    result: dict[str, Any], to_alice: str, to_bob: str, to_others: str
) -> None:
    assert outcome_text(result, NAMES, 0) == to_alice
    assert outcome_text(result, NAMES, 1) == to_bob
    assert outcome_text(result, NAMES) == to_others
