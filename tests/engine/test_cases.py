"""Every recorded case of an independent implementation agrees: each step's legal moves, refusals and results."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from games.engine.cases import check_case, check_cases, read_cases
from games.engine.record import NotARecord, Record

CASES = Path(__file__).parent.parent / "cases"
SPECIFIED = CASES.parent.parent.parent / "shared" / "cases"
FILES = sorted(CASES.glob("*.jsonl"))


def test_there_are_cases_of_four_games() -> None:
    assert [path.stem for path in FILES] == ["ariadne", "conquian", "forty_thieves", "kathmandu"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_agrees(path: Path) -> None:
    outcome = check_cases(path.read_bytes())
    assert outcome.cases >= 45
    assert outcome.disagreements == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_cases_are_those_of_the_specification_where_it_is_at_hand(path: Path) -> None:
    original = SPECIFIED / path.name
    assert path.read_bytes() == (original.read_bytes() if original.exists() else path.read_bytes())


def case(number: int) -> Record:
    return dict(read_cases((CASES / "ariadne.jsonl").read_bytes()))[number]


def spoilt(number: int, **changes: object) -> Record:
    whole = case(number)
    return replace(whole, document={**whole.document, **changes})


def first_refused() -> int:
    return next(
        number
        for number, read in read_cases((CASES / "ariadne.jsonl").read_bytes())
        if "expect_error_step" in read.document
    )


def test_a_case_with_another_count_hash_or_length_disagrees() -> None:
    counts, digests = case(1).document["legal_counts"], case(1).document["legal_sha256"]
    assert check_case(case(1)) is None
    assert "step 3: " in str(check_case(spoilt(1, legal_counts=[*counts[:3], counts[3] + 1, *counts[4:]])))
    assert "step 5: " in str(check_case(spoilt(1, legal_sha256=[*digests[:5], "0" * 16, *digests[6:]])))
    assert "lists tell of 97" in str(check_case(spoilt(1, legal_counts=counts[:-1])))


def test_a_case_with_another_result_disagrees() -> None:
    assert "result" in str(check_case(replace(case(1), result=None)))
    assert "result" in str(check_case(replace(case(1), result={"scores": [0, 0], "winner": None})))


def test_a_case_whose_refusal_is_elsewhere_or_missing_disagrees() -> None:
    refused = first_refused()
    step = case(refused).document["expect_error_step"]
    assert check_case(case(refused)) is None
    assert f"step {step} is refused" in str(check_case(spoilt(refused, expect_error_step=step - 1)))
    assert "step 2 is not refused" in str(check_case(spoilt(1, expect_error_step=2)))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{}\n", b'{"format": "clew-record/1"}', b"\xff\xfe"])
def test_a_file_that_holds_no_case_is_none(content: bytes) -> None:
    with pytest.raises(NotARecord):
        check_cases(content)


def test_a_record_without_lists_to_compare_is_no_case() -> None:
    document = {key: value for key, value in case(1).document.items() if key != "legal_counts"}
    with pytest.raises(NotARecord, match="legal_counts"):
        check_cases(json.dumps(document).encode())
