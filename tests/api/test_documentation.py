"""The guide for programs is true: its commands are sent in their order, its tables of limits and views looked at."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import tokens
from accounts.models import User
from config.api import guide
from games.api.serializers import ACTIONS
from games.engine.contract import OPEN
from tests.table.tables import played

PAGE = guide.text_of("", "en")
_COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("curl")
]


def sent(command: str, known: dict[str, str]) -> Any:
    """What a curl command of the page does, with the shell's variables filled in."""
    for name, value in known.items():
        command = command.replace(f"${name}", value)
    words = shlex.split(command)
    method, headers, body, path = "GET", {}, "", ""
    rest = iter(words[1:])
    for word in rest:
        match word:
            case "-s" | "-sNL":
                continue
            case "-X":
                method = next(rest)
            case "-H":
                name, _colon, value = next(rest).partition(": ")
                headers[name] = value
            case "-d":
                body = next(rest)
            case _:
                path = word
    kind = headers.pop("Content-Type", "application/json")
    return Client().generic(method, path, body, content_type=kind, headers=headers)


@pytest.mark.django_db
def test_every_command_of_the_page_does_what_it_says(alice: User, bob: User, settings: Settings) -> None:
    settings.CLEW_STREAM_URL = "/stream/"
    known = {"SITE": "/api/v1", "JSON": "Content-Type: application/json"}
    # The longer name first: the shorter is a part of it.
    known["OTHER_AUTH"] = f"Authorization: Bearer {tokens.make(bob, 'theirs', ['read', 'play'])[1]}"
    known["MANAGER"] = f"Authorization: Bearer {tokens.make(alice, 'of bots', ['bot'])[1]}"
    known["AUTH"] = f"Authorization: Bearer {tokens.make(alice, 'mine', ['read', 'play'])[1]}"
    assert len(_COMMANDS) >= 9
    for command in _COMMANDS:
        answer = sent(command, known)
        if "/moves/" in command and answer.status_code in (409, 422):
            # Whose turn it is and what is legal is the shuffle's: the page's move may be neither.
            assert answer.json()["code"]
            continue
        assert answer.status_code in (200, 201, 307), (command, answer.content)
        if answer.status_code == 307:
            assert "/stream/" in answer["Location"]
            continue
        data = answer.json()
        if "id" in data:
            known["GAME"], known["STEP"] = data["id"], str(data["step"])
    assert Client().get(f"/api/v1/games/{known['GAME']}/").json()["status"] == "ended"


@pytest.mark.parametrize("which", guide.PAGES)
def test_both_languages_have_the_same_code_the_same_links_and_the_same_headings(which: str) -> None:
    english, korean = (guide.text_of(which, language) for language in ("en", "ko"))
    assert english != korean
    for part in (r"^```.*?^```$", r"^#+ ", r"\]\(.*?\)"):
        found = [re.findall(part, text, re.DOTALL | re.MULTILINE) for text in (english, korean)]
        assert sorted(found[0]) == sorted(found[1])
    assert words_in_code(english) == words_in_code(korean)


def words_in_code(text: str) -> set[str]:
    """Everything that stands between backticks in a text, without its blocks of code."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return {" ".join(code.split()) for code in re.findall(r"`([^`]+)`", plain)}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("which", guide.PAGES)
@pytest.mark.django_db
def test_the_guide_is_a_page_of_the_site_for_everybody(which: str, language: str, settings: Settings) -> None:
    settings.CLEW_SITE_URL = "https://cards.example.org"
    client = Client(headers={"Accept-Language": language})
    answer = client.get(guide.address_of(which))
    assert answer.status_code == 200
    html = answer.content.decode()
    assert f'<html lang="{language}"' in html
    assert "localhost" not in html
    assert ".md" not in re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)
    names = re.findall(r'id="([^"]+)"', html)
    assert len(names) == len(set(names))
    for address in set(re.findall(r'href="(/api/guide/[^"#]*#[^"]*|#[^"]*)"', html)):
        where, _hash, name = address.partition("#")
        there = client.get(where).content.decode() if where else html
        assert f'id="{name}"' in there, address


def test_there_is_no_other_page(client: Client) -> None:
    for page in ("api", "look", "running", "korean"):
        assert client.get(f"/api/guide/{page}/").status_code == 404


@pytest.mark.parametrize("slug", ["ariadne", "conquian", "kathmandu", "forty_thieves"])
def test_the_guide_knows_everything_that_a_view_has_and_every_kind_of_move(slug: str) -> None:
    text = guide.text_of("views", "en")
    (section,) = [part for part in text.split("\n## ") if f"\n`{slug}`" in part]
    told = set(re.findall(r"\w+", " ".join(words_in_code(section)))) | {"awaits", "result"}
    blocks = re.findall(r"^```json\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    kinds = {(move["type"], frozenset(move)) for block in blocks for move in map(json.loads, block.splitlines())}
    for table in [table for seed in range(2) for table in played(slug, seed, 60).tables if table.status == "running"]:
        for viewer in (0, OPEN):
            assert told.issuperset(table.rules.view(table.state, viewer))
        for move in table.rules.legal_moves(table.state) if table.awaited_seat is not None else ():
            # Going out in Conquian discards nothing.
            assert {(move["type"], frozenset(move)), (move["type"], frozenset(move) | {"discard"})} & kinds, move


def test_the_page_names_the_limits_that_there_are() -> None:
    reads, writes, anonymous = (f"{site.CLEW_API_LIMITS[name]:,}" for name in ("reads", "writes", "anonymous"))
    text = " ".join(PAGE.split())
    assert f"may read {reads} times and write {writes} times a minute" in text
    assert f"an address without an account read {anonymous} times" in text


def test_the_page_knows_every_action() -> None:
    assert [action for action in ACTIONS if f"`{action}`" not in PAGE] == []
