"""What a viewer may see of a table."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.contract import OPEN, SPECTATOR, Viewer
from games.table.commands import Resign, Terms
from games.table.view import steps_view, table_view
from tests.table.tables import SECRET, SLUGS, Thread, begun, played


@pytest.mark.parametrize("slug", SLUGS)
def test_only_the_awaited_seat_is_told_its_legal_moves(slug: str) -> None:
    table = begun(slug).table
    seat = table.awaited_seat
    assert table_view(table, seat or 0)["legal"]
    others: list[Viewer] = [SPECTATOR, *({0, 1} - {seat or 0} if table.rules.seats == 2 else ())]
    for viewer in others:
        assert table_view(table, viewer)["legal"] == []


def test_before_the_start_there_is_nothing_to_see_but_the_terms() -> None:
    told = table_view(Thread(Terms("ariadne")).table, SPECTATOR)
    assert (told["status"], told["taken"], told["seats"], told["view"], told["legal"]) == ("open", 1, 2, None, [])


@pytest.mark.parametrize("slug", SLUGS)
def test_the_proof_is_shown_only_after_the_end(slug: str) -> None:
    thread = begun(slug)
    assert "proof" not in table_view(thread.table, 0)
    thread.do(Resign(0))
    assert table_view(thread.table, OPEN)["proof"]["secret"] == SECRET.hex()


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_a_deal_is_shown_without_its_cards_while_the_game_runs(slug: str, viewer: Viewer) -> None:
    assert steps_view(begun(slug).table, viewer)[0]["deal"] is None


def test_steps_are_given_past_the_one_that_is_known() -> None:
    table = played("ariadne", seed=1, moves=10).table
    assert [step["n"] for step in steps_view(table, SPECTATOR)] == list(range(1, 12))
    assert [step["n"] for step in steps_view(table, SPECTATOR, after=8)] == [9, 10, 11]
    assert steps_view(table, SPECTATOR, after=11) == []


def test_a_step_says_whose_it_was_and_when() -> None:
    deal, move = steps_view(played("ariadne", seed=1, moves=1).table, SPECTATOR)
    told: tuple[Any, ...] = (deal["seat"], move["seat"], move["automatic"], move["at"] - deal["at"])
    assert told == (None, 0, False, 1_000_000)
