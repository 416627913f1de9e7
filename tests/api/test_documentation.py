"""docs/api.md is true: its commands are sent in their order, and every table of statuses and limits is looked at."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts import tokens
from accounts.models import User
from games.api.serializers import ACTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
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
            case "-s":
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
def test_every_command_of_the_page_does_what_it_says(alice: User, bob: User) -> None:
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
        assert answer.status_code in (200, 201), (command, answer.content)
        data = answer.json()
        if "id" in data:
            known["GAME"], known["STEP"] = data["id"], str(data["step"])
    assert Client().get(f"/api/v1/games/{known['GAME']}/").json()["status"] == "ended"


def test_the_page_names_the_limits_that_there_are() -> None:
    reads, writes, anonymous = (f"{settings.CLEW_API_LIMITS[name]:,}" for name in ("reads", "writes", "anonymous"))
    text = " ".join(PAGE.split())
    assert f"may read {reads} times and write {writes} times a minute" in text
    assert f"an address without an account read {anonymous} times" in text


def test_the_page_knows_every_action() -> None:
    assert [action for action in ACTIONS if f"`{action}`" not in PAGE] == []
