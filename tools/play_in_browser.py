"""``python -m tools.play_in_browser ENTRY``: play a whole game in a real browser, as people do.

Opens a table of the game (``ariadne``, ``lucas``…) between two people made for it, or a patience alone, in the
database of the settings, and plays it by mouse or ``--keyboard`` on pages served at ``--url`` until it is over. What is
touched is chosen at random among what the page says makes a move; in a patience it is what hints say, most of them
asked for here and some on the page, and where there is none the player gives up. Then everybody looks at the end and
goes through the replay. Fails on any error of the page's scripts, any answer of 400 and above, a refusal, or a page
that scrolls sideways. Pictures of the opening, the middle, the end and the replay are left in ``--pictures``.

The site must run on the same database, for example::

    CLEW_EMBEDDED=1 CLEW_DATA=/somewhere python manage.py runserver 8000
    CLEW_EMBEDDED=1 CLEW_DATA=/somewhere python -m tools.play_in_browser lucas --width 360
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.plugins import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from accounts.models import User

NAMES = ("browser-first", "browser-second")
#: Milliseconds within which a page must have answered.
PATIENCE = 30_000
ARROWS = ("ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft")


class Broken(Exception):
    """The page isn't as it must be."""


class Player:
    """One person at a table, with a browser window of their own."""

    def __init__(self, page: Page, url: str, *, keyboard: bool, rng: random.Random) -> None:
        self.page, self.url, self.keyboard, self.rng = page, url, keyboard, rng
        self.errors: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("requestfailed", lambda failed: self._failed(failed.url, failed.failure or ""))
        page.on(
            "response", lambda answer: self._failed(answer.url, str(answer.status)) if answer.status >= 400 else None
        )

    def _failed(self, url: str, failure: str) -> None:
        if "ABORTED" not in failure:  # a preview that is no longer wanted
            self.errors.append(f"{url}: {failure}")

    def look(self, path: str) -> None:
        self.page.goto(self.url + path)

    def check(self) -> None:
        """Raise :class:`Broken` for errors so far, or a page that is wider than the window."""
        wide: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            self.errors.append(f"the page scrolls sideways by {wide} px")
        if self.errors:
            raise Broken("; ".join(self.errors))

    @property
    def over(self) -> bool:
        return self.page.locator("[data-outcome]").count() > 0

    @property
    def my_turn(self) -> bool:
        return self.page.locator("[data-state][data-my-turn]").count() > 0

    def ask_for_news(self) -> None:
        """Have the page ask how the table stands, as it does when it comes to the front."""
        with self.page.expect_response(lambda answer: "/state/" in answer.url) as answered:
            self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        if answered.value.status == 200:
            etag = answered.value.headers["etag"].removeprefix("W/")
            self.page.wait_for_function(
                "etag => document.querySelector('[data-state]').dataset.etag === etag", arg=etag
            )

    def look_back(self) -> None:
        """From the end to the replay, through its steps, and back to the table."""
        self._press(self.page.locator("[data-outcome] a[href*='/replay/']"))
        at = self.page.locator("[data-at]")
        self.page.locator("[data-play]:visible").wait_for()  # the script is there
        first = at.text_content()
        ways = (("End", "last"), ("Home", "first"), ("ArrowRight", "forward"), ("ArrowRight", "forward"))
        for key, go in (*ways, ("ArrowLeft", "back")):
            before = at.text_content()
            if self.keyboard:
                self.page.keyboard.press(key)
            else:
                self.page.locator(f"[data-go='{go}']").click()
            self.page.wait_for_function("text => document.querySelector('[data-at]').textContent !== text", arg=before)
        slider = self.page.locator("[data-slider]")
        slider.focus()
        self.page.keyboard.press("Home")
        self.page.wait_for_function("text => document.querySelector('[data-at]').textContent === text", arg=first)
        self.page.wait_for_load_state("networkidle")
        self.check()

    def move(self) -> str:
        """Make a move; what was touched, in words."""
        ways: list[dict[str, Any]] = json.loads(self.page.locator("#ways").text_content() or "[]")
        step = self._step()
        way = self.rng.choice(ways)
        if not way["slots"]:
            self._press(self.page.locator(f"[data-bare][value='{way['action']}']").first)
            confirm = self.page.locator("[data-confirm]:enabled")
            if self.page.locator("[data-confirm]").count():
                self._press(confirm)
            self._wait_for_step_after(step)
            return str(way["label"])
        touches = self._chosen(way)
        for touch in touches:
            if self.page.locator("[data-board] input:checked").count() == 0 or touch not in self._touched():
                self.touch(touch)
        self._confirm(way["label"], step)
        return " ".join(touches)

    def _chosen(self, way: dict[str, Any]) -> list[str]:
        """What is touched for a move of this way, each thing once."""
        touches: list[str] = []
        for slot in way["slots"]:
            left = [touch for touch in slot["touch"] if touch not in touches]
            touches += self.rng.sample(left, min(len(left), slot["least"]))
        return touches

    def _touched(self) -> list[str]:
        inputs = self.page.locator("[data-board] input:checked")
        return [str(value) for value in inputs.evaluate_all("inputs => inputs.map((input) => input.value)")]

    def _confirm(self, label: str, step: str) -> None:
        confirm = self.page.locator("[data-confirm]")
        if confirm.count():
            alternative = self.page.locator("[data-alternatives] button", has_text=label)
            if alternative.count():
                self._press(alternative.first)
            self._choose_one_drawn()
            self._press(confirm)
        self._wait_for_step_after(step)

    def _choose_one_drawn(self) -> None:
        """Where the same touches make several moves, take one of those that are drawn to choose from."""
        self.page.wait_for_function(
            "() => { const prompt = document.querySelector('[data-prompt]');"
            " return !prompt?.textContent.startsWith(prompt.dataset.chosen.split('{what}')[0]); }"
        )
        drawn = self.page.locator("[data-choices] input")
        if not drawn.count() or self.page.locator("[data-choices] input:checked").count():
            return
        one = drawn.nth(self.rng.randrange(drawn.count()))
        if self.keyboard:
            one.focus()
            self.page.keyboard.press("Space")
        else:
            one.click()
        self.page.locator("[data-confirm]:enabled").wait_for()

    def touch(self, touch: str) -> None:
        """Touch a thing on the board, by mouse or by walking there with the arrow keys."""
        item = self.page.locator(f'[data-touch="{touch}"]').first
        if not self.keyboard:
            item.click(position={"x": 6, "y": 6})
            return
        box = item.locator(":scope > input")
        self._walk_to(box)
        self.page.keyboard.press("Enter")

    def _walk_to(self, box: Locator) -> None:
        """Give a board's thing the focus as the keyboard does: Tab reaches its grid, the arrows walk over it."""
        grid = box.locator("xpath=ancestor::*[@data-grid][1]")
        grid.locator("input[tabindex='0']").first.focus()
        wanted = box.evaluate("input => [Number(input.dataset.x), Number(input.dataset.y)]")
        been: list[list[int]] = []
        for _ in range(80):
            here = self.page.evaluate(
                "() => [Number(document.activeElement.dataset.x), Number(document.activeElement.dataset.y)]"
            )
            if here == wanted:
                return
            across, down = wanted[0] - here[0], wanted[1] - here[1]
            key = ("ArrowRight" if across > 0 else "ArrowLeft") if across else "ArrowDown" if down > 0 else "ArrowUp"
            self.page.keyboard.press(self.rng.choice(ARROWS) if here in been else key)  # another way where that ends
            been.append(here)
        raise Broken(f"the arrow keys don't lead to {wanted}")

    def _press(self, button: Locator) -> None:
        if self.keyboard:
            button.focus()
            self.page.keyboard.press("Enter")
        else:
            button.click()

    def _step(self) -> str:
        return self.page.locator("[data-state]").get_attribute("data-step") or ""

    def _wait_for_step_after(self, step: str) -> None:
        self.page.locator(f"[data-state]:not([data-step='{step}']), [data-refusal], [data-outcome]").first.wait_for(
            state="attached"
        )
        refusal = self.page.locator("[data-refusal]")
        if refusal.count():
            raise Broken(f"refused: {refusal.text_content()}")

    # --- a patience ---------------------------------------------------------------------------------------------

    def play(self, touches: Sequence[str]) -> None:
        step = self._step()
        for touch in touches:
            self.touch(touch)
        self._wait_for_step_after(step)

    def take_hint(self) -> bool:
        """Ask for a hint and do what it says; False where it knows of nothing."""
        step, button = self._step(), self.page.locator("button[formaction$='/hint/']")
        if button.is_disabled():
            return False
        self._press(button)
        self.page.locator("[data-hint]").wait_for()
        hinted = self.page.locator(".hinted[data-touch]")
        touches = hinted.evaluate_all("items => items.map((item) => item.dataset.touch)")
        if not touches:
            return False
        ways: list[dict[str, Any]] = json.loads(self.page.locator("#ways").text_content() or "[]")
        for touch in next(_orders(ways, touches), touches):
            self.touch(touch)
        self._wait_for_step_after(step)
        return True

    def all_up(self) -> bool:
        """Press *All up*, where there is something to go up."""
        button = self.page.locator("[data-bare][value='all_up']")
        if not button.count():
            return False
        step = self._step()
        self._press(button)
        self._wait_for_step_after(step)
        return True

    def take_back_and_play_again(self) -> None:
        """Take a move back and play it again, by the keys if it is played by keyboard."""
        for key, name in (("u", "undo"), ("r", "redo")):
            step = self._step()
            if self.keyboard:
                self.page.locator("[data-board] input[tabindex='0']").first.focus()
                self.page.keyboard.press(key)
            else:
                self.page.locator(f"button[formaction$='/{name}/'][data-key]").click()
            self._wait_for_step_after(step)

    def give_up(self) -> None:
        self._press(self.page.locator("a[href$='/resign/']").first)
        self._press(self.page.locator("main form button"))
        self.page.locator("[data-outcome]").wait_for()


def _orders(ways: list[dict[str, Any]], touches: list[str]) -> Iterator[list[str]]:
    """The orders in which these things can be touched, one for each slot of a way."""
    for way in ways:
        lists = [slot["touch"] for slot in way["slots"]]
        for order in permutations(touches):
            if len(lists) == len(order) and all(touch in own for touch, own in zip(order, lists, strict=True)):
                yield [*order]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.play_in_browser", description=__doc__.partition(":")[2])
    parser.add_argument("entry", help="the game's slug in its addresses: ariadne, lucas, …")
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--keyboard", action="store_true", help="by keyboard instead of by mouse")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=0, help="of the window; 800, or 740 on a narrow one")
    parser.add_argument("--language", default="en", choices=("en", "ko"))
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=1000, help="after so many a patience is given up")
    parser.add_argument("--skip", help="FROM:TO: moves that are made beside the browser, as by another window")
    parser.add_argument("--number", type=int, help="a patience's deal number")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=NUMBER", help="an option of the rules")
    parser.add_argument("--pictures", type=Path, help="a folder to leave pictures in")
    parser.add_argument("--chromium", default=chromium.find(), help="the program, if not the one that is found")
    given = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    options = {name: int(value) for name, _, value in (text.partition("=") for text in given.option)}
    game, sessions = opened(given.entry, given.number, options, given.language)
    with players(given, sessions) as seated:
        try:
            turns, outcome = played(seated, game, given)
        except Broken as broken:
            print(f"{given.entry}: {broken}", file=sys.stderr)
            return 1
        how = "keyboard" if given.keyboard else "mouse"
        print(f"{given.entry} at {given.width} px by {how}: {turns} turns. {outcome}")
    return 0


def opened(entry_slug: str, number: int | None, options: dict[str, int], language: str) -> tuple[str, list[str]]:
    """The id of a new table of this game, and the session keys of those who sit at it."""
    from accounts.models import User
    from games import services
    from games.pages import catalogue

    entry = catalogue.find(entry_slug)
    if entry is None:
        raise SystemExit(f"There is no game {entry_slug!r}.")
    people: list[User] = [
        User.objects.update_or_create(
            name=name,
            defaults={"language": language},
            create_defaults={"email": f"{name}@example.invalid", "language": language},
        )[0]
        for name in NAMES[: entry.seats]
    ]
    terms = services.Terms(entry.rules, {**entry.options, **options}, opener_seat="first", number=number)
    game = services.open_game(people[0], terms).table.id
    for other in people[1:]:
        services.sit_down(other, game)
    return game, [_session(user) for user in people]


def _session(user: User) -> str:
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user)
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


@contextmanager
def players(given: argparse.Namespace, sessions: list[str]) -> Iterator[list[Player]]:
    from django.conf import settings
    from playwright.sync_api import sync_playwright

    height = given.height or (740 if given.width < 600 else 800)
    # Django's database may be used beside Playwright, whose greenlets look like an event loop.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=given.chromium, args=list(chromium.ARGS))
        seated = []
        for n, session in enumerate(sessions):
            context = browser.new_context(
                viewport={"width": given.width, "height": height},
                color_scheme="dark" if given.dark else "light",
                locale=given.language,
                reduced_motion="reduce",
            )
            cookies = {settings.SESSION_COOKIE_NAME: session, settings.LANGUAGE_COOKIE_NAME: given.language}
            context.add_cookies([{"name": name, "value": value, "url": given.url} for name, value in cookies.items()])
            rng = random.Random(f"{given.seed}/{n}")
            seated.append(Player(context.new_page(), given.url, keyboard=given.keyboard, rng=rng))
        yield seated
        browser.close()


def played(seated: list[Player], game: str, given: argparse.Namespace) -> tuple[int, str]:
    """Play the game to its end; how many turns that took, and what the first player is told of it."""
    turns = 0
    skipped, upto = (int(text) for text in (given.skip or "0:0").split(":"))
    for player in seated:
        player.look(f"/games/{game}/")
        player.check()
    picture(seated[0], given, "opening")
    while not seated[0].over:
        if skipped and turns == skipped:
            skip(game, upto, seated[0].rng)
            skipped = 0
            for player in seated:
                player.look(f"/games/{game}/")
            continue
        player = seated[0] if len(seated) == 1 else next(player for player in seated if awaited(player))
        if len(seated) == 1:
            alone(player, game, turns, given.turns)
        else:
            player.move()
        player.check()
        turns += 1
        if turns == 30:
            picture(player, given, "middle")
        if len(seated) > 1 and player.over:
            seated[0].ask_for_news()
    for player in seated:
        player.look(f"/games/{game}/")
        player.check()
    picture(seated[0], given, "end")
    outcome = seated[0].page.locator("[data-outcome] strong").text_content() or ""
    seated[0].look_back()
    picture(seated[0], given, "replay")
    return turns, outcome


def awaited(player: Player) -> bool:
    if not player.my_turn:
        player.ask_for_news()
    return player.my_turn


def skip(game: str, upto: int, rng: random.Random) -> None:
    """Make moves by the services, as hints say or else at random, until the game is at step ``upto`` or over."""
    from games import services
    from games.pages.boards import board_for
    from games.store.models import Seat
    from games.store.thread import load

    people = {seat.place: seat.user for seat in Seat.objects.filter(game__pk=game).select_related("user")}
    table = load(game).table
    while table.step < upto and table.awaited_seat is not None:
        legal = table.rules.legal_moves(table.state)
        view = table.rules.view(table.state, table.awaited_seat)
        move = board_for(table.rules.slug).hint(view, legal) or rng.choice(legal)
        user = people[table.place_of(table.awaited_seat)]
        table = services.play(user, game, move, step=table.step).table


def hinted(game: str) -> list[str]:
    """What is touched for the move that a hint would say, without asking the page; empty where there is none."""
    from games.pages.boards import board_for
    from games.store.thread import load

    table = load(game).table
    board, view = board_for(table.rules.slug), table.rules.view(table.state, 0)
    move = board.hint(view, table.rules.legal_moves(table.state))
    return [slot.choices[-1].touch for slot in board.ways(view, [move])[0].slots] if move else []


def alone(player: Player, game: str, turns: int, most: int) -> None:
    """A turn of a patience."""
    if turns in (10, 40):
        player.take_back_and_play_again()
    if turns % 7 == 6 and player.all_up():
        return
    touches = hinted(game)
    if turns >= most or not touches:
        player.give_up()
    elif turns % 9 == 4:
        player.take_hint()
    else:
        player.play(touches)


def picture(player: Player, given: argparse.Namespace, name: str) -> None:
    if given.pictures is None:
        return
    given.pictures.mkdir(parents=True, exist_ok=True)
    how = f"{given.width}-{given.language}{'-dark' if given.dark else ''}{'-keys' if given.keyboard else ''}"
    player.page.screenshot(path=given.pictures / f"{given.entry}-{how}-{name}.png", full_page=name == "end")


if __name__ == "__main__":
    raise SystemExit(main())
