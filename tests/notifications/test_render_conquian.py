"""Conquian drawn in mails: every meld in its order, the centre card, and what is new marked."""

from __future__ import annotations

import re
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from games.engine.conquian import RULES
from games.engine.contract import OPEN
from notifications.boards import mail_board
from notifications.boards.conquian import ConquianMailBoard
from tests.engine.conquian_tables import at, declined_by_seat_0

BOARD = ConquianMailBoard()
STATE = at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", other_melds="QD QH QS", centre="7H", stock="2C 2D")


def text_of(view: dict[str, Any]) -> str:
    with translation.override("en"):
        return BOARD.text(view)


def test_the_game_has_a_board_for_mails() -> None:
    assert isinstance(mail_board("conquian"), ConquianMailBoard)


def test_the_table_as_text_with_the_readers_melds_nearest() -> None:
    assert text_of(RULES.view(STATE, 0)) == (
        "Your opponent: 7 in hand, 3 of 11 melded\n"
        "  Q♦ Q♥ Q♠\n"
        "\n"
        "Centre card: 7♥\n"
        "Stock 2, waste 17\n"
        "7♥ fits your own meld. If you decline it, the other player may force it onto that meld: you must then "
        "discard a card of your hand.\n"
        "\n"
        "You: 7 in hand, 3 of 11 melded\n"
        "  4♥ 5♥ 6♥"
    )


def test_the_other_reader_sees_it_from_the_other_side() -> None:
    lines = text_of(RULES.view(STATE, 1)).splitlines()
    assert lines[1] == "  4♥ 5♥ 6♥"
    assert lines[-1] == "  Q♦ Q♥ Q♠"


def test_forcing_is_explained_to_whom_it_is_asked() -> None:
    said = text_of(RULES.view(declined_by_seat_0(), 1))
    assert "The other player declined 7♥, which fits their own meld. Force it onto that meld" in said


def test_a_table_without_a_centre_card_is_drawn_too() -> None:
    forced = RULES.play(declined_by_seat_0(), {"type": "force", "meld": ["4H", "5H", "6H"]}).state
    assert "Centre card: –" in text_of(RULES.view(forced, 0))
    assert BOARD.draw(RULES.view(forced, 0), frozenset())["centre"] is None


def test_the_hand_is_the_readers_own() -> None:
    assert BOARD.hand(RULES.view(STATE, 0)) == ["AC", "KC", "AD", "3D", "JD", "2S", "5S"]
    other = {"AC", "KC", "AD", "3D", "JD", "2S", "5S"} & set(BOARD.hand(RULES.view(STATE, 1)))
    assert other == set()


def test_no_hand_is_drawn_but_the_readers_even_where_all_is_open() -> None:
    drawn = str(BOARD.draw(RULES.view(STATE, OPEN), frozenset()))
    assert "2♠" not in drawn


def test_what_is_new_is_marked() -> None:
    view = RULES.view(STATE, 0)
    drawn = BOARD.draw(view, frozenset({"card:5H", "centre"}))
    marked = [card.text for side in (drawn["far"], drawn["near"]) for meld in side.melds for card in meld if card.new]
    assert marked == ["5♥"]
    assert drawn["centre"].new
    html = render_to_string(BOARD.template, {"board": drawn})
    assert len(re.findall(r'class="card[^"]* new"', html)) == 2
    assert html.count('<td class="card') == 7
