"""Who may do what: every method of every endpoint, asked by everybody who could come."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from pytest_django.fixtures import Settings

from accounts import bots, tokens
from accounts.models import Token, User
from config import clock
from games import services
from games.services import Terms
from notifications import wishes
from notifications.kinds import Kind
from notifications.models import InboxItem, LastVisit
from tests.api.programs import PROBLEM, Program, in_session, nobody, program
from tests.games.people import a_move, begun, person, play_on, table

#: Who comes, to which table and with what, by the head of their column.
ROLES = {
    "awa": "a player whose move is awaited in a private game",
    "opp": "the opponent there",
    "aft": "a player of a private game that is over",
    "spe": "somebody logged in, at a public game that runs",
    "new": "somebody logged in, at a public table with a free seat",
    "inv": "somebody invited by name to a private table with a free seat",
    "str": "a stranger at the private game",
    "pas": "nobody we know, at the public game",
    "unk": "nobody we know, at the private game",
    "rea": "the awaited player with a token that only reads",
    "pla": "with a token that only plays",
    "mak": "with a token that only makes bots",
    "ses": "with a session of the site and its CSRF token",
    "for": "with a session, without the CSRF token",
    "rev": "with a token that was revoked",
}

#: For each method and path the status that each of them is answered with.
TABLE = """
                                   awa opp aft spe new inv str pas unk rea pla mak ses for rev
GET    rules/                      200 200 200 200 200 200 200 200 200 200 403 403 200 200 401
GET    rules/{slug}/               200 200 200 200 200 200 200 200 200 200 403 403 200 200 401
GET    games/                      200 200 200 200 200 200 200 200 200 200 403 403 200 200 401
POST   games/                      201 201 201 201 201 201 201 401 401 403 201 403 201 403 401
GET    games/{game}/               200 200 200 200 200 200 404 200 404 200 403 403 200 200 401
POST   games/{game}/seats/         409 409 409 409 200 200 404 401 401 403 409 403 409 403 401
POST   games/{game}/moves/         200 409 409 403 403 403 404 401 401 403 200 403 200 403 401
POST   games/{game}/actions/       200 200 409 403 403 403 404 401 401 403 200 403 200 403 401
GET    games/{game}/steps/         200 200 200 200 200 200 404 200 404 200 403 403 200 200 401
GET    games/{game}/steps/{n}/     200 200 200 200 404 404 404 200 404 200 403 403 200 200 401
GET    games/{game}/record/        409 409 200 409 409 409 404 409 404 409 403 403 409 409 401
GET    games/{game}/messages/      200 200 200 404 404 404 404 401 401 200 403 403 200 200 401
POST   games/{game}/messages/      201 201 201 404 404 404 404 401 401 403 201 403 201 403 401
GET    games/{game}/stream-ticket/ 200 200 200 200 200 200 404 200 404 200 403 403 200 200 401
GET    me/                         200 200 200 200 200 200 200 401 401 200 403 403 200 200 401
GET    me/export/                  200 200 200 200 200 200 200 401 401 200 403 403 200 200 401
PATCH  me/                         200 200 200 200 200 200 200 401 401 403 200 403 200 403 401
GET    me/stream/                  307 307 307 307 307 307 307 401 401 307 403 403 307 307 401
GET    me/inbox/                   200 200 200 200 200 200 200 401 401 200 403 403 200 200 401
POST   me/inbox/read/              200 200 200 200 200 200 200 401 401 403 200 403 200 403 401
GET    me/preferences/             200 200 200 200 200 200 200 401 401 200 403 403 200 200 401
PATCH  me/preferences/             200 200 200 200 200 200 200 401 401 403 200 403 200 403 401
GET    bot/                        200 200 200 200 200 200 200 401 401 200 403 403 200 200 401
POST   bot/                        403 403 403 403 403 403 403 401 401 403 403 201 403 403 401
GET    bot/{name}/                 200 404 404 404 404 404 404 401 401 200 403 403 200 200 401
DELETE bot/{name}/                 403 403 403 403 403 403 403 401 401 403 403 204 204 403 401
POST   bot/{name}/tokens/          403 403 403 403 403 403 403 401 401 403 403 201 403 403 401
DELETE bot/{name}/tokens/{token}/  403 403 403 403 403 403 403 401 401 403 403 204 204 403 401
"""

KINDS = {
    401: "not-authenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    409: "conflict",
}


def rows() -> Iterator[tuple[str, str, dict[str, int]]]:
    """Each line of the table: method, path, and the status for each role."""
    head, *lines = TABLE.strip().splitlines()
    assert head.split() == list(ROLES)
    for line in lines:
        method, path, *statuses = line.split()
        yield method, path, dict(zip(ROLES, map(int, statuses), strict=True))


def endpoints() -> Iterator[tuple[str, set[str]]]:
    """Every address below ``/api/v1/`` with the methods that its view knows."""

    def walk(patterns: Any, before: str) -> Iterator[tuple[str, URLPattern]]:
        for pattern in patterns:
            path = before + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, path)
            else:
                yield path, pattern

    for path, pattern in walk(get_resolver().url_patterns, ""):
        view = getattr(pattern.callback, "view_class", None)
        if path.startswith("api/v1/") and view is not None:
            spelt = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path.removeprefix("api/v1/"))
            yield spelt, set(view().allowed_methods) - {"OPTIONS"}


def test_every_method_of_every_endpoint_stands_in_the_table() -> None:
    told = {(path, method) for method, path, _statuses in rows()}
    there = {(path, method) for path, methods in endpoints() for method in methods}
    assert told == there
    assert len(told) == len(list(rows()))


@dataclass(frozen=True)
class Scene:
    """Who asks, and of which table; and the token of the awaited player's bot."""

    asker: Program
    game: str
    token: int

    def address(self, path: str) -> str:
        known = {"game": self.game, "n": "1", "slug": "ariadne", "name": "Spindle", "token": str(self.token)}
        return "/" + path.format(**known)

    def body(self, method: str, path: str) -> dict[str, Any]:
        """What would be done if it may be."""
        match method, path:
            case "POST", "games/":
                return {"rules": "conquian"}
            case "POST", "games/{game}/moves/":
                now = table(self.game)
                move = a_move(self.game)[1] if now.status == "running" else {"type": "pass"}
                return {"move": move, "step": now.step}
            case "POST", "games/{game}/actions/":
                return {"action": "resign"}
            case "POST", "games/{game}/messages/":
                return {"text": "Good luck!"}
            case "PATCH", "me/":
                return {"language": "ko"}
            case "PATCH", "me/preferences/":
                return {"reminders": [10]}
            case "POST", "bot/":
                return {"name": "Distaff"}
        return {}


@pytest.fixture
def scene(alice: User, bob: User, charlie: User, settings: Settings) -> Callable[[str], Scene]:
    settings.CLEW_STREAM_URL = "/stream/"
    bot = bots.make(alice, "Spindle")
    token = tokens.make(bot, "its own", ["read", "play"])[0]

    def private() -> str:
        return begun("ariadne", alice, bob, admits="invited")

    def over() -> str:
        game = private()
        play_on(game, alice, bob, moves=2)
        services.resign(alice, game)
        return game

    def revoked() -> Program:
        lost = program(alice)
        Token.objects.filter(user=alice).delete()
        return lost

    def public() -> str:
        return begun("ariadne", alice, bob)

    def waiting(**terms: Any) -> str:
        return services.open_game(alice, Terms("ariadne", **terms), invite=[charlie]).table.id

    comes: Mapping[str, tuple[Callable[[], Program], Callable[[], str]]] = {
        "awa": (lambda: program(alice), private),
        "opp": (lambda: program(bob), private),
        "aft": (lambda: program(bob), over),
        "spe": (lambda: program(charlie), public),
        "new": (lambda: program(person("dave")), waiting),
        "inv": (lambda: program(charlie), lambda: waiting(admits="invited")),
        "str": (lambda: program(charlie), private),
        "pas": (nobody, public),
        "unk": (nobody, private),
        "rea": (lambda: program(alice, "read"), private),
        "pla": (lambda: program(alice, "play"), private),
        "mak": (lambda: program(alice, "bot"), private),
        "ses": (lambda: in_session(alice), private),
        "for": (lambda: in_session(alice, csrf=False), private),
        "rev": (revoked, private),
    }

    def set_up(role: str) -> Scene:
        who, where = comes[role]
        come = Scene(who(), where(), token.pk)
        for user in User.objects.all():
            InboxItem.objects.create(key=f"{user.pk}", kind=Kind.TURN, user=user, at=clock.now())
            wishes.of(user)  # whoever looks at what they chose has a row of it
        return come

    return set_up


_MODELS = [model for app in ("accounts", "games", "notifications") for model in apps.get_app_config(app).get_models()]


def everything() -> dict[str, str]:
    """All that the database holds of games and people, table by table, but for when tokens were used last."""
    found = {model.__name__: list(model._default_manager.order_by("pk").values()) for model in _MODELS}
    for row in found["Token"]:
        row["used_at"] = None
    return {name: str(values) for name, values in found.items()}


@pytest.mark.parametrize("role", ROLES)
def test_everybody_gets_what_they_should(scene: Callable[[str], Scene], role: str) -> None:
    """Reading and being refused change nothing; doing does."""
    comes = scene(role)
    before, wrong = everything(), []
    for method, path, statuses in rows():
        with transaction.atomic():
            answer = comes.asker.ask(method, comes.address(path), comes.body(method, path))
            after = everything()
            transaction.set_rollback(True)
        if answer.status_code != statuses[role]:
            wrong.append(f"{method} {path}: {answer.status_code} instead of {statuses[role]}: {answer.content[:200]}")
        if answer.status_code >= 400:
            assert_problem(answer)
        changed = [name for name, rows in after.items() if rows != before[name]]
        if bool(changed) != (method != "GET" and answer.status_code < 300):
            wrong.append(f"{method} {path}: {answer.status_code} changed {changed}")
    assert "\n".join(wrong) == ""


def assert_problem(answer: Any) -> None:
    assert answer["Content-Type"] == PROBLEM
    told, status = answer.json(), answer.status_code
    assert told["type"].endswith(f"/api/problems/#{KINDS[status]}")
    assert told["status"] == status
    if status == 401:
        assert answer["WWW-Authenticate"].startswith("Bearer")


def test_other_methods_are_refused_and_change_nothing(scene: Callable[[str], Scene], alice: User) -> None:
    comes = replace(scene("awa"), asker=program(alice, "read", "play", "bot"))
    before = everything()
    for path, methods in endpoints():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
            answer = comes.asker.ask(method, comes.address(path), {})
            assert answer.status_code == 405, (method, path, answer.content)
            assert_problem(answer)
            assert methods <= set(answer["Allow"].split(", "))
    assert everything() == before


def test_a_program_that_looks_is_nobodys_visit(alice: User, client: Client) -> None:
    """Who is told once until they come back hasn't come back when their program asks."""
    game = begun("ariadne", alice, person("bob"))
    for asker in (program(alice), in_session(alice)):
        assert asker.get(f"/games/{game}/").status_code == 200
    assert not LastVisit.objects.exists()
    client.force_login(alice)
    assert client.get(f"/games/{game}/").status_code == 200
    assert LastVisit.objects.filter(user=alice).exists()
