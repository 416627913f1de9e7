"""Kathmandu drawn in mails: the market's places, what everybody holds, and nothing of the other hand."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.utils import translation

from accounts.models import User
from games import services
from games.engine.cards import pack, show
from games.engine.contract import OPEN
from games.engine.kathmandu import RULES
from games.store.thread import load
from notifications import render
from notifications.boards import mail_board
from notifications.boards.kathmandu import KathmanduMailBoard, Stall
from notifications.render import Rendered
from tests.engine.kathmandu_positions import position
from tests.games.people import begun, play_on, table

BOARD = KathmanduMailBoard()


def view(**given: Any) -> dict[str, Any]:
    return RULES.view(position(("TC 2H KC", "3S 4S"), "7C JD", red=(1, 1), blue=(2, 0), stock=11, **given), 0)


def test_the_market_as_text_with_what_its_sign_means_and_what_both_hold() -> None:
    with translation.override("en"):
        assert BOARD.text(view()) == (
            "Market\n"
            "\n"
            "7♣   J♦   ●    ●    ●\n"
            "\n"
            "●  a red token\n"
            "You: 3 cards, 1 red and 2 blue tokens\n"
            "Your opponent: 2 cards, 1 red and 0 blue tokens\n"
            "11 cards to draw, 34 discarded"
        )


def test_turns_without_progress_are_told_from_ten_on() -> None:
    with translation.override("en"):
        assert "without a meld" not in BOARD.text(view(idle=9))
        assert "12 turns in a row without a meld, sweep or reveal." in BOARD.text(view(idle=12))


def test_what_came_to_the_market_is_marked_where_it_is_drawn() -> None:
    market = BOARD.draw(view(), frozenset({"market:JD"}))["market"]
    assert market == [Stall("7♣", "black"), Stall("J♦", "red", new=True), Stall("●"), Stall("●"), Stall("●")]


def test_the_hand_is_the_readers_own() -> None:
    assert BOARD.hand(view()) == ["TC", "KC", "2H"]


def test_it_is_the_board_of_kathmandus_mails() -> None:
    assert isinstance(mail_board("kathmandu"), KathmanduMailBoard)


# --- whole mails --------------------------------------------------------------------------------------------------


def turn_of(user: User, game: str, language: str = "en") -> Rendered:
    with translation.override(language):
        rendered = render.turn(user, game, load(game).table.awaited_since)
    assert rendered is not None
    return rendered


def readable(html: str) -> str:
    body = re.sub(r"<head>.*</head>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).replace("\ufe0e", "").split())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_mail_shows_the_table_in_text_and_html_and_no_card_of_the_other_hand(
    alice: User, bob: User, seed: int, language: str
) -> None:
    game = begun("kathmandu", alice, bob)
    play_on(game, alice, bob, moves=9 + seed, seed=seed)
    now = table(game)
    seat = now.awaited_seat
    assert seat is not None
    rendered = turn_of((alice, bob)[seat], game, language)
    seen = RULES.view(now.state, OPEN)
    told = re.sub(r"(?s)(Since your last turn|So far|지난 차례 이후|지금까지).*?\n\n", "", rendered.text)
    for text in (told, readable(rendered.html)):
        assert all(show(card) in text for card in [*seen["hands"][seat], *seen["market"]["cards"]])
    known = {*seen["hands"][seat], *seen["market"]["cards"]}
    elsewhere = [show(card) for card in pack() if card not in known and show(card) in told]
    assert elsewhere == []


def test_what_was_turned_up_is_told(alice: User, bob: User) -> None:
    game = begun("kathmandu", alice, bob)
    services.play(bob, game, {"type": "reveal"})
    (turned,) = set(table(game).state.market) - set(table(game).line[-1].before.market)
    rendered = turn_of(alice, game)
    for text in (rendered.text, readable(rendered.html)):
        assert f"bob: took a red token, for which came {show(turned)}" in text
    assert rendered.subject == "Your turn: Kathmandu against bob"
