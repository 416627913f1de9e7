"""Several moves of a patience at once, through the services: one append, which can be repeated."""

from __future__ import annotations

import pytest

from accounts.models import User
from games import services
from games.engine.contract import IllegalMove
from games.selectors import NoSuchGame
from games.services import Terms
from games.store.verify import verify_game
from tests.games.people import events, table

DRAW = {"type": "draw"}


@pytest.fixture
def patience(alice: User) -> str:
    return services.open_game(alice, Terms("forty_thieves", admits="invited", number=1)).table.id


def test_several_moves_are_one_append_with_one_command(alice: User, patience: str) -> None:
    before = table(patience).version
    done = services.play_many(alice, patience, [DRAW] * 3, step=1, command="c")
    assert (done.table.version, done.table.step) == (before + 3, 4)
    assert [(row.batch, row.command) for row in events(patience)[before:]] == [(0, "0:c"), (1, None), (2, None)]
    assert verify_game(patience) == []


def test_a_repeated_command_moves_once_and_gets_the_first_answer(alice: User, patience: str) -> None:
    first = services.play_many(alice, patience, [DRAW] * 3, step=1, command="c")
    services.play(alice, patience, DRAW)
    assert services.play_many(alice, patience, [DRAW] * 3, step=1, command="c").table == first.table
    assert table(patience).version == first.table.version + 1


def test_nobody_else_can_make_them(bob: User, patience: str) -> None:
    with pytest.raises(NoSuchGame):
        services.play_many(bob, patience, [DRAW])


def test_nothing_is_written_where_the_first_is_refused(alice: User, patience: str) -> None:
    before = table(patience)
    with pytest.raises(IllegalMove):
        services.play_many(alice, patience, [{"type": "redeal"}, DRAW])
    assert table(patience) == before
