"""The table talk in a real browser: it comes by itself, and nothing takes a draft away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, expect

from accounts.models import User
from games import hearing, services, talking
from games.store.models import Remark
from tests.browser.test_pages import sideways, troubles
from tests.browser.test_table import a_move
from tests.browser.visitor import Visitor, touches
from tests.games.people import begun, table

pytestmark = pytest.mark.any_database


def field(tab: Visitor) -> Locator:
    return tab.page.get_by_label("Say something to")


def said(tab: Visitor) -> Locator:
    return tab.page.locator("[data-talk] .said")


def test_what_the_other_says_comes_by_itself_and_leaves_draft_and_move_alone(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    tab.touch(touches(table(game), a_move(table(game))))
    expect(tab.confirm).to_be_enabled()
    field(tab).press_sequentially("I was about to s")
    talking.say(bob, game, "Good <b>luck</b>! https://clew.example/")
    tab.look_again()
    expect(said(tab)).to_have_text(["Good <b>luck</b>! https://clew.example/"])
    expect(tab.page.locator("[data-talk-said]")).to_have_text("bob: Good <b>luck</b>! https://clew.example/")
    expect(tab.page.locator("[data-talk] .said a, [data-talk] .said b")).to_have_count(0)
    expect(tab.confirm).to_be_enabled()
    expect(field(tab)).to_be_focused()
    assert hearing.talk(alice, game).new == 0 or tab.page.locator("[data-talk-new]").is_visible()
    tab.page.keyboard.type("ay")  # somebody is there, and sees it
    expect(tab.page.locator("[data-talk-new]")).to_be_hidden()
    expect(field(tab)).to_have_value("I was about to say")
    tab.page.keyboard.press("Control+Enter")
    expect(said(tab)).to_have_count(2)
    expect(field(tab)).to_have_value("")
    expect(field(tab)).to_be_focused()
    assert list(Remark.objects.filter(game=game).order_by("number").values_list("text", flat=True))[1:] == [
        "I was about to say"
    ]
    assert hearing.talk(alice, game).new == 0


def test_the_others_move_takes_nothing_of_what_is_being_typed(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(bob).at_table(game)
    field(tab).press_sequentially("half a sen")
    typed_into = field(tab).element_handle()
    services.play(alice, game, a_move(table(game)))
    tab.look_again()
    tab.shows_step(2)
    tab.page.keyboard.type("tence")
    expect(field(tab)).to_have_value("half a sentence")
    assert tab.page.evaluate("(node) => node.isConnected", typed_into), "letters may not be put together yet"
    tab.move(table(game), a_move(table(game)))
    expect(field(tab)).to_have_value("half a sentence")
    tab.page.reload()
    expect(field(tab)).to_have_value("half a sentence")


def test_a_refused_or_failed_message_stays_in_its_field(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    for number in range(talking.MOST):
        talking.say(alice, game, f"{number}")
    tab = visit(alice).at_table(game)
    tab.expected.add(422)
    field(tab).fill("One more")
    tab.page.get_by_role("button", name="Send").click()
    expect(tab.page.locator("[data-talk-error]")).to_contain_text("You have said a lot here just now.")
    expect(field(tab)).to_have_value("One more")
    Remark.objects.filter(game=game).delete()
    tab.page.route("**/talk/", lambda route: route.abort())
    tab.page.on("console", lambda _message: tab.complaints.clear())
    tab.page.get_by_role("button", name="Send").click()
    expect(tab.page.locator("[data-talk-error]")).to_have_text("That could not be sent. Try again.")
    expect(field(tab)).to_have_value("One more")
    tab.page.unroute("**/talk/")
    tab.page.get_by_role("button", name="Send").click()
    expect(said(tab)).to_have_text(["One more"])
    expect(tab.page.locator("[data-talk-error]")).to_be_hidden()


def test_a_page_that_lies_open_has_seen_nothing(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    talking.say(bob, game, "Are you there?")
    tab.look_again()
    expect(said(tab)).to_have_count(1)
    expect(tab.page.locator("[data-talk-new]")).to_be_visible()
    assert hearing.talk(alice, game).new == 1
    with tab.page.expect_response("**/talk/heard/"):
        tab.page.locator("[data-talk-new]").click()  # leads to it
        said(tab).first.hover()
        tab.page.mouse.move(5, 5, steps=3)
        tab.page.mouse.wheel(0, 1)
        said(tab).first.click()
    assert hearing.talk(alice, game).new == 0


def test_the_talk_is_quieted_and_had_again_without_leaving_the_table(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    talking.say(bob, game, "La la la")
    tab = visit(alice).at_table(game)
    tab.touch(touches(table(game), a_move(table(game)))[:1])
    tab.page.get_by_role("button", name="Quiet the talk at this table").click()
    expect(tab.page.get_by_text("hidden from you")).to_be_visible()
    expect(said(tab)).to_have_count(0)
    talking.say(bob, game, "La")
    tab.look_again()
    expect(said(tab)).to_have_count(0)
    tab.page.get_by_role("button", name="Show the talk again").click()
    expect(said(tab)).to_have_count(2)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_talk_is_accessible_and_fits_a_phone(
    visit: Callable[..., Visitor], alice: User, bob: User, language: str
) -> None:
    game = begun("ariadne", alice, bob)
    for text in ("W" * 900, "긴 이야기입니다. " * 60, "e" + "\u0301" * 400, "한 줄\n두 줄", "שלום"):
        talking.say(bob, game, text)
        talking.say(alice, game, text)
    tab = visit(alice, language).at_table(game)
    found: list[Any] = []
    for at in (reverse("table", args=[game]), reverse("talk", args=[game])):
        tab.page.goto(at)
        found += [*troubles(tab.page), *sideways(tab.page, 360), *sideways(tab.page, 1280)]
    assert found == []
