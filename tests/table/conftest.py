"""The tiny example game is registered for all tests of the table."""

from collections.abc import Iterator

import pytest

from tests.table.tables import climb_known


@pytest.fixture(scope="package", autouse=True)
def _climb() -> Iterator[None]:
    with climb_known():
        yield
