"""The scenes that mails are looked at by bring about every kind of mail, whole in both languages."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from pytest_django import DjangoDbBlocker

from notifications.kinds import Kind
from tools.mail_pictures import html_of
from tools.mail_scenes import SHORT, Taken, played

pytestmark = pytest.mark.any_database

#: Told only of games for three and more, of which there is none yet.
NEVER = {Kind.SEATED}


class Reading(HTMLParser):
    """What a person reads of HTML, and whether every element that was opened is closed in its turn."""

    VOID = ("meta", "br")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "head"} & set(self.open):
            self.text.append(data)


@pytest.fixture(scope="module")
def scenes(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> list[Taken]:
    """The mails to somebody in Korea; the scenes take back whatever they did."""
    with django_db_blocker.unblock():
        return played("ko", SHORT)


def test_every_kind_of_message_is_mailed_in_some_scene(scenes: list[Taken]) -> None:
    assert {kind for one in scenes for kind in one.kinds} == set(Kind.values) - NEVER
    assert len({one.name for one in scenes}) == len(scenes)


def test_html_is_well_formed_and_leads_where_the_text_does(scenes: list[Taken]) -> None:
    for one in scenes:
        html = html_of(one)
        Reading(html)
        links = {unescape(link) for link in re.findall(r'href="([^"]+)"', html)}
        assert links == set(re.findall(r"^https?://\S+$", str(one.mail.body), re.MULTILINE)), one.name


def test_a_korean_mail_has_no_english_but_names_addresses_and_signs(scenes: list[Taken]) -> None:
    for one in scenes:
        for said in (str(one.mail.subject), str(one.mail.body), " ".join(Reading(html_of(one)).text)):
            words = set(re.findall(r"[A-Za-z]{3,}", re.sub(r"https?://\S+|\S+@\S+", "", said)))
            assert words <= {"Clew", "KST"}, (one.name, words)


def test_a_mail_of_several_says_nothing_twice(scenes: list[Taken]) -> None:
    for one in scenes:
        if len(one.kinds) > 1:
            lines = [line for line in str(one.mail.body).splitlines() if line.startswith("https:")]
            assert len(lines) == len(set(lines)), one.name
