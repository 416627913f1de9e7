"""Finding Chromium for the browser tests, and getting it where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

#: For Chromium as root and without a desktop: no sandbox, no graphics card, and nothing sent home.
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str | None:
    """The browser's program: what CLEW_CHROMIUM names, the system's, or the one that Playwright downloaded."""
    named = os.environ.get("CLEW_CHROMIUM")
    if named:
        return named
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    downloads = sorted(cache.glob("chromium-*/chrome-*/chrome"))
    return str(downloads[-1]) if downloads else None


def get() -> str | None:
    """As :func:`find`; where there is none, Playwright's download, else Debian's package when root."""
    if found := find():
        return found
    _try([sys.executable, "-m", "playwright", "install", "chromium"], "downloading Chromium with Playwright")
    if found := find():
        return found
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        _try(["apt-get", "update", "-qq"], "reading Debian's package lists")
        _try(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
            "installing Debian's chromium",
        )
    return find()


def _try(command: list[str], what: str) -> None:
    print(f"clew: {what}", flush=True)  # noqa: T201 - part of a command
    quiet = subprocess.DEVNULL
    try:
        subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"clew: {what} failed: {error}", flush=True)  # noqa: T201 - part of a command
