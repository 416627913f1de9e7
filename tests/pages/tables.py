"""Games of Ariadne's Thread for the pages' tests, and what is read out of a page."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from accounts.models import User
from tests.games.people import begun, play_on

_TOUCH = re.compile(r'<input type="\w+" name="touch[\w.]*" value="([^"]+)"')
_CARD = re.compile(r'data-card="(\w+)"')


def ariadne(alice: User, bob: User, moves: int = 0, seed: int = 0, **terms: Any) -> str:
    """The id of a game after so many random moves; Alice is black and begins."""
    game = begun("ariadne", alice, bob, **terms)
    play_on(game, alice, bob, moves=moves, seed=seed)
    return game


def logged_in(user: User, **headers: str) -> Client:
    client = Client(headers=headers)
    client.force_login(user)
    return client


def text(response: HttpResponseBase) -> str:
    content: bytes = getattr(response, "content", b"")
    return content.decode()


def touches(page: str) -> list[str]:
    """Everything on a page that can be touched."""
    return _TOUCH.findall(page)


def cards(page: str) -> list[str]:
    """Every card that a page shows, in order."""
    return _CARD.findall(page)


def ticked(page: str) -> set[str]:
    """What stands chosen on a page."""
    return set(re.findall(r'value="([^"]+)"[^>]*\schecked>', page))


def hidden(page: str, name: str) -> str:
    """The value of a form's hidden field."""
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]
