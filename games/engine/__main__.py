"""``python -m games.engine replay FILE`` and ``verify FILE``: read a game record with no database and no settings.

Exit status: 0 all well, 1 a step, result, deal or case is wrong, 2 the document is no record (or the command is wrong).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from games.engine.cases import check_cases
from games.engine.contract import DEAL
from games.engine.record import NotARecord, Record, Stopped, read_record, replay, sorted_moves, verify

WELL, WRONG, NO_RECORD, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 130, 141
_LONGEST_COMPLAINT = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    chosen = _parser().parse_args(arguments)
    try:
        status = _run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has what it wanted; nothing may be written when the interpreter flushes on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games.engine", description="Replay and verify game records.")
    commands = parser.add_subparsers(dest="command", required=True)
    replaying = commands.add_parser("replay", help="replay a record, one JSON line a step")
    replaying.add_argument("file", help="the record, or - for standard input")
    replaying.add_argument("--quiet", action="store_true", help="print the last line alone")
    replaying.add_argument(
        "--cases", action="store_true", help="the file holds one record a line with what its replay must show"
    )
    verifying = commands.add_parser("verify", help="replay a record and check its deals against its shuffle")
    verifying.add_argument("file", help="the record, or - for standard input")
    return parser


def _run(chosen: argparse.Namespace) -> int:
    try:
        content = _content(chosen.file)
        if chosen.command == "verify":
            return _verify(read_record(content))
        if chosen.cases:
            return _cases(content)
        return _replay(read_record(content), quiet=chosen.quiet)
    except NotARecord as error:
        return _complain(chosen.file, str(error))
    except RecursionError:
        return _complain(chosen.file, "the document is nested too deeply")


def _content(file: str) -> bytes:
    """The file's bytes. Raises :class:`NotARecord` where it can't be read."""
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise NotARecord(error.strerror or "it can't be read") from None
    except ValueError as error:  # a name that no file can have
        raise NotARecord(str(error)) from None


def _complain(file: str, message: str) -> int:
    line = " ".join(f"{file}: {message}".split())[:_LONGEST_COMPLAINT]
    sys.stderr.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    return NO_RECORD


def _replay(record: Record, *, quiet: bool) -> int:
    last: tuple[int, Any] | None = None
    try:
        for n, state in enumerate(replay(record)):
            if quiet:
                last = n, state
            else:
                _print(_line(record, n, state))
    except Stopped as stopped:
        _print({"step": stopped.step, "error": stopped.code, "detail": stopped.detail})
        return WRONG
    if last is not None:
        _print(_line(record, *last))
    return WELL


def _line(record: Record, n: int, state: Any) -> dict[str, Any]:
    rules = record.rules
    awaits = rules.awaits(state)
    moves = [] if awaits is None or awaits == DEAL else sorted_moves(rules.legal_moves(state))
    return {
        "step": n,
        "awaits": awaits,
        "legal": moves,
        "state": rules.to_json(state),
        "result": rules.result(state),
    }


def _verify(record: Record) -> int:
    try:
        deals = verify(record)
    except Stopped as stopped:
        _print({"step": stopped.step, "error": stopped.code, "detail": stopped.detail})
        return WRONG
    _print({"verified": True, "steps": len(record.steps), "deals": deals})
    return WELL


def _cases(content: bytes) -> int:
    outcome = check_cases(content)
    for number, disagreement in outcome.disagreements:
        _print({"line": number, "disagreement": disagreement})
    _print({"cases": outcome.cases, "agree": outcome.cases - len(outcome.disagreements), "steps": outcome.steps})
    return WRONG if outcome.disagreements else WELL


def _print(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    sys.exit(main())
