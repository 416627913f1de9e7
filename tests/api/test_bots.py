"""Bots by the API: made, given tokens, retired; secrets told once; nothing of them for anybody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import bots, tokens
from accounts.models import Token, User
from games.store.models import Head
from tests.api.programs import Program, in_session, new_key, problem, program
from tests.games.people import begun

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(alice: User) -> Program:
    return program(alice, "read", "bot")


def playing(secret: str) -> Program:
    return Program(Client(), secret)


def test_a_bot_is_made_and_plays_by_the_token_of_the_answer(manager: Program, as_bob: Program) -> None:
    answer = manager.post("/bot/", {"name": "rufus"})
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    made = answer.json()
    assert (made["name"], made["bot"], made["token"]["scopes"]) == ("rufus", True, ["read", "play"])
    rufus = playing(made["token"]["secret"])
    game = as_bob.post("/games/", {"rules": "conquian"}).json()["id"]
    table = rufus.post(f"/games/{game}/seats/").json()
    assert sorted((one["name"], one["bot"]) for one in table["players"]) == [("bob", False), ("rufus", True)]


def test_at_a_table_for_people_no_bot_sits_down_and_it_is_not_listed_for_bots(
    manager: Program, as_alice: Program, as_bob: Program
) -> None:
    rufus = playing(manager.post("/bot/", {"name": "rufus"}).json()["token"]["secret"])
    game = as_bob.post("/games/", {"rules": "conquian", "visibility": "people", "link": True}).json()
    token = game["invitation"].strip("/").rpartition("/")[2]

    def listed(who: Program) -> list[str]:
        return [row["id"] for row in who.get("/games/?status=open").json()["results"]]

    assert (listed(rufus), listed(as_alice)) == ([], [game["id"]])
    seen = rufus.get(f"/games/{game['id']}/").json()
    assert (seen["visibility"], seen["may_sit"]) == ("people", False)
    # Who may sit down is told so, though they show the tag of an answer to somebody who may not.
    tag = rufus.get(f"/games/{game['id']}/")["ETag"]
    assert rufus.get(f"/games/{game['id']}/", If_None_Match=tag).status_code == 304
    assert as_alice.get(f"/games/{game['id']}/", If_None_Match=tag).json()["may_sit"] is True
    for wish in ({}, {"token": token}):
        assert problem(rufus.post(f"/games/{game['id']}/seats/", wish), 409, "conflict")["code"] == "no_bots"
    assert as_alice.post(f"/games/{game['id']}/seats/").json()["status"] == "running"
    assert game["id"] in [row["id"] for row in rufus.get("/games/").json()["results"]], "it may be watched"
    own = rufus.post("/games/", {"rules": "conquian", "visibility": "people"}).json()["id"]
    assert listed(rufus) == [own]
    asked = {"rules": "conquian", "visibility": "people", "invite": ["rufus"]}
    refused = problem(as_bob.post("/games/", asked), 400, "invalid")
    assert [(error["field"], error["code"]) for error in refused["errors"]] == [("invite", "bot_invited")]


def test_the_list_tells_bots_and_tokens_and_no_secret(manager: Program) -> None:
    secret = manager.post("/bot/", {"name": "rufus"}).json()["token"]["secret"]
    manager.post("/bot/", {"name": "fido"})
    answer = manager.get("/bot/")
    assert [bot["name"] for bot in answer.json()] == ["fido", "rufus"]
    assert [token["label"] for token in answer.json()[1]["tokens"]] == ["First token"]
    in_korean = manager.get("/bot/", Accept_Language="ko")
    assert [token["label"] for token in in_korean.json()[1]["tokens"]] == ["첫 토큰"]
    assert secret not in answer.content.decode()
    assert answer.json()[1] == manager.get("/bot/rufus/").json()


def test_the_same_key_makes_one_bot_and_tells_its_secret_once(manager: Program, alice: User) -> None:
    key = new_key()
    first = manager.post("/bot/", {"name": "rufus"}, key=key)
    again = manager.post("/bot/", {"name": "rufus"}, key=key)
    assert again.status_code == first.status_code == 201
    assert again.json()["token"]["secret"] is None
    assert {**again.json()["token"], "secret": 0} == {**first.json()["token"], "secret": 0}
    assert bots.of(alice).count() == 1


def test_the_same_key_makes_one_token(manager: Program, alice: User) -> None:
    bot = bots.make(alice, "rufus")
    key = new_key()
    first = manager.post("/bot/rufus/tokens/", {"label": "server"}, key=key).json()
    again = manager.post("/bot/rufus/tokens/", {"label": "server"}, key=key).json()
    assert (again["id"], again["secret"]) == (first["id"], None)
    assert bot.tokens.count() == 1


def test_two_people_may_use_the_same_key(manager: Program, bob: User) -> None:
    key = new_key()
    assert manager.post("/bot/", {"name": "rufus"}, key=key).json()["token"]["secret"]
    assert program(bob, "bot").post("/bot/", {"name": "fido"}, key=key).json()["token"]["secret"]


def test_a_further_token_has_label_scopes_and_an_end(manager: Program, alice: User) -> None:
    bots.make(alice, "rufus")
    answer = manager.post("/bot/rufus/tokens/", {"label": "server", "scopes": ["read"], "expires_in_days": 30})
    made = answer.json()
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    assert (made["label"], made["scopes"]) == ("server", ["read"])
    assert made["expires_at"] > made["made_at"]
    found = tokens.find(made["secret"])
    assert found is not None
    assert found.user.name == "rufus"
    problem(playing(made["secret"]).post("/games/", {"rules": "conquian"}), 403, "forbidden")


def test_a_bots_token_never_manages_bots(manager: Program, alice: User) -> None:
    bot = bots.make(alice, "rufus")
    told = problem(manager.post("/bot/rufus/tokens/", {"scopes": ["read", "bot"]}), 400, "invalid")
    assert told["errors"][0]["field"] == "scopes"
    for method, path, body in (("POST", "/bot/", {"name": "pup"}), ("DELETE", "/bot/rufus/", None)):
        problem(program(bot).ask(method, path, body), 403, "forbidden")
    # And where somebody wrote such a scope into the database, the bot still makes none.
    problem(program(bot, "read", "bot").post("/bot/", {"name": "pup"}), 409, "conflict")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "bob"}, "name"),
        ({"name": "BOB"}, "name"),
        ({"name": "two words"}, "name"),
        ({"name": "\x00"}, "name"),
        ({"name": "x" * 25}, "name"),
        ({"name": 7}, "name"),
        ({"name": "rufus", "owner": "bob"}, "owner"),
    ],
)
def test_a_bot_of_a_bad_name_is_not_made(manager: Program, bob: User, body: dict[str, Any], field: str) -> None:
    told = problem(manager.post("/bot/", body), 400, "invalid")
    assert {error["field"] for error in told["errors"]} == {field}
    assert manager.get("/bot/").json() == []


@pytest.mark.parametrize(
    "body", [{"label": ""}, {"label": "x" * 61}, {"label": "\x00"}, {"scopes": []}, {"expires_in_days": 0}, {"x": 1}]
)
def test_a_bad_token_is_not_made(manager: Program, alice: User, body: dict[str, Any]) -> None:
    bots.make(alice, "rufus")
    problem(manager.post("/bot/rufus/tokens/", body), 400, "invalid")
    assert manager.get("/bot/rufus/").json()["tokens"] == []


def test_there_are_only_so_many_bots_and_tokens(
    manager: Program, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CLEW_BOTS = 1
    monkeypatch.setattr(tokens, "MOST", 1)
    manager.post("/bot/", {"name": "rufus"})
    assert problem(manager.post("/bot/", {"name": "fido"}), 409, "conflict")["code"] == "too_many_bots"
    assert problem(manager.post("/bot/rufus/tokens/"), 409, "conflict")["code"] == "too_many_tokens"


def test_a_token_is_revoked_at_once_and_only_with_its_bot(manager: Program, alice: User) -> None:
    made = manager.post("/bot/", {"name": "rufus"}).json()["token"]
    other, _secret = tokens.make(bots.make(alice, "fido"), "his", bots.SCOPES)
    own, _secret = tokens.make(alice, "mine", ["read"])
    for number in (other.pk, own.pk, 10**30):
        problem(manager.ask("DELETE", f"/bot/rufus/tokens/{number}/"), 404, "not-found")
    rufus = playing(made["secret"])
    assert rufus.get("/me/").status_code == 200
    assert manager.ask("DELETE", f"/bot/rufus/tokens/{made['id']}/").status_code == 204
    problem(rufus.get("/me/"), 401, "not-authenticated")
    problem(manager.ask("DELETE", f"/bot/rufus/tokens/{made['id']}/"), 404, "not-found")


def test_retiring_a_bot_ends_its_games_and_it_is_gone(manager: Program, bob: User, alice: User) -> None:
    secret = manager.post("/bot/", {"name": "rufus"}).json()["token"]["secret"]
    rufus = bots.named(alice, "rufus")
    assert rufus is not None
    game = begun("ariadne", bob, rufus)
    assert manager.ask("DELETE", "/bot/rufus/").status_code == 204
    assert Head.objects.get(pk=game).status == "ended"
    problem(playing(secret).get("/me/"), 401, "not-authenticated")
    problem(manager.ask("DELETE", "/bot/rufus/"), 404, "not-found")
    assert manager.get("/bot/").json() == []


@pytest.mark.parametrize("name", ["bobs.bot", "bob", "alice", "nobody", "%00", "a%2Fb", "%F0%9F%A4%96", "x" * 500])
def test_what_is_no_bot_of_mine_is_not_found_whatever_it_is(manager: Program, bob: User, name: str) -> None:
    bots.make(bob, "bobs.bot")
    problem(manager.get(f"/bot/{name}/"), 404, "not-found")
    problem(manager.ask("DELETE", f"/bot/{name}/"), 404, "not-found")
    problem(manager.post(f"/bot/{name}/tokens/"), 404, "not-found")
    assert bots.of(bob).exists()
    assert not Token.objects.filter(user__owner=bob).exists()


def test_a_session_makes_bots_only_right_after_the_password_was_given(alice: User) -> None:
    session = in_session(alice)
    told = problem(session.post("/bot/", {"name": "rufus"}), 403, "forbidden")
    assert told["code"] == "reauthenticate"
    assert not bots.of(alice).exists()
    assert session.get("/bot/").status_code == 200
