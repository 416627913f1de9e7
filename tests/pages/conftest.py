"""The people of these tests: Alice opens tables, Bob sits down at them, Charlie is an outsider."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from tests.games.fixtures import alice, bob, charlie

__all__ = ["alice", "bob", "charlie"]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """What is said without a page is said in English, whoever read a page before."""
    with translation.override("en"):
        yield
