"""The schema says what the endpoints do, and they do what it says: schemathesis, with the tokens of two people."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import cycle, product
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django.fixtures import Settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation

from accounts.models import User
from config.api import pages
from config.wsgi import application
from games import services
from games.services import Terms
from games.store.models import Event
from tests.api.programs import program
from tests.games.people import begun, play_on

#: No schema says which options a game knows, who can be invited or which move is legal: that may be refused, too.
_REFUSED = ["400", "401", "403", "404", "409", "412", "422", "428"]
CONFIG = {
    "generation": {"deterministic": True},
    # Its twenty switches would be tried in every way by a third of all requests.
    "operations": [{"include-operation-id": "change_preferences", "phases": {"coverage": {"enabled": False}}}],
    "checks": {
        "positive_data_acceptance": {"expected-statuses": ["2XX", "304", "307", *_REFUSED]},
        "negative_data_rejection": {"expected-statuses": ["406", "415", *_REFUSED]},
    },
}
#: The same requests in every run, and no more than the suite has seconds for.
bounded = hypothesis_settings(
    deadline=None, max_examples=6, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def described() -> Any:
    config = SchemathesisConfig.from_dict(CONFIG)
    return schemathesis.openapi.from_wsgi("/api/schema/", application, config=config)


@pytest.fixture(scope="module")
def described_shortly(described: Any) -> Any:
    """The same without the systematic cases, of which an endpoint with a body has a hundred."""
    config = SchemathesisConfig.from_dict({**CONFIG, "phases": {"coverage": {"enabled": False}}})
    shortly = schemathesis.openapi.from_dict(described.raw_schema, config=config)
    shortly.app = application
    return shortly


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """As Django's own test client: a request doesn't end the connection whose transaction the test is in."""
    changed = (request_started, request_finished)
    for signal in changed:
        signal.disconnect(close_old_connections)
    yield
    for signal in changed:
        signal.connect(close_old_connections)


@pytest.fixture(autouse=True)
def named(request: pytest.FixtureRequest) -> None:
    """schemathesis 4.32 names its subtests through an attribute that pytest has had until 9.1."""
    request.node._nodeid = request.node.nodeid


schema = schemathesis.pytest.from_fixture("described")
at_tables = schemathesis.pytest.from_fixture("described_shortly").include(path_regex=r"\{game\}")


class Games:
    """Alice's program, and games as it may find them: its own, Bob's and Charlie's private ones, one that is over."""

    def __init__(self, alice: User, bob: User, charlie: User) -> None:
        # Not compressed: schemathesis reads the bytes as they come.
        self.headers = {**program(alice).headers, "Accept-Encoding": "identity"}
        self.over = begun("conquian", alice, bob)
        play_on(self.over, alice, bob, moves=3)
        services.resign(bob, self.over)
        own = [
            begun("kathmandu", alice, bob),
            begun("ariadne", bob, alice, admits="invited"),
            begun("forty_thieves", alice, admits="invited"),
            services.open_game(alice, Terms("conquian"), invite_link=True).table.id,
            services.open_game(bob, Terms("ariadne")).table.id,
            self.over,
        ]
        others = [
            begun("ariadne", bob, charlie, admits="invited"),
            services.open_game(bob, Terms("kathmandu", admits="invited"), invite_link=True).table.id,
        ]
        self.own, self.others = cycle(own), cycle(others)


@pytest.fixture
def games(alice: User, bob: User, charlie: User, settings: Settings) -> Games:
    settings.CLEW_API_LIMITS = dict.fromkeys(settings.CLEW_API_LIMITS, 1_000_000)
    settings.CLEW_STREAM_URL = "/stream/"
    return Games(alice, bob, charlie)


@contextmanager
def as_if_never() -> Iterator[None]:
    """What is done meanwhile is undone: every request finds the same games."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def at(case: Any, game: str) -> Any:
    """The case at this game, unless it tries what no id can be."""
    if "game" in case.path_parameters and not case.meta.is_negative_at(ParameterLocation.PATH):
        case.path_parameters["game"] = game
    return case


@schema.parametrize()
@bounded
def test_every_answer_is_as_the_schema_says(case: Any, games: Games) -> None:
    with as_if_never():
        at(case, next(games.own)).call_and_validate(headers=games.headers)


@at_tables.parametrize()
@bounded
def test_a_private_game_of_others_is_answered_as_one_that_is_not_there(case: Any, games: Games) -> None:
    answers = []
    for game in (next(games.others), str(uuid.uuid4())):
        with as_if_never():
            answer = at(case, game).call(headers=games.headers)
        answers.append((answer.status_code, answer.content))
    assert answers[0] == answers[1]
    assert answers[0][0] >= 400


@at_tables.parametrize()
@bounded
def test_once_it_is_over_nothing_is_added_to_a_game(case: Any, games: Games) -> None:
    before = Event.objects.filter(game=games.over).count()
    with as_if_never():
        answer = at(case, games.over).call(headers=games.headers)
        assert Event.objects.filter(game=games.over).count() == before
    assert answer.status_code < 500


def test_the_schema_is_valid_and_made_without_a_warning() -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=StringIO())


@pytest.mark.django_db
def test_the_schema_is_made_once_for_each_language_and_form_and_has_an_etag(monkeypatch: pytest.MonkeyPatch) -> None:
    pages._schema.cache_clear()
    client, first = Client(), {}
    for language, form in product(("en", "ko"), ("yaml", "json")):
        answer = client.get("/api/schema/", {"lang": language, "format": form})
        assert (answer.status_code, answer["Content-Language"]) == (200, language)
        first[language, form] = (answer.content, answer["ETag"])
    assert len({etag for _body, etag in first.values()}) == 4
    assert yaml.safe_load(first["en", "yaml"][0]) == json.loads(first["en", "json"][0])
    monkeypatch.setattr(pages.SchemaDocument, "generator_class", None)  # it isn't asked again
    for (language, form), (body, etag) in first.items():
        asked = {"format": form, "lang": "xx"}  # no language of the site: the reader's then
        assert client.get("/api/schema/", asked, headers={"Accept-Language": language}).content == body
        again = client.get("/api/schema/", {"lang": language, "format": form}, headers={"If-None-Match": f"W/{etag}"})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
