"""Fixtures of every test that plays games in a database: the people, and the tiny example game."""

from collections.abc import Iterator

import pytest

from accounts.models import User
from tests.games.people import person
from tests.table.tables import climb_known

__all__ = ["alice", "bob", "charlie", "climb_registered"]


@pytest.fixture(scope="package", autouse=True)
def climb_registered() -> Iterator[None]:
    with climb_known():
        yield


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return person("charlie")
