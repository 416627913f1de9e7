"""From sign-up to replay: two people with a browser each, and the mails that reach them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext as _
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.engine.cards import show
from games.engine.contract import Play
from games.names import game_name
from games.pages.outcomes import outcome_text
from games.table.state import Table
from games.table.view import outcome
from notifications.sender import send_due
from tests.browser.fixed_chance import SAME_SALT, game_id_for
from tests.browser.visitor import Visitor
from tests.contract.play import random_move
from tests.games.people import play_on, table

#: Who plays in which language, and what black is dealt first: the secret and the salts are always the same.
PEOPLE = {"en": ("Theseus", "Phaedra"), "ko": ("테세우스", "파이드라")}
FIRST_HAND = {"en": {"JS", "7C", "5S"}, "ko": {"AC", "KS", "4C"}}
PASSWORD = "a-long-thread-of-words"
BY_CLICKING = 3
TURNS = 96


def newest_mail(page: Page, address: str) -> Locator:
    """The text of the newest mail to an address, after all that is due was sent."""
    send_due()
    page.goto("/mailbox/")
    mail = page.locator("details.mail", has_text=address).first
    if mail.get_attribute("open") is None:
        mail.locator("summary").first.click()
    return mail.locator(".mail-text")


def sign_up(visitor: Visitor, name: str, address: str) -> None:
    """Fill the sign-up form that is shown, and follow the link in the mail."""
    page = visitor.page
    page.get_by_label(_("Player name")).fill(name)
    page.get_by_label(_("Mail address")).fill(address)
    page.get_by_label(_("Password")).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name=_("Sign up")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(_("Look into your mail"))
    newest_mail(page, address).get_by_role("link").filter(has_text="confirm-email").click()
    page.get_by_role("button", name=_("Yes, confirm it")).click()


def open_a_table(page: Page) -> str:
    """Open a table for a friend, as the one who begins; the link for the friend."""
    page.get_by_role("link", name=_("New game")).first.click()
    page.get_by_role("main").get_by_role("link", name=game_name("ariadne")).click()
    page.get_by_label(_("Only whom I invite")).check()
    page.get_by_label(_("I do"), exact=True).check()
    page.get_by_role("button", name=_("Open the table")).click()
    return page.get_by_label(_("Link for your friend")).input_value()


def hand(page: Page) -> set[str | None]:
    """The cards of the hand that a page shows."""
    return {card.get_attribute("data-card") for card in page.locator(".hand [data-card]").all()}


@pytest.mark.parametrize("language", ["en", pytest.param("ko", marks=pytest.mark.any_database)])
def test_two_people_sign_up_play_a_game_out_by_mail_and_look_back(
    visit: Callable[..., Visitor], language: str, site: str
) -> None:
    with translation.override(language):
        players = [visit(None, language), visit(None, language)]
        for player in players:
            player.page.context.add_init_script(SAME_SALT)
        names = PEOPLE[language]
        addresses = [f"{n}.{language}@example.org" for n in ("first", "second")]
        opener, guest = (player.page for player in players)

        opener.goto("/")
        opener.get_by_role("banner").get_by_role("link", name=_("Sign up")).click()
        sign_up(players[0], names[0], addresses[0])
        expect(opener).to_have_url(f"{site}/home/")
        link = open_a_table(opener)

        guest.goto(link)
        guest.get_by_role("main").get_by_role("link", name=_("Sign up")).click()
        sign_up(players[1], names[1], addresses[1])
        expect(guest).to_have_url(link)
        guest.get_by_role("button", name=_("Sit down")).click()
        users = [User.objects.get(name=name) for name in names]
        game = game_id_for(users[0])
        expect(guest).to_have_url(f"{site}/games/{game}/")

        opener.goto(f"/games/{game}/")
        assert hand(opener) == FIRST_HAND[language]

        rng = random.Random(6)
        play_by_clicking(players, addresses, game, rng)
        turns = play_on(game, *users, moves=TURNS - BY_CLICKING - 2, seed=4).step
        assert table(game).status == "running"
        for player in players:
            player.look_again()
            player.shows_step(turns - 1)
        for _turn in range(2):
            one_turn(players, table(game), rng)
        end = table(game)
        assert end.status == "ended"
        assert sum(1 for entry in end.line if hasattr(entry.step, "move")) == TURNS
        sees_the_result(players, names, end)
        looks_back(guest, end)


def play_by_clicking(players: list[Visitor], addresses: list[str], game: str, rng: random.Random) -> None:
    """A few turns; who is awaited gets a mail with the other's move in it, and follows its link to the table."""
    for turn in range(BY_CLICKING):
        now = table(game)
        seat = now.awaited_seat
        assert seat is not None
        page = players[seat].page
        mail = newest_mail(page, addresses[seat])
        if turn:
            expect(mail).to_contain_text(last_moved_card(now))
        mail.get_by_role("link").filter(has_text=re.compile(rf"/games/{game}/$")).click()
        one_turn(players, now, rng)


def last_moved_card(now: Table) -> str:
    """The card of the latest move as a reader sees it."""
    step: Any = now.line[-1].step
    return show(step.move["card"])


def one_turn(players: list[Visitor], now: Table, rng: random.Random) -> None:
    """Whoever is awaited clicks a move; the other comes back to their tab and sees it."""
    seat = now.awaited_seat
    assert seat is not None
    players[seat].move(now, random_move(now.rules, now.state, rng))


def sees_the_result(players: list[Visitor], names: Sequence[str], end: Table) -> None:
    """Each is told how it ended, and that their own salt was used."""
    result = outcome(end)
    assert result is not None
    for seat, player in enumerate(players):
        player.look_again()
        told = outcome_text(result, dict(enumerate(names)), seat)
        expect(player.page.locator("[data-outcome] strong")).to_have_text(told)
        player.page.reload()
        expect(player.page.get_by_text(_("Your salt is the one that this browser made."))).to_be_visible()


def looks_back(page: Page, end: Table) -> None:
    """To any moment by keys, slider and list; by a link from elsewhere; with whose eyes one likes."""
    page.get_by_role("link", name=_("Look back at the whole game")).click()
    at, cards = page.locator("[data-at]"), page.locator("[data-moment] .board-ariadne [data-card]")
    expect(page.locator("[data-play]")).to_be_visible()  # the script is there
    expect(at).to_have_text("0")
    page.keyboard.press("End")
    expect(at).to_have_text(str(sum(isinstance(entry.step, Play) for entry in end.line)))
    page.keyboard.press("Home")
    expect(at).to_have_text("0")
    expect(cards).to_have_count(1)  # the joker
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("2")
    expect(cards).to_have_count(3)
    page.get_by_role("slider").fill("30")
    expect(at).to_have_text("29")  # the first step is the deal
    expect(page).to_have_url(re.compile(r"step=30&eyes="))
    shown = [card.get_attribute("data-card") for card in cards.all()]
    page.get_by_role("link", name=_("All cards open")).click()
    expect(page.locator("[data-moment] .opened")).to_have_count(2)
    page.goto(f"{page.url.partition('?')[0]}?step=30")
    expect(at).to_have_text("29")
    assert [card.get_attribute("data-card") for card in cards.all()] == shown
