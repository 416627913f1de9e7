"""What follows from a command, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import get_rules
from games.engine.contract import DEAL, OPEN, BadDeal, BadOption, IllegalMove, Refusal
from games.engine.shuffle import commitment, deal_by_number, random_seating, shuffle_packs
from games.table.commands import Command, PlayMove, Refused, Resign, SitDown, Stale, Terms
from games.table.dealer import Dealer
from games.table.decider import decide, open_table
from games.table.events import Dealt, Ended, Event, Moved, SatDown, Started, TableOpened
from games.table.view import outcome
from tests.table.tables import AT, GAME, SALTS, SECRET, SLUGS, Thread, begun, climb_deal, played

DEALER = Dealer(lambda: SECRET)
PASS = {"type": "pass"}


def opening(terms: Terms, salt: str = SALTS[0]) -> list[Event]:
    return open_table(GAME, terms, SitDown(salt, "player"), DEALER, AT)


# --- opening, sitting, starting -----------------------------------------------------------------------------------


def test_opening_a_table_for_two_seats_the_opener_and_waits() -> None:
    opened, sat = opening(Terms("ariadne"))
    assert isinstance(opened, TableOpened)
    assert (opened.rules, opened.rules_version, opened.commitment) == ("ariadne", 1, commitment(GAME, SECRET))
    assert sat == SatDown(0, SALTS[0], "player")


def test_opening_a_patience_starts_and_deals_at_once() -> None:
    kinds = [type(event) for event in opening(Terms("forty_thieves"))]
    assert kinds == [TableOpened, SatDown, Started, Dealt]


def test_the_last_to_sit_down_starts_the_game_and_the_deal_is_the_secrets() -> None:
    thread = Thread(Terms("ariadne", opener_seat="first"))
    sat, started, dealt = thread.sit()
    assert sat == SatDown(1, SALTS[1], "server")
    assert started == Started((0, 1))
    rules = thread.table.rules
    standard = rules.packs(rules.start(rules.options({})))
    assert dealt == Dealt(1, shuffle_packs(standard, secret=SECRET, game=GAME, salts=SALTS, round_no=1))


@pytest.mark.parametrize(("opener_seat", "seating"), [("first", (0, 1)), ("second", (1, 0))])
def test_the_opener_sits_where_the_terms_say(opener_seat: Any, seating: tuple[int, int]) -> None:
    assert begun("ariadne", opener_seat=opener_seat).table.seating == seating


def test_a_random_seat_is_drawn_from_the_secret_and_both_salts() -> None:
    drawn = random_seating(2, secret=SECRET, game=GAME, salts=SALTS)
    assert begun("ariadne", opener_seat="random").table.seating == drawn


def test_options_are_completed_when_a_table_is_opened() -> None:
    opened = opening(Terms("kathmandu"))[0]
    assert isinstance(opened, TableOpened)
    assert opened.options == {"rounds": 3}


@pytest.mark.parametrize(
    "salt", ["", "short", "x" * 65, "with a space", "non-ascii-é", "tab\tinside!", "newline-end\n"]
)
def test_a_salt_that_is_none_is_refused(salt: str) -> None:
    with pytest.raises(Refused) as opened:
        opening(Terms("ariadne"), salt)
    with pytest.raises(Refused) as sat:
        Thread(Terms("ariadne")).do(SitDown(salt, "player"))
    assert opened.value.code == sat.value.code == "bad_salt"


@pytest.mark.parametrize(
    ("terms", "error", "code"),
    [
        (Terms("whist"), Refused, "unknown_rules"),
        (Terms("ariadne", {"speed": 3}), BadOption, None),
        (Terms("kathmandu", {"rounds": 99}), BadOption, None),
        (Terms("ariadne", admits="friends"), Refused, "bad_option"),  # type: ignore[arg-type]  # what a request may say
        (Terms("ariadne", opener_seat="third"), Refused, "bad_option"),  # type: ignore[arg-type]  # likewise
    ],
)
def test_terms_that_are_none_are_refused(terms: Terms, error: type[Refusal], code: str | None) -> None:
    with pytest.raises(error) as refused:
        opening(terms)
    assert code in (None, refused.value.code)


def test_nobody_moves_before_the_game_has_begun() -> None:
    waiting = Thread(Terms("ariadne"))
    for command in (PlayMove(0, PASS, None), Resign(0)):
        with pytest.raises(Refused) as refused:
            waiting.do(command)
        assert refused.value.code == "not_started"


def test_a_full_table_takes_nobody_more() -> None:
    with pytest.raises(Refused) as refused:
        begun("ariadne").sit()
    assert refused.value.code == "table_full"


# --- moves --------------------------------------------------------------------------------------------------------


def test_a_move_is_written_down_in_its_canonical_form() -> None:
    thread = begun("ariadne")
    move = thread.table.rules.legal_moves(thread.table.state)[0]
    assert thread.do(PlayMove(thread.table.awaited_seat or 0, move, thread.table.step))[0] == Moved(0, move)


def test_a_move_for_another_step_is_stale() -> None:
    thread = begun("ariadne")
    move = thread.table.rules.legal_moves(thread.table.state)[0]
    with pytest.raises(Stale) as refused:
        thread.do(PlayMove(0, move, thread.table.step - 1))
    assert refused.value.code == "stale_step"


def test_a_move_that_is_held_to_no_step_is_decided_on_the_present_one() -> None:
    thread = begun("ariadne")
    move = thread.table.rules.legal_moves(thread.table.state)[0]
    assert thread.do(PlayMove(0, move, None))


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("move", [None, 7, [], "pass", {}, {"type": "castle"}, {"type": ["pass"]}, {1: 2}])
def test_what_is_no_move_is_refused_by_every_game(slug: str, move: object) -> None:
    table = begun(slug).table
    with pytest.raises(IllegalMove):
        decide(table, PlayMove(table.awaited_seat or 0, move, table.step), DEALER, AT + 1)


@pytest.mark.parametrize("seat", [1, 2, -1])
def test_only_the_awaited_seat_moves(seat: int) -> None:
    thread = begun("ariadne")
    move = thread.table.rules.legal_moves(thread.table.state)[0]
    with pytest.raises(IllegalMove) as refused:
        thread.do(PlayMove(seat, move, None))
    assert refused.value.code == "not_your_turn"


def test_a_round_that_ends_is_followed_by_the_next_deal_in_the_same_append() -> None:
    thread = begun("kathmandu")
    appends: list[list[type[Event]]] = []
    while thread.table.rounds == 1:
        table = thread.table
        move = table.rules.legal_moves(table.state)[0]
        appends.append([type(event) for event in thread.do(PlayMove(table.awaited_seat or 0, move, None))])
    assert appends[-1][0] is Moved
    assert Dealt in appends[-1]
    assert thread.table.awaits != DEAL


def test_a_recorded_deal_is_dealt_and_a_wrong_one_is_refused() -> None:
    recorded = climb_deal("2H 4H 6H 8H TH", "3H 5H 7H 9H JH")
    assert begun("climb", recorded).table.line[0].step.packs == recorded[1]  # type: ignore[union-attr]  # it is a deal
    with pytest.raises(BadDeal) as refused:
        begun("climb", {1: (("2H",) * 13,)})
    assert refused.value.code == "wrong_packs"


# --- lone passes --------------------------------------------------------------------------------------------------


def test_lone_passes_and_the_end_follow_in_the_same_append_at_a_quick_table() -> None:
    thread = begun("climb", climb_deal("KH 4H 6H 8H TH", "3H 5H 7H 9H JH"), quick_pass=True)
    first, second, third, ended = thread.do(PlayMove(0, {"type": "play", "card": "KH"}, None))
    assert first == Moved(0, {"type": "play", "card": "KH"})
    assert (second, third) == (Moved(1, PASS, automatic=True), Moved(0, PASS, automatic=True))
    assert ended == Ended("rules", None, SECRET.hex())
    assert outcome(thread.table) == {"scores": [1, 0], "winner": 0, "ended": {"by": "rules", "seat": None}}


def test_a_lone_pass_is_left_to_the_player_at_a_slow_table() -> None:
    thread = begun("climb", climb_deal("KH 4H 6H 8H TH", "3H 5H 7H 9H JH"), quick_pass=False)
    assert thread.do(PlayMove(0, {"type": "play", "card": "KH"}, None)) == [Moved(0, {"type": "play", "card": "KH"})]
    assert thread.table.awaited_seat == 1
    assert thread.do(PlayMove(1, PASS, None)) == [Moved(1, PASS)]


def test_a_pass_that_is_a_choice_is_never_made_for_anyone() -> None:
    thread = begun("climb", climb_deal("2H 4H 6H 8H TH", "3H 5H 7H 9H JH"), quick_pass=True)
    assert len(thread.do(PlayMove(0, {"type": "play", "card": "2H"}, None))) == 1
    assert thread.table.awaited_seat == 1


# --- the end ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigns_loses_whoever_is_to_move(seat: int) -> None:
    thread = begun("ariadne")
    assert thread.do(Resign(seat)) == [Ended("resignation", seat, SECRET.hex())]
    assert outcome(thread.table) == {
        "scores": None,
        "winner": 1 - seat,
        "ended": {"by": "resignation", "seat": seat},
    }


def test_no_bot_sits_down_at_a_table_for_people_and_a_bot_may_open_one() -> None:
    thread = Thread(Terms("ariadne", admits="people"))
    with pytest.raises(Refused) as refused:
        thread.do(SitDown("a-bots-salt", "player", bot=True))
    assert refused.value.code == "no_bots"
    thread.do(SitDown("a-persons-salt", "player"))
    assert thread.table.status == "running"
    assert open_table(GAME, Terms("ariadne", admits="people"), SitDown("a-bots-salt", "player", bot=True), DEALER, AT)
    anyones = Thread(Terms("ariadne"))
    anyones.do(SitDown("a-bots-salt", "player", bot=True))
    assert anyones.table.status == "running"


def test_a_patience_is_given_up_and_nobody_wins() -> None:
    thread = begun("forty_thieves")
    assert thread.do(Resign(0)) == [Ended("given_up", 0, SECRET.hex())]
    told = outcome(thread.table)
    assert told is not None
    assert told["winner"] is None


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_that_is_over_refuses_everything(slug: str) -> None:
    thread = begun(slug)
    thread.do(Resign(0))
    over = thread.table
    commands: list[tuple[Command, str]] = [
        (PlayMove(0, PASS, None), "game_over"),
        (PlayMove(0, PASS, over.step), "game_over"),
        (Resign(0), "game_over"),
        (SitDown("another-salt", "player"), "table_full"),
    ]
    for command, code in commands:
        with pytest.raises(Refused) as refused:
            thread.do(command)
        assert refused.value.code == code
    assert thread.table is over


def test_the_rules_end_reveals_the_secret_and_opens_every_card() -> None:
    thread = played("climb", seed=3, moves=40)
    assert thread.table.ended == Ended("rules", None, SECRET.hex())
    assert all(isinstance(hand, list) for hand in thread.table.rules.view(thread.table.state, OPEN)["hands"])


def test_a_patience_of_a_deal_number_has_that_deal_and_no_secret() -> None:
    dealer = Dealer(_no_secret, number=12345)
    terms = Terms("forty_thieves", {"variant": "maria"}, number=12345)
    opened, _, _, dealt = open_table(GAME, terms, SitDown(SALTS[0], "player"), dealer, AT)
    assert isinstance(opened, TableOpened)
    assert (opened.algorithm, opened.number, opened.commitment) == ("pysolfc", "12345", None)
    assert isinstance(dealt, Dealt)
    rules = get_rules("forty_thieves", 1)
    assert dealt.packs == deal_by_number(rules.packs(rules.start(rules.options({"variant": "maria"}))), 12345)


def _no_secret() -> bytes:
    raise AssertionError("a numbered deal reads no secret")


@pytest.mark.parametrize(
    ("slug", "number", "code"),
    [
        ("ariadne", 5, "bad_option"),
        ("forty_thieves", 0, "bad_number"),
        ("forty_thieves", -1, "bad_number"),
        ("forty_thieves", 10**20 + 1, "bad_number"),
    ],
)
def test_a_number_that_no_deal_has_is_refused(slug: str, number: int, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        open_table(GAME, Terms(slug, number=number), SitDown(SALTS[0], "player"), Dealer(_no_secret, number=number), AT)
    assert refused.value.code == code
