"""Games by the API: opened, sat down at, listed, looked at, played, looked back at."""

from __future__ import annotations

import base64
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from accounts.models import User
from games import agreeing
from games.store.models import Event, Head
from tests.api.programs import Program, problem, program
from tests.games.people import begun, climb_of_three, events, play_on, table

pytestmark = pytest.mark.django_db


# --- opening and sitting down -----------------------------------------------------------------------------------------


def test_a_table_is_opened_and_joined_and_both_see_their_own_cards(as_alice: Program, as_bob: Program) -> None:
    opened = as_alice.post("/games/", {"rules": "conquian", "seat": "first"})
    assert opened.status_code == 201
    game = opened.json()
    assert opened["Location"] == f"/api/v1/games/{game['id']}/"
    assert (game["status"], game["you"], game["may_sit"]) == ("open", None, False)

    sat = as_bob.post(f"/games/{game['id']}/seats/", {"salt": "a-salt-of-my-own"})
    assert sat.status_code == 200
    theirs, mine = sat.json(), as_alice.get(f"/games/{game['id']}/").json()
    assert theirs["status"] == mine["status"] == "running"
    assert (mine["you"], theirs["you"]) == (0, 1)
    assert [(one["name"], one["seat"], one["bot"]) for one in mine["players"]] == [
        ("alice", 0, False),
        ("bob", 1, False),
    ]
    assert mine["view"] != theirs["view"]
    awaited = [seen for seen in (mine, theirs) if seen["legal"]]
    assert [seen["you"] for seen in awaited] == [mine["awaits"]]


def test_opening_takes_every_term_that_the_form_has(as_alice: Program, bob: User) -> None:
    clock = {"kind": "bank", "start": 3 * 86400, "increment": 43200, "cap": 7 * 86400, "weekends_off": True}
    terms = {"rules": "kathmandu", "options": {"rounds": 1}, "clock": clock, "visibility": "invited"}
    opened = as_alice.post("/games/", {**terms, "invite": ["bob"], "link": True, "seat": "second"})
    game = opened.json()
    assert opened.status_code == 201, game
    assert game["options"] == {"rounds": 1}
    assert game["visibility"] == "invited"
    assert "/join/" in game["invitation"]
    assert program(bob).get("/games/").json()["results"][0]["clock"] == {**clock, "vacation": True}
    assert (game["clock"]["terms"], game["clock"]["left"]) == ({**clock, "vacation": True}, [None, None])


def test_a_patience_begins_at_once_and_is_nobody_elses(as_alice: Program, as_bob: Program) -> None:
    game = as_alice.post(
        "/games/", {"rules": "forty_thieves", "options": {"variant": "streets"}, "number": 12345}
    ).json()
    assert (game["status"], game["entry"], game["number"], game["visibility"]) == (
        "running",
        "streets",
        "12345",
        "invited",
    )
    problem(as_bob.get(f"/games/{game['id']}/"), 404, "not-found")


def test_the_same_key_opens_one_table_and_gives_one_answer(as_alice: Program) -> None:
    first, second = (as_alice.post("/games/", {"rules": "ariadne"}, key="once") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert Head.objects.count() == 1


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({}, "rules"),
        ({"rules": "whist"}, "rules"),
        ({"rules": "conquian", "options": {"target": 4}}, "options"),
        ({"rules": "conquian", "options": [1]}, "options"),
        ({"rules": "conquian", "clock": {"kind": "move"}}, "clock"),
        ({"rules": "conquian", "clock": {"kind": "move", "per_move": "60"}}, "clock.per_move"),
        ({"rules": "conquian", "visibility": "friends"}, "visibility"),
        ({"rules": "conquian", "visibility": "invited"}, "visibility"),
        ({"rules": "conquian", "invite": ["nobody-of-this-name"]}, "invite"),
        ({"rules": "conquian", "invite": ["alice"]}, "invite"),
        ({"rules": "forty_thieves", "invite": ["bob"]}, "invite"),
        ({"rules": "forty_thieves", "link": True}, "link"),
        ({"rules": "conquian", "salt": "short"}, "salt"),
        ({"rules": "conquian", "number": 7}, "options"),
        ({"rules": "forty_thieves", "number": 0}, "number"),
        ({"rules": "forty_thieves", "number": True}, "number"),
        ({"rules": "conquian", "colour": "red"}, "colour"),
    ],
)
def test_wrong_terms_name_the_field_and_open_nothing(as_alice: Program, terms: dict[str, Any], field: str) -> None:
    found = problem(as_alice.post("/games/", terms), 400, "invalid")
    assert [error["field"] for error in found["errors"]] == [field]
    assert all(error["message"] for error in found["errors"])
    assert not Event.objects.exists()


def test_the_last_seat_is_taken_once(as_alice: Program, as_bob: Program, as_charlie: Program) -> None:
    game = as_alice.post("/games/", {"rules": "ariadne"}).json()["id"]
    assert as_bob.post(f"/games/{game}/seats/", key="mine").status_code == 200
    assert problem(as_charlie.post(f"/games/{game}/seats/"), 409, "conflict")["code"] == "table_full"
    assert problem(as_bob.post(f"/games/{game}/seats/"), 409, "conflict")["code"] == "already_seated"
    assert as_bob.post(f"/games/{game}/seats/", key="mine").status_code == 200


def test_the_token_of_a_link_lets_one_sit_down(as_alice: Program, as_bob: Program) -> None:
    game = as_alice.post("/games/", {"rules": "ariadne", "visibility": "invited", "link": True}).json()
    token = game["invitation"].rstrip("/").rsplit("/", 1)[-1]
    problem(as_bob.post(f"/games/{game['id']}/seats/", {"token": token[:-1] + "#"}), 404, "not-found")
    assert as_bob.post(f"/games/{game['id']}/seats/", {"token": token}).json()["status"] == "running"


# --- moving -----------------------------------------------------------------------------------------------------------


def test_a_move_answers_with_the_table_after_it(as_bob: Program, alice: User, bob: User) -> None:
    game = climb_of_three(alice, bob)
    made = as_bob.move(game, {"type": "play", "card": "5H"}, table(game).step)
    assert made.status_code == 200
    assert made.json() == as_bob.get(f"/games/{game}/").json()
    assert made["ETag"] == as_bob.get(f"/games/{game}/")["ETag"]


def test_a_move_may_be_typed_and_its_step_stand_in_the_body(as_alice: Program, alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    state = table(game)
    move = state.rules.legal_moves(state.state)[0]
    typed = state.rules.notation(state.state, move)
    made = as_alice.post(f"/games/{game}/moves/", {"notation": typed.lower(), "step": state.step})
    assert made.status_code == 200, made.content
    assert as_alice.get(f"/games/{game}/steps/?after={state.step}").json()["results"][0]["move"] == move


def test_a_lost_answer_comes_again_with_the_same_key_even_when_play_went_on(
    as_bob: Program, alice: User, bob: User
) -> None:
    game = climb_of_three(alice, bob)
    step, move = table(game).step, {"type": "play", "card": "5H"}
    first = as_bob.move(game, move, step, key="this-one")
    play_on(game, alice, bob, moves=2)
    before = len(events(game))
    again = as_bob.move(game, move, step, key="this-one")
    assert (again.status_code, again.json()) == (200, first.json())
    assert len(events(game)) == before


def test_a_move_that_comes_too_late_is_shown_the_table_as_it_is(as_bob: Program, alice: User, bob: User) -> None:
    game = climb_of_three(alice, bob)
    found = problem(as_bob.move(game, {"type": "play", "card": "5H"}, table(game).step - 1), 412, "stale")
    assert found["code"] == "stale_step"
    assert found["game"] == as_bob.get(f"/games/{game}/").json()


def test_a_move_has_to_say_for_which_step_it_is(as_bob: Program, alice: User, bob: User) -> None:
    game = climb_of_three(alice, bob)
    move = {"move": {"type": "play", "card": "5H"}}
    problem(as_bob.post(f"/games/{game}/moves/", move), 428, "step-required")
    for not_one in ('"five"', '"5", "6"', "*", 'W/"5"', '"5', '"5.1.en.0"'):
        refused = problem(as_bob.post(f"/games/{game}/moves/", move, If_Match=not_one), 400, "invalid")
        assert [(error["field"], error["code"]) for error in refused["errors"]] == [("If-Match", "not_one_step")]
    problem(as_bob.post(f"/games/{game}/moves/", {**move, "step": 4}, If_Match='"5"'), 400, "invalid")


def test_an_illegal_move_names_the_rule_and_changes_nothing(as_bob: Program, alice: User, bob: User) -> None:
    game = climb_of_three(alice, bob)
    step, before = table(game).step, len(events(game))
    moves: list[Any] = [{"type": "play", "card": "AH"}, {"type": "play"}, {}, "gibberish", {"type": [], "card": None}]
    for move in moves:
        found = problem(as_bob.move(game, move, step), 422, "illegal-move")
        assert re.fullmatch("[a-z_]+", found["code"])
    assert len(events(game)) == before


def test_a_move_out_of_turn_is_told_whose_turn_it_is(as_alice: Program, alice: User, bob: User) -> None:
    game = climb_of_three(alice, bob)
    found = problem(as_alice.move(game, {"type": "pass"}, table(game).step), 409, "conflict")
    assert found["code"] == "not_your_turn"
    assert found["game"]["awaits"] == 1


def test_every_post_needs_a_key_of_printable_characters(as_bob: Program, alice: User, bob: User) -> None:
    game = climb_of_three(alice, bob)
    for key in (" ", "x" * 65, "é"):
        problem(as_bob.move(game, {"type": "pass"}, table(game).step, key=key), 400, "idempotency-key")
    bare = Client().post(f"/api/v1/games/{game}/moves/", b"{}", content_type="application/json", headers=as_bob.headers)
    problem(bare, 400, "idempotency-key")


# --- what else is done ------------------------------------------------------------------------------------------------


def test_resigning_ends_the_game_and_opens_it(as_alice: Program, as_bob: Program, alice: User, bob: User) -> None:
    game = begun("conquian", alice, bob)
    ended = as_bob.post(f"/games/{game}/actions/", {"action": "resign"}).json()
    assert ended["status"] == "ended"
    assert ended["result"] == {"scores": None, "winner": 0, "ended": {"by": "resignation", "seat": 1}}
    assert ended["proof"]["secret"]
    late = problem(as_alice.move(game, {"type": "pass"}, ended["step"]), 409, "conflict")
    assert late["code"] == "game_over"


def test_two_agree_on_a_draw(as_alice: Program, as_bob: Program, alice: User, bob: User) -> None:
    game = begun("conquian", alice, bob)
    offered = as_alice.post(f"/games/{game}/actions/", {"action": "offer_draw"}).json()
    assert offered["offers"]["draw"] == 0
    assert as_bob.get(f"/games/{game}/").json()["may"]["answer_draw"] is True
    done = as_bob.post(f"/games/{game}/actions/", {"action": "accept_draw"}).json()
    assert done["result"]["ended"]["by"] == "agreement"


def test_a_patience_is_taken_back_played_again_and_hinted(as_alice: Program) -> None:
    game = as_alice.post("/games/", {"rules": "forty_thieves", "number": 7}).json()
    moved = as_alice.move(game["id"], "draw", game["step"]).json()
    undone = as_alice.post(f"/games/{game['id']}/actions/", {"action": "undo"}, If_Match=f'"{moved["step"]}"').json()
    assert (undone["undos"], undone["view"]) == (1, game["view"])
    redone = as_alice.post(f"/games/{game['id']}/actions/", {"action": "redo"}).json()
    assert redone["view"] == moved["view"]
    hinted = as_alice.post(f"/games/{game['id']}/actions/", {"action": "hint"}).json()
    assert hinted["hints"] == 1
    assert hinted["hint"] in hinted["legal"]


def test_what_the_table_does_not_allow_is_a_conflict_with_its_code(as_alice: Program, alice: User, bob: User) -> None:
    game = begun("conquian", alice, bob)
    for action, code in (("undo", "not_alone"), ("accept_draw", "nothing_asked"), ("ask_pause", "no_clock")):
        found = problem(as_alice.post(f"/games/{game}/actions/", {"action": action}), 409, "conflict")
        assert found["code"] == code


def test_actions_are_named_exactly(as_alice: Program, alice: User, bob: User) -> None:
    game = begun("conquian", alice, bob)
    problem(as_alice.post(f"/games/{game}/actions/", {"action": "cheat"}), 400, "invalid")
    problem(as_alice.post(f"/games/{game}/actions/", {"action": "give_time"}), 400, "invalid")


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_table_that_has_not_changed_is_not_sent_again(as_alice: Program, alice: User, bob: User) -> None:
    game = begun("conquian", alice, bob, clock={"kind": "move", "per_move": 86_400_000_000})
    first = as_alice.get(f"/games/{game}/")
    tag = first["ETag"]
    for given in (tag, f"W/{tag}", f'"other", {tag}'):
        assert as_alice.get(f"/games/{game}/", If_None_Match=given).status_code == 304
    assert as_alice.get(f"/games/{game}/").json() == first.json()
    assert as_alice.get(f"/games/{game}/", If_None_Match=tag, Accept_Language="ko").status_code == 200
    play_on(game, alice, bob, moves=1)
    changed = as_alice.get(f"/games/{game}/", If_None_Match=tag)
    assert (changed.status_code, changed["ETag"] != tag) == (200, True)


def test_reading_what_has_not_changed_costs_three_small_queries(
    as_alice: Program, alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    game = begun("ariadne", alice, bob)
    tag = as_alice.get(f"/games/{game}/")["ETag"]
    with django_assert_max_num_queries(3):
        as_alice.get(f"/games/{game}/", If_None_Match=tag)


def test_lists_are_narrowed_and_never_show_a_private_game(
    as_alice: Program, as_charlie: Program, as_nobody: Program, alice: User, bob: User
) -> None:
    private = begun("conquian", alice, bob, admits="invited")
    public = begun("kathmandu", alice, bob)
    open_one = as_alice.post("/games/", {"rules": "ariadne"}).json()["id"]

    def listed(program: Program, query: str = "") -> set[str]:
        return {row["id"] for row in program.get(f"/games/{query}").json()["results"]}

    assert listed(as_alice) == {private, public, open_one}
    assert listed(as_charlie) == listed(as_nobody) == {public, open_one}
    assert listed(as_charlie, "?mine") == listed(as_nobody, "?mine") == set()
    assert listed(as_alice, "?status=open") == {open_one}
    assert listed(as_alice, "?rules=conquian") == {private}
    waiting = {game for game in (private, public) if table(game).awaited_seat == 0}
    assert listed(as_alice, "?awaiting=me") == waiting
    problem(as_alice.get("/games/?status=lost"), 400, "invalid")


def test_long_lists_come_in_pages_that_shift_by_nothing(as_alice: Program) -> None:
    first = [as_alice.post("/games/", {"rules": "ariadne"}).json()["id"] for _ in range(5)]
    page = as_alice.get("/games/?limit=2").json()
    as_alice.post("/games/", {"rules": "ariadne"})
    seen = [row["id"] for row in page["results"]]
    while page["next"]:
        page = as_alice.get(page["next"].split("/api/v1", 1)[1]).json()
        seen += [row["id"] for row in page["results"]]
    assert seen == first[::-1]
    problem(as_alice.get("/games/?cursor=nonsense"), 400, "invalid")


@pytest.mark.parametrize("inside", ["p=abc", "p=", "p=1.5", "p=nan", "p=%00", "p=-1", "p=" + "9" * 5000])
def test_a_cursor_that_was_made_up_leads_nowhere(as_alice: Program, inside: str) -> None:
    cursor = urlencode({"cursor": base64.b64encode(inside.encode()).decode()})
    for page in ("/games/", "/me/inbox/"):
        told = problem(as_alice.get(f"{page}?{cursor}"), 400, "invalid")
        assert [error["field"] for error in told["errors"]] == ["cursor"]


@pytest.mark.parametrize("action", ["resign", "offer_draw", "accept_draw", "abort", "ask_undo"])
def test_no_action_that_names_a_step_is_done_at_another(as_alice: Program, alice: User, bob: User, action: str) -> None:
    game = begun("ariadne", alice, bob)
    agreeing.offer_draw(bob, game)
    before = Event.objects.count()
    for said in ({"step": 7}, {}):
        headers = {} if said else {"If_Match": '"7"'}
        answer = as_alice.post(f"/games/{game}/actions/", {"action": action, **said}, **headers)
        assert problem(answer, 412, "stale")["game"]["step"] == 1
    assert Event.objects.count() == before


def test_a_table_that_names_another_step_is_not_taken_away(as_alice: Program) -> None:
    game = as_alice.post("/games/", {"rules": "conquian"}).json()["id"]
    problem(as_alice.post(f"/games/{game}/actions/", {"action": "withdraw", "step": 7}), 412, "stale")
    assert table(game).status == "open"


def test_a_table_is_taken_away_once_by_the_same_key_and_told_of_alike(as_alice: Program) -> None:
    game = as_alice.post("/games/", {"rules": "conquian"}).json()["id"]
    first, again = (as_alice.post(f"/games/{game}/actions/", {"action": "withdraw"}, key="close") for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert first.json()["status"] == "ended"


def test_a_key_that_opened_a_table_takes_it_not_away(as_alice: Program) -> None:
    game = as_alice.post("/games/", {"rules": "conquian"}, key="one").json()["id"]
    answer = as_alice.post(f"/games/{game}/actions/", {"action": "withdraw"}, key="one")
    assert answer.status_code == 200
    assert answer.json()["status"] == "open"


def test_steps_tell_what_was_done_in_the_readers_language_and_hide_deals(
    as_alice: Program, alice: User, bob: User
) -> None:
    game = begun("conquian", alice, bob)
    play_on(game, alice, bob, moves=3)
    told = as_alice.get(f"/games/{game}/steps/").json()
    assert told["next"] is None
    deal, *moves = told["results"]
    assert (deal["n"], deal["seat"], deal["move"]) == (1, None, None)
    assert set(deal) == {"n", "seat", "move", "automatic", "turned", "at", "text"}
    assert [step["n"] for step in moves] == sorted(step["n"] for step in moves)
    assert all(step["text"] and step["move"]["type"] for step in moves)
    past = as_alice.get(f"/games/{game}/steps/?after={moves[0]['n']}").json()["results"]
    assert past == moves[1:]
    korean = as_alice.get(f"/games/{game}/steps/", Accept_Language="ko").json()["results"]
    assert korean[1]["text"] != moves[0]["text"]


def test_a_moment_is_shown_as_it_stood(as_alice: Program, alice: User, bob: User) -> None:
    game = climb_of_three(alice, bob)
    then = as_alice.get(f"/games/{game}/").json()
    play_on(game, alice, bob, moves=2)
    seen = as_alice.get(f"/games/{game}/steps/{then['step']}/").json()
    assert (seen["step"], seen["view"], seen["legal"]) == (then["step"], then["view"], [])
    problem(as_alice.get(f"/games/{game}/steps/999/"), 404, "not-found")
    problem(as_alice.get(f"/games/{game}/steps/1/?eyes=open"), 404, "not-found")


def test_the_record_is_there_once_the_game_is_over(
    as_alice: Program, as_charlie: Program, alice: User, bob: User
) -> None:
    game = begun("conquian", alice, bob)
    assert problem(as_alice.get(f"/games/{game}/record/"), 409, "conflict")["code"] == "not_over"
    play_on(game, alice, bob, moves=500)
    record = as_charlie.get(f"/games/{game}/record/").json()
    assert record["shuffle"]["secret"]
    assert record["rules"] == "conquian"


def test_rules_say_what_may_be_asked_for_and_how_moves_are_typed(as_nobody: Program) -> None:
    rules = {one["slug"]: one for one in as_nobody.get("/rules/").json()}
    assert set(rules) == {"ariadne", "conquian", "forty_thieves", "kathmandu"}
    assert rules["conquian"]["options"] == {"target": {"values": [1, 3, 5], "default": 1}}
    assert "7S h7" in as_nobody.get("/rules/ariadne/").json()["notation"]
    problem(as_nobody.get("/rules/whist/"), 404, "not-found")


# --- the frame --------------------------------------------------------------------------------------------------------


def test_who_asks_without_or_with_a_bad_token_is_challenged(as_nobody: Program) -> None:
    refused = as_nobody.post("/games/", {"rules": "ariadne"})
    problem(refused, 401, "not-authenticated")
    assert refused["WWW-Authenticate"].startswith("Bearer")
    as_nobody.headers["Authorization"] = "Bearer clew_nonsense"
    problem(as_nobody.get("/games/"), 401, "not-authenticated")


def test_a_token_may_do_no_more_than_its_scopes(alice: User) -> None:
    reader = program(alice, "read")
    assert reader.get("/games/").status_code == 200
    problem(reader.post("/games/", {"rules": "ariadne"}), 403, "forbidden")
    problem(program(alice, "play").get("/games/"), 403, "forbidden")


def test_a_session_needs_its_csrf_token_to_write(alice: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert browser.get("/api/v1/games/?mine").status_code == 200
    refused = browser.post("/api/v1/games/", "{}", content_type="application/json", headers={"Idempotency-Key": "k"})
    problem(refused, 403, "forbidden")


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "[]",
        '"text"',
        "null",
        '{"rules": NaN}',
        "[" * 30_000,
        '{"rules": "\\ud800"}',
        '{"rules": "a\\u0000"}',
        b"\xff",
    ],
)
def test_a_body_that_is_no_json_object_is_refused(as_alice: Program, body: str | bytes) -> None:
    assert as_alice.post("/games/", body).status_code == 400
    assert not Event.objects.exists()


def test_large_bodies_and_other_types_are_refused(as_alice: Program) -> None:
    problem(as_alice.post("/games/", '{"rules": "' + "x" * 70_000 + '"}'), 413, "too-large")
    form = as_alice.client.post(
        "/api/v1/games/", {"rules": "ariadne"}, headers={**as_alice.headers, "Idempotency-Key": "k"}
    )
    problem(form, 415, "unsupported-media-type")


def test_addresses_and_methods_that_are_none_are_problems_too(as_alice: Program) -> None:
    problem(as_alice.get("/nothing/"), 404, "not-found")
    problem(as_alice.get("/games/not-an-id/"), 404, "not-found")
    refused = as_alice.client.delete("/api/v1/games/", headers=as_alice.headers)
    problem(refused, 405, "method-not-allowed")
    assert "POST" in refused["Allow"]


def test_who_asks_too_often_is_told_when_to_come_again(as_alice: Program, as_bob: Program, settings: Any) -> None:
    settings.CLEW_API_LIMITS = {"reads": 2, "writes": 1, "anonymous": 1}
    assert [as_alice.get("/rules/").status_code for _ in range(2)] == [200, 200]
    refused = as_alice.get("/rules/")
    problem(refused, 429, "too-many-requests")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert as_bob.get("/rules/").status_code == 200


def test_answers_are_kept_by_nobody_else(as_alice: Program, alice: User, bob: User) -> None:
    answer = as_alice.get(f"/games/{begun('conquian', alice, bob)}/")
    assert answer["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie", "Accept-Language"} <= set(re.split(r",\s*", answer["Vary"]))


def test_a_token_is_answered_in_its_owners_language(bob: User) -> None:
    bob.language = "ko"
    bob.save()
    assert program(bob).get("/rules/conquian/").json()["name"] != "Conquian"
    assert program(bob).get("/rules/conquian/", Accept_Language="en").json()["name"] == "Conquian"


def test_the_problems_are_explained_where_their_type_leads(as_nobody: Program) -> None:
    found = problem(as_nobody.get("/nothing/"), 404, "not-found")
    path, _hash, kind = found["type"].partition("#")
    page = Client().get("/" + path.split("/", 3)[3]).content.decode()
    assert f'id="{kind}"' in page


def test_clear_moves_of_random_play_are_taken_as_they_are_listed(
    as_alice: Program, as_bob: Program, alice: User, bob: User
) -> None:
    game = begun("kathmandu", alice, bob, options={"rounds": 1})
    programs = {0: as_alice, 1: as_bob}
    for turn in range(12):
        awaited = table(game).awaited_seat
        if awaited is None:
            break
        seen = programs[awaited].get(f"/games/{game}/").json()
        move = seen["legal"][turn % len(seen["legal"])]
        assert programs[awaited].move(game, move, seen["step"]).status_code == 200
