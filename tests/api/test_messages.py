"""The table talk by the API: read and said by who sits there, in stretches, once, and not too much."""

from __future__ import annotations

import re
from typing import Any

import pytest

from accounts import bots
from accounts.models import User
from games import hearing, services, talking
from games.services import Terms
from games.store.models import Remark
from tests.api.programs import Program, problem, program
from tests.games.people import begun

pytestmark = pytest.mark.django_db


def texts(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [message["text"] for message in answer.json()["results"]]


def test_what_one_says_the_other_reads(as_alice: Program, as_bob: Program, alice: User, bob: User) -> None:
    game = begun("ariadne", bob, alice)
    said = as_alice.post(f"/games/{game}/messages/", {"text": " Good <b>luck</b>\r\n\u202e! "})
    assert said.status_code == 201
    mine = said.json()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", mine.pop("at"))
    assert mine == {
        "number": 1, "seat": 1, "name": "alice", "bot": False, "you": True, "text": "Good <b>luck</b>\n!",
    }  # fmt: skip
    (theirs,) = as_bob.get(f"/games/{game}/messages/").json()["results"]
    assert (theirs["name"], theirs["you"], theirs["text"]) == ("alice", False, "Good <b>luck</b>\n!")
    assert hearing.talk(bob, game).new == 1, "a program that reads is not somebody who has seen it"


@pytest.mark.parametrize("admits", ["anyone", "invited"])
def test_for_all_others_there_is_no_talk(
    as_charlie: Program, as_nobody: Program, alice: User, bob: User, charlie: User, admits: str
) -> None:
    game = begun("ariadne", alice, bob, admits=admits)
    for path in (f"/games/{game}/messages/", "/games/00000000-0000-0000-0000-000000000000/messages/"):
        problem(as_charlie.get(path), 404, "not-found")
        problem(as_charlie.post(path, {"text": "Hi"}), 404, "not-found")
        problem(as_charlie.post(path, {"nonsense": "Hi"}), 404, "not-found")
        problem(as_nobody.get(path), 401, "not-authenticated")
    patience = services.open_game(charlie, Terms("forty_thieves", {"variant": "forty-thieves"})).table.id
    problem(as_charlie.get(f"/games/{patience}/messages/"), 404, "not-found")
    assert Remark.objects.count() == 0


def test_the_newest_come_first_by_cursor_or_those_after_a_number(
    as_bob: Program, alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    game = begun("ariadne", alice, bob)
    for number in range(1, 8):
        talking.say(alice, game, f"{number}")
    first = as_bob.get(f"/games/{game}/messages/?limit=3")
    assert texts(first) == ["7", "6", "5"]
    talking.say(alice, game, "8")
    following = as_bob.get(first.json()["next"].partition("/api/v1")[2])
    assert texts(following) == ["4", "3", "2"], "what came in between shifts nothing"
    onward = as_bob.get(f"/games/{game}/messages/?after=5&limit=2")
    assert texts(onward) == ["6", "7"]
    assert texts(as_bob.get(onward.json()["next"].partition("/api/v1")[2])) == ["8"]
    assert texts(as_bob.get(f"/games/{game}/messages/?after=8")) == []
    for wrong in ("after=-1", "after=x", "limit=0", "cursor=x"):
        problem(as_bob.get(f"/games/{game}/messages/?{wrong}"), 400, "invalid")
    with django_assert_max_num_queries(4):  # the token with its user and when it was used, seats, messages
        as_bob.get(f"/games/{game}/messages/")


def test_the_same_key_says_it_once_and_has_the_same_answer(as_alice: Program, alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    first = as_alice.post(f"/games/{game}/messages/", {"text": "Once"}, key="k1")
    for text in ("Once", "Something else"):
        again = as_alice.post(f"/games/{game}/messages/", {"text": text}, key="k1")
        assert (again.status_code, again.json()) == (201, first.json())
    assert Remark.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    [{}, {"text": ""}, {"text": "\u202e \u3164"}, {"text": "x" * 1001}, {"text": 5}, {"text": "Hi", "to": "bob"}],
)
def test_what_is_no_message_is_refused_by_its_field(as_alice: Program, alice: User, bob: User, body: Any) -> None:
    game = begun("ariadne", alice, bob)
    refused = problem(as_alice.post(f"/games/{game}/messages/", body), 400, "invalid")
    assert refused["errors"][0]["field"] in ("text", "to")
    assert Remark.objects.count() == 0


def test_too_much_at_once_says_when_to_go_on(as_alice: Program, alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    for number in range(talking.MOST):
        talking.say(alice, game, f"{number}")
    answer = as_alice.post(f"/games/{game}/messages/", {"text": "More"})
    assert problem(answer, 429, "too-many-requests")["code"] == "too_much"
    assert answer["Retry-After"] == "600"


def test_at_a_table_that_waits_there_is_nobody_to_talk_to(as_alice: Program, alice: User) -> None:
    game = services.open_game(alice, Terms("ariadne")).table.id
    refused = problem(as_alice.post(f"/games/{game}/messages/", {"text": "Anybody?"}), 409, "conflict")
    assert refused["code"] == "nobody_there"
    assert texts(as_alice.get(f"/games/{game}/messages/")) == []


def test_a_quieted_table_is_quiet_for_programs_too(as_alice: Program, alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    talking.say(bob, game, "Blah")
    talking.set_quiet(alice, game, quiet=True)
    assert texts(as_alice.get(f"/games/{game}/messages/")) == []


def test_a_bot_that_talks_is_marked_as_one(as_alice: Program, alice: User, bob: User) -> None:
    bot = bots.make(bob, "Spindle")
    game = begun("ariadne", alice, bot)
    assert program(bot).post(f"/games/{game}/messages/", {"text": "Beep"}).status_code == 201
    (message,) = as_alice.get(f"/games/{game}/messages/").json()["results"]
    assert (message["name"], message["bot"]) == ("Spindle", True)
    assert hearing.talk(alice, game).remarks[0].name == "Spindle (bot)"
