"""Table talk: who says and hears what, what becomes of a text, and how much of it there may be."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.db import connections

from accounts.models import User
from config import clock
from games import hearing, services, talking
from games.acting import TooBusy
from games.selectors import NoSuchGame
from games.services import Terms
from games.store.models import Event, Remark, Seat
from games.table.commands import Refused
from tests.games.people import begun, person

NOON = datetime(2027, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> Iterator[clock.FrozenClock]:
    with clock.frozen(NOON) as frozen:
        yield frozen


def said(user: User, game: str) -> list[tuple[str, str]]:
    return [(remark.name, remark.text) for remark in hearing.talk(user, game).remarks]


def refusal(user: User, game: str, text: str) -> str:
    with pytest.raises(Refused) as refused:
        talking.say(user, game, text)
    return refused.value.code


# --- who --------------------------------------------------------------------------------------------------------------


def test_who_sits_at_the_table_talks_and_hears_in_the_order_of_saying(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    talking.say(alice, game, "Good luck!")
    talking.say(bob, game, "And to you.")
    for user in (alice, bob):
        assert said(user, game) == [("alice", "Good luck!"), ("bob", "And to you.")]
    assert [remark.you for remark in hearing.talk(bob, game).remarks] == [False, True]


@pytest.mark.parametrize("admits", ["anyone", "invited"])
def test_nobody_else_hears_or_says_anything_even_where_all_may_watch(
    alice: User, bob: User, charlie: User, admits: str
) -> None:
    game = begun("ariadne", alice, bob, admits=admits)
    talking.say(alice, game, "Between us")
    for at in (game, str(uuid.uuid4()), "no id"):
        for act in (
            lambda at: hearing.talk(charlie, at),
            lambda at: talking.say(charlie, at, "Hello"),
            lambda at: talking.set_quiet(charlie, at, quiet=True),
            lambda at: talking.mark_heard(charlie, at, 1),
        ):
            with pytest.raises(NoSuchGame):
                act(at)
    assert Remark.objects.count() == 1


def test_who_is_invited_and_has_not_sat_down_hears_nothing(alice: User, bob: User, charlie: User) -> None:
    game = services.open_game(alice, Terms("ariadne", admits="invited"), invite=[bob, charlie]).table.id
    services.sit_down(bob, game)
    talking.say(alice, game, "Welcome")
    with pytest.raises(NoSuchGame):
        hearing.talk(charlie, game)


def test_the_talk_goes_on_after_the_end(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    services.resign(alice, game)
    talking.say(alice, game, "Well played")
    assert said(bob, game) == [("alice", "Well played")]


def test_a_patience_has_no_talk_and_an_open_table_nobody_to_hear_it(alice: User) -> None:
    patience = services.open_game(alice, Terms("forty_thieves", {"variant": "forty-thieves"})).table.id
    for act in (lambda: hearing.talk(alice, patience), lambda: talking.say(alice, patience, "Hm")):
        with pytest.raises(NoSuchGame):
            act()
    waiting = services.open_game(alice, Terms("ariadne")).table.id
    assert refusal(alice, waiting, "Anybody?") == "nobody_there"
    assert hearing.talk(alice, waiting).remarks == ()


def test_no_event_carries_what_was_said(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    before = Event.objects.count()
    talking.say(alice, game, "Not for the record")
    assert Event.objects.count() == before


# --- what -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Hello \r\n there\r", "Hello\n there"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("a\x00b\x07c\x1b[31md\x7f\x9be", "abc[31mde"),
        ("tab\tbed", "tab bed"),
        ("safe \u202egpj.exe\u202c \u2066x\u2069 \u202ay", "safe gpj.exe x y"),
        ("in\u200bvi\u2060si\ufeffble\U000e0041", "invisible"),
        ("line\u2028para\u2029graph", "line\npara\ngraph"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f"),
        ("<b>1 < 2 & 3</b>", "<b>1 < 2 & 3</b>"),
        ("\ud800lone", "lone"),
        ("שלום\u200f!", "שלום\u200f!"),
    ],
)
def test_a_text_is_kept_without_what_misleads_the_eye(given: str, kept: str) -> None:
    assert talking.clean(given) == kept


@pytest.mark.parametrize(
    "nothing", ["", "  \n\t ", "\u202e\u2066", "\u3164\u115f", "\u200d\u200d", "\u0301", "\x00", "\u2800"]
)
def test_a_text_of_which_nothing_is_seen_is_refused(alice: User, bob: User, nothing: str) -> None:
    assert refusal(alice, begun("ariadne", alice, bob), nothing) == "empty"


def test_a_text_may_have_a_thousand_characters_and_no_more(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    assert talking.say(alice, game, f" {'가' * 1000}\n").text == "가" * 1000
    assert refusal(alice, game, "가" * 1001) == "too_long"
    assert refusal(alice, game, "\u200b" * 1_000_000) == "too_long"
    assert Remark.objects.count() == 1


# --- once, and not too much -------------------------------------------------------------------------------------------


def test_the_same_command_again_says_nothing_twice(alice: User, bob: User) -> None:
    game, other = begun("ariadne", alice, bob), begun("ariadne", alice, bob)
    first = talking.say(alice, game, "Once", command="c1")
    assert talking.say(alice, game, "Once more", command="c1") == first
    # Neither another player's nor another table's.
    talking.say(bob, game, "Me too", command="c1")
    talking.say(alice, other, "Here", command="c1")
    assert said(bob, game) == [("alice", "Once"), ("bob", "Me too")]
    assert said(bob, other) == [("alice", "Here")]
    with pytest.raises(Refused, match="command id"):
        talking.say(alice, game, "x", command="\n")


def test_twenty_in_ten_minutes_are_enough_for_each_player_at_each_table(
    alice: User, bob: User, now: clock.FrozenClock
) -> None:
    game, other = begun("ariadne", alice, bob), begun("ariadne", alice, bob)
    for number in range(20):
        talking.say(alice, game, f"{number}", command=f"{number}")
        now.advance(seconds=10)
    assert refusal(alice, game, "and") == "too_much"
    assert talking.say(alice, game, "0", command="0").number == 1, "what was said is told again all the same"
    talking.say(bob, game, "Stop")
    talking.say(alice, other, "Here I may")
    with pytest.raises(Refused, match="Minutes to wait: 7"):
        talking.say(alice, game, "and")
    now.advance(minutes=7)
    assert talking.say(alice, game, "Now").number == 22


@pytest.mark.parametrize("tries", [1, 2])
def test_who_is_spoken_over_is_heard_at_the_second_try(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, tries: int
) -> None:
    game = begun("ariadne", alice, bob)
    look, interrupted = talking._check_pace, iter([True])

    def speak_over(seat: Seat, at: int) -> None:
        if next(interrupted, False):
            talking.say(bob, game, "But")
        look(seat, at)

    monkeypatch.setattr(talking, "_check_pace", speak_over)
    monkeypatch.setattr(talking, "TRIES", tries)
    if tries == 1:  # the control: without another try it is lost
        with pytest.raises(TooBusy):
            talking.say(alice, game, "I")
    else:
        talking.say(alice, game, "I")
    assert said(alice, game) == [("bob", "But"), ("alice", "I")][:tries]


def test_two_who_speak_at_once_are_both_heard_in_one_order(real_database: dict[str, str]) -> None:
    alice, bob = person("alice"), person("bob")
    game = begun("ariadne", alice, bob)
    ready = threading.Barrier(4)

    def speak(user: User, text: str) -> None:
        try:
            ready.wait(10)
            talking.say(user, game, text, command=text)
        finally:
            connections.close_all()

    threads = [
        threading.Thread(target=speak, args=(user, text))
        for user, text in ((alice, "a"), (alice, "b"), (bob, "c"), (alice, "a"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(Remark.objects.values_list("text", flat=True)) == ["a", "b", "c"]
    assert list(Remark.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3]


# --- hearing ----------------------------------------------------------------------------------------------------------


def test_what_the_other_said_is_new_until_it_was_heard(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    for text in ("one", "two"):
        talking.say(alice, game, text)
    talking.say(bob, game, "three")
    assert hearing.talk(bob, game).new == 2
    talking.mark_heard(bob, game, 1)
    assert [remark.new for remark in hearing.talk(bob, game).remarks] == [False, True, False]
    talking.mark_heard(bob, game, 99)
    assert Seat.objects.get(game__pk=game, user=bob).talk_heard == 3, "nobody has heard what wasn't said yet"
    talking.mark_heard(bob, game, 1)
    assert hearing.talk(bob, game).new == 0
    assert hearing.talk(alice, game).new == 1


def test_a_long_talk_is_read_in_stretches(alice: User, bob: User, now: clock.FrozenClock) -> None:
    game = begun("ariadne", alice, bob)
    for number in range(1, 8):
        talking.say(alice, game, f"{number}")
    assert [(r.number) for r in hearing.talk(bob, game, most=3).remarks] == [5, 6, 7]
    earlier = hearing.talk(bob, game, before=5, most=3)
    assert [remark.number for remark in earlier.remarks] == [2, 3, 4]
    assert (earlier.earlier, earlier.later, earlier.last) == (True, True, 7)
    assert [remark.number for remark in hearing.talk(bob, game, after=4, most=2).remarks] == [5, 6]
    assert hearing.talk(bob, game, before=1).remarks == ()


def test_a_quiet_table_shows_nothing_until_it_is_opened_again(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    talking.say(alice, game, "Hey")
    talking.set_quiet(bob, game, quiet=True)
    talking.say(alice, game, "You")
    quiet = hearing.talk(bob, game)
    assert (quiet.remarks, quiet.quiet, quiet.last, quiet.tag) == ((), True, 0, "quiet")
    assert len(said(alice, game)) == 2, "only for who wished it"
    talking.set_quiet(bob, game, quiet=False)
    assert [text for _, text in said(bob, game)] == ["Hey", "You"]
