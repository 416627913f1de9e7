"""All that is kept of a person, for themselves: whole, in parts that stay small, and nothing that others hide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import bots, export, tokens, vacation
from accounts.download import Sent, begin, document
from accounts.models import User
from config import clock
from games import services, talking, viewing
from games.services import Terms
from notifications.models import Device, GamePreference, InboxItem, Webhook
from tests.accounts.conftest import logged_in
from tests.api.programs import problem, program
from tests.games.people import begun, play_on

#: What each model keeps of its user, where the export tells it; see the test that walks them.
TOLD = {
    "accounts.User": "bots",
    "accounts.Vacation": "vacations",
    "accounts.Token": "tokens",
    "games.Seat": "games",
    "games.Remark": "games: said",
    "games.Invitation": "invitations",
    "notifications.Message": "deliveries",
    "notifications.InboxItem": "inbox",
    "notifications.Preferences": "preferences",
    "notifications.GamePreference": "games: muted, gathered",
    "notifications.Device": "devices",
    "notifications.Webhook": "webhooks",
    "notifications.Bounce": "bounces",
    "notifications.Presence": "games: last_seen",
    "notifications.LastVisit": "last_visit",
    "account.EmailAddress": "addresses",
    "mfa.Authenticator": "second_steps",
    "usersessions.UserSession": "sessions",
    "admin.LogEntry": "administered",
}
LEFT_OUT = {
    "games.Work": "copies of vacations and of the zone that games have yet to learn, gone once they have",
    "accounts.User_groups": "what those who run the site may do there; nobody else has any",
    "accounts.User_user_permissions": "as the groups",
}


@pytest.fixture(autouse=True)
def no_download_before() -> Iterator[None]:
    caches["limits"].clear()
    yield
    caches["limits"].clear()


def whole(user: User) -> dict[str, Any]:
    return dict(json.loads("".join(document(user))))


def downloaded(client: Client) -> Any:
    answer = client.get("/settings/data/")
    assert answer.status_code == 200
    return json.loads(answer.getvalue())


@contextmanager
def at_most(count: int) -> Iterator[None]:
    with CaptureQueriesContext(connection) as captured:
        yield
    assert len(captured) <= count, len(captured)


def test_every_table_that_names_a_person_is_told_or_left_out_for_a_reason() -> None:
    relations = [field for field in User._meta.get_fields(include_hidden=True) if field.auto_created]
    found = {field.related_model._meta.label for field in relations if field.is_relation and field.related_model}
    assert found == {*TOLD, *LEFT_OUT}


def test_it_tells_the_account(alice: User) -> None:
    vacation.plan(alice, clock.now_us() + vacation.DAY, clock.now_us() + 3 * vacation.DAY)
    tokens.make(alice, "laptop", ["read"])
    tokens.make(bots.make(alice, "rufus"), "server", ["play"])
    client = logged_in(alice)
    client.get("/home/")
    told = whole(alice)["account"]
    assert (told["name"], told["bot"], told["confirmed"]) == ("alice", False, True)
    assert told["addresses"] == [{"address": "alice@example.com", "confirmed": True, "primary": True}]
    assert len(told["sessions"]) == len(told["vacations"]) == 1
    assert told["last_visit"].endswith("Z")
    assert [token["label"] for token in told["tokens"]] == ["laptop"]
    assert [(bot["name"], bot["tokens"][0]["label"]) for bot in told["bots"]] == [("rufus", "server")]


def test_it_tells_no_secret(alice: User) -> None:
    _token, secret = tokens.make(alice, "laptop", ["read"])
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    now = clock.now()
    Webhook.objects.create(
        user=alice, dialect="json", url="https://example.com/hook/s3cr3t", secret="k3y", added_at=now
    )
    Device.objects.create(
        user=alice, endpoint="https://push.example.com/s3cr3t", p256dh="p256", auth="k3y", name="Firefox", added_at=now
    )
    client = logged_in(alice)
    client.post("/accounts/password/reset/", {"email": "alice@example.com"})
    text = "".join(document(alice))
    told = json.loads(text)
    assert told["account"]["webhooks"][0]["host"] == "example.com"
    assert told["account"]["devices"][0] == {**told["account"]["devices"][0], "host": "push.example.com"}
    assert told["account"]["second_steps"][0]["type"] == "totp"
    mail = told["deliveries"][-1]
    assert (mail["kind"], mail["address"]) == ("account", "alice@example.com")
    session = client.session.session_key
    assert session is not None
    secrets = [secret, alice.password, "s3cr3t", "k3y", "p256", "JBSWY3DPEHPK3PXP", session, "/reset/key/"]
    assert [one for one in secrets if one in text] == []


def test_it_tells_games_with_their_steps_and_what_was_said(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    play_on(game, alice, bob, moves=4)
    talking.say(alice, game, "Well played", command="1")
    talking.say(bob, game, "Thank you", command="1")
    GamePreference.objects.create(user=alice, game=game, muted=True)
    (told,) = whole(alice)["games"]
    assert told["id"] == game
    assert [step["n"] for step in told["steps"]] == [one.number for one in viewing.sight(alice, game).history]
    assert [one["text"] for one in told["said"]] == ["Well played"]
    assert (told["muted"], told["gathered"]) == (True, False)
    assert sorted(one["name"] for one in told["players"]) == ["alice", "bob"]


@pytest.mark.parametrize("slug", ["ariadne", "kathmandu", "conquian"])
def test_of_a_running_game_it_tells_what_the_person_sees_and_no_card_more(alice: User, bob: User, slug: str) -> None:
    game = begun(slug, alice, bob)
    play_on(game, alice, bob, moves=3)
    for user in (alice, bob):
        (told,) = whole(user)["games"]
        assert told["status"] == "running"
        assert told["view"] == json.loads(json.dumps(viewing.sight(user, game).table["view"]))
        assert "proof" not in told
        assert all(step["move"] is None or step["seat"] is not None for step in told["steps"])
    assert whole(alice)["games"][0]["view"] != whole(bob)["games"][0]["view"]


def test_it_tells_nothing_of_what_is_others(alice: User, bob: User) -> None:
    begun("ariadne", bob, User.objects.create_user("carol"), admits="invited")
    tokens.make(bob, "his laptop", ["read"])
    told = whole(alice)
    assert (told["games"], told["inbox"], told["deliveries"]) == ([], [], [])
    assert "bob" not in json.dumps(told)


def test_invitations_and_the_inbox_are_told_in_the_persons_language(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="ko")
    game = services.open_game(bob, Terms("ariadne", admits="invited"), invite=[alice]).table.id
    told = whole(User.objects.get(pk=alice.pk))
    assert told["account"]["invitations"] == [game]
    assert "bob님" in told["inbox"][0]["title"]


def test_a_program_reads_it_part_by_part_and_comes_to_the_end(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "ROWS", 2)
    monkeypatch.setattr(export, "GAMES", 2)
    games = [begun("ariadne", bob, alice) for _ in range(5)]
    asks, path, read = program(alice, "read"), "/me/export/", []
    for _ in range(100):
        answer = asks.get(path)
        assert answer["Cache-Control"] == "no-store"
        part = answer.json()
        following = part.pop("next")
        read.append(part)
        if following is None:
            break
        path = following.partition("/api/v1")[2]
    assert list(read[0]) == ["account"]
    assert [game["id"] for part in read for game in part.get("games", [])] == games
    assert all(len(rows) <= 2 for part in read for rows in part.values() if isinstance(rows, list))
    told = [item["id"] for part in read for item in part.get("inbox", [])]
    assert told == list(InboxItem.objects.filter(user=alice).order_by("pk").values_list("pk", flat=True))


@pytest.mark.parametrize("after", ["games", "games.x", "games.-1", "secrets.0", "0", "games.1.2", "games." + "9" * 40])
def test_a_mark_that_is_none_is_refused(alice: User, after: str) -> None:
    problem(program(alice, "read").get(f"/me/export/?after={after}"), 400, "invalid")


def test_a_token_that_may_not_read_exports_nothing(alice: User) -> None:
    problem(program(alice, "play", "bot").get("/me/export/"), 403, "forbidden")


def test_a_part_costs_a_bounded_number_of_queries(alice: User, bob: User) -> None:
    for _ in range(6):
        begun("ariadne", alice, bob)
    with at_most(25):
        export.part(alice)
    with at_most(4):
        export.part(alice, "inbox.0")
    with at_most(1):
        export.part(alice, "deliveries.0")
    with at_most(4 + 6 * 5):
        export.part(alice, "games.0")


def test_the_settings_lead_to_the_download_which_is_one_file(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    client = logged_in(alice)
    assert 'href="/settings/data/"' in client.get("/settings/").content.decode()
    answer = client.get("/settings/data/")
    assert answer["Content-Disposition"] == 'attachment; filename="clew.json"'
    assert "no-store" in answer["Cache-Control"]
    told = json.loads(answer.getvalue())
    assert list(told) == ["account", "inbox", "deliveries", "games"]
    assert [one["id"] for one in told["games"]] == [game]


def test_a_stranger_downloads_nothing(client: Client, db: None) -> None:
    assert client.get("/settings/data/")["Location"] == "/accounts/login/?next=/settings/data/"


def test_one_download_at_a_time_until_it_was_sent_or_given_up(alice: User) -> None:
    client = logged_in(alice)
    first = client.get("/settings/data/")
    again = client.get("/settings/data/")
    assert (again.status_code, again["Location"]) == (302, "/settings/")
    assert "being sent already" in client.get("/settings/").content.decode()
    assert first.getvalue()
    assert downloaded(client)["account"]["name"] == "alice"


def test_a_reader_who_goes_away_before_the_first_word_can_come_again(alice: User) -> None:
    assert begin(alice)
    assert not begin(alice)
    Sent(alice).close()
    assert begin(alice)
