"""The rules of Kathmandu, told to people: in both languages, with pictures that the engine made."""

from __future__ import annotations

import pytest
from django.test import Client

from games.pages.drawings_kathmandu import kathmandu
from tests.pages.reading import page_of

RULINGS = 9


def read(client: Client, language: str) -> str:
    answer = client.get("/rules/kathmandu/", headers={"accept-language": language})
    assert answer.status_code == 200
    return page_of(answer).split("<main")[1].split("</main")[0]


@pytest.mark.django_db
def test_both_languages_tell_the_same(client: Client) -> None:
    english, korean = read(client, "en"), read(client, "ko")
    for part in ("<h2", 'class="ruling"', "<figure", "<li", "<dt", "data-card", "<tr"):
        assert english.count(part) == korean.count(part), part
    for text in ("meld 7C 7D 7H", "swap 2C 9D / 4H 4S", "2014", "K-A-2"):
        assert text in english
        assert text in korean


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "ruling"), [("en", "Our ruling."), ("ko", "이 사이트의 규칙.")])
def test_every_ruling_is_marked_as_ours(client: Client, language: str, ruling: str) -> None:
    page = read(client, language)
    assert page.count(f"<strong>{ruling}</strong>") == page.count('class="ruling"') == RULINGS


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_example_score_is_what_the_engine_gives(client: Client, language: str) -> None:
    view = kathmandu()["melded"]
    assert view["worth"] == [5 - 2 - 7, 5 - 4 - 6]
    page = read(client, language)
    assert "= -4" in page
    assert "= -5" in page


def test_the_pictures_show_what_their_captions_say() -> None:
    drawn = kathmandu()
    assert (drawn["start"]["market"]["tokens"], drawn["start"]["red"], drawn["start"]["stock"]) == (3, [1, 1], 30)
    assert {"2C", "9D"} <= set(drawn["shed"]["market"]["cards"])
    assert drawn["shed"]["red"] == [1, 3]
    assert {"AC", "3H"} <= set(drawn["swapped"]["market"]["cards"])
    assert not {"4H", "9D"} & set(drawn["swapped"]["market"]["cards"])
    assert drawn["swapped"]["red"] == drawn["shed"]["red"]
    assert "QD" not in drawn["bought"]["market"]["cards"]
    assert drawn["bought"]["market"]["tokens"] == drawn["swapped"]["market"]["tokens"] + 1
    assert (len(drawn["swept"]["market"]["cards"]), drawn["swept"]["red"]) == (5, [1, 4])
    assert drawn["melded"]["blue"] == [1, 1]
