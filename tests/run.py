"""What bin/test does once its environment is there: ``python -m tests.run [pytest's arguments]``."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.plugins import chromium

ROOT = Path(__file__).resolve().parent.parent
NO_TESTS = 5  # pytest's status where it ran none

LAYERS = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
#: What each check is called, and Python's arguments for it.
CHECKS: Sequence[tuple[str, Sequence[str]]] = (
    ("style", ("-m", "ruff", "check", "--quiet")),
    ("format", ("-m", "ruff", "format", "--check", "--quiet")),
    ("types", ("-m", "mypy", "--no-error-summary", ".")),
    ("layers", ("-c", LAYERS, "--no-logo")),
    ("translations", ("-m", "tools.messages", "--check")),
)


def say(line: str) -> None:
    """One line for the person at the terminal, at once."""
    print(f"clew: {line}", flush=True)  # noqa: T201 - this is a command


def main(args: Sequence[str]) -> int:
    """The exit status: 0 where everything holds."""
    os.chdir(ROOT)
    if args:
        return _python(["-m", "pytest", *args])
    failed = [name for name, command in CHECKS if not _check(name, command)]
    if not _get_browser():
        failed.append("browser")
    told = []
    for label, database in (("PostgreSQL", ""), ("SQLite", "sqlite")):
        say(f"tests on {label}")
        with tempfile.TemporaryDirectory(prefix="clew-report-") as folder:
            report = Path(folder) / "report"
            environ = {"CLEW_TEST_REPORT": str(report), "CLEW_TEST_DB": database}
            status = _python(["-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"], environ)
            if status:
                failed.append(f"tests on {label}" + (" (none ran)" if status == NO_TESTS else ""))
            if report.exists():
                told.append(report.read_text().strip())
    say(", ".join(told))
    say("failed: " + ", ".join(failed) if failed else "all checks and tests passed")
    return 1 if failed else 0


def _check(name: str, command: Sequence[str]) -> bool:
    say(f"checking {name}")
    return _python(command) == 0


def _get_browser() -> bool:
    """Have Chromium where tests want one; False where CI must do without it."""
    if chromium.get() is not None:
        return True
    say("NO CHROMIUM HERE AND NONE TO BE HAD: THE BROWSER TESTS ARE SKIPPED. Install chromium to run them.")
    return os.environ.get("CI") != "true"


def _python(args: Sequence[str], environ: Mapping[str, str] | None = None) -> int:
    command = [sys.executable, *args]
    try:
        return subprocess.run(command, env={**os.environ, **(environ or {})}, check=False).returncode
    except KeyboardInterrupt:  # the tool got it too, and has said so
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
