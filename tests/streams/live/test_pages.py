"""A table's page with a stream: it hears at once, asks no more than it must, and goes on without one."""

from __future__ import annotations

import re
from collections.abc import Callable
from signal import SIGKILL

import pytest
from playwright.sync_api import Page, Response, expect

from accounts.models import User
from games import services, talking
from tests.browser.visitor import Visitor
from tests.games.people import a_move, begun, table
from tests.streams.live.process import StreamProcess, until

pytestmark = pytest.mark.any_database


class Asking:
    """What a page asks for by itself: the kinds of addresses."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.asked: list[str] = []
        visitor.page.on("response", self._note)

    def _note(self, response: Response) -> None:
        found = re.search(r"/(state|stream-ticket|stream)/", response.url)
        if found:
            self.asked.append(found[1])

    def so_far(self) -> list[str]:
        self.visitor.page.evaluate("0")  # Playwright tells of requests while it waits for the browser
        return self.asked

    def has_opened_the_stream(self) -> None:
        """Wait until it has; forget what was asked."""
        until(lambda: "stream" in self.so_far(), "a stream is opened")
        self.asked.clear()


def play(game: str, *players: User) -> None:
    seat, move = a_move(game)
    services.play(players[seat], game, move)


def test_the_others_move_comes_by_the_stream_and_goes_on_coming_when_the_stream_dies(
    visit: Callable[..., Visitor], streams: StreamProcess, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    first, second = (visit(user) for user in (alice, bob))
    asking = [Asking(page) for page in (first, second)]
    for page, asks in zip((first, second), asking, strict=True):
        page.page.clock.install()
        page.at_table(game)
        asks.has_opened_the_stream()
    step = table(game).step
    play(game, alice, bob)
    for page, asks in zip((first, second), asking, strict=True):
        page.shows_step(step + 1)
        assert asks.so_far() == ["state"], "it asks when there is something new, and once"
    expect(second.page.locator("[data-said]")).to_contain_text("Your turn")

    second.move(table(game), a_move(game)[1])
    first.shows_step(step + 2)
    assert asking[1].so_far() == ["state"], "one's own move is known already"
    talking.say(alice, game, "Well played")
    expect(second.page.locator("[data-remark]")).to_contain_text("Well played")

    for page in (first, second):
        page.complaints = Unreachable()
    streams.stop(SIGKILL)
    play(game, alice, bob)
    for page in (first, second):
        until(lambda page=page: shows_after_a_while(page, step + 3), "the move is shown")
    streams.start()
    for page, asks in zip((first, second), asking, strict=True):
        page.look_again()
        asks.has_opened_the_stream()


def shows_after_a_while(visitor: Visitor, step: int) -> bool:
    """Let time pass for a page; whether it shows this step then."""
    visitor.page.clock.run_for(4_000)
    return visitor.page.locator("[data-state]").get_attribute("data-step") == str(step)


def hide(page: Page, *, hidden: bool) -> None:
    """Have the page believe that it lies under others, or is seen again."""
    page.evaluate(
        "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_a_page_says_that_its_reader_is_there_while_they_are_and_holds_no_stream_where_nobody_sees_it(
    visit: Callable[..., Visitor], streams: StreamProcess, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice)
    asking = Asking(tab)
    tab.page.clock.install()
    tab.at_table(game)
    asking.has_opened_the_stream()
    tab.page.evaluate("document.querySelector('[data-table]').dataset.there = 30")
    clock = tab.page.clock

    def asks_within(seconds: int) -> None:
        asking.asked.clear()
        clock.run_for(1000 * seconds)
        until(lambda: asking.so_far() == ["state"], f"it asks once within {seconds} s")

    tab.look_again()
    until(lambda: asking.so_far() == ["state"], "it asks when it is seen again")
    for _ in range(2):
        asks_within(31)
    asks_within(900)  # in which nobody touches anything
    asking.asked.clear()
    clock.run_for(200_000)
    assert asking.so_far() == []
    asks_within(301)

    hide(tab.page, hidden=True)
    with tab.page.expect_event("requestfailed", lambda request: "/stream/" in request.url):
        clock.run_for(31_000)
    with tab.page.expect_request("**/state/*") as asked:
        clock.run_for(61_000)
    assert asked.value.headers["x-page"] == "hidden"
    asking.asked.clear()
    hide(tab.page, hidden=False)
    asking.has_opened_the_stream()


class Unreachable(list[str]):
    """Complaints of a browser; that something could not be reached is none."""

    def append(self, complaint: str) -> None:
        if "ERR_CONNECTION_REFUSED" not in complaint and "ERR_INCOMPLETE_CHUNKED_ENCODING" not in complaint:
            super().append(complaint)
