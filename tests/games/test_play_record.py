"""Recorded games played through the services are stored whole and in order."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine.contract import Deal, Play, Step
from games.store.models import Event, Head
from games.store.verify import verify_game
from tests.games.people import table
from tests.plugins.services import ON_SQLITE

CASES = Path(__file__).parent.parent / "cases"


def documents(slug: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / f"{slug}.jsonl").read_text().splitlines()]


def sample(slug: str) -> list[int]:
    """The shortest games that end, and the shortest that are refused: line numbers from 1."""
    found = documents(slug)
    by_length = sorted(range(len(found)), key=lambda n: len(found[n]["steps"]))
    ending = [n + 1 for n in by_length if found[n].get("result") is not None][:2]
    refused = [n + 1 for n in by_length if found[n].get("expect_error_step") is not None][:4]
    return ending + refused


#: Every third game of Ariadne's Thread on PostgreSQL; of the others, and on SQLite, a sample. The engine replays all.
CHOSEN = [
    (slug, line)
    for slug in ("ariadne", "conquian", "forty_thieves", "kathmandu")
    for line in (sample(slug) if slug != "ariadne" or ON_SQLITE else range(1, len(documents(slug)) + 1, 3))
]


def play_record(path: Path, *args: str) -> str:
    out = StringIO()
    call_command("play_record", str(path), *args, stdout=out)
    return out.getvalue()


def read_step(step: dict[str, Any]) -> Step:
    if "deal" in step:
        return Deal(tuple(map(tuple, step["deal"])))
    return Play(step["seat"], step["move"])


@pytest.mark.parametrize(("slug", "line"), CHOSEN)
def test_a_recorded_game_is_stored_whole_and_verifies(db: None, slug: str, line: int) -> None:
    document = documents(slug)[line - 1]
    told = play_record(CASES / f"{slug}.jsonl", "--line", str(line))
    game_id = told.partition(":")[0]
    steps = [read_step(step) for step in document["steps"][: document.get("expect_error_step")]]
    played = table(game_id)
    assert [entry.step for entry in played.line][: len(steps)] == steps
    assert all(entry.automatic for entry in played.line[len(steps) :])
    assert Event.objects.filter(game=game_id).count() == played.version
    assert verify_game(game_id) == []
    result = Head.objects.get(game=game_id).result
    if document.get("expect_error_step") is not None:
        assert "then refused as recorded" in told
    elif played.stuck:
        assert played.rules.result(played.state) == document["result"]
    elif document.get("result") is None:
        assert result is None
    else:
        assert result is not None
        assert {key: result[key] for key in document["result"]} == document["result"]


@pytest.fixture
def short(tmp_path: Path) -> tuple[dict[str, Any], Path]:
    """A short record, and a file to write a changed one to."""
    document = min(
        (found for found in documents("ariadne") if found.get("expect_error_step") is not None),
        key=lambda found: len(found["steps"]),
    )
    steps = document["steps"][: document["expect_error_step"]]
    return {**document, "steps": steps, "expect_error_step": None}, tmp_path / "record.json"


def write(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document, indent=1))
    return path


def test_one_record_may_be_a_file_of_many_lines(db: None, short: tuple[dict[str, Any], Path]) -> None:
    document, path = short
    assert f"{len(document['steps'])} steps, running." in play_record(write(path, document))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"expect_error_step": 1}, "step 1 was not refused"),
        ({"result": {"scores": [1, 2], "winner": 1}}, "result was not reached"),
        ({"rules": "whist"}, "no such rules"),
        ({"format": "clew-record/0"}, "format"),
    ],
)
def test_a_record_that_claims_what_is_not_so_is_refused(
    db: None, short: tuple[dict[str, Any], Path], change: dict[str, Any], message: str
) -> None:
    document, path = short
    with pytest.raises(CommandError, match=message):
        play_record(write(path, {**document, **change}))


@pytest.mark.parametrize(
    ("at", "step", "message"),
    [
        (0, {"deal": [["AS"], ["AS"]]}, "wrong_packs"),
        (1, {"deal": [["AS"], ["AS"]]}, "step 1: deal_not_awaited"),
        (1, {"seat": 7, "move": {"type": "pass"}}, "step 1: not_your_turn"),
        (1, {"seat": 0, "move": {"type": "castle"}}, "step 1: malformed_move"),
    ],
)
def test_a_step_that_is_not_legal_is_refused_with_its_number(
    db: None, short: tuple[dict[str, Any], Path], at: int, step: dict[str, Any], message: str
) -> None:
    document, path = short
    steps = [*document["steps"]]
    steps[at] = step
    with pytest.raises(CommandError, match=message):
        play_record(write(path, {**document, "steps": steps}))


@pytest.mark.parametrize(
    ("content", "args", "message"),
    [
        ("{", (), "not JSON"),
        ("[]\n[", (), "line 1"),
        ("[1]", (), "a record is"),
        ("[1]", ("--line", "5"), "no such record"),
    ],
)
def test_a_file_that_holds_no_record_is_refused(
    db: None, tmp_path: Path, content: str, args: tuple[str, ...], message: str
) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    with pytest.raises(CommandError, match=message) as failed:
        play_record(path, *args)
    assert failed.value.returncode == 2


def test_a_file_that_is_not_there_is_refused(db: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="can't be read"):
        play_record(tmp_path / "nothing")
