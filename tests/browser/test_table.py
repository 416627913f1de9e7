"""At the table, in a real browser: what goes wrong there, who may look on, and other ways to play than by clicking."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import Route, expect

from accounts.models import User
from games import agreeing, services
from games.engine.contract import Move
from games.table.state import Table
from tests.browser.visitor import Visitor, touches
from tests.games.people import begun, table
from tests.plugins.servers import wait_until

pytestmark = pytest.mark.any_database


def a_move(now: Table, kind: str = "place", other_than: Move | None = None) -> Move:
    """A legal move of this kind; with another card than that of another move, where one is given."""
    card = other_than["card"] if other_than else None
    return next(move for move in now.rules.legal_moves(now.state) if move["type"] == kind and move["card"] != card)


def moves_made(game: str) -> int:
    return len(table(game).line) - 1  # the first step is the deal


def test_a_stale_tab_is_shown_the_present_table_and_loses_nothing(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    tab.expected.add(409)
    tab.page.route("**/state/*", lambda route: route.fulfill(status=304))  # it doesn't hear of the moves
    played = a_move(table(game))
    chosen = a_move(table(game), other_than=played)
    tab.touch(touches(table(game), chosen))
    expect(tab.confirm).to_be_enabled()
    services.play(alice, game, played)  # in another tab
    services.play(bob, game, a_move(table(game)))
    tab.confirm.click()
    expect(tab.page.get_by_role("alert")).to_have_text("The table has moved on since you looked at it.")
    expect(tab.page.locator("[data-state]")).to_have_attribute("data-step", str(table(game).step))
    assert moves_made(game) == 2
    expect(tab.thing(f"hand:{chosen['card']}").get_by_role("radio")).to_be_checked()
    tab.page.keyboard.press("Escape")
    tab.move(table(game), a_move(table(game)))
    assert moves_made(game) == 3


def test_a_double_click_moves_once(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    tab.touch(touches(table(game), a_move(table(game))))
    expect(tab.confirm).to_be_enabled()
    tab.confirm.dblclick(no_wait_after=True)
    expect(tab.page.get_by_text("bob's turn").first).to_be_visible()
    assert moves_made(game) == 1


def test_an_illegal_try_names_the_rule_and_moves_nothing(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    tab.expected.add(422)
    tab.touch([f"hand:{table(game).state.hands[0][0]}", "cell:2,2"])
    expect(tab.prompt).to_have_text("At least one of the cell's eight neighbours must be occupied.")
    expect(tab.confirm).to_be_disabled()
    assert moves_made(game) == 0


def test_a_move_is_shown_before_it_is_made_and_can_be_chosen_anew(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    move = {**a_move(table(game)), "at": [1, 0]}
    tab.touch(touches(table(game), move))
    ghost = tab.thing("cell:1,0")
    expect(ghost).to_contain_class("ghost")
    expect(tab.prompt).to_contain_text("at h7. Threads then: black 0, red 0.")
    tab.page.get_by_role("button", name="Choose anew").click()
    expect(ghost).not_to_contain_class("ghost")
    assert moves_made(game) == 0


def test_the_keyboard_alone_plays_a_turn(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    keys = tab.page.keyboard

    def tab_to(selector: str) -> None:
        for _press in range(60):
            if tab.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            keys.press("Tab")
        pytest.fail(f"no Tab reaches {selector}")

    tab_to(".hand input")
    keys.press("ArrowRight")
    keys.press("Space")
    card = tab.page.evaluate("document.activeElement.value").removeprefix("hand:")
    assert card == table(game).state.hands[0][1]
    keys.press("Shift+Tab")  # back from the hand to the grid
    tab_to("[data-touch^='cell:'] input")
    here = [int(n) for n in tab.page.evaluate("document.activeElement.value").removeprefix("cell:").split(",")]
    for negative, positive, away in (("ArrowLeft", "ArrowRight", here[0] - 1), ("ArrowUp", "ArrowDown", here[1])):
        for _step in range(abs(away)):
            keys.press(negative if away > 0 else positive)
    keys.press("Enter")
    expect(tab.confirm).to_be_enabled()
    tab_to("[data-confirm]")
    keys.press("Enter")
    expect(tab.page.get_by_text("bob's turn").first).to_be_visible()
    assert table(game).line[-1].step.move == {"type": "place", "card": card, "at": [1, 0]}  # type: ignore[union-attr]


def test_the_others_move_comes_by_itself_and_is_announced(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(bob)
    tab.page.clock.install()
    tab.at_table(game)
    services.play(alice, game, a_move(table(game)))
    tab.page.clock.run_for(5_000)
    expect(tab.page.locator("[data-said]")).to_contain_text("alice")
    expect(tab.page.locator("[data-said]")).to_contain_text("Your turn")
    expect(tab.page).to_have_title(re.compile(r"^\(\d+\) Your turn – Ariadne's Thread · Clew$"))
    tab.move(table(game), a_move(table(game)))


def test_a_button_stays_chosen_when_news_come_that_move_nothing(
    visit: Callable[..., Visitor], alice: User, bob: User
) -> None:
    game = begun("conquian", alice, bob, quick_pass=False)
    tab = visit(bob)
    tab.page.clock.install()
    tab.at_table(game)
    decline = tab.page.locator("[data-bare][value=pass]")
    decline.click()
    expect(tab.confirm).to_be_enabled()
    agreeing.offer_draw(alice, game)
    tab.page.clock.run_for(16_000)
    expect(tab.page.get_by_text("alice offers a draw.")).to_be_visible()
    expect(decline).to_have_attribute("aria-pressed", "true")
    tab.confirm.click()
    expect(tab.page.get_by_text("alice's turn").first).to_be_visible()


def test_an_answer_that_comes_twice_takes_no_choice_away(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(bob).at_table(game)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    tab.page.route("**/state/", hold)
    services.play(alice, game, a_move(table(game)))
    for _ask in range(2):
        with tab.page.expect_request("**/state/"):
            tab.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert wait_until(lambda: tab.page.evaluate("true") and len(held) == 2)
    state = tab.page.locator("[data-state]")
    with tab.page.expect_response("**/state/"):
        held[0].continue_()
    expect(state).to_have_attribute("data-step", str(table(game).step))
    state.evaluate("state => { state.id = 'shown'; }")
    with tab.page.expect_response("**/state/") as again:
        held[1].continue_()
    again.value.finished()
    tab.page.wait_for_load_state("networkidle")
    expect(tab.page.locator("#shown")).to_be_attached()  # the page wasn't put there anew
    tab.move(table(game), a_move(table(game)))


@pytest.mark.parametrize("who", ["charlie", None])
def test_whoever_is_not_at_a_private_table_finds_nothing_there(
    visit: Callable[..., Visitor], alice: User, bob: User, charlie: User, who: str | None
) -> None:
    game = begun("ariadne", alice, bob, admits="invited")
    move = urlencode([("touch", touch) for touch in touches(table(game), a_move(table(game)))])
    tab = visit(charlie if who else None)
    tab.page.goto("/rules/")
    token = tab.page.locator("input[name=csrfmiddlewaretoken]").first.input_value()
    gets = ["table", "table-state", "table-preview", "replay", "record", "resign"]
    answers = [tab.page.request.get(f"{reverse(name, args=[game])}?{move}&step=1", max_redirects=0) for name in gets]
    answers += [
        tab.page.request.post(
            reverse(name, args=[game]), data=f"{move}&step=1", max_redirects=0,
            headers={"X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded"},
        )
        for name in ("move", "sit", "resign")
    ]  # fmt: skip
    told = {answer.url: answer.status for answer in answers}
    if who:
        assert set(told.values()) == {404}, told
    else:  # who isn't logged in is asked to before anything is looked for
        assert set(told.values()) <= {404, 302}, told
    # The switch of languages leads back to the address that was asked for; nothing else may know the game.
    texts = [re.sub(r'name="next" value="[^"]*"', "", answer.text()) for answer in answers if answer.status != 302]
    assert [text for text in texts if game in text] == []
    assert moves_made(game) == 0


def test_everything_can_be_done_without_scripts(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    host = visit(alice, java_script_enabled=False).page
    guest = visit(bob, java_script_enabled=False).page
    host.goto("/new/ariadne/")
    host.get_by_label("I do").check()
    host.get_by_role("button", name="Open the table").click()
    game = host.url.rstrip("/").rpartition("/")[2]
    guest.goto(host.url)
    guest.get_by_role("button", name="Sit down and play").click()
    host.reload()
    move = a_move(table(game))
    for touch in touches(table(game), move):
        host.locator(f'[data-touch="{touch}"]').click()
    host.get_by_role("button", name="Make the move").click()
    expect(host.get_by_text("bob's turn").first).to_be_visible()
    assert table(game).line[-1].step.move == move  # type: ignore[union-attr]
    guest.reload()
    guest.get_by_text("More", exact=True).click()
    guest.get_by_role("link", name="Resign").click()
    guest.get_by_role("button", name="Resign").click()
    expect(guest.get_by_text("You resigned. alice won.")).to_be_visible()
    guest.get_by_role("link", name="Look back at the whole game").click()
    guest.get_by_role("link", name="Previous step").click()
    expect(guest.locator(".felt .cell[data-card]")).to_have_count(1)


def test_a_move_can_be_dragged(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    tab = visit(alice).at_table(game)
    move = a_move(table(game))
    card, cell = touches(table(game), move)
    tab.thing(card).drag_to(tab.thing(cell))
    expect(tab.confirm).to_be_enabled()
    tab.confirm.click()
    tab.shows_step(2)
    assert moves_made(game) == 1
