"""The Korean texts keep the rules of ``docs/korean.md``."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = ROOT / "games" / "templates" / "games" / "rules"
#: A particle whose form hangs on the sound before it, right after something filled in.
PARTICLE = re.compile(
    r"(?:%\(\w+\)[sd]|%[sd]|\{\w+\})(?:</\w+>)?(?:은|는|이|가|을|를|과|와|으로|로|라|이라)(?=[\s.,:;!?)]|$)"
)
#: An honorific that isn't written on to the name.
LOOSE_HONORIFIC = re.compile(r"(?:%\(\w+\)s|\{\w+\}|\}\}) 님")


def texts() -> Iterator[str]:
    catalog = read_po(io.BytesIO((ROOT / "locale/ko/LC_MESSAGES/django.po").read_bytes()), locale="ko")
    for message in catalog:
        if message.id:
            yield from [message.string] if isinstance(message.string, str) else message.string or []


@pytest.mark.parametrize("wrong", ["%(name)s은 이겼습니다.", "%(card)s를 놓음", "{what}과 함께", "<b>%(x)s</b>을"])
def test_a_particle_that_may_be_wrong_is_found(wrong: str) -> None:
    assert PARTICLE.search(wrong)


@pytest.mark.parametrize("right", ["%(name)s님이 이겼습니다.", "%(card)s 카드를 놓음", "%(count)s장", "%(n)s인 사람"])
def test_words_and_counters_after_what_is_filled_in_are_no_particles(right: str) -> None:
    assert not PARTICLE.search(right)


def test_no_particle_follows_what_is_filled_in() -> None:
    assert [text for text in texts() if PARTICLE.search(text)] == []


def test_the_honorific_is_written_on_to_names() -> None:
    assert [text for text in texts() if LOOSE_HONORIFIC.search(text)] == []


def test_every_rules_page_is_there_in_both_languages() -> None:
    pages = {path.name.split(".")[0] for path in RULES.glob("*.html")}
    assert pages >= {"ariadne", "conquian", "forty_thieves"}
    assert {f"{page}.{language}.html" for page in pages for language in ("en", "ko")} == {
        path.name for path in RULES.glob("*.html")
    }


@pytest.mark.parametrize("path", sorted(RULES.glob("*.ko.html")), ids=lambda path: path.name)
def test_a_korean_rules_page_has_the_pictures_and_rulings_of_the_english_one(path: Path) -> None:
    korean = path.read_text(encoding="utf-8")
    english = path.with_name(path.name.replace(".ko.", ".en.")).read_text(encoding="utf-8")
    for part in (r"{% board [^%]*%}", r"{% face [^%]*%}", r'class="ruling"', "<h2>", "<code>[^<]*</code>"):
        assert sorted(re.findall(part, korean)) == sorted(re.findall(part, english)), part
    assert korean.count("이 사이트의 규칙.") == english.count("Our ruling.")
