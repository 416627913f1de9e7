"""The person's endpoints: who they are, how they are told, what they were told."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import bots, tokens
from accounts.models import User
from games import services
from games.services import Terms
from games.store.models import Work
from notifications.models import InboxItem, Preferences
from notifications.wishes import wishes_of
from tests.api.programs import Program, in_session, problem, program
from tests.games.clocks import THREE_DAYS
from tests.games.people import begun

pytestmark = pytest.mark.django_db


def queries(ask: Any) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert ask().status_code == 200
    return len(captured)


# --- who asks ---------------------------------------------------------------------------------------------------------


def test_me_says_who_asks_and_what_the_token_allows(alice: User, bob: User) -> None:
    begun("ariadne", alice, bob)
    begun("ariadne", bob, alice)
    me = program(alice, "read").get("/me/").json()
    assert me == {
        "name": "alice",
        "bot": False,
        "owner": None,
        "language": "en",
        "time_zone": alice.time_zone,
        "mail_confirmed": False,
        "waiting": 1,
        "unread": InboxItem.objects.filter(user=alice, read_at__isnull=True).count(),
        "scopes": ["read"],
    }
    assert me["unread"] > 0


def test_a_session_may_do_everything(alice: User) -> None:
    assert in_session(alice).get("/me/").json()["scopes"] == ["read", "play", "bot"]


def test_a_bot_knows_whose_it_is(alice: User) -> None:
    me = program(bots.make(alice, "rufus")).get("/me/").json()
    assert (me["name"], me["bot"], me["owner"]) == ("rufus", True, "alice")


def test_language_and_zone_are_changed_and_games_learn_of_the_zone(alice: User, bob: User) -> None:
    game = services.open_game(alice, Terms("ariadne", clock=THREE_DAYS)).table.id
    services.sit_down(bob, game)
    as_alice = program(alice)
    answer = as_alice.ask("PATCH", "/me/", {"language": "ko", "time_zone": "Asia/Seoul"})
    assert answer.status_code == 200
    assert (answer.json()["language"], answer.json()["time_zone"]) == ("ko", "Asia/Seoul")
    alice.refresh_from_db()
    assert (alice.language, alice.time_zone) == ("ko", "Asia/Seoul")
    assert Work.objects.filter(user=alice, kind=Work.Kind.ZONE).exists()
    assert as_alice.ask("PATCH", "/me/", {}).json()["language"] == "ko"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"time_zone": "Atlantis/Deep"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"time_zone": "localtime"}, "time_zone"),
        ({"language": "de"}, "language"),
        ({"name": "somebody"}, "name"),
        ({"is_staff": True}, "is_staff"),
    ],
)
def test_nothing_else_is_changed(as_alice: Program, alice: User, body: dict[str, Any], field: str) -> None:
    told = problem(as_alice.ask("PATCH", "/me/", body), 400, "invalid")
    assert [error["field"] for error in told["errors"]] == [field]
    before = (alice.language, alice.time_zone, alice.name)
    alice.refresh_from_db()
    assert (alice.language, alice.time_zone, alice.name, alice.is_staff) == (*before, False)


# --- roles and scopes -------------------------------------------------------------------------------------------------

READS = ["/me/", "/me/inbox/", "/me/preferences/", "/bot/"]
WRITES = [
    ("PATCH", "/me/", {"language": "ko"}),
    ("POST", "/me/inbox/read/", {}),
    ("PATCH", "/me/preferences/", {"delivery": "daily"}),
]
BOTS = [("POST", "/bot/", {"name": "fido"}), ("POST", "/bot/rufus/tokens/", {}), ("DELETE", "/bot/rufus/", None)]


@pytest.mark.parametrize("path", [*READS, "/bot/rufus/"])
def test_reading_needs_the_scope_to_read(alice: User, as_nobody: Program, path: str) -> None:
    bots.make(alice, "rufus")
    assert program(alice, "read").get(path).status_code == 200
    problem(program(alice, "play", "bot").get(path), 403, "forbidden")
    answer = as_nobody.get(path)
    problem(answer, 401, "not-authenticated")
    assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_changing_needs_the_scope_to_play(
    alice: User, as_nobody: Program, method: str, path: str, body: dict[str, Any]
) -> None:
    problem(program(alice, "read", "bot").ask(method, path, body), 403, "forbidden")
    problem(as_nobody.ask(method, path, body), 401, "not-authenticated")
    assert program(alice, "play").ask(method, path, body).status_code == 200


@pytest.mark.parametrize(("method", "path", "body"), BOTS)
def test_managing_bots_needs_its_scope(alice: User, as_nobody: Program, method: str, path: str, body: Any) -> None:
    bots.make(alice, "rufus")
    problem(program(alice, "read", "play").ask(method, path, body), 403, "forbidden")
    problem(as_nobody.ask(method, path, body), 401, "not-authenticated")
    assert program(alice, "bot").ask(method, path, body).status_code in (201, 204)


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_a_session_needs_the_csrf_token(alice: User, method: str, path: str, body: dict[str, Any]) -> None:
    assert in_session(alice, csrf=False).ask(method, path, body).status_code == 403
    assert in_session(alice).ask(method, path, body).status_code == 200


def test_a_revoked_token_is_refused_at_once(alice: User) -> None:
    token, secret = tokens.make(alice, "laptop", ["read"])
    asks = program(alice)
    asks.headers = {"Authorization": f"Bearer {secret}"}
    assert asks.get("/me/").status_code == 200
    tokens.revoke(alice, token.pk)
    answer = asks.get("/me/")
    assert problem(answer, 401, "not-authenticated")["detail"] == "This token is not valid."
    assert answer["WWW-Authenticate"] == 'Bearer realm="Clew"'


def test_a_bad_token_is_refused_even_where_anybody_may_read(alice: User) -> None:
    asks = program(alice)
    asks.headers = {"Authorization": "Bearer clew_nothing"}
    problem(asks.get("/rules/"), 401, "not-authenticated")


# --- the inbox --------------------------------------------------------------------------------------------------------


def test_the_inbox_is_told_newest_first_and_in_pages(alice: User, bob: User) -> None:
    games = [begun("ariadne", alice, bob) for _ in range(3)]
    as_alice = program(alice)
    first = as_alice.get("/me/inbox/?limit=2").json()
    assert [item["game"] for item in first["results"]] == [games[2], games[1]]
    rest = as_alice.get(first["next"].partition("/api/v1")[2]).json()
    assert [item["game"] for item in rest["results"]] == [games[0]]
    assert rest["next"] is None
    item = first["results"][0]
    assert (item["kind"], item["read"]) == ("turn", False)
    assert "bob" in item["title"]
    assert item["link"].endswith(f"/games/{games[2]}/")


def test_the_inbox_speaks_the_readers_language_or_the_one_asked_for(alice: User, bob: User) -> None:
    begun("ariadne", alice, bots.make(bob, "rufus"))
    User.objects.filter(pk=alice.pk).update(language="ko")
    as_alice = program(alice)
    assert "rufus(봇)" in as_alice.get("/me/inbox/").json()["results"][0]["title"]
    english = as_alice.get("/me/inbox/", Accept_Language="en").json()["results"][0]
    assert "rufus (bot)" in english["title"]


def test_reading_the_inbox_marks_nothing_and_marking_does_not_touch_what_came_later(alice: User, bob: User) -> None:
    begun("ariadne", alice, bob)
    as_alice = program(alice)
    (item,) = as_alice.get("/me/inbox/?unread=true").json()["results"]
    begun("kathmandu", alice, bob)
    came = as_alice.get("/me/inbox/?unread=true").json()["results"]
    left = as_alice.post("/me/inbox/read/", {"upto": item["id"]}).json()
    assert left == {"unread": len(came) - 1}
    assert item["id"] not in [one["id"] for one in as_alice.get("/me/inbox/?unread=true").json()["results"]]
    assert as_alice.post("/me/inbox/read/").json() == {"unread": 0}
    assert as_alice.get("/me/inbox/?unread=true").json()["results"] == []
    assert all(one["read"] for one in as_alice.get("/me/inbox/").json()["results"])


def test_nobody_reads_or_marks_the_inbox_of_another(alice: User, bob: User, as_charlie: Program) -> None:
    begun("ariadne", alice, bob)
    assert as_charlie.get("/me/inbox/").json()["results"] == []
    as_charlie.post("/me/inbox/read/")
    assert InboxItem.objects.filter(user=alice, read_at__isnull=True).exists()


def test_a_long_inbox_costs_as_many_queries_as_a_short_one(alice: User, bob: User) -> None:
    begun("ariadne", alice, bob)
    as_alice = program(alice)
    as_alice.get("/me/inbox/")  # writes down that the token was used
    few = queries(lambda: as_alice.get("/me/inbox/"))
    for _ in range(4):
        begun("ariadne", alice, bob)
    assert queries(lambda: as_alice.get("/me/inbox/")) == few


# --- preferences ------------------------------------------------------------------------------------------------------


def test_preferences_are_the_usual_ones_until_something_is_changed(as_alice: Program) -> None:
    told = as_alice.get("/me/preferences/").json()
    assert told["topics"]["turn"] == {"mail": True, "push": True, "webhook": True}
    assert told["topics"]["vacation"]["mail"] is False
    assert (told["delivery"], told["quiet"], told["reminders"]) == ("immediate", None, [10])


def test_a_change_leaves_the_rest_as_it_is(as_alice: Program, alice: User) -> None:
    before = as_alice.get("/me/preferences/").json()
    change = {"topics": {"turn": {"mail": False}}, "quiet": {"begin": "22:00", "end": "07:30"}, "reminders": [50, 50]}
    after = as_alice.ask("PATCH", "/me/preferences/", change).json()
    before["topics"]["turn"]["mail"] = False
    assert after == {**before, "quiet": {"begin": "22:00", "end": "07:30"}, "reminders": [50]}
    assert as_alice.get("/me/preferences/").json() == after
    wishes = wishes_of([User.objects.select_related("preferences").get(pk=alice.pk)])[alice.pk]
    assert not wishes.wants("turn", "mail")
    assert (wishes.quiet, wishes.percents) == ((22 * 60, 7 * 60 + 30), (50,))
    assert as_alice.ask("PATCH", "/me/preferences/", {"quiet": None}).json()["quiet"] is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"topics": {"weather": {"mail": True}}}, "topics.weather"),
        ({"topics": {"turn": {"pigeon": True}}}, "topics.turn.pigeon"),
        ({"topics": {"turn": {"mail": "yes"}}}, "topics.turn.mail"),
        ({"delivery": "never"}, "delivery"),
        ({"every_hours": 5}, "every_hours"),
        ({"daily_hour": 24}, "daily_hour"),
        ({"quiet": {"begin": "25:00", "end": "07:00"}}, "quiet.begin"),
        ({"quiet": {"begin": "22:00"}}, "quiet.end"),
        ({"reminders": [33]}, "reminders.0"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_changed(as_alice: Program, body: dict[str, Any], field: str) -> None:
    before = as_alice.get("/me/preferences/").json()
    told = problem(as_alice.ask("PATCH", "/me/preferences/", body), 400, "invalid")
    assert [error["field"] for error in told["errors"]] == [field]
    assert as_alice.get("/me/preferences/").json() == before


def test_one_persons_preferences_are_nobody_elses(as_alice: Program, bob: User) -> None:
    as_alice.ask("PATCH", "/me/preferences/", {"delivery": "daily"})
    assert not Preferences.objects.filter(user=bob, delivery="daily").exists()
    assert program(bob).get("/me/preferences/").json()["delivery"] == "immediate"
