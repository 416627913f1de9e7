"""``bin/screenshots [FOLDER]``: the README's picture, and into FOLDER one of every page, from a demo site of its own.

The site is bin/play's, with its demo, in a folder that is gone afterwards. In FOLDER there is each page in English and
Korean, light and dark, in a window of 1280 px and on a phone of 360 px: ``<page>.<language>.<scheme>.<width>.png``.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit
from urllib.request import urlopen

from tests.plugins import chromium
from tests.plugins.servers import free_port, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "pictures" / "table.png"
#: The demo's players; see games/demo.py.
PLAYERS = ("Mina", "Jonas")
PASSWORD = "follow-the-thread"
WIDTHS = {1280: 800, 360: 740}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
#: The names of the languages as their buttons say them.
LANGUAGES = {"en": "English", "ko": "한국어"}
#: Seconds within which the demo must be there.
START = 120.0

#: A picture's width, height and RGBA bytes, read by a browser.
_PIXELS = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const bytes = canvas.getImageData(0, 0, width, height).data;
  let text = "";
  for (let n = 0; n < bytes.length; n += 8192) text += String.fromCharCode(...bytes.subarray(n, n + 8192));
  return [width, height, btoa(text)];
}"""

STRANGERS = {
    "front": "/",
    "login": "/accounts/login/",
    "signup": "/accounts/signup/",
    "password-reset": "/accounts/password/reset/",
    "open-tables-stranger": "/tables/",
}
PEOPLE = {
    "home": "/home/",
    "new": "/new/",
    "open-tables": "/tables/",
    "rules": "/rules/",
    "settings": "/settings/",
    "mail-address": "/accounts/email/",
    "password": "/accounts/password/change/",
    "second-step": "/accounts/second-step/",
    "sessions": "/accounts/sessions/",
    "mailbox": "/mailbox/",
}


@contextmanager
def demo_site() -> Iterator[str]:
    """The address of a demo site that runs as long as this lasts."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="clew-screenshots-") as folder:
        environ = {**os.environ, "CLEW_DATA": folder, "PORT": str(port), "CLEW_QUIET_SPELL": "0"}
        with subprocess.Popen([sys.executable, "-m", "config.play", "--demo"], cwd=ROOT, env=environ) as process:
            try:
                ready = wait_until(lambda: process.poll() is not None or _answers(port), START)
                if not ready or process.poll() is not None:
                    raise SystemExit("The demo site did not start; the lines above say why.")
                yield f"http://localhost:{port}"
            finally:
                process.terminate()


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://localhost:{port}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def log_in(page: Page, name: str) -> None:
    """Log in as one of the demo's players, in English."""
    page.goto("/accounts/login/")
    page.get_by_label("Name or mail address").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()


def speak(page: Page, language: str) -> None:
    """Switch to this language, if the page isn't in it."""
    button = page.get_by_role("contentinfo").get_by_role("button", name=LANGUAGES[language])
    if button.count():
        button.click()


def paths(page: Page, selector: str) -> list[str]:
    """Where the links of a page lead to, each once."""
    found = [urlsplit(str(link.get_attribute("href"))).path for link in page.locator(f"main {selector}").all()]
    return list(dict.fromkeys(found))


def player_pages(page: Page) -> dict[str, str]:
    """The pages of a player by name, with the tables and games that the site has."""
    found = dict(PEOPLE)
    page.goto("/home/")
    running, finished = (
        paths(page, f"{place} a[href^='/games/']") for place in (".game-row.mine", "[aria-labelledby=finished]")
    )
    if running:
        found |= {
            "table": running[0],
            "resign": f"{running[0]}resign/",
            "replay-running": f"{running[0]}replay/?step=9",
        }
    if finished:
        found |= {"table-finished": finished[0], "replay": f"{finished[0]}replay/?step=40"}
    page.goto("/new/")
    found |= {f"new-{path.split('/')[2]}": path for path in paths(page, "a[href^='/new/']")}
    page.goto("/new/forty-thieves/?number=12345")
    page.get_by_role("button", name="Deal the cards").click()
    found["table-forty-thieves"] = urlsplit(page.url).path
    page.goto("/rules/")
    found |= {f"rules-{path.split('/')[2]}": path for path in paths(page, "a[href^='/rules/']")}
    return found


def picture(page: Page, path: str, to: Path, width: int, *, whole: bool) -> None:
    """A picture of one page: all of it, or what the window shows."""
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.goto(path, wait_until="networkidle")
    page.screenshot(path=to, full_page=whole)


def small_png(page: Page, png: bytes) -> bytes:
    """The same picture in fewer bytes: packed as well as zlib can, without the lowest bit of its colours.

    What is seen stays the same; the felt's soft gradient, which costs most, packs better.
    """
    width, height, pixels = page.evaluate(_PIXELS, b64encode(png).decode())
    rgba = b64decode(pixels)
    rgb = bytearray(width * height * 3)
    coarse = bytes(255 if value == 255 else value & 0xFE for value in range(256))
    for channel in range(3):
        rgb[channel::3] = rgba[channel::4].translate(coarse)
    rows = b"".join(b"\0" + rgb[row * width * 3 : (row + 1) * width * 3] for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def all_pages(page: Page, pages: dict[str, str], folder: Path, start: str) -> None:
    """Pictures of these pages in every way. ``start`` is a page on which the language can be switched."""
    for language in LANGUAGES:
        page.goto(start)
        speak(page, language)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for width in WIDTHS:
                for name, path in pages.items():
                    picture(page, path, folder / f"{name}.{language}.{scheme}.{width}.png", width, whole=True)
    page.goto(start)
    speak(page, "en")


def awaited_player(browser: Browser, url: str) -> Page:
    """A page of whichever player's turn it is in the demo's running game."""
    for name in PLAYERS:
        page = browser.new_context(base_url=url, locale="en-GB", timezone_id="Europe/Berlin").new_page()
        log_in(page, name)
        page.goto("/home/")
        if page.locator(".game-row.mine").count():
            return page
    raise SystemExit("The demo has no running game; see games/demo.py.")


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    from playwright.sync_api import sync_playwright

    program = chromium.get()
    if len(arguments) > 1 or program is None:
        print("usage: bin/screenshots [FOLDER]; it needs Chromium.")
        return 1
    folder = Path(arguments[0]) if arguments else None
    with demo_site() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(chromium.ARGS))
        page = awaited_player(browser, url)
        pages = player_pages(page)
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        picture(page, pages["table"], PICTURE, 1280, whole=False)
        PICTURE.write_bytes(small_png(browser.new_page(), PICTURE.read_bytes()))
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            all_pages(page, pages, folder, "/home/")
            stranger = browser.new_context(base_url=url, locale="en-GB", timezone_id="Europe/Berlin").new_page()
            all_pages(stranger, STRANGERS, folder, "/")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
