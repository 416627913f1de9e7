"""The people of these tests: Alice opens tables, Bob sits down at them, Charlie is an outsider; and their programs."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from accounts.models import User
from tests.api.programs import Program, nobody, program
from tests.games.fixtures import alice, bob, charlie, climb_registered

__all__ = ["alice", "bob", "charlie", "climb_registered"]


@pytest.fixture(autouse=True)
def nobody_asked_before() -> Iterator[None]:
    """Requests of other tests don't count."""
    caches["limits"].clear()
    yield
    caches["limits"].clear()


@pytest.fixture
def as_alice(alice: User) -> Program:
    return program(alice)


@pytest.fixture
def as_bob(bob: User) -> Program:
    return program(bob)


@pytest.fixture
def as_charlie(charlie: User) -> Program:
    return program(charlie)


@pytest.fixture
def as_nobody(db: None) -> Program:
    return nobody()
