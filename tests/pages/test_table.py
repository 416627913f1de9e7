"""The table's page and the part of it that polls."""

from __future__ import annotations

import re
import uuid
from html import escape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import clock
from games import services
from games.services import Terms
from games.store.models import Invitation
from tests.games.people import play_on
from tests.games.people import table as table_of
from tests.pages.tables import ariadne, cards, logged_in, text, touches


def page(client: Client, game: str, **headers: str) -> Any:
    return client.get(reverse("table", args=[game]), headers=headers)


def state(client: Client, game: str, etag: str = "") -> Any:
    return client.get(reverse("table-state", args=[game]), headers={"If-None-Match": etag} if etag else {})


# --- who may look -------------------------------------------------------------------------------------------------


#: Made anew for each page.
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


def test_a_private_table_is_not_found_by_outsiders_like_one_that_is_not_there(
    alice: User, bob: User, charlie: User
) -> None:
    private, missing = ariadne(alice, bob, admits="invited"), str(uuid.uuid4())
    for client in (logged_in(charlie), Client()):
        for name in ("table", "table-state", "table-preview", "replay", "record"):
            answers = [client.get(reverse(name, args=[game])) for game in (private, missing)]
            assert [answer.status_code for answer in answers] == [404, 404], name
            bodies = [
                TOKEN.sub("", answer.content.decode().replace(game, ""))
                for answer, game in zip(answers, (private, missing), strict=True)
            ]
            assert bodies[0] == bodies[1]
    assert page(logged_in(bob), private).status_code == 200


def test_anybody_may_watch_a_table_that_admits_anyone(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob, moves=6)
    for client in (logged_in(charlie), Client()):
        shown = text(page(client, game))
        assert touches(shown) == []
        assert "Your hand" not in shown
        assert reverse("resign", args=[game]) not in shown


def test_only_players_are_shown_their_hand(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=4)
    state = table_of(game).state
    for user, seat in ((alice, 0), (bob, 1)):
        shown = cards(text(page(logged_in(user), game)))
        assert set(state.hands[seat]) <= set(shown)
        assert not set(state.hands[1 - seat]) & set(shown)


# --- what it says -------------------------------------------------------------------------------------------------


def test_the_page_says_whose_turn_it_is(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    assert "Your turn – Ariadne" in text(page(logged_in(alice), game))
    shown = text(page(logged_in(bob), game))
    assert "alice&#x27;s turn" in shown
    assert touches(shown) == []


def test_the_page_says_what_happened_since_my_last_turn_and_marks_it(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    services.play(alice, game, {"type": "place", "card": table_of(game).state.hands[0][0], "at": [1, 0]})
    card = table_of(game).state.hands[1][0]
    services.play(bob, game, {"type": "place", "card": card, "at": [0, 1]})
    shown = text(page(logged_in(alice), game))
    section = shown[shown.index("Since your last turn") : shown.index("<h2>Moves</h2>")]
    assert "<strong>bob:</strong> placed" in section
    assert "alice" not in section
    marked = re.findall(r'class="cell [^"]*\bnew\b[^"]*" data-touch="([^"]+)"', shown)
    assert marked == ["cell:0,1"]


def test_the_table_tells_the_last_move_to_who_made_it_too(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    assert "The cards are dealt." in text(page(logged_in(alice), game))
    play_on(game, alice, bob, moves=1)
    for user in (alice, bob):
        shown = text(page(logged_in(user), game))
        assert "The cards are dealt." not in shown
        assert re.search(r"<span>alice: <strong>[^<]+ at \w\d+", shown)


def test_the_page_says_since_when_somebody_is_awaited(alice: User, bob: User) -> None:
    with clock.frozen(clock.from_us(1_800_000_000_000_000)) as frozen:
        game = ariadne(alice, bob)
        frozen.advance(hours=5)
        shown = text(page(logged_in(bob), game))
    assert 'datetime="2027-01-15T08:00:00+00:00"' in shown
    assert "5\xa0hours ago" in shown


def test_the_page_speaks_korean(alice: User, bob: User) -> None:
    alice.language = "ko"
    alice.save()
    shown = text(page(logged_in(alice, accept_language="ko"), ariadne(alice, bob, moves=2)))
    assert "내 차례" in shown
    assert "Your turn" not in shown


def test_after_my_move_the_next_game_is_one_click_away(alice: User, bob: User) -> None:
    moved, waiting = ariadne(alice, bob, moves=1), ariadne(alice, bob)
    assert f'href="{reverse("table", args=[waiting])}"' in text(page(logged_in(alice), moved))
    assert "Another game waits for you" not in text(page(logged_in(alice), waiting))
    play_on(waiting, alice, bob, moves=1)
    assert "Another game waits for you" not in text(page(logged_in(alice), moved))


def test_a_game_that_is_over_says_how_it_ended_and_proves_its_shuffle(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=200)
    result = table_of(game)
    by_rules = result.rules.result(result.state)
    assert by_rules is not None
    winner, loser = (alice, bob) if by_rules["winner"] == 0 else (bob, alice)
    points = sorted(result.state.totals, reverse=True)
    won, lost = text(page(logged_in(winner), game)), text(page(logged_in(loser), game))
    assert f"You won, {points[0]} to {points[1]}." in won
    assert f"{winner.name} won against you, {points[0]} to {points[1]}." in lost
    assert result.ended is not None
    for part in (result.opened.commitment, result.ended.secret, *(salt.text for salt in result.salts)):
        assert f">{part}</code>" in won
    assert "made by the server" in won
    assert "python -m games.engine verify" in won
    assert reverse("record", args=[game]) in won
    assert "data-live" not in won


def test_a_running_game_shows_no_proof(alice: User, bob: User) -> None:
    shown = text(page(logged_in(alice), ariadne(alice, bob, moves=3)))
    assert 'id="proof"' not in shown
    assert "commitment" not in shown.lower()


# --- a table that waits -------------------------------------------------------------------------------------------


def test_the_opener_of_a_table_finds_the_link_for_a_friend(alice: User) -> None:
    game = services.open_game(alice, Terms("ariadne", admits="invited"), invite_link=True).table.id
    token = Invitation.objects.get(game__pk=game).token
    shown = text(page(logged_in(alice), game))
    assert f"http://testserver{reverse('invitation', args=[game, token])}" in shown
    assert "Sit down and play" not in shown


def test_whoever_may_sit_is_offered_the_seat_with_a_salt_of_their_own(alice: User, charlie: User) -> None:
    game = services.open_game(alice, Terms("ariadne"), invite_link=True).table.id
    shown = text(page(logged_in(charlie), game))
    assert "Sit down and play" in shown
    assert f'name="salt" value="" data-salt="{game}"' in shown
    token = Invitation.objects.get(game__pk=game).token
    assert token is not None
    assert token not in shown
    assert "Log in to sit down" in text(page(Client(), game))


# --- polling ------------------------------------------------------------------------------------------------------


def test_an_unchanged_table_costs_one_small_query(alice: User, bob: User, django_assert_num_queries: Any) -> None:
    game = ariadne(alice, bob, moves=10)
    client = logged_in(alice)
    etag = state(client, game)["ETag"]
    with django_assert_num_queries(3) as counted:  # session, user, head
        answer = state(client, game, etag)
    assert answer.status_code == 304
    assert answer.content == b""
    assert answer["ETag"] == etag
    assert not [query for query in counted.captured_queries if "games_event" in query["sql"]]


def test_a_spectator_polls_as_cheaply(alice: User, bob: User, django_assert_num_queries: Any) -> None:
    game = ariadne(alice, bob, moves=10)
    client = Client()
    etag = state(client, game)["ETag"]
    with django_assert_num_queries(1):
        assert state(client, game, etag).status_code == 304


def test_the_table_is_sent_again_once_somebody_moved(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=1)
    client = logged_in(alice)
    etag = state(client, game)["ETag"]
    play_on(game, alice, bob, moves=1)
    answer = state(client, game, etag)
    assert answer.status_code == 200
    assert answer["ETag"] != etag
    assert f'data-etag="{escape(answer["ETag"])}"' in text(answer)
    assert "<html" not in text(answer)


def test_the_tag_differs_by_seat_and_language_and_gives_nothing_away(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=5)
    clients = [logged_in(alice), logged_in(bob), Client(), Client(headers={"accept-language": "ko"})]
    tags = [state(client, game)["ETag"] for client in clients]
    assert len(set(tags)) == len(tags)
    assert all(re.fullmatch(r'"\d+\.[\d-]+\.\w+\.[\w/+-]+\.(?:suit|rank)\.-"', tag) for tag in tags)


def test_a_tag_does_not_open_a_private_table(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob, admits="invited")
    etag = state(logged_in(alice), game)["ETag"]
    assert state(logged_in(charlie), game, etag).status_code == 404
    assert state(Client(), game, etag).status_code == 404


def test_the_table_is_kept_by_no_shared_cache(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    for answer in (page(logged_in(alice), game), state(logged_in(alice), game)):
        assert answer["Cache-Control"] == "private, no-cache"
        assert "Cookie" in answer["Vary"]


@pytest.mark.parametrize("moves", [0, 30, 60])
def test_the_page_costs_as_many_queries_however_long_the_game(
    alice: User, bob: User, moves: int, django_assert_max_num_queries: Any
) -> None:
    game = ariadne(alice, bob, moves=moves)
    client = logged_in(alice)
    with django_assert_max_num_queries(14):  # of these, 4 for the inbox and for who is here, 2 for the talk
        page(client, game)


def test_a_table_page_needs_no_inline_script_or_style(alice: User, bob: User) -> None:
    shown = text(page(logged_in(alice), ariadne(alice, bob, moves=8)))
    assert not re.search(r"\sstyle=|\son\w+=", shown)
    inline = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", shown)
    assert inline == ['<script id="ways" type="application/json">']
