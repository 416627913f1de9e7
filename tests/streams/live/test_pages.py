"""A table's page with a stream: it hears at once, asks no more than it must, and goes on without one."""

from __future__ import annotations

import re
from collections.abc import Callable
from signal import SIGKILL

from playwright.sync_api import Response, expect

from accounts.models import User
from games import services, talking
from tests.browser.visitor import Visitor
from tests.games.people import a_move, begun, table
from tests.streams.live.process import StreamProcess, until


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
        until(lambda: self.so_far()[-2:] == ["stream-ticket", "stream"], f"a stream is opened ({self.asked})")
        self.asked.clear()


def play(game: str, *players: User) -> None:
    seat, move = a_move(game)
    services.play(players[seat], game, move)


def test_the_others_move_comes_by_the_stream_and_goes_on_coming_when_the_stream_dies(
    visit: Callable[..., Visitor], streams: StreamProcess, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    first, second = (visit(user).at_table(game) for user in (alice, bob))
    asking = [Asking(page) for page in (first, second)]
    for page in (first, second):
        page.page.reload()
    for asks in asking:
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
        page.shows_step(step + 3)
    streams.start()
    for page, asks in zip((first, second), asking, strict=True):
        page.look_again()
        asks.has_opened_the_stream()


class Unreachable(list[str]):
    """Complaints of a browser; that something could not be reached is none."""

    def append(self, complaint: str) -> None:
        if "ERR_CONNECTION_REFUSED" not in complaint and "ERR_INCOMPLETE_CHUNKED_ENCODING" not in complaint:
            super().append(complaint)
