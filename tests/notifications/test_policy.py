"""Who is told of what: a pure function of the tables before and after an append."""

from collections.abc import Iterable
from itertools import pairwise

import pytest

from games.engine.contract import Deal, Play
from games.table.commands import Command, PlayMove, Resign, SitDown, Terms
from games.table.dealer import Dealer
from games.table.decider import decide, open_table
from games.table.events import Event, OpenerSeat
from games.table.state import Stamped, Table, evolve
from notifications.policy import Telling, tellings
from tests.notifications.games import TWO_PLAYER_GAMES, finished_case

GAME = "7d0c9a52-4b6c-4d3b-9b27-0f6c1a3c5e11"
SITTING = SitDown("saltsalt", "server")
DEALER = Dealer(lambda: bytes(32))


def fold(table: Table | None, events: Iterable[Event], at: int = 0) -> Table:
    for event in events:
        table = evolve(table, Stamped(event, table.version + 1 if table else 1, at), GAME)
    assert table is not None
    return table


def opened(terms: Terms, dealer: Dealer = DEALER) -> Table:
    return fold(None, open_table(GAME, terms, SITTING, dealer, 0))


def after(table: Table, command: Command, dealer: Dealer = DEALER) -> Table:
    return fold(table, decide(table, command, dealer, 0))


def started(opener_seat: OpenerSeat = "first", slug: str = "ariadne") -> tuple[Table, Table]:
    """A table before and after its second player sat down."""
    before = opened(Terms(slug, opener_seat=opener_seat))
    return before, after(before, SITTING)


def test_whoever_waits_for_an_opponent_is_told_that_the_game_awaits_them() -> None:
    before, running = started("first")
    assert list(tellings(before, running, actor=1)) == [Telling("turn", 0, running.awaited_since)]


def test_who_sits_down_and_has_to_move_at_once_is_not_told_of_their_own_doing() -> None:
    before, running = started("second")
    assert running.awaited_seat == running.seat_of(1)
    assert list(tellings(before, running, actor=1)) == []


def test_opening_a_table_that_waits_for_somebody_tells_nobody() -> None:
    table = opened(Terms("ariadne"))
    assert list(tellings(None, table, actor=0)) == []


def test_a_patience_tells_nobody_who_opened_it() -> None:
    table = opened(Terms("forty_thieves"))
    assert table.awaited_seat == 0
    assert list(tellings(None, table, actor=0)) == []


def test_the_version_told_of_is_that_of_the_event_since_which_they_are_awaited() -> None:
    _, before = started()
    table = after(before, PlayMove(0, before.rules.legal_moves(before.state)[0], None))
    assert [telling.version for telling in tellings(before, table, actor=0)] == [table.version]


def test_a_resignation_awaits_nobody() -> None:
    _, before = started()
    assert list(tellings(before, after(before, Resign(1)), actor=1)) == []


def test_what_nobody_did_tells_the_player_whom_it_made_awaited() -> None:
    before, running = started("second")
    assert [telling.place for telling in tellings(before, running, actor=None)] == [1]


def test_who_stays_awaited_is_told_nothing_whoever_acted() -> None:
    _, table = started()
    for actor in (0, 1, None):
        assert list(tellings(table, table, actor=actor)) == []


@pytest.mark.parametrize("slug", TWO_PLAYER_GAMES)
def test_in_a_whole_game_each_change_of_the_mover_tells_the_next_mover_once(slug: str) -> None:
    case = finished_case(slug)
    dealer = Dealer(
        lambda: bytes(32), dict(enumerate((step.packs for step in case.steps if isinstance(step, Deal)), start=1))
    )
    table = after(opened(Terms(slug, case.options, opener_seat="first", quick_pass=False), dealer), SITTING, dealer)
    told = []
    plays = [step for step in case.steps if isinstance(step, Play)]
    for play in plays:
        before, table = table, after(table, PlayMove(play.seat, play.move, None), dealer)
        told.append([telling.place for telling in tellings(before, table, actor=play.seat)])
    assert table.status == "ended"
    expected = [[following.seat] if following.seat != play.seat else [] for play, following in pairwise(plays)]
    assert told == [*expected, []]
    assert any(told)
