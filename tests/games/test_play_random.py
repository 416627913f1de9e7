"""``manage.py play_random`` says what it played, and fails where something is wrong."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine.trial import Wrong
from games.management.commands import play_random


def said(*args: str) -> list[str]:
    out = StringIO()
    call_command("play_random", *args, stdout=out)
    return out.getvalue().splitlines()


def test_it_plays_so_many_games_of_the_entries_that_are_asked_for() -> None:
    first, second = said("--games", "3", "--moves", "20", "--entry", "lucas", "--entry", "ariadne")
    assert first.startswith("lucas: 3 games, 63 steps, winners left: 3")
    assert second.startswith("ariadne: 3 games, ")
    assert "left" not in second


def test_what_is_wrong_is_said_with_the_seed_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(entry: str, seed: int, most: int) -> None:
        raise Wrong("step 3: ['KS'] are gone")

    monkeypatch.setattr(play_random, "trial", wrong)
    with pytest.raises(CommandError, match=r"lucas, seed 5: step 3: \['KS'\] are gone"):
        said("--entry", "lucas", "--seed", "5")
