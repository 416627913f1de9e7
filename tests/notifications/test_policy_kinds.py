"""Each event tells whom it concerns and never who did it; wishes decide by which way and when."""

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.table.commands import (
    AnswerPause,
    AskPause,
    AskUndo,
    Command,
    CreditTime,
    GiveTime,
    OfferDraw,
    PlayMove,
    Resign,
    Resume,
    SetAway,
    SetZone,
    Terms,
    Withdraw,
)
from games.table.decider import decide
from games.table.events import Event, SatDown
from games.table.state import Table
from games.table.terms import DAY, HOUR
from games.table.undo import may_ask
from notifications.kinds import TOPIC_OF, Channel, Kind, Topic
from notifications.moments import is_quiet
from notifications.planning import Wishes, due_at, others, plan, plan_reminder
from notifications.policy import Reminder, Telling, clock_changed, reminders, tellings
from tests.notifications.test_policy import DEALER, SITTING, fold, opened

CLOCK = {"kind": "move", "per_move": DAY}
MINUTE = 60_000_000


def running(slug: str = "conquian") -> Table:
    before = opened(Terms(slug, opener_seat="first", clock=CLOCK))
    return fold(before, decide(before, SITTING, DEALER, 0))


def told(table: Table, command: Command, actor: int | None, at: int = 0) -> tuple[Table, list[tuple[str, int]]]:
    """The table after a command, and who is told what of it."""
    events = decide(table, command, DEALER, at)
    after = fold(table, events, at)
    return after, [(telling.kind, telling.place) for telling in tellings(table, after, actor, events)]


def test_a_draw_offer_tells_the_other_and_a_resignation_too() -> None:
    table = running()
    assert told(table, OfferDraw(1), 1)[1] == [("draw_offered", 0)]
    assert told(table, Resign(0), 0)[1] == [("ended", 1)]


def test_an_undo_asked_for_tells_the_other() -> None:
    table = running("kathmandu")
    while table.step < 40:
        seat = table.awaited_seat
        assert seat is not None
        table, _ = told(table, PlayMove(seat, table.rules.legal_moves(table.state)[0], None), seat)
        if may_ask(table, seat):
            assert told(table, AskUndo(seat, None), seat)[1] == [("undo_asked", 1 - seat)]
            return
    raise AssertionError("no move could be taken back")


def test_a_pause_is_asked_for_begun_and_ended() -> None:
    table, news = told(running(), AskPause(0), 0)
    assert news == [("pause_asked", 1)]
    assert told(table, AnswerPause(1, granted=False), 1)[1] == []
    table, news = told(table, AnswerPause(1, granted=True), 1)
    assert news == [("paused", 0)]
    assert told(table, Resume(0), 0)[1] == [("resumed", 1)]


def test_time_that_is_given_or_credited_is_told_and_a_change_of_zone_is_not() -> None:
    assert told(running(), GiveTime(1, HOUR), 1)[1] == [("extended", 0)]
    assert told(running(), CreditTime(0, HOUR), None, at=HOUR)[1] == [("credited", 0), ("credited", 1)]
    assert told(running(), SetZone(0, "Asia/Seoul"), None)[1] == []


def test_a_vacation_tells_the_opponent_and_its_player_where_it_began_by_itself() -> None:
    table, news = told(running(), SetAway(0, True), None)
    assert news == [("away", 1)]
    assert told(table, SetAway(0, False), None)[1] == [("back", 1)]
    saved = SetAway(0, True, automatic=True)
    assert told(running(), saved, None, at=DAY)[1] == [("away", 1), ("away_you", 0)]
    # In their other games it was not their time that ran out.
    assert told(running(), saved, None, at=DAY // 2)[1] == [("away", 1)]
    assert told(running(), SetAway(1, True, automatic=True), None, at=DAY)[1] == [("away", 0)]


def test_a_table_that_is_taken_away_tells_its_owner_unless_they_did_it() -> None:
    table = opened(Terms("conquian"))
    assert told(table, Withdraw(), None)[1] == [("ended", 0)]
    assert told(table, Withdraw(), 0)[1] == []


def test_who_is_given_a_seat_by_others_is_told_where_the_game_waits_on() -> None:
    table = opened(Terms("conquian"))
    sat: list[Event] = [SatDown(1, "saltsalt", "server")]
    assert list(tellings(table, fold(table, sat), None, sat)) == [Telling("seated", 1, table.version + 1)]
    assert list(tellings(table, fold(table, sat), 1, sat)) == []


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=40))
def test_nobody_is_told_of_their_own_doing_nor_twice_that_it_is_their_turn(choices: list[int]) -> None:
    table = running()
    for choice in choices:
        seat = table.awaited_seat
        if seat is None:
            break
        legal = table.rules.legal_moves(table.state)
        before = table
        events = decide(table, PlayMove(seat, legal[choice % len(legal)], None), DEALER, 0)
        table = fold(table, events)
        news = list(tellings(before, table, seat, events))
        assert all(telling.place != seat for telling in news)
        turns = [telling for telling in news if telling.kind == Kind.TURN]
        assert bool(turns) == (table.awaited_seat not in (None, seat))
        assert len({(telling.kind, telling.place, telling.version) for telling in news}) == len(news)


# --- reminders --------------------------------------------------------------------------------------------------------


def test_reminders_fall_where_so_much_time_is_left_and_none_in_the_past() -> None:
    table = running()
    found = list(reminders(table, [50, 10], 0))
    assert [(one.percent, one.at, one.deadline) for one in found] == [(50, DAY // 2, DAY), (10, DAY * 9 // 10, DAY)]
    assert [one.percent for one in reminders(table, [50, 10], DAY // 2)] == [10]
    assert list(reminders(table, [], 0)) == []
    assert clock_changed(None, table)
    assert not clock_changed(table, fold(table, decide(table, OfferDraw(1), DEALER, 0)))


# --- wishes -----------------------------------------------------------------------------------------------------------

zones = st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Seoul", "UTC"]).map(ZoneInfo)
wishes_of_anyone = st.builds(
    Wishes,
    zone=zones,
    switched=st.dictionaries(st.tuples(st.sampled_from(Topic.values), st.sampled_from(Channel.values)), st.booleans()),
    delivery=st.sampled_from(["immediate", "every", "daily", "once"]),
    every_hours=st.sampled_from([2, 4, 6, 12]),
    daily_hour=st.integers(0, 23),
    quiet=st.none() | st.tuples(st.integers(0, 1439), st.integers(0, 1439)),
    has_mail=st.booleans(),
    targets=st.fixed_dictionaries({}, optional={"push": st.just([1, 2]), "webhook": st.just([3])}),
    muted=st.sampled_from([frozenset[str](), frozenset({"g"})]),
    gathered=st.sampled_from([frozenset[str](), frozenset({"g"})]),
)
kinds = st.sampled_from(sorted(TOPIC_OF))
moments = st.integers(1_800_000_000_000_000, 1_830_000_000_000_000)


@given(wishes_of_anyone, kinds, moments)
def test_nothing_goes_out_before_the_quiet_spell_is_over_or_in_quiet_hours(wishes: Wishes, kind: str, at: int) -> None:
    due = due_at(wishes, kind, "g", at, MINUTE)
    assert at + MINUTE <= due <= at + 3 * DAY
    if wishes.quiet is not None:
        assert not is_quiet(due, *wishes.quiet, wishes.zone)


@given(wishes_of_anyone, kinds, moments)
def test_each_way_that_is_wanted_gets_one_message_and_no_other_does(wishes: Wishes, kind: str, at: int) -> None:
    planned = [(one.channel, one.target) for one in plan(wishes, kind, "g", at, MINUTE)]
    assert len(set(planned)) == len(planned)
    for channel in Channel.values:
        expected = set(wishes.ways(channel)) if wishes.wants(kind, channel, "g") else set[int | None]()
        assert {target for by, target in planned if by == channel} == expected
    if "g" in wishes.muted:
        assert planned == []


@given(wishes_of_anyone, moments, st.integers(2, 300))
def test_a_reminder_never_comes_after_its_deadline(wishes: Wishes, at: int, hours: int) -> None:
    reminder = Reminder(0, 10, at + hours * HOUR * 9 // 10, at + hours * HOUR)
    for one in plan_reminder(wishes, reminder, "g", at):
        assert at < one.due < reminder.deadline
        assert wishes.quiet is None or not is_quiet(one.due, *wishes.quiet, wishes.zone)


@given(wishes_of_anyone, kinds)
def test_another_way_takes_over_exactly_where_none_was_to_tell_it(wishes: Wishes, kind: str) -> None:
    found = list(others(wishes, kind, "g", Channel.MAIL))
    told_anyway = any(wishes.wants(kind, way, "g") and wishes.ways(way) for way in ("push", "webhook"))
    assert all(channel != Channel.MAIL for channel, _ in found)
    if told_anyway or "g" in wishes.muted:
        assert found == []
    else:
        assert len(found) == len(wishes.ways("push")) + len(wishes.ways("webhook"))


@pytest.mark.parametrize("topic", Topic.values)
def test_by_default_mail_tells_all_but_clocks_and_vacations(topic: str) -> None:
    kind = next(kind for kind, of in TOPIC_OF.items() if of == topic)
    assert Wishes(ZoneInfo("UTC")).wants(kind, "mail") == (topic not in ("clock", "vacation"))
