"""What time a table may allow, and what is refused when somebody asks for something else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.table.terms import (
    BANKS,
    DAY,
    DAYS_PER_MOVE,
    HOUR,
    MINUTE,
    QUICK_PER_MOVE,
    SECOND,
    BadTerms,
    Bank,
    ClockTerms,
    PerMove,
    check_terms,
)


def _move(per_move: object, **more: object) -> dict[str, Any]:
    return {"kind": "move", "per_move": per_move, **more}


def _bank(start: object, increment: object, cap: object) -> dict[str, Any]:
    return {"kind": "bank", "start": start, "increment": increment, "cap": cap}


@pytest.mark.parametrize("pace", [*DAYS_PER_MOVE, *QUICK_PER_MOVE, *BANKS])
@pytest.mark.parametrize("flag", [True, False])
def test_every_choice_of_the_site_is_allowed_and_comes_back_from_json(pace: PerMove | Bank, flag: bool) -> None:
    terms = ClockTerms(pace, weekends_off=flag, vacation=not flag)
    written = json.loads(json.dumps(terms.to_json()))
    assert ClockTerms.from_json(written) == terms
    assert check_terms(written) == terms


def test_the_site_offers_1_2_3_5_7_and_14_days_a_move() -> None:
    assert [pace.time // DAY for pace in DAYS_PER_MOVE] == [1, 2, 3, 5, 7, 14]


def test_a_table_may_do_without_a_clock() -> None:
    assert check_terms(None) is None


def test_vacations_count_and_weekends_dont_stop_time_unless_the_table_says_otherwise() -> None:
    assert check_terms(_move(DAY)) == ClockTerms(PerMove(DAY), weekends_off=False, vacation=True)


@pytest.mark.parametrize("per_move", [MINUTE, 7 * MINUTE, 5 * HOUR, DAY])
def test_a_quick_game_may_have_any_whole_minutes_up_to_a_day(per_move: int) -> None:
    assert check_terms(_move(per_move)) == ClockTerms(PerMove(per_move))


@pytest.mark.parametrize("per_move", [0, -DAY, MINUTE - 1, MINUTE + SECOND, DAY + MINUTE, 4 * DAY, 15 * DAY])
def test_other_times_a_move_are_refused(per_move: int) -> None:
    with pytest.raises(BadTerms) as refused:
        check_terms(_move(per_move))
    assert refused.value.code == "bad_per_move"


@pytest.mark.parametrize(
    "bank",
    [
        _bank(0, 0, DAY),
        _bank(MINUTE + 1, 0, DAY),
        _bank(2 * DAY, 0, DAY),
        _bank(DAY, 0, 91 * DAY),
        _bank(DAY, 0, DAY + SECOND),
        _bank(DAY, -SECOND, DAY),
        _bank(DAY, 1, DAY),
        _bank(DAY, DAY + SECOND, DAY),
    ],
)
def test_a_bank_that_is_none_is_refused(bank: dict[str, Any]) -> None:
    with pytest.raises(BadTerms) as refused:
        check_terms(bank)
    assert refused.value.code == "bad_bank"


@pytest.mark.parametrize(
    "given",
    [
        "move",
        [],
        {},
        {"kind": "hourglass", "per_move": DAY},
        {"kind": ["move"], "per_move": DAY},
        {"kind": "move"},
        _move(DAY, increment=0),
        _move(str(DAY)),
        _move(float(DAY)),
        _move(True),
        _move(DAY, weekends_off=1),
        _move(DAY, vacation=None),
        {"kind": "bank", "start": DAY, "cap": DAY},
        _bank(DAY, None, DAY),
    ],
)
def test_what_isnt_told_as_the_page_shows_is_refused(given: object) -> None:
    with pytest.raises(BadTerms) as refused:
        check_terms(given)
    assert refused.value.code == "malformed_clock"
