"""What the mail of a turn says, in text and in HTML alike."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.utils import timezone, translation
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from games import services, viewing
from games.engine.cards import show
from games.engine.contract import Play
from games.store.thread import load
from games.table.commands import Terms
from notifications import render, sender, wording
from notifications.render import Rendered
from notifications.unsubscribe import off_url
from tests.notifications import games


def turn_of(user: User, game: str, language: str = "en") -> Rendered:
    """The mail that ``user``, who is awaited, would get now."""
    with translation.override(language):
        rendered = render.turn(user, game, load(game).table.awaited_since)
    assert rendered is not None
    return rendered


def readable(html: str) -> str:
    """What a person reads of HTML, without its head and tags."""
    body = re.sub(r"<head>.*</head>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).replace("\ufe0e", "").split())


def hand_of(user: User, game: str) -> list[str]:
    return [show(card) for card in viewing.sight(user, game).table["view"]["hand"]]


# --- what happened ----------------------------------------------------------------------------------------------------


def test_who_moves_first_reads_that_the_game_has_begun_and_nothing_of_moves(alice: User, bob: User) -> None:
    rendered = turn_of(alice, games.start(alice, bob))
    assert rendered.subject == "Your turn: Ariadne's Thread against bob"
    for said in (rendered.text, readable(rendered.html)):
        assert "Your game of Ariadne's Thread against bob has begun, and the first move is yours." in said
        assert "Since your last turn" not in said
        assert "So far" not in said
        assert "bob:" not in said


def test_who_moves_second_reads_what_the_first_did(alice: User, bob: User) -> None:
    game = games.start(alice, bob)
    games.move(alice, game)
    rendered = turn_of(bob, game)
    for said in (rendered.text, readable(rendered.html)):
        assert "It is your turn in Ariadne's Thread against alice." in said
        assert "So far" in said
        assert re.search(r"alice: placed \w+[♠♣] at f6", said)


def test_only_what_happened_since_the_readers_last_turn_is_told(alice: User, bob: User) -> None:
    game = games.start(alice, bob)
    for player in (alice, bob, alice):
        games.move(player, game)
    rendered = turn_of(bob, game)
    for said in (rendered.text, readable(rendered.html)):
        assert "Since your last turn" in said
        assert said.count("alice: ") == 1
        assert "bob: " not in said


def test_a_round_that_was_dealt_in_between_is_told(alice: User, bob: User) -> None:
    record = games.finished_case("ariadne")
    deals = [n for n, step in enumerate(record.steps) if not isinstance(step, Play)]
    game = games.replayed(record, record.steps[: deals[1] + 2], alice, bob).id
    rendered = turn_of(alice, game)
    for said in (rendered.text, readable(rendered.html)):
        assert "Round 2 was dealt." in said
        assert "Round 2 of 2" in said
        assert "Round 1 was dealt" not in said


def test_each_move_has_its_time_in_the_readers_own_zone(bob: User, now: clock.FrozenClock) -> None:
    alice = games.person("alice", time_zone="Asia/Seoul")
    game = games.start(bob, alice)
    games.move(bob, game)
    rendered = turn_of(alice, game)
    for said in (rendered.text, readable(rendered.html)):
        assert "Thursday 4 March 2027, 21:00 (KST)" in said


@pytest.mark.parametrize(
    ("zone", "month", "told"),
    [
        ("Europe/Berlin", 1, "Friday 15 January 2027, 13:00 (CET)"),
        ("Europe/Berlin", 7, "Thursday 15 July 2027, 14:00 (CEST)"),
        ("America/Sao_Paulo", 1, "Friday 15 January 2027, 09:00 (UTC-03)"),
    ],
)
def test_a_moment_names_its_zone_right_across_the_year(zone: str, month: int, told: str) -> None:
    us = clock.to_us(datetime(2027, month, 15, 12, 0, tzinfo=UTC))
    with translation.override("en"), timezone.override(zone):
        assert wording.moment(us) == told


def test_a_deadline_is_told_where_there_is_one(alice: User, bob: User, now: clock.FrozenClock) -> None:
    game = games.start(alice, bob)
    now.advance(days=1)
    deadline = clock.now_us()
    with translation.override("en"):
        rendered = render.turn_mail(alice, viewing.sight(alice, game), deadline=deadline)
    for said in (rendered.text, readable(rendered.html)):
        assert "Move by Friday 5 March 2027, 12:00 (UTC)." in said
    assert "Move by" not in turn_of(alice, game).text


# --- what there is to do ----------------------------------------------------------------------------------------------


def test_hand_score_and_link_stand_in_both_forms(alice: User, bob: User, settings: Settings) -> None:
    settings.CLEW_SITE_URL = "https://clew.example"
    game = games.start(alice, bob)
    rendered = turn_of(alice, game)
    text, html = rendered.text, readable(rendered.html)
    assert "Your hand (black)\n" + "  ".join(hand_of(alice, game)) in text
    assert "Your hand (black) " + " ".join(hand_of(alice, game)) in html
    assert "Threads now: alice 0, bob 0" in text
    assert "alice black bob red Threads now 0 0" in html
    for said in (text, rendered.html):
        assert said.count(f"https://clew.example/games/{game}/") == 1


def test_the_finished_rounds_points_are_told_with_the_names(alice: User, bob: User) -> None:
    record = games.finished_case("ariadne")
    deals = [n for n, step in enumerate(record.steps) if not isinstance(step, Play)]
    game = games.replayed(record, record.steps[: deals[1] + 2], alice, bob).id
    black, red = viewing.sight(alice, game).table["view"]["rounds"][0]
    rendered = turn_of(alice, game)
    assert f"Round 1: alice {black}, bob {red}\n" in rendered.text
    assert f"Round 1 {black} {red}" in readable(rendered.html)


def test_few_ways_on_are_listed_with_numbers_and_many_are_not(alice: User, bob: User) -> None:
    record = games.finished_case("ariadne")
    game = games.replayed(record, record.steps[:-1], alice, bob).id
    table = load(game).table
    assert table.awaited_seat is not None
    reader = (alice, bob)[table.awaited_seat]
    ways = table.rules.legal_moves(table.state)
    assert 1 < len(ways) <= render.FEW
    rendered = turn_of(reader, game)
    assert "What you can do\n1. " in rendered.text
    assert re.findall(r"^(\d+)\. ", rendered.text, re.MULTILINE) == [str(n + 1) for n in range(len(ways))]
    (listed,) = re.findall(r"<ol.*?</ol>", rendered.html, re.DOTALL)
    assert listed.count("<li") == len(ways)
    early = turn_of(alice, games.start(alice, bob))
    assert "What you can do" not in early.text
    assert "<ol" not in early.html


def test_the_foot_says_why_and_leads_to_the_settings_and_away(alice: User, bob: User, settings: Settings) -> None:
    settings.CLEW_SITE_URL = "https://clew.example"
    rendered = turn_of(alice, games.start(alice, bob))
    for said in (rendered.text, rendered.html):
        assert "You get this mail because you, alice, play on Clew (https://clew.example) and are to move." in said
        assert "https://clew.example/settings/" in said
        assert off_url(alice) in said


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("slug", games.TWO_PLAYER_GAMES)
def test_every_game_is_told_in_words_and_drawn_if_it_can_be(
    alice: User, bob: User, slug: str, drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = games.finished_case(slug)
    first_move = next(n for n, step in enumerate(record.steps) if isinstance(step, Play))
    game = games.replayed(record, record.steps[: first_move + 1], alice, bob).id
    table = load(game).table
    assert table.awaited_seat is not None
    reader, other = (alice, bob) if table.awaited_seat == 0 else (bob, alice)
    if not drawn:
        monkeypatch.setattr("notifications.render.mail_board", lambda _slug: None)
    rendered = turn_of(reader, game)
    for said in (rendered.text, readable(rendered.html)):
        assert f"against {other.name}" in said
        assert f"{other.name}: " in said
        assert ("Your hand" in said) == drawn


# --- its form ---------------------------------------------------------------------------------------------------------


def test_the_html_needs_nothing_from_elsewhere_and_styles_its_own_elements(alice: User, bob: User) -> None:
    html = turn_of(alice, games.start(alice, bob)).html
    assert not re.search(r"<(img|link|script|svg|iframe)\b|url\(|@import", html)
    assert all("style=" in tag for tag in re.findall(r"<(?:td|th|a|p|h1)\b[^>]*>", html) if "<td>" not in tag)
    assert "prefers-color-scheme: dark" in html


def test_a_name_is_shown_as_it_is_and_never_becomes_html(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(name='<i>"b", o&b')
    game = games.start(alice, bob)
    rendered = turn_of(alice, game)
    assert 'against <i>"b", o&b has begun' in rendered.text
    assert "<i>" not in rendered.html
    assert "&lt;i&gt;" in rendered.html


def test_the_reader_reads_their_own_language(bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    alice = games.person("alice", language="ko", time_zone="Asia/Seoul")
    game = games.start(bob, alice)
    games.move(bob, game)
    now.advance(seconds=60)
    sender.send_due()
    (mail,) = mailoutbox
    assert mail.subject == "내 차례: bob님과 하는 아리아드네의 실"
    html, kind = mail.alternatives[0]
    assert kind == "text/html"
    assert '<html lang="ko">' in html
    for said in (mail.body, readable(html)):
        assert "2027년 3월 4일 목요일 21:00 (KST)" in said
        assert "테이블로 가기" in said
        assert "Your" not in said


# --- whether it is true -----------------------------------------------------------------------------------------------


def test_nothing_is_said_to_who_is_not_awaited_since_that_event(alice: User, bob: User, charlie: User) -> None:
    game = games.start(alice, bob)
    since = load(game).table.awaited_since
    assert render.turn(alice, game, since) is not None
    assert render.turn(alice, game, since - 1) is None
    assert render.turn(bob, game, since) is None
    assert render.turn(charlie, game, since) is None
    games.move(alice, game)
    assert render.turn(alice, game, since) is None


def test_nothing_is_said_of_a_game_that_is_open_over_or_nowhere(alice: User, bob: User) -> None:
    opened = services.open_game(alice, Terms("ariadne")).table
    assert render.turn(alice, opened.id, opened.awaited_since) is None
    over = games.start(alice, bob)
    services.resign(bob, over)
    assert render.turn(alice, over, load(over).table.awaited_since) is None
    assert render.turn(alice, "2f0cbe0f-57a9-4a34-9f30-bb1f3f4a5e0c", 1) is None


def test_a_mail_asks_the_database_a_fixed_number_of_questions(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    game = games.start(alice, bob)
    for player in (alice, bob) * 6:
        games.move(player, game)
    since = load(game).table.awaited_since
    with django_assert_max_num_queries(6):
        assert render.turn(alice, game, since) is not None
