"""The table talk on pages: who sees it, without a script and with one, and that it is nothing but text."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import hearing, services, talking
from games.services import Terms
from games.store.models import Remark, Seat
from tests.pages.tables import ariadne, hidden, logged_in, text

FETCH = {"X-Requested-With": "fetch"}


def at_table(client: Client, game: str) -> str:
    return text(client.get(reverse("table", args=[game])))


def say(client: Client, game: str, what: str, **more: Any) -> Any:
    return client.post(reverse("talk", args=[game]), {"text": what, "command": "c"}, **more)


def remarks(page: str) -> list[str]:
    return re.findall(r'<p class="said" dir="auto">([^<]*)</p>', page)


# --- who --------------------------------------------------------------------------------------------------------------


def test_players_find_the_talk_at_their_table_and_nobody_else_does(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob, moves=2)
    talking.say(alice, game, "Between us")
    for user in (alice, bob):
        assert remarks(at_table(logged_in(user), game)) == ["Between us"]
    for client in (logged_in(charlie), Client()):
        shown = at_table(client, game)
        assert "Between us" not in shown
        assert "data-talk" not in shown
        assert reverse("talk", args=[game]) not in shown


@pytest.mark.parametrize("admits", ["anyone", "invited"])
def test_for_others_the_talk_is_not_found_as_if_there_were_no_such_table(
    alice: User, bob: User, charlie: User, admits: str
) -> None:
    game, missing = ariadne(alice, bob, admits=admits), str(uuid.uuid4())
    client = logged_in(charlie)
    for at in (game, missing):
        assert client.get(reverse("talk", args=[at])).status_code == 404
        assert client.get(reverse("talk", args=[at]), headers=FETCH).status_code == 404
        assert say(client, at, "Hello").status_code == 404
        for name in ("talk-heard", "talk-quiet"):
            assert client.post(reverse(name, args=[at])).status_code == 404
    for name in ("talk", "talk-heard", "talk-quiet"):
        there, away = (Client().post(reverse(name, args=[at]), {"text": "Hello"}) for at in (game, missing))
        assert (there.status_code, away.status_code) == (302, 302)
        assert there["Location"].replace(game, "") == away["Location"].replace(missing, "")
    assert Remark.objects.count() == 0


def test_who_is_invited_and_has_not_sat_down_finds_no_talk(alice: User, bob: User, charlie: User) -> None:
    game = services.open_game(alice, Terms("ariadne", admits="invited"), invite=[bob, charlie]).table.id
    services.sit_down(bob, game)
    assert logged_in(charlie).get(reverse("talk", args=[game])).status_code == 404


def test_a_patience_and_an_open_table_have_no_talk(alice: User) -> None:
    client = logged_in(alice)
    patience = services.open_game(alice, Terms("forty_thieves", {"variant": "forty-thieves"})).table.id
    waiting = services.open_game(alice, Terms("ariadne")).table.id
    for game in (patience, waiting):
        assert "data-talk" not in at_table(client, game)
    assert client.get(reverse("talk", args=[patience])).status_code == 404
    assert "talk-form" not in text(client.get(reverse("talk", args=[waiting])))


def test_the_talk_stays_after_the_end(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=2)
    services.resign(alice, game)
    assert say(logged_in(bob), game, "Thank you!").status_code == 303
    assert remarks(at_table(logged_in(alice), game)) == ["Thank you!"]


# --- without a script -------------------------------------------------------------------------------------------------


def test_without_a_script_a_form_says_it_and_leads_back_to_the_table(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    client = logged_in(alice)
    answer = say(client, game, "Hello")
    assert answer.status_code == 303
    assert answer["Location"] == reverse("table", args=[game]) + "#talk"
    assert say(client, game, "Hello").status_code == 303
    assert remarks(at_table(client, game)) == ["Hello"], "sent twice, said once"
    say(client, game, "By the same form, gone back to")
    assert len(remarks(at_table(client, game))) == 2


def test_what_is_refused_is_still_in_its_field_with_the_reason(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    answer = say(logged_in(alice), game, "so </textarea> long " * 100)
    assert answer.status_code == 422
    shown = text(answer)
    assert "so &lt;/textarea&gt; long" in shown
    assert "A message has at most 1000 characters." in shown
    assert reverse("table", args=[game]) in shown
    assert "There is nothing to be read in this." in text(say(logged_in(alice), game, "\u202e"))


def test_a_long_talk_has_pages_of_its_own(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    for who in (alice, bob):
        for number in range(20):
            talking.say(who, game, f"{who.name} {number}.")
    client = logged_in(alice)
    shown = at_table(client, game)
    assert len(remarks(shown)) == hearing.MOST
    earlier = re.search(r'href="([^"]*\?before=\d+)"', shown)
    assert earlier
    first = text(client.get(earlier[1]))
    assert remarks(first) == [f"alice {number}." for number in range(10)]
    later = re.search(r'href="([^"]*\?after=\d+)"', first)
    assert later
    assert remarks(text(client.get(later[1])))[0] == "alice 10."


# --- text and nothing else --------------------------------------------------------------------------------------------


def test_what_is_written_is_text_and_no_link_of_it_can_be_clicked(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    talking.say(alice, game, '<script>alert(1)</script> <a href="x">x</a> https://evil.example/ \u202egnp.exe')
    for client in (logged_in(alice), logged_in(bob)):
        for shown in (at_table(client, game), text(client.get(reverse("talk", args=[game])))):
            assert "<script>alert" not in shown
            assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
            assert 'href="https://evil' not in shown
            assert 'href="x"' not in shown
            assert "\u202e" not in shown


def test_times_are_shown_in_the_readers_zone(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    remark = talking.say(bob, game, "When?")
    Remark.objects.filter(pk=remark.pk).update(at=1_800_000_000_000_000)  # 2027-01-15 08:00 UTC
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Seoul")
    shown = at_table(logged_in(User.objects.get(pk=alice.pk)), game)
    assert 'datetime="2027-01-15T08:00:00+00:00"' in shown
    assert re.search(r"15 Jan[^<]*17:00", shown[shown.index("data-remark") :])


def test_the_talk_is_in_korean_for_who_reads_korean(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    alice.language = "ko"
    alice.save()
    client = logged_in(alice, accept_language="ko")
    for shown in (at_table(client, game), text(client.get(reverse("talk", args=[game])))):
        assert "대화" in shown
        assert not re.search("Table talk|Say something|Send|Quiet the talk|Nobody has said", shown)
    assert "읽을 것이 없습니다" in text(say(client, game, " "))


# --- what a script asks -----------------------------------------------------------------------------------------------


def test_the_tables_answers_say_how_far_the_talk_is_to_who_sits_there(
    alice: User, bob: User, charlie: User, django_assert_num_queries: Any
) -> None:
    game = ariadne(alice, bob, moves=5)
    client, url = logged_in(alice), reverse("table-state", args=[game])
    first = client.get(url)
    assert first["X-Talk"] == "0"
    assert "data-talk-place" in text(first)
    talking.say(bob, game, "Psst")
    with django_assert_num_queries(3):  # session, user, head
        again = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again["X-Talk"]) == (304, "1")
    assert "Psst" not in text(client.get(url))
    for other in (logged_in(charlie), Client()):
        answer = other.get(url)
        assert "X-Talk" not in answer
        assert "data-talk" not in text(answer)


def test_the_part_of_the_talk_is_fetched_by_itself_and_reads_no_event(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    game = ariadne(alice, bob, moves=5)
    for number in range(20):
        talking.say(bob, game, f"{number}")
    client = logged_in(alice)
    with django_assert_max_num_queries(6) as counted:
        part = text(client.get(reverse("talk", args=[game]), headers=FETCH))
    assert not [query for query in counted.captured_queries if "games_event" in query["sql"]]
    assert "<html" not in part
    assert 'data-tag="20"' in part
    assert 'data-unheard="20"' in part
    assert hearing.talk(alice, game).new == 20, "who fetches it may have left the page open and gone"
    assert client.post(reverse("talk-heard", args=[game]), {"number": "20"}).status_code == 204
    assert hearing.talk(alice, game).new == 0


def test_a_script_is_answered_with_the_part_or_the_reason(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    client = logged_in(alice)
    said = say(client, game, "Hi", headers=FETCH)
    assert said.status_code == 200
    assert remarks(text(said)) == ["Hi"]
    assert hidden(text(said), "command") != "c"
    refused = say(client, game, "", headers=FETCH)
    assert refused.status_code == 422
    assert "There is nothing to be read in this." in text(refused)


def test_a_page_of_the_table_is_seen_and_one_only_asked_for_by_head_is_not(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    talking.say(bob, game, "Read me")
    client = logged_in(alice)
    client.head(reverse("table", args=[game]))
    assert Seat.objects.get(game__pk=game, user=alice).talk_heard == 0
    shown = at_table(client, game)
    assert '<span class="tag turn">New</span>' in shown
    assert re.search(r'href="#talk" data-talk-new>', shown)
    again = at_table(client, game)
    assert '<span class="tag turn">New</span>' not in again
    assert re.search(r'href="#talk" data-talk-new hidden>', again)


# --- quiet, and the mark at home --------------------------------------------------------------------------------------


def test_a_player_can_quiet_the_talk_and_have_it_again(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    talking.say(bob, game, "Blah")
    client, url = logged_in(alice), reverse("talk-quiet", args=[game])
    answer = client.post(url, {"quiet": "1"})
    assert (answer.status_code, answer["Location"]) == (303, reverse("table", args=[game]) + "#talk")
    talking.say(bob, game, "Blah again")
    for shown in (at_table(client, game), text(client.get(reverse("talk", args=[game])))):
        assert "Blah" not in shown
        assert "data-talk-form" not in shown
        assert "hidden from you" in shown
    assert client.get(reverse("table-state", args=[game]))["X-Talk"] == "quiet"
    assert "New message" not in text(client.get(reverse("home")))
    client.post(url, {"quiet": "0"})
    assert remarks(at_table(client, game)) == ["Blah", "Blah again"]


def test_home_marks_the_games_with_something_new(alice: User, bob: User, django_assert_num_queries: Any) -> None:
    game, over, _silent = (ariadne(alice, bob, moves=1) for _ in range(3))
    services.resign(bob, over)
    client = logged_in(alice)
    page = text(client.get(reverse("home")))
    assert "New message" not in page
    for at in (game, over):
        talking.say(bob, at, "You there?")
        talking.say(alice, at, "Yes")
    assert text(client.get(reverse("home"))).count("New message") == 2
    assert text(logged_in(bob).get(reverse("home"))).count("New message") == 2
    at_table(client, game)
    assert text(client.get(reverse("home"))).count("New message") == 1
