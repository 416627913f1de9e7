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


#: Programs by where they are looked for. The shell is Chromium without its windows, at a fraction of the cost.
_SHELLS = ("chromium-headless-shell",), "chromium_headless_shell-*/chrome-*/*headless*shell"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome"), "chromium-*/chrome-*/chrome"


def find(*, whole: bool = False) -> str | None:
    """The browser's program: what CLEW_CHROMIUM names, the system's, or the one that Playwright downloaded.

    A ``whole`` one can do what needs windows, such as notifications; else the shell is taken where it is.
    """
    named = os.environ.get("CLEW_CHROMIUM")
    if named:
        return named
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    for names, downloads in (_BROWSERS,) if whole else (_SHELLS, _BROWSERS):
        for name in names:
            if found := shutil.which(name):
                return found
        if downloaded := sorted(cache.glob(downloads)):
            return str(downloaded[-1])
    return None


def get() -> str | None:
    """As :func:`find` for a whole browser; else Playwright's download, or Debian's package when root."""
    if found := find(whole=True):
        return found
    _try([sys.executable, "-m", "playwright", "install", "chromium"], "downloading Chromium with Playwright")
    if found := find(whole=True):
        return found
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        _try(["apt-get", "update", "-qq"], "reading Debian's package lists")
        _try([*install, "chromium"], "installing Debian's chromium")
        _try([*install, "chromium-headless-shell"], "installing Debian's chromium-headless-shell")
    return find(whole=True)


def _try(command: list[str], what: str) -> None:
    print(f"clew: {what}", flush=True)  # noqa: T201 - part of a command
    quiet = subprocess.DEVNULL
    try:
        subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"clew: {what} failed: {error}", flush=True)  # noqa: T201 - part of a command
