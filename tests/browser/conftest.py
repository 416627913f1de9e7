"""A real browser, and a real site for it."""

import os
from typing import Any

import pytest

from tests.plugins import chromium


@pytest.fixture(scope="session", autouse=True)
def allow_database_beside_the_browser() -> None:
    """Playwright keeps an event loop running in this thread, which Django takes for asynchronous code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the Chromium that was found. Without one the test is skipped; in CI it fails."""
    program = chromium.find()
    if program is None:
        message = "There is no Chromium here for the browser tests; bin/test tries to get one."
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return {**browser_type_launch_args, "executable_path": program, "args": list(chromium.ARGS)}
