"""``python -m tools.mail_pictures FOLDER``: every kind of mail as it arrives, in pictures to be looked at.

The mails are made by games that are played for it, in each language (``tools/mail_scenes.py``). FOLDER has, of each,
what was sent as ``<mail>.<language>.html`` and ``.txt``, and pictures: of the HTML, light and dark, in a window of
600 px and on a phone of 360 px (``<mail>.<language>.<scheme>.<width>.png``), and of the text
(``<mail>.<language>.text.<width>.png``). ``index.html`` shows them beside one another.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tests.plugins import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tools.mail_scenes import Taken

LANGUAGES = ("en", "ko")
WIDTHS = (600, 360)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

#: How a mail program shows text: in its own font for it, lines broken where the window ends.
_TEXT_PAGE = """<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light">
<style>body {{ margin: 12px; background: #fff; color: #111; }}
pre {{ margin: 0; font: 13px/1.45 'DejaVu Sans Mono', 'Noto Sans Mono CJK KR', monospace; white-space: pre-wrap;
overflow-wrap: anywhere; }}</style><pre>{text}</pre>"""


def mails() -> dict[str, list[Taken]]:
    """The mails by language, from games on an embedded site of this process's own."""
    with tempfile.TemporaryDirectory(prefix="clew-mails-") as folder:
        os.environ.pop("DATABASE_URL", None)
        os.environ.update(
            CLEW_EMBEDDED="1",
            CLEW_DATA=folder,
            CLEW_MAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend",
            CLEW_STATIC_MANIFEST="0",
            CLEW_SITE_URL="https://clew.example",
            CLEW_LOG_LEVEL="ERROR",
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        import django
        from django.core.management import call_command
        from django.db import connections

        django.setup()
        call_command("migrate", verbosity=0)
        from tools.mail_scenes import played

        found = {language: played(language) for language in LANGUAGES}
        connections.close_all()
        return found


def html_of(taken: Taken) -> str:
    """The mail's HTML part."""
    return next(str(part.content) for part in getattr(taken.mail, "alternatives", ()) if part.mimetype == "text/html")


def draw(page: Page, taken: Taken, language: str, folder: Path) -> None:
    """What was sent, and pictures of it."""
    stem = folder / f"{taken.name}.{language}"
    html, text = html_of(taken), f"Subject: {taken.mail.subject}\n\n{taken.mail.body}"
    stem.with_name(stem.name + ".html").write_text(html, encoding="utf-8")
    stem.with_name(stem.name + ".txt").write_text(text, encoding="utf-8")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 400})
        page.set_content(html)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=f"{stem}.{scheme}.{width}.png", full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            print(f"{taken.name}.{language}: {wide} px wide in a window of {width} px")
        page.set_content(_TEXT_PAGE.format(text=escape(text)))
        page.screenshot(path=f"{stem}.text.{width}.png", full_page=True)


def index(found: dict[str, list[Taken]]) -> str:
    """A page that shows all pictures, a row each mail."""
    rows = []
    for row in zip(*found.values(), strict=True):
        rows.append(f"<h2>{escape(row[0].name)}</h2>")
        for language, taken in zip(found, row, strict=True):
            stem = f"{taken.name}.{language}"
            names = [f"{stem}.{scheme}.{width}.png" for width in WIDTHS for scheme in (*SCHEMES, "text")]
            rows.append(
                f"<p>{escape(taken.mail.subject)}</p>" + "".join(f'<img src="{name}" alt="">' for name in names)
            )
    style = "body{background:#888;font-family:sans-serif}img{margin:4px;vertical-align:top}"
    return f'<!doctype html><meta charset="utf-8"><title>Mails</title><style>{style}</style>' + "\n".join(rows)


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    program = chromium.get()
    if len(arguments) != 1 or program is None:
        print("usage: python -m tools.mail_pictures FOLDER; it needs Chromium.")
        return 1
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    found = mails()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(chromium.ARGS))
        page = browser.new_page()
        for language, taken in found.items():
            for one in taken:
                draw(page, one, language, folder)
        browser.close()
    (folder / "index.html").write_text(index(found), encoding="utf-8")
    print(f"{sum(map(len, found.values()))} mails in {folder}: open index.html there")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
