"""Bots: made and retired by their owner, never logged in, never mailed, and ended in all their games."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import bots, tokens
from accounts.models import User
from games import agreeing, selectors, services
from games.store.models import Head, Seat
from games.table.commands import Terms
from notifications.models import InboxItem, Message
from tests.accounts.conftest import PASSWORD


def test_a_bot_belongs_to_its_owner_and_has_neither_mail_address_nor_password(alice: User) -> None:
    alice.language, alice.time_zone = "ko", "Asia/Seoul"
    alice.save()
    bot = bots.make(alice, "alice.bot")
    assert (bot.is_bot, bot.owner, bot.email, bot.has_usable_password()) == (True, alice, None, False)
    assert (bot.language, bot.time_zone) == ("ko", "Asia/Seoul")
    assert list(bots.of(alice)) == [bot]
    assert bots.named(alice, "ALICE.bot") == bot


def test_a_bot_of_somebody_else_is_none_of_mine(alice: User, bob: User) -> None:
    bots.make(alice, "alice.bot")
    assert bots.named(bob, "alice.bot") is None
    assert not bots.of(bob)


def test_a_bot_is_not_called_like_anybody_else(alice: User, bob: User) -> None:
    for name in ("bob", "BOB", "alice", "two words", "", "x" * 25):
        with pytest.raises(ValidationError):
            bots.make(alice, name)
    assert not bots.of(alice)


def test_nobody_has_more_bots_than_the_setting_says(alice: User, settings: Settings) -> None:
    settings.CLEW_BOTS = 2
    bots.make(alice, "one")
    two = bots.make(alice, "two")
    with pytest.raises(bots.NoBot) as caught:
        bots.make(alice, "three")
    assert caught.value.code == "too_many_bots"
    bots.retire(two)
    bots.make(alice, "three")


def test_a_bot_makes_no_bots(alice: User) -> None:
    bot = bots.make(alice, "alice.bot")
    with pytest.raises(bots.NoBot) as caught:
        bots.make(bot, "second")
    assert caught.value.code == "bots_make_no_bots"


def test_a_bot_does_not_log_in_whatever_password_or_session_it_has(alice: User) -> None:
    bot = bots.make(alice, "alice.bot")
    bot.set_password(PASSWORD)
    bot.save()
    client = Client()
    client.post("/accounts/login/", {"login": "alice.bot", "password": PASSWORD})
    assert "_auth_user_id" not in client.session
    client.force_login(bot, backend="accounts.backends.Backend")
    assert client.get("/home/").status_code == 302
    assert client.get("/settings/").status_code == 302


def test_a_bot_is_told_in_its_inbox_and_never_mailed(alice: User, bob: User) -> None:
    bot = bots.make(alice, "alice.bot")
    game = services.open_game(bob, Terms("ariadne"), invite=[bot]).table.id
    services.sit_down(bot, game)
    assert InboxItem.objects.filter(user=bot).exists()
    assert not Message.objects.filter(user=bot).exists()


def test_retiring_a_bot_takes_its_tokens_its_tables_and_its_games(alice: User, bob: User) -> None:
    bot = bots.make(alice, "alice.bot")
    _token, secret = tokens.make(bot, "first", bots.SCOPES)
    running = services.open_game(bob, Terms("ariadne")).table.id
    services.sit_down(bot, running)
    waiting = services.open_game(bot, Terms("conquian")).table.id
    patience = services.open_game(bot, Terms("forty_thieves")).table.id
    assert bots.games_of(bot) == 3
    bots.retire(bot)
    assert tokens.find(secret) is None
    assert set(Head.objects.values_list("status", flat=True)) == {"ended"}
    table = selectors.look(bob, running)
    assert table["result"]["ended"]["by"] == "resignation"
    assert table["result"]["winner"] == table["seat"]
    assert Seat.objects.filter(user=bot, game__in=[running, waiting, patience]).count() == 3
    assert not bots.of(alice)
    assert not User.objects.get(pk=bot.pk).is_active


@pytest.mark.parametrize("key", ["retired", "retire", "resign"])
def test_a_bot_is_retired_whatever_keys_it_has_used(alice: User, bob: User, key: str) -> None:
    bot = bots.make(alice, "alice.bot")
    running = services.open_game(bob, Terms("ariadne")).table.id
    services.sit_down(bot, running)
    agreeing.offer_draw(bot, running, command=key)
    services.open_game(bot, Terms("conquian"), command=key)
    bots.retire(bot)
    assert set(Head.objects.values_list("status", flat=True)) == {"ended"}


def test_retiring_goes_on_where_it_was_cut_off(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = bots.make(alice, "alice.bot")
    game = services.open_game(bob, Terms("ariadne")).table.id
    services.sit_down(bot, game)

    def cut_off(*_args: object, **_named: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(services, "resign", cut_off)
        with pytest.raises(ConnectionError):
            bots.retire(bot)
    assert bots.named(alice, "alice.bot") == bot
    bots.retire(bot)
    assert Head.objects.get(pk=game).status == "ended"
    assert bots.named(alice, "alice.bot") is None


def test_a_game_that_stays_busy_is_left_to_its_clock_and_the_bot_retired_all_the_same(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = bots.make(alice, "alice.bot")
    game = services.open_game(bob, Terms("ariadne")).table.id
    services.sit_down(bot, game)

    def busy(_user: User, game_id: str, **_named: object) -> None:
        raise services.TooBusy(game_id)

    monkeypatch.setattr(services, "resign", busy)
    bots.retire(bot)
    assert Head.objects.get(pk=game).status == "running"
    assert bots.named(alice, "alice.bot") is None


def test_a_bot_that_never_sat_down_gives_its_name_back(alice: User, bob: User) -> None:
    bots.retire(bots.make(alice, "rufus"))
    assert bots.make(bob, "rufus").owner == bob
