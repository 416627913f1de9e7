"""Opening a table."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts import bots
from accounts.models import User
from games import services
from games.store.models import Head, Invitation, Seat
from games.store.thread import load
from tests.pages.reading import field, page_of, ticked

FORM = "/new/ariadne/"


def terms(**changed: str) -> dict[str, Any]:
    """The form as it is filled in at first, the link wanted; ``link=""`` unticks it."""
    filled = {"opener_seat": "random", "admits": "anyone", "invite": "", "link": "on", "salt": "", "command": "c1"}
    filled |= {"clock": "move-3d", "vacation": "on"}
    filled |= changed
    return {name: value for name, value in filled.items() if (name, value) != ("link", "")}


def test_everybody_may_look_at_the_games(client: Client, db: None) -> None:
    page = page_of(client.get("/new/"))
    assert f'href="{FORM}"' in page
    assert "2 players" in page


def test_only_who_is_logged_in_opens_a_table(client: Client, db: None) -> None:
    for answer in (client.get(FORM), client.post(FORM, terms())):
        assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={FORM}")
    assert not Head.objects.exists()


@pytest.mark.parametrize("entry", ["climb", "tiny", "nothing"])
def test_only_games_with_a_board_can_be_opened(client: Client, alice: User, entry: str) -> None:
    client.force_login(alice)
    assert client.get(f"/new/{entry}/").status_code == 404
    assert client.post(f"/new/{entry}/", terms()).status_code == 404


def test_opening_leads_to_the_table(client: Client, alice: User) -> None:
    client.force_login(alice)
    command = field(page_of(client.get(FORM)), "command")
    answer = client.post(FORM, terms(command=command))
    game = Seat.objects.get(user=alice).game_id
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game}/")
    assert Invitation.objects.get(game=game).token is not None


def test_the_terms_are_those_of_the_form(client: Client, alice: User, bob: User) -> None:
    client.force_login(alice)
    client.post(FORM, terms(opener_seat="second", admits="invited", invite=" BOB ", link="", salt="my-own-salt"))
    table = load(str(Head.objects.get().pk)).table
    assert (table.opened.opener_seat, table.opened.admits) == ("second", "invited")
    assert [invitation.user for invitation in Invitation.objects.all()] == [bob]
    assert (table.salts[0].text, table.salts[0].by) == ("my-own-salt", "player")
    page = f"/games/{table.id}/"
    assert "<dt>Invited</dt><dd>bob</dd>" in client.get(page).content.decode()
    client.force_login(bob)
    assert "<dt>Invited</dt>" not in client.get(page).content.decode()  # whom else they asked is the opener's affair


def test_a_table_can_be_without_bots_and_then_no_bot_is_invited(client: Client, alice: User) -> None:
    bots.make(alice, "rufus")
    client.force_login(alice)
    refused = client.post(FORM, terms(admits="people", invite="rufus"))
    assert refused.status_code == 422
    assert "A bot can&#x27;t be invited" in refused.content.decode()
    client.post(FORM, terms(admits="people"))
    assert Head.objects.get().admits == "people"


def test_without_a_script_the_server_makes_the_salt(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post(FORM, terms(salt=""))
    assert load(str(Head.objects.get().pk)).table.salts[0].by == "server"


def test_the_browser_keeps_its_salt_under_the_game_that_will_be_opened(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = page_of(client.get(FORM))
    command = field(page, "command")
    assert f'data-salt="{services.game_id_for(alice, command)}"' in page
    client.post(FORM, terms(command=command))
    assert str(Head.objects.get().pk) == services.game_id_for(alice, command)


def test_a_form_sent_twice_opens_one_table(client: Client, alice: User) -> None:
    client.force_login(alice)
    first, second = (client.post(FORM, terms()) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert Head.objects.count() == 1


def test_a_form_gone_back_to_opens_another_table(client: Client, alice: User) -> None:
    client.force_login(alice)
    answers = [client.get(FORM) for _ in range(2)]
    assert all("no-store" in answer["Cache-Control"] for answer in answers)
    assert len({field(page_of(answer), "command") for answer in answers}) == 2


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"invite": "nobody-here"}, "There is no player called nobody-here."),
        ({"invite": "Alice"}, "That is you."),
        ({"admits": "invited", "link": ""}, "Nobody could sit down: name a player, or make a link."),
        ({"salt": "short"}, "A salt is 8 to 64 printable characters without spaces."),
        ({"admits": "everybody"}, "everybody is not one of the available choices"),
        ({"opener_seat": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_is_said_beside_the_field_and_nothing_is_lost(
    client: Client, alice: User, wrong: dict[str, str], said: str
) -> None:
    client.force_login(alice)
    answer = client.post(FORM, terms(**{"opener_seat": "first", **wrong}))
    page = page_of(answer)
    assert answer.status_code == 422
    assert said in page
    assert field(page, "invite") == wrong.get("invite", "")
    assert field(page, "command") == "c1"
    assert ticked(page, "id_opener_seat_1") == ("opener_seat" not in wrong)
    assert ticked(page, "id_link") == ("link" not in wrong)
    assert not Head.objects.exists()


def test_a_name_with_markup_is_said_back_harmlessly(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.post(FORM, terms(invite="<script>alert(1)</script>")).content.decode()
    assert "<script>alert" not in page


def test_a_guest_or_somebody_who_left_cannot_be_invited(client: Client, alice: User, bob: User) -> None:
    client.force_login(alice)
    for field_name, value in (("is_active", False), ("is_guest", True)):
        User.objects.filter(pk=bob.pk).update(is_active=True, is_guest=False)
        User.objects.filter(pk=bob.pk).update(**{field_name: value})
        assert "There is no player called bob." in page_of(client.post(FORM, terms(invite="bob")))


def test_the_form_speaks_korean(client: Client, alice: User) -> None:
    alice.language = "ko"
    alice.save()
    client.force_login(alice)
    assert "누가 앉을 수 있습니까?" in page_of(client.get(FORM))
    assert "이름이 nobody인 플레이어가 없습니다." in page_of(client.post(FORM, terms(invite="nobody")))
