"""Looking back in a real browser: faster than the moments come, and with one thumb."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Route, expect

from accounts.models import User
from games import services
from tests.browser.visitor import Visitor
from tests.games.people import begun, play_on

pytestmark = pytest.mark.any_database


def over(alice: User, bob: User) -> str:
    """The address of the replay of a game of eight moves."""
    game = begun("ariadne", alice, bob)
    play_on(game, alice, bob, moves=8)
    services.resign(bob, game)
    return reverse("replay", args=[game])


def test_a_button_pressed_faster_than_moments_come_goes_on_by_as_many_steps(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    page = visit(alice).page
    address = over(alice, bob)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/replay/?*part=1*", hold)
    page.goto(f"{address}?step=1")
    for _press in range(3):
        page.get_by_role("link", name="Next step").click()
    expect(page.locator("[data-at]")).to_have_text("3")
    for route in held:
        route.continue_()
    expect(page.locator("[data-moment] [data-number]")).to_have_attribute("data-number", "4")
    expect(page.get_by_role("slider", name="Move")).to_have_attribute("aria-valuetext", "3 / 8")


def test_on_a_phone_a_replays_bar_and_what_a_table_has_to_say_are_in_sight_from_the_start(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    page = visit(alice, viewport={"width": 360, "height": 640}).page
    page.goto(f"{over(alice, bob)}?step=1")
    for name in ("First step", "Next step"):
        expect(page.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("slider")).to_be_in_viewport(ratio=1)
    page.goto(reverse("game-messages", args=[begun("ariadne", alice, bob)]))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your settings are saved.")).to_be_in_viewport(ratio=1)
