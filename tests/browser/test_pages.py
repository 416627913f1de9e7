"""Every page in both languages, light and dark, wide and narrow: for everybody, and keeping to the policy."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from axe_playwright_python.base import AXE_SCRIPT
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts import bots, tokens
from accounts.models import User
from config.api import guide
from games import agreeing, services, viewing
from games.engine import get_rules, latest_version
from games.pages import boards, catalogue
from games.services import Terms
from games.store.models import Invitation
from notifications.unsubscribe import off_url
from tests.browser.visitor import Visitor
from tests.games.clocks import THREE_DAYS
from tests.games.people import begun, person, play_on

pytestmark = pytest.mark.any_database

#: Bytes that a first visit may take over the wire, without the card sprite.
WEIGHT = 100_000
STRANGERS = [
    "account_login", "account_signup", "account_reset_password", "account_reset_password_done", "account_inactive",
    "account_reset_password_from_key_done", "account_email_verification_sent", "front", "open-tables", "rules",
]  # fmt: skip
PEOPLE = [
    "account_change_password", "account_email", "account_logout", "account_reauthenticate", "home", "mailbox",
    "mfa_activate_totp", "mfa_index", "new", "new-bot", "new-token", "open-tables", "programs", "settings",
    "usersessions_list", "vacation",
]  # fmt: skip
SECOND_STEP = [
    "mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_index", "mfa_reauthenticate", "mfa_view_recovery_codes",
]  # fmt: skip


def games_of(*people: User) -> Iterator[str]:
    """Five addresses of every game that the site can draw: of one under way, and of one that was given up."""
    for slug in boards.playable():
        seated = people[: get_rules(slug, latest_version(slug)).seats]
        running, over = begun(slug, *seated), begun(slug, *seated)
        for game in (running, over):
            play_on(game, *seated, moves=5, seed=3)
        if viewing.sight(seated[0], over).status == "running":  # automatic passes can end it
            services.resign(seated[0], over)
        yield reverse("table", args=[running])
        yield reverse("resign", args=[running])
        yield f"{reverse('replay', args=[running])}?step=3"
        yield reverse("table", args=[over])
        yield f"{reverse('replay', args=[over])}?eyes=open"


def open_table(opener: User, **terms: Any) -> tuple[str, str]:
    """The addresses of a table that waits for players: itself, and its invitation."""
    game = services.open_game(opener, Terms("ariadne", **terms), invite_link=True).table.id
    token = Invitation.objects.values_list("token", flat=True).get(game=uuid.UUID(game), user=None)
    return reverse("table", args=[game]), reverse("invitation", args=[game, token])


def programs_of(owner: User) -> Iterator[str]:
    """The addresses of a bot at a table and of the tokens of a person who has both."""
    bot = bots.make(owner, f"{owner.name}.bot")
    own, _secret = tokens.make(owner, "a" * 60, ["read", "bot"])
    tokens.make(bot, "first", bots.SCOPES)
    yield reverse("programs")
    yield reverse("revoke-token", args=[own.pk])
    yield reverse("new-bot-token", args=[bot.name])
    yield reverse("retire-bot", args=[bot.name])
    yield reverse("table", args=[begun("ariadne", owner, bot)])


def with_password(name: str) -> User:
    """A person who logs in with a password, as people do."""
    user = person(name)
    user.set_password("a-long-thread-of-words")
    user.save()
    return user


def entries() -> list[str]:
    """One entry of the catalogue for each game's rules."""
    return list({entry.rules: entry.slug for entry in reversed(catalogue.entries())}.values())


def troubles(page: Page) -> Iterator[str]:
    """What axe finds on a page as it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for violation in page.evaluate("axe.run({ resultTypes: ['violations'] }).then((found) => found.violations)"):
        nodes = [node["html"][:200] for node in violation["nodes"][:3]]
        yield f"{page.url}: {violation['id']}: {violation['help']}: {nodes}"


def sideways(page: Page, width: int) -> Iterator[str]:
    """Whether a page of this width can be scrolled sideways."""
    page.set_viewport_size({"width": width, "height": 740})
    needed = page.evaluate("document.documentElement.scrollWidth")
    if needed > width:
        yield f"{page.url}: {needed} px wide in a window of {width} px"


def look_over(visitor: Visitor, paths: list[str], wide_scheme: str) -> list[str]:
    """What is wrong with these pages: wide in one colour scheme, on a phone in the other, and on the smallest phone.

    On a phone they are looked through in one of the two schemes: that the other holds there follows from the wide page.
    """
    page = visitor.page
    found: list[str] = []
    schemes: list[Any] = ["light", "dark"] if wide_scheme == "light" else ["dark", "light"]
    for path in paths:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.emulate_media(color_scheme=schemes[0])
        answer = page.goto(path)
        assert answer is not None
        assert (answer.status, urlsplit(page.url).path) == (200, urlsplit(path).path)
        found += troubles(page)
        page.emulate_media(color_scheme=schemes[1])
        found += sideways(page, 360)
        if wide_scheme == "light":
            found += troubles(page)
        found += sideways(page, 320)
    return found


#: Wide, each language is looked through in a colour scheme of its own; on a phone, English in the dark.
LANGUAGES = pytest.mark.parametrize(("language", "wide_scheme"), [("en", "light"), ("ko", "dark")])


@LANGUAGES
def test_the_pages_for_strangers_are_for_everybody(
    visit: Callable[..., Visitor], alice: User, language: str, wide_scheme: str
) -> None:
    paths = [reverse(name) for name in STRANGERS] + [reverse("rules-page", args=[slug]) for slug in entries()]
    paths += [*open_table(alice), reverse("account_confirm_email", args=["nothing"]), off_url(alice)]
    paths += ["/accounts/password/reset/key/1-nothing/", *map(guide.address_of, guide.PAGES)]
    assert look_over(visit(None, language), paths, wide_scheme) == []


@LANGUAGES
def test_the_pages_for_people_are_for_everybody(visit: Callable[..., Visitor], language: str, wide_scheme: str) -> None:
    mina, jonas = with_password(f"mina-{language}"), with_password(f"jonas-{language}")
    begun("ariadne", jonas, mina)
    begun("ariadne", mina, jonas)
    services.resign(jonas, begun("ariadne", mina, jonas))
    services.open_game(jonas, Terms("ariadne", admits="invited"), invite=[mina])
    paths = [reverse(name) for name in PEOPLE] + [reverse("new-game", args=[slug]) for slug in entries()]
    paths += [open_table(mina)[0], open_table(jonas)[1], *programs_of(mina)]
    assert look_over(visit(mina, language), paths, wide_scheme) == []
    TOTP.activate(jonas, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(jonas)
    assert look_over(visit(jonas, language), [reverse(name) for name in SECOND_STEP], wide_scheme) == []


@LANGUAGES
def test_what_is_asked_and_timed_at_a_table_is_for_everybody(
    visit: Callable[..., Visitor], language: str, wide_scheme: str
) -> None:
    mina, jonas = person(f"mina-{language}"), person(f"jonas-{language}")
    asked, answered = (begun("ariadne", mina, jonas, clock=THREE_DAYS) for _ in range(2))
    agreeing.offer_draw(jonas, asked)
    agreeing.ask_pause(jonas, asked)
    agreeing.ask_pause(mina, answered)
    agreeing.answer_pause(jonas, answered, granted=True)
    paths = [reverse("table", args=[game]) for game in (asked, answered)]
    paths += [reverse("agree", args=[asked, what]) for what in ("draw-accept", "abort")]
    assert look_over(visit(mina, language), [*paths, reverse("home")], wide_scheme) == []


@LANGUAGES
def test_the_tables_are_for_everybody(visit: Callable[..., Visitor], language: str, wide_scheme: str) -> None:
    mina, jonas = person(f"mina-{language}"), person(f"jonas-{language}")
    assert look_over(visit(mina, language), [*games_of(mina, jonas)], wide_scheme) == []


def test_forms_that_need_another_look_are_for_everybody(visit: Callable[..., Visitor], alice: User) -> None:
    stranger, player = visit(None), visit(alice)
    player.expected.add(422)
    page = stranger.page
    page.goto("/accounts/signup/")
    page.get_by_label("Player name").fill("alice")
    page.get_by_label("Mail address").fill("someone@example.org")
    page.get_by_label("Password").fill("12345678")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert [*troubles(page)] == []
    page = player.page
    page.goto("/new/ariadne/")
    page.get_by_label("Invite a player").fill("nobody-of-this-name")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert [*troubles(page)] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_that_were_chosen_hold_whatever_the_device_says(
    visit: Callable[..., Visitor], alice: User, theme: str
) -> None:
    page = visit(alice, color_scheme="dark" if theme == "light" else "light").page
    page.goto("/settings/")
    page.get_by_label(theme.title()).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your settings are saved.")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == theme
    assert [*troubles(page)] == []


def test_a_first_visit_weighs_little(visit: Callable[..., Visitor], alice: User, bob: User) -> None:
    heaviest = [path for number, path in enumerate(games_of(alice, bob)) if number % 5 in (0, 4)]
    pages: dict[str, User | None] = {reverse("front"): None, reverse("open-tables"): None}
    pages |= dict.fromkeys([reverse("home"), *heaviest], alice)
    weights = {path: weigh(visit(user), path) for path, user in pages.items()}
    assert {path: weight for path, weight in weights.items() if not 5_000 < weight < WEIGHT} == {}


def weigh(visitor: Visitor, path: str) -> int:
    """The bytes of a page and all that it loads, as they come over the wire, without the card sprite."""
    network = visitor.page.context.new_cdp_session(visitor.page)
    sprites: set[str] = set()
    weights: dict[str, int] = {}

    def began(event: dict[str, Any]) -> None:
        if "/cards." in event["request"]["url"]:
            sprites.add(event["requestId"])

    network.on("Network.requestWillBeSent", began)
    network.on(
        "Network.loadingFinished", lambda event: weights.update({event["requestId"]: event["encodedDataLength"]})
    )
    network.send("Network.enable")
    visitor.page.goto(path, wait_until="networkidle")
    return int(sum(weight for request, weight in weights.items() if request not in sprites))


def test_the_looking_over_finds_what_is_wrong(visit: Callable[..., Visitor]) -> None:
    visitor = visit(None)
    page = visitor.page
    page.goto("/")
    assert [*troubles(page), *sideways(page, 360)] == []
    page.evaluate("document.querySelector('h1').outerHTML = '<img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\">'")
    assert {"image-alt", "page-has-heading-one"} <= {trouble.split(": ")[1] for trouble in troubles(page)}
    page.evaluate("document.querySelector('main').style.minWidth = '500px'")
    assert [*sideways(page, 360)] != []
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    expect(page.locator("body")).to_have_attribute("style", "color: red")
    complaints, visitor.complaints[:] = visitor.complaints[:], []
    assert any("Content Security Policy" in complaint for complaint in complaints), complaints
