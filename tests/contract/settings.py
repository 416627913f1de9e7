"""How long hypothesis looks: so that the whole contract takes seconds a game, and the same games in CI each time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings


def thorough(examples: int) -> settings:
    """So many examples, without a deadline; derandomised in CI (where ``CI`` is set)."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
