"""Somebody with a browser: what they do at a table, and what their browser complains about."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from games.engine.contract import Move
from games.table.state import Table

#: Milliseconds within which a page must be what it should become, also on a machine that is busy with other tests.
PATIENCE = 20_000


def touches(table: Table, move: Move) -> list[str]:
    """What is touched for a move of Ariadne's Thread, in the order in which a person does it."""
    to = move["at"] if move["type"] == "place" else move["to"]
    also = {"joker": table.state.joker, "swap": table.state.table[-1][0] if table.state.table else None}
    between = also.get(move["type"])
    cells = [to] if between is None else [between, to]
    return [f"hand:{move['card']}", *(f"cell:{x},{y}" for x, y in cells)]


class Visitor:
    """A page in a browser of its own."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        #: Answers that a test asks for although the browser reports them as failures, by their status.
        self.expected: set[int] = set()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if any(f"status of {status} " in message.text for status in self.expected):
            return
        self.complaints.append(f"{self.page.url}: {message.text}")

    def at_table(self, game: str) -> Visitor:
        """Go to a table."""
        self.page.goto(reverse("table", args=[game]))
        return self

    def thing(self, touch: str) -> Locator:
        """Something that can be touched: ``hand:7S``, ``cell:1,-2``."""
        return self.page.locator(f'[data-board] [data-touch="{touch}"]')

    def touch(self, things: Iterable[str]) -> None:
        for touch in things:
            self.thing(touch).click()

    @property
    def prompt(self) -> Locator:
        return self.page.locator("[data-prompt]")

    @property
    def confirm(self) -> Locator:
        return self.page.locator("[data-confirm]")

    def move(self, table: Table, move: Move) -> None:
        """Make a move by clicking, and wait until the table after it is shown."""
        self.touch(touches(table, move))
        self.confirm.click()
        self.shows_step(table.step + 1)

    def shows_step(self, step: int) -> None:
        """Wait until the table is shown as of at least this step (a new deal is one as well)."""
        expect(self.page.locator("[data-state]")).not_to_have_attribute("data-step", str(step - 1))

    def look_again(self) -> None:
        """Come back to the tab, as from another one: the page then asks for news at once."""
        self.page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
