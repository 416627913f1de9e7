"""The record of a patience in which moves were taken back: the line that survived, and how often."""

from __future__ import annotations

import json

import pytest

from accounts.models import User
from games import services, viewing
from games.engine.record import parse_record, verify
from games.table.commands import Terms


@pytest.mark.django_db
def test_a_record_holds_the_line_that_survived_and_counts_what_was_taken_back(alice: User) -> None:
    game = services.open_game(alice, Terms("forty_thieves", number=12345)).table.id
    services.play(alice, game, {"type": "draw"})
    services.play(alice, game, {"type": "draw"})
    services.undo(alice, game)
    services.resign(alice, game)
    record = viewing.game_record(alice, game)
    assert [step for step in record["steps"] if "move" in step] == [{"seat": 0, "move": {"type": "draw"}}]
    assert record["undos"] == 1
    assert record["ended"] == {"by": "given_up", "seat": 0}
    assert record["shuffle"] == {"algorithm": "pysolfc", "number": 12345}
    assert verify(parse_record(json.loads(json.dumps(record)))) == 1
