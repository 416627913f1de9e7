"""The committed sprites are what the drawing programs draw, complete, small, and fit for a strict CSP."""

import gzip
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tools.draw_cards import TARGET, drawings, main, stale

CODES = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def ids(name: str) -> list[str]:
    return re.findall(r'<symbol id="([^"]+)"', drawings()[name])


def test_the_committed_files_are_what_is_drawn() -> None:
    assert stale(TARGET) == []
    assert main(["--check"]) == 0


def test_a_missing_or_changed_file_is_stale(tmp_path: Path) -> None:
    for name, text in drawings().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "icons.svg").write_text("changed", encoding="utf-8")
    (tmp_path / "cards.svg").unlink()
    assert stale(tmp_path) == ["cards.svg", "icons.svg"]


def test_every_card_has_every_form_once() -> None:
    found = ids("cards.svg")
    assert len(found) == len(set(found))
    for kind in ("card", "large", "small"):
        assert {f"{kind}-{code}" for code in [*CODES, "JK-down", "JK-up", "back"]} <= set(found)
    assert {f"down-{code}" for code in CODES} <= set(found)


def test_every_game_and_variant_has_a_picture() -> None:
    families = {"ariadne", "kathmandu", "conquian"}
    variants = {"forty-thieves", "indian", "limited", "little-forty", "lucas", "maria", "number-ten", "rank-and-file"}
    assert set(ids("pictures.svg")) == {f"picture-{name}" for name in families | variants | {"streets"}}


@pytest.mark.parametrize("name", ["cards.svg", "pictures.svg", "icons.svg", "favicon.svg", "app-icon.svg"])
def test_a_drawing_is_well_formed_and_needs_neither_fonts_nor_inline_style(name: str) -> None:
    for element in ET.fromstring(drawings()[name]).iter():
        assert "style" not in element.attrib
        assert element.tag.rpartition("}")[2] not in {"text", "style", "script", "image"}


def test_the_card_sprite_is_small_over_the_wire() -> None:
    assert len(gzip.compress(drawings()["cards.svg"].encode(), 9)) < 60_000


@pytest.mark.parametrize("name", ["clew.css", "table.css"])
def test_the_stylesheets_ask_nothing_of_other_hosts(name: str) -> None:
    text = (TARGET / name).read_text(encoding="utf-8")
    assert "url(" not in text
    assert "@import" not in text


def test_the_sprite_has_a_page_property_for_every_suit_it_paints() -> None:
    painted = set(re.findall(r"var\((--[\w-]+)", drawings()["cards.svg"]))
    defined = set(re.findall(r"(--[\w-]+):", (TARGET / "table.css").read_text(encoding="utf-8")))
    assert painted <= defined
