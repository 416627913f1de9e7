"""Conquian on the site: opened on its terms, played by touches and by a plain form, passes made by themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services, viewing
from games.engine.conquian_melds import PACK
from games.engine.contract import Packs
from games.pages.terms import quick_pass_text
from notifications.models import Message
from tests.games.people import begun, table
from tests.pages.reading import page_of
from tests.pages.tables import cards, hidden, logged_in, text, ticked

NO_CLOCK = {"clock": "none", "command": "new-one"}
SCRIPT = {"X-Requested-With": "fetch"}
#: Seat 0 deals: it is Alice's. Bob is offered the first centre card, which he can meld in two arrangements.
ALICE, BOB = "6D 6S QC KC JD 3S 5S 7C AC 4C", "5H 6H 7H JH QH 2C 3D KS AS 2S"
#: After it nobody can use the ace of diamonds, and Alice alone the six of clubs.
STOCK = "4H AD 6C"


def dealt(alice: str = ALICE, bob: str = BOB, stock: str = STOCK) -> dict[int, Packs]:
    """A deal in which they hold these hands, with the first centre card and what is turned after it."""
    hands = [card for pair in zip(bob.split(), alice.split(), strict=True) for card in pair]
    known = [*hands, *stock.split()]
    return {1: ((*known, *(card for card in PACK if card not in known)),)}


def conquian(alice: User, bob: User, deal: Mapping[int, Packs] | None = None, **terms: Any) -> str:
    return begun("conquian", alice, bob, recorded=deal or dealt(), **terms)


def post(
    client: Client, game: str, touched: list[str], fields: Mapping[str, str] | None = None, *, script: bool = False
) -> Any:
    data = {"touch": touched, "step": str(table(game).step), **(fields or {})}
    return client.post(reverse("move", args=[game]), data, headers=SCRIPT if script else {})


def preview(client: Client, game: str, touched: list[str], **fields: str) -> Any:
    query = {"touch": touched, "step": str(table(game).step), **fields}
    return client.get(reverse("table-preview", args=[game]), query)


def page(client: Client, game: str) -> str:
    return page_of(client.get(reverse("table", args=[game])))


def latest(game: str) -> Any:
    """The latest move that somebody made themselves."""
    return next(
        entry.step.move  # type: ignore[union-attr]  # deals are never automatic, but come before any move
        for entry in reversed(table(game).line)
        if not entry.automatic
    )


# --- melding ------------------------------------------------------------------------------------------------------

ALL_HEARTS = ["centre", "hand:5H", "hand:6H", "hand:7H", "hand:JH", "hand:QH"]
TOGETHER, APART = "meld/4H5H6H7HJHQH", "meld/4H5H6H.7HJHQH"


def test_touching_the_centre_card_hand_cards_and_a_discard_melds(alice: User, bob: User) -> None:
    game = conquian(alice, bob)
    assert post(logged_in(bob), game, ["hand:6H", "centre", "hand:5H", "hand:2C"], script=True).status_code == 200
    assert latest(game) == {"type": "meld", "melds": [["4H", "5H", "6H"]], "discard": "2C"}


def test_the_same_cards_lying_in_several_ways_are_drawn_to_choose_from(alice: User, bob: User) -> None:
    game = conquian(alice, bob)
    answer = preview(logged_in(bob), game, [*ALL_HEARTS, "hand:2C"])
    shown = page_of(answer)
    assert answer.status_code == 200
    assert re.findall(r'name="action" value="([^"]+)"', shown) == [TOGETHER, APART] or re.findall(
        r'name="action" value="([^"]+)"', shown
    ) == [APART, TOGETHER]
    assert len(re.findall(r'class="group"', shown)) == 3
    assert "Your melds then: 4♥ 5♥ 6♥; 7♥ J♥ Q♥. You discard 2♣." in shown


@pytest.mark.parametrize("name", [TOGETHER, APART])
def test_the_chosen_arrangement_is_shown_and_then_made(alice: User, bob: User, name: str) -> None:
    game, client = conquian(alice, bob), logged_in(bob)
    touched = [*ALL_HEARTS, "hand:2C"]
    shown = text(preview(client, game, touched, action=name))
    assert "data-choices" not in shown
    assert 'data-zone="melds:1"' in shown
    assert post(client, game, touched, {"action": name}, script=True).status_code == 200
    made = latest(game)["melds"]
    assert len(made) == (1 if name == TOGETHER else 2)


def test_a_form_without_the_script_names_its_discard_and_is_shown_what_to_choose_from(alice: User, bob: User) -> None:
    game, client = conquian(alice, bob), logged_in(bob)
    touched = [*ALL_HEARTS, "hand:2C"]
    refused = post(client, game, touched, {"touch.discard": "discard:2C", "action": "meld"})
    shown = page_of(refused)
    assert refused.status_code == 422
    assert "That could be more than one move" in shown
    assert f'name="action" value="{APART}"' in shown
    assert set(ALL_HEARTS) <= ticked(shown)
    made = post(client, game, touched, {"touch.discard": "discard:2C", "action": APART})
    assert made.status_code == 303
    assert latest(game)["discard"] == "2C"


def test_the_plain_form_offers_every_hand_card_as_a_discard(alice: User, bob: User) -> None:
    shown = page(logged_in(bob), conquian(alice, bob))
    offered = re.findall(r'name="touch.discard" value="discard:(\w\w)"', shown)
    assert sorted(offered) == sorted(BOB.split())
    assert hidden(shown, "step")


@pytest.mark.parametrize(
    ("touched", "said"),
    [
        (["centre", "hand:5H", "hand:KS"], "A meld is three or four cards of one rank"),
        (["hand:5H", "hand:6H", "hand:7H"], "Hand cards are melded only along with the centre card."),
        (["centre", "hand:5H", "hand:6H"], "With cards left in the hand, a meld is followed by a discard."),
    ],
)
def test_an_illegal_try_names_the_rule(alice: User, bob: User, touched: list[str], said: str) -> None:
    answer = preview(logged_in(bob), conquian(alice, bob), touched)
    assert answer.status_code == 422
    assert said in page_of(answer)


def test_declining_is_shown_before_it_is_made(alice: User, bob: User) -> None:
    game, client = conquian(alice, bob), logged_in(bob)
    assert "Decline 4♥; the other player is offered it then." in page_of(preview(client, game, [], action="pass"))
    assert post(client, game, [], {"action": "pass"}, script=True).status_code == 200
    assert latest(game) == {"type": "pass"}


# --- passes made by themselves ------------------------------------------------------------------------------------


def declined(alice: User, bob: User, **terms: Any) -> str:
    """Bob has declined the first card; with quick passes four more follow by themselves."""
    game = conquian(alice, bob, **terms)
    services.play(bob, game, {"type": "pass"}, recorded=dealt())
    return game


def test_a_cascade_of_passes_is_one_append_and_says_so_in_what_happened(alice: User, bob: User) -> None:
    game = declined(alice, bob)
    assert [entry.automatic for entry in table(game).line] == [False, False, True, True, True, True]
    shown = page(logged_in(alice), game)
    happened = re.sub(r"<[^>]*>", "", shown.partition("Since your last turn")[2].partition("</section>")[0])
    for step in (
        "bob: declined A♦ and turned the next card (automatically)",
        "bob: declined 6♣ (automatically)",
    ):
        assert step in happened
    assert "alice" not in happened  # her own passes are no news to her, but stand in the list of moves
    moves = re.sub(r"<[^>]*>", "", shown.partition("data-moves>")[2].partition("</ol>")[0])
    assert "declined 4♥ and turned the next card (automatically)" in moves
    assert moves.count("(automatically)") == 4


def test_a_cascade_of_passes_leads_to_one_message(alice: User, bob: User) -> None:
    game = conquian(alice, bob)
    before = Message.objects.filter(game=game, user=alice).count()
    services.play(bob, game, {"type": "pass"}, recorded=dealt())
    assert Message.objects.filter(game=game, user=alice).count() - before == 1
    assert not Message.objects.filter(game=game, user=bob, version__gt=table(game).line[1].number).exists()
    assert table(game).awaited_seat == 0


def test_what_happened_begins_after_the_last_move_that_somebody_made_themselves(alice: User, bob: User) -> None:
    game = declined(alice, bob)
    recent = viewing.sight(bob, game).since_my_turn()
    assert [(told.seat, told.automatic) for told in recent] == [(0, True), (0, True)]  # and not his own passes


def test_with_quick_passes_off_every_card_waits_for_an_answer(alice: User, bob: User) -> None:
    game = declined(alice, bob, quick_pass=False)
    now = table(game)
    assert now.awaited_seat == 0
    assert not any(entry.automatic for entry in now.line)
    assert "4♥ fits nowhere for you: decline it." in page(logged_in(alice), game)
    assert "fits nowhere" not in page(logged_in(bob), game)


# --- terms --------------------------------------------------------------------------------------------------------

OFF = "Passes are not made for you: every card waits for your answer."


@pytest.mark.parametrize(("ticked_box", "said"), [("on", quick_pass_text), (None, lambda: OFF)])
def test_the_terms_are_said_before_anyone_sits_and_at_the_table(
    alice: User, bob: User, ticked_box: str | None, said: Any
) -> None:
    client = logged_in(alice)
    form = page_of(client.get("/new/conquian/"))
    assert quick_pass_text() in form
    data = {"opener_seat": "first", "admits": "anyone", "link": "on", "option_target": "3"} | NO_CLOCK
    answer = client.post("/new/conquian/", data | ({"quick_pass": ticked_box} if ticked_box else {}))
    game = answer["Location"].strip("/").split("/")[-1]
    opened = table(game).opened
    assert (opened.options["target"], opened.quick_pass) == (3, ticked_box is not None)
    link = re.search(r'value="(http[^"]+/join/[^"]+)"', page(client, game))
    assert link is not None
    for shown in (page(client, game), page_of(Client().get("/tables/")), page_of(Client().get(link[1]))):
        assert said() in shown
        assert "Up to 3 stakes." in shown
    services.sit_down(bob, game)
    assert said() in page(logged_in(bob), game)


def test_a_target_that_is_not_on_the_page_is_refused(alice: User) -> None:
    data = {"opener_seat": "first", "admits": "anyone", "link": "on", "option_target": "2"} | NO_CLOCK
    assert logged_in(alice).post("/new/conquian/", data).status_code == 422


# --- the page -----------------------------------------------------------------------------------------------------


def test_a_page_shows_its_readers_hand_and_nothing_of_the_others(alice: User, bob: User) -> None:
    game = conquian(alice, bob)
    assert set(cards(page(logged_in(bob), game))) == {"4H", *BOB.split()}
    assert set(cards(page(logged_in(alice), game))) == {"4H", *ALICE.split()}
    assert set(cards(page(Client(), game))) == {"4H"}


def test_the_hand_is_sorted_as_its_player_wants_it_and_stays_so(alice: User, bob: User) -> None:
    game, client = conquian(alice, bob), logged_in(bob)
    address = reverse("table", args=[game])
    assert held(page(client, game)) == ["2C", "3D", "5H", "6H", "7H", "JH", "QH", "AS", "2S", "KS"]
    by_rank = ["AS", "2C", "2S", "3D", "5H", "6H", "7H", "JH", "QH", "KS"]
    assert held(page_of(client.get(f"{address}?hand=rank"))) == by_rank
    assert held(page(client, game)) == by_rank
    assert held(page_of(client.get(f"{address}?hand=nonsense"))) == by_rank


def held(shown: str) -> list[str]:
    return re.findall(r'data-touch="hand:(\w\w)"', shown)


def test_a_page_costs_few_queries_however_many_passes_went_by(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    game, client = declined(alice, bob), logged_in(alice)
    with django_assert_max_num_queries(14):
        page(client, game)


def test_a_page_stays_small_where_much_can_be_melded(alice: User, bob: User) -> None:
    game = conquian(alice, bob)
    assert len(table(game).rules.legal_moves(table(game).state)) > 20
    answer = logged_in(bob).get(reverse("table", args=[game]))
    assert len(answer.content) < 60_000


def test_the_rules_are_drawn_in_both_languages() -> None:
    for language, word in (("en", "Our ruling."), ("ko", "이 사이트의 규칙.")):
        shown = page_of(Client(headers={"accept-language": language}).get("/rules/conquian/"))
        assert shown.count(word) >= 5
        assert shown.count('class="conquian still"') == 6
