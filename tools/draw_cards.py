"""Draw Clew's sprites: ``python -m tools.draw_cards`` writes them, ``--check`` says whether they are up to date.

The PNG icons are pictures of ``app-icon.svg`` taken in a browser: ``--png /usr/bin/chromium`` takes them again
(it needs Playwright).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.look.faces import card_symbols
from tools.look.icons import app_icon, favicon, icon_symbols
from tools.look.pictures import picture_symbols
from tools.look.shapes import sprite

TARGET = Path(__file__).resolve().parent.parent / "games" / "static" / "games"
NOTE = "Drawn by tools/draw_cards.py: change the drawing there, not here."
PNGS = {"apple-touch-icon.png": 180, "icon-192.png": 192, "icon-512.png": 512}


def drawings() -> dict[str, str]:
    """Every drawn file's text by its name; the same on every machine."""
    return {
        "cards.svg": sprite(card_symbols(), NOTE),
        "pictures.svg": sprite(picture_symbols(), NOTE),
        "icons.svg": sprite(icon_symbols(), NOTE),
        "favicon.svg": favicon(),
        "app-icon.svg": app_icon(),
    }


def stale(folder: Path) -> list[str]:
    """The names of the files in the folder that are not what would be drawn."""
    return [
        name
        for name, text in drawings().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def photograph(folder: Path, browser: str) -> None:
    """Take the PNG icons of the app icon. Only this needs the developers' packages, so they are imported here."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Chromium as root, in a container too, starts only without its sandbox; the page is our own drawing.
        window = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for name, size in PNGS.items():
            page = window.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px}}</style>{app_icon()}")
            page.screenshot(path=folder / name)
        window.close()


def main(arguments: Sequence[str]) -> int:
    """Write the files, or check them; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(description="Draw Clew's sprites.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    parser.add_argument("--png", metavar="CHROMIUM", help="take the PNG icons too, with this browser")
    options = parser.parse_args(arguments)
    if options.check:
        names = stale(TARGET)
        sys.stderr.writelines(f"{name} is not what tools/draw_cards.py draws.\n" for name in names)
        return 1 if names else 0
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, text in drawings().items():
        (TARGET / name).write_text(text, encoding="utf-8", newline="\n")
    if options.png:
        photograph(TARGET, options.png)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
