"""The rules, told to people: in both languages, with pictures that the engine made."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.engine.ariadne import HAND_VALUE, TABLE_VALUE
from games.engine.grid import cell_name
from games.pages import drawings
from tests.pages.reading import page_of

PAGE = "/rules/ariadne/"


def read(client: Client, language: str) -> str:
    answer = client.get(PAGE, headers={"accept-language": language})
    assert answer.status_code == 200
    return page_of(answer)


@pytest.mark.django_db
def test_the_list_of_rules_leads_to_each_game(client: Client) -> None:
    assert f'href="{PAGE}"' in page_of(client.get("/rules/"))


@pytest.mark.django_db
@pytest.mark.parametrize("entry", ["climb", "nothing", "ariadne.en"])
def test_a_game_without_rules_here_is_not_found(client: Client, entry: str) -> None:
    assert client.get(f"/rules/{entry}/").status_code == 404


@pytest.mark.django_db
def test_rules_are_told_in_the_readers_language(client: Client) -> None:
    english, korean = read(client, "en"), read(client, "ko")
    assert '<html lang="en"' in english
    assert '<html lang="ko"' in korean
    assert "미노타우로스" in korean
    assert not re.search(r"[가-힣]", english.split("<main")[1].split("</main")[0])


@pytest.mark.django_db
def test_both_languages_tell_the_same(client: Client) -> None:
    english, korean = (read(client, language).split("<main")[1].split("</main")[0] for language in ("en", "ko"))
    for part in ("<h2", 'class="ruling"', "<figure", "<li", "<dt", "data-card"):
        assert english.count(part) == korean.count(part), part
    for text in ("7S h7", "9S x i8", "4S j f8"):
        assert text in english
        assert text in korean


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "ruling"), [("en", "Our ruling."), ("ko", "이 사이트의 규칙.")])
def test_our_own_rulings_are_marked_as_ours(client: Client, language: str, ruling: str) -> None:
    page = read(client, language)
    assert page.count(ruling) == page.count('class="ruling"') == 5


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_example_scores_are_what_the_engine_gives(client: Client, language: str) -> None:
    drawn = drawings.ariadne()
    assert drawn["minotaur"]["provisional"] == [7 + 9 + 10 + 4 + 8 + 5, 10 + 3 + 5 + 10 + 9 - 10]
    assert drawn["theseus"]["provisional"] == [43, 47]
    assert "= 43" in read(client, language)


def test_the_pictures_show_what_their_captions_say() -> None:
    drawn = drawings.ariadne()
    assert [cell_name(cell) for cell in drawn["start"]["open"]] == ["f6", "g6", "h6", "f7", "h7", "f8", "g8", "h8"]
    assert {cell_name(cell)[0] for cell in drawn["limit"]["open"]} == set("defghij")
    assert {cell_name(cell)[1:] for cell in drawn["limit"]["open"]} == {"6", "8"}
    assert (drawn["before"]["last"]["card"], drawn["before"]["last"]["cell"]) == ("9H", "h8")
    lying = {entry["card"]: (entry["cell"], entry["down"]) for entry in drawn["swapped"]["table"]}
    assert (lying["QS"], lying["9H"]) == (("h8", False), ("i8", True))
    assert (drawn["before"]["joker"]["cell"], drawn["before"]["joker"]["up"]) == ("g8", False)
    assert (drawn["taken"]["joker"]["cell"], drawn["taken"]["joker"]["up"]) == ("f8", True)
    assert drawn["taken"]["last"]["cell"] == "g8"


def test_the_table_of_swaps_says_what_the_three_tests_say() -> None:
    for swap in drawings.swaps():
        high = HAND_VALUE[f"{swap.rank}S"]
        expected = {
            last
            for last in "A23456789JQK"
            for low in [TABLE_VALUE[f"{last}H"]]
            if high > low and high % low != 0 and high - low != 1
        }
        assert (swap.value, set(swap.takes)) == (high, expected)
    taken = {swap.rank: swap.takes for swap in drawings.swaps()}
    assert set(taken["A"]) == set("A23456789JQK") - set("27A")
    assert set("Q6432") & set(taken["K"]) == set()
