"""The demo players and their games."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from accounts.models import User
from config import clock
from games.demo import PASSWORD, PLAYERS
from games.store.models import Head
from games.store.verify import verify_game
from games.table.terms import DAY
from notifications.models import InboxItem


@pytest.mark.django_db
def test_the_demo_has_games_in_progress_one_of_them_timed_one_finished_and_an_open_table_and_is_made_once(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.CLEW_EMBEDDED = True
    call_command("demo")
    told = capsys.readouterr().out
    before = list(Head.objects.order_by("game").values_list("game", "version", "status"))
    assert sorted(status for _, _, status in before) == ["ended", "open", *["running"] * 4]
    (deadline,) = Head.objects.filter(deadline_at__isnull=False).values_list("deadline_at", flat=True)
    assert deadline is not None
    assert 0 < deadline - clock.now_us() < 3 * DAY
    assert all(verify_game(str(game)) == [] for game, _, _ in before)
    told_at = list(InboxItem.objects.order_by("id").values_list("at", flat=True))
    assert told_at == sorted(told_at), "the newest is told last, whatever game it is of"
    for name in PLAYERS:
        assert f"{name} logs in with the password {PASSWORD}" in told
        assert User.objects.get(name=name).check_password(PASSWORD)
    call_command("demo")
    assert list(Head.objects.order_by("game").values_list("game", "version", "status")) == before


@pytest.mark.django_db
def test_nobody_makes_players_with_a_known_password_on_a_real_site(settings: Settings) -> None:
    settings.CLEW_EMBEDDED = False
    with pytest.raises(CommandError, match="only bin/play"):
        call_command("demo")
    assert not User.objects.exists()
