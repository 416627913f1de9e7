"""Cases: records of an independent implementation, one a line, with what their replay must show.

``legal_counts`` and ``legal_sha256`` stand for the list of legal moves after each step, ``expect_error_step`` for a
step that must be refused, ``result`` for the end (null where the game isn't over yet).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from games.engine.record import NotARecord, Record, Stopped, move_text, read_record, replay


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many cases and steps were replayed, and each disagreement with its line's number, counted from 1."""

    cases: int
    steps: int
    disagreements: list[tuple[int, str]]


def check_cases(content: bytes) -> Outcome:
    """Replay every case of a file. Raises :class:`NotARecord` if a line is no record, or if there is none."""
    disagreements: list[tuple[int, str]] = []
    cases = steps = 0
    for number, case in read_cases(content):
        cases += 1
        steps += len(case.steps)
        disagreement = check_case(case)
        if disagreement is not None:
            disagreements.append((number, disagreement))
    if not cases:
        raise NotARecord("the file holds no case")
    return Outcome(cases, steps, disagreements)


def read_cases(content: bytes) -> Iterator[tuple[int, Record]]:
    """The records of a file with one a line, each with its line's number. Raises :class:`NotARecord`."""
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            try:
                yield number, read_record(line)
            except NotARecord as error:
                raise NotARecord(f"line {number}: {error}") from None


def check_case(case: Record) -> str | None:
    """What the replay shows otherwise than the case says, or None if they agree."""
    counts, digests = _list(case, "legal_counts"), _list(case, "legal_sha256")
    refused = case.document.get("expect_error_step")
    state: Any = case.rules.start(case.options)
    seen: list[tuple[int, str]] = []
    try:
        for state in replay(replace(case, result=None)):
            seen.append(legal_digest(case, state))
    except Stopped as stopped:
        if stopped.step != refused:
            return f"step {stopped.step} is refused: {stopped.code}"
    else:
        if refused is not None:
            return f"step {refused} is not refused"
        if case.rules.result(state) != case.result:
            return f"the result is {case.rules.result(state)} instead of {case.result}"
    if len(counts) != len(seen) or len(digests) != len(seen):
        return f"{len(seen)} steps were replayed, and the lists tell of {len(counts)} and {len(digests)}"
    for n, shown in enumerate(seen):
        if shown != (counts[n], digests[n]):
            return f"step {n}: {shown[0]} legal moves, hash {shown[1]}, instead of {counts[n]}, hash {digests[n]}"
    return None


def _list(case: Record, key: str) -> list[Any]:
    value = case.document.get(key)
    if not isinstance(value, list):
        raise NotARecord(f'a case has a list "{key}"')
    return value


def legal_digest(case: Record, state: Any) -> tuple[int, str]:
    """How many legal moves there are, and the first 16 hex digits of the SHA-256 of their sorted list's JSON."""
    texts = sorted(move_text(move) for move in case.rules.legal_moves(state))
    return len(texts), hashlib.sha256(f"[{','.join(texts)}]".encode()).hexdigest()[:16]
