"""The privacy check: whoever can't know a card gets exactly the same, whatever that card is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from games.engine.contract import SPECTATOR, CannotResample, Rules, Step, Viewer, resample
from tests.contract.play import Course, after_each


def viewers(rules: Rules[Any]) -> list[Viewer]:
    return [*range(rules.seats), SPECTATOR]


def told(rules: Rules[Any], states: list[Any], steps: list[Step], viewer: Viewer) -> Iterator[dict[str, Any]]:
    """Everything that this viewer is ever told of a course, moment by moment."""
    for n, state in enumerate(states):
        awaited = rules.awaits(state) == viewer
        yield {
            "view": rules.view(state, viewer),
            "legal": rules.legal_moves(state) if awaited else None,
            "step": rules.public(steps[n - 1], viewer) if n else None,
            "awaits": rules.awaits(state),
            "result": rules.result(state),
        }


def resampled(course: Course, viewer: Viewer, seed: int) -> list[Step] | None:
    """The course over another deal that the viewer can't tell from the real one; None if none was found."""
    try:
        return resample(course.rules, course.options, course.steps, viewer, random.Random(seed))
    except CannotResample:
        return None


def assert_private(course: Course, seed: int) -> int:
    """Assert that no viewer can tell the course from a resampled one; how many of those had other deals."""
    rules, different = course.rules, 0
    for viewer in viewers(rules):
        steps = resampled(course, viewer, seed)
        if steps is None or steps == course.steps:
            continue
        different += 1
        states = after_each(rules, course.options, steps)
        real = told(rules, course.states, course.steps, viewer)
        for n, (mine, other) in enumerate(zip(real, told(rules, states, steps, viewer), strict=True)):
            assert mine == other, f"{viewer} can tell after {n} steps"
    return different
