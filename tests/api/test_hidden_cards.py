"""Whole answers of the API are the same whatever the cards are that their reader can't know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from games.engine import get_rules, latest_version
from games.engine.contract import SPECTATOR, Viewer
from tests.api.programs import Program, nobody, program
from tests.api.test_roles import endpoints
from tests.games.people import table
from tests.security.games import Stored, Twins, some_twins, store
from tests.table.tables import AT

pytestmark = pytest.mark.any_database

#: What differs between any two answers: ids that are counted or drawn, and what is signed with them.
_OWN = [
    (re.compile(r'"id":\d+'), '"id":0'),
    (re.compile(r'"commitment":"\w+"'), '"commitment":""'),
    (re.compile(r'"ticket":"[^"]+"'), '"ticket":""'),
    (re.compile(r"\?ticket=[\w:.%-]+"), "?ticket="),
    (re.compile(r"cursor=[\w%-]+"), "cursor="),
]
_SLUGS = ("ariadne", "conquian", "forty_thieves", "kathmandu")
#: Moves that are tried where they aren't legal, typed and as JSON.
_TRIED: tuple[dict[str, Any], ...] = (
    {"notation": "AS"},
    {"notation": "TD h7"},
    {"notation": "meld AS AD AH"},
    {"notation": "t1 f"},
    {"move": {"type": "nonsense", "card": "AS"}},
    {"move": {"type": "place", "card": "AS", "cell": [6, 6]}},
    {"move": {"type": "force", "cards": ["4H", "5H", "6H"]}},
)


def rules_of(slug: str) -> Any:
    return get_rules(slug, latest_version(slug))


def paths(game: str) -> Iterator[str]:
    """All that can be read of people and games, also of what there will be."""
    steps = [entry.number for entry in table(game).line][::4]
    for path, methods in endpoints():
        if "GET" not in methods:
            continue
        for n in steps if "{n}" in path else steps[:1]:
            yield "/" + path.format(game=game, n=n, slug=table(game).rules.slug, name="Spindle", token=1)
    yield "/games/?mine"
    yield "/games/?awaiting=me"


def answers(asker: Program, game: str) -> Iterator[str]:
    """Everything that the API tells this asker of a running game: bodies and headers."""
    for path in paths(game):
        yield plain(path, asker.get(path), game)
    now = table(game)
    for body in _TRIED:
        for step in (now.step - 1, now.step):
            answer = asker.post(f"/games/{game}/moves/", {**body, "step": step})
            assert answer.status_code in (401, 403, 409, 412, 422)
            yield plain(f"{step} {body}", answer, game)
    if now.rules.seats == 1:
        yield plain("hint", asker.post(f"/games/{game}/actions/", {"action": "hint"}), game)


def plain(asked: str, answer: Any, game: str) -> str:
    headers = "\n".join(f"{name}: {value}" for name, value in answer.items() if name != "Content-Length")
    text = f"{asked}\n{answer.status_code}\n{headers}\n{answer.getvalue().decode()}"
    for pattern, kept in _OWN:
        text = pattern.sub(kept, text)
    return text.replace(game, "GAME")


def told(pair: Twins, askers: list[Program], *people: User) -> list[list[str]]:
    """What each twin tells them, one after the other, as if the other had never been."""
    found = []
    for thread in (pair.real, pair.other):
        with clock.frozen(clock.from_us(AT)) as frozen, transaction.atomic():
            stored: Stored = store(thread, *people)
            for play in pair.moves:
                frozen.advance(seconds=1)
                stored.play(play)
            found.append([text for asker in askers for text in answers(asker, stored.game)])
            transaction.set_rollback(True)
    return found


CASES = [
    pytest.param(slug, viewer, quick_pass, id=f"{slug}-{viewer}{'-quick' if quick_pass else ''}")
    for slug in _SLUGS
    for quick_pass in ([False, True] if rules_of(slug).lone_pass == "optional" else [False])
    for viewer in [*range(rules_of(slug).seats), SPECTATOR]
]


@pytest.fixture(autouse=True)
def streams(settings: Settings) -> None:
    settings.CLEW_STREAM_URL = "/stream/"


@pytest.mark.parametrize(("slug", "viewer", "quick_pass"), CASES)
def test_the_api_tells_nobody_what_they_can_not_know(
    alice: User, bob: User, charlie: User, slug: str, viewer: Viewer, quick_pass: bool
) -> None:
    askers = [program((alice, bob)[viewer])] if isinstance(viewer, int) else [program(charlie), nobody()]
    compared = 0
    for pair in some_twins(slug, viewer, moves=12, count=2 if slug == "ariadne" else 1, quick_pass=quick_pass):
        real, other = told(pair, askers, alice, bob)
        for mine, theirs in zip(real, other, strict=True):
            assert mine == theirs
        compared += len(real)
    assert compared > 24


def test_the_comparison_finds_what_is_given_away(alice: User, bob: User) -> None:
    real, other = told(next(some_twins("ariadne", 0, moves=12, count=1)), [program(bob)], alice, bob)
    assert real != other
