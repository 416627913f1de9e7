"""``python -m games.engine``: one JSON line a step, exit status 0, 1 or 2, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.engine import get_rules
from games.engine.__main__ import main
from games.engine.contract import Deal
from games.engine.record import record
from games.engine.shuffle import deal_by_number

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "cases"


def case(line: int = 1) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads((CASES / "ariadne.jsonl").read_text().splitlines()[line - 1])
    return whole


def refused_case() -> dict[str, Any]:
    lines = (CASES / "ariadne.jsonl").read_text().splitlines()
    return next(document for document in map(json.loads, lines) if "expect_error_step" in document)


def saved(path: Path, document: object) -> str:
    file = path / "record.json"
    file.write_text(json.dumps(document))
    return str(file)


def printed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


def test_replay_prints_a_line_a_step_with_the_sorted_legal_moves_and_the_whole_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = case()
    assert main(["replay", saved(tmp_path, document)]) == 0
    lines = printed(capsys)
    assert [line["step"] for line in lines] == list(range(98))
    assert [len(line["legal"]) for line in lines] == document["legal_counts"]
    assert all(set(line) == {"step", "awaits", "legal", "state", "result"} for line in lines)
    for line in lines:
        texts = [json.dumps(move, sort_keys=True, separators=(",", ":")) for move in line["legal"]]
        assert texts == sorted(texts)
    assert lines[0]["awaits"] == 0
    assert lines[48]["awaits"] == "deal"
    assert lines[48]["legal"] == []
    assert lines[96]["result"] is None
    assert lines[97]["awaits"] is None
    assert lines[97]["result"] == document["result"]
    assert lines[0]["state"]["hands"] == [pack[:3] for pack in document["steps"][0]["deal"]]


def test_quiet_prints_the_last_line_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved(tmp_path, case())
    main(["replay", file])
    last = printed(capsys)[-1]
    assert main(["replay", "--quiet", file]) == 0
    assert printed(capsys) == [last]


@pytest.mark.parametrize("options", [[], ["--quiet"]])
def test_an_illegal_step_ends_the_run_with_its_code_and_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    document = refused_case()
    step = document["expect_error_step"]
    assert main(["replay", *options, saved(tmp_path, document)]) == 1
    lines = printed(capsys)
    assert len(lines) == (1 if options else step + 1)
    assert lines[-1] == {
        "step": step,
        "error": "cell_occupied",
        "detail": "The cell must be empty; the joker's own cell is occupied too.",
    }


def test_a_result_that_is_not_reached_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = {**case(), "result": {"scores": [0, 0], "winner": None}}
    assert main(["replay", "--quiet", saved(tmp_path, document)]) == 1
    assert [line["error"] for line in printed(capsys)] == ["wrong_result"]


def test_a_record_without_steps_replays_to_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", saved(tmp_path, {**case(), "steps": [], "result": None})]) == 0
    assert printed(capsys) == []


@pytest.mark.parametrize(
    "content",
    [
        b"", b"Dear reader,\nthis is a letter.\n", b"\x89PNG\r\n\x1a\n\x00\xff", b"[" * 200_000, b"{}", b"[1]", b"null",
        json.dumps({**case(), "rules": "no\nsuch\ngame"}).encode(),
        json.dumps({**case(), "rules_version": 99}).encode(),
        json.dumps({**case(), "options": {"\ud800\nspeed": "소금"}}).encode(),
        (CASES / "ariadne.jsonl").read_bytes(),
    ],
    ids=lambda content: repr(content[:16]),
)  # fmt: skip
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_what_is_no_record_gives_status_2_and_one_line_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, content: bytes
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert main([command, str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert len(err.splitlines()) == 1
    assert len(err) <= 301


@pytest.mark.parametrize("name", ["", "missing.json", ".", "nul\0byte"])
def test_a_file_that_cannot_be_read_gives_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["replay", f"{tmp_path}/{name}"]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


def test_cases_are_replayed_and_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    lines = (CASES / "ariadne.jsonl").read_text().splitlines()[:3]
    file.write_text("\n".join(lines))
    assert main(["replay", "--cases", str(file)]) == 0
    assert printed(capsys) == [{"cases": 3, "agree": 3, "steps": 294}]
    file.write_text("\n".join([lines[0], lines[1].replace('"winner":', '"winner":1'), lines[2]]))
    assert main(["replay", "--cases", str(file)]) == 1
    first, last = printed(capsys)
    assert first["line"] == 2
    assert last == {"cases": 3, "agree": 2, "steps": 294}
    file.write_text("\n".join([lines[0], "a letter"]))
    assert main(["replay", "--cases", str(file)]) == 2
    assert "line 2: " in capsys.readouterr().err


def test_verify_says_how_many_deals_it_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = get_rules("forty_thieves", 1)
    packs = deal_by_number(rules.packs(rules.start(rules.options({}))), 3)
    written = record(rules, rules.options({}), [Deal(packs)], shuffle={"algorithm": "pysolfc", "number": 3})
    assert main(["verify", saved(tmp_path, written)]) == 0
    assert printed(capsys) == [{"verified": True, "steps": 1, "deals": 1}]
    written["shuffle"]["number"] = 4
    assert main(["verify", saved(tmp_path, written)]) == 1
    (line,) = printed(capsys)
    assert (line["step"], line["error"]) == (0, "wrong_deal")
    del written["shuffle"]
    assert main(["verify", saved(tmp_path, written)]) == 1
    assert printed(capsys)[0]["error"] == "no_shuffle"


# --- as a process -------------------------------------------------------------------------------------------------


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The command as a person runs it, with no settings and no database."""
    environment = {
        key: value for key, value in os.environ.items() if key not in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL")
    }
    command = [sys.executable, "-m", "games.engine", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=60, **options)


def test_a_record_is_read_from_standard_input() -> None:
    done = run("replay", "--quiet", "-", input=json.dumps(case()).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["result"] == case()["result"]


def test_no_traceback_comes_from_binary_standard_input() -> None:
    done = run("replay", "-", input=bytes(range(256)))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"-: the document is not UTF-8 text\n"


def test_a_reader_that_closes_the_pipe_early_gets_no_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "games.engine", "replay", saved(tmp_path, case())]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 141


def test_the_engine_runs_where_django_cannot_be_imported() -> None:
    script = (
        "import sys; sys.modules['django'] = None\n"
        "from games.engine.__main__ import main\n"
        "sys.exit(main(['replay', '--quiet', '-']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        input=json.dumps(case()).encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_wrong_command_gives_status_2() -> None:
    assert run("shuffle").returncode == 2
    assert run().returncode == 2
