"""Who acts and is awaited again at once has seen so: nothing tells them, and what still waited to is dropped."""

from __future__ import annotations

import pytest

from accounts.models import User
from config import clock
from games import services
from games.store.models import Head
from notifications import sender, wishes
from notifications.models import InboxItem, Message
from tests.games.clocks import THREE_DAYS, stopped
from tests.games.people import begun, table
from tests.table.tables import climb_deal

HIGH_AND_LOW = climb_deal("9H TH JH QH KH", "2H 3H 4H 5H 6H")


def told(user: User, kind: str = "turn") -> list[tuple[str, int]]:
    rows = Message.objects.filter(user=user, kind=kind).order_by("id")
    return [(state, version or 0) for state, version in rows.values_list("state", "version")]


@pytest.mark.parametrize("delivery", ["immediate", "daily", "once"])
def test_a_move_that_the_other_can_only_pass_tells_its_player_nothing(
    alice: User, bob: User, mailoutbox: list[object], delivery: str
) -> None:
    row = wishes.of(alice)
    row.delivery = delivery
    row.save()
    with stopped() as now:
        game = begun("climb", alice, bob, recorded=HIGH_AND_LOW, clock=THREE_DAYS)
        first = Head.objects.get(game=game).awaited_since
        assert told(alice) == [("waiting", first)]
        services.play(alice, game, {"type": "play", "card": "9H"})
        assert [entry.automatic for entry in table(game).line[1:]] == [False, True]
        assert (table(game).awaited_seat, Head.objects.get(game=game).awaited_since > first) == (0, True)
        now.advance(days=1)
        sender.send_due()
    assert told(alice) == [("dropped", first)]
    assert list(InboxItem.objects.values_list("user", "kind", "version")) == [(alice.pk, "turn", first)]
    assert mailoutbox == []


def test_their_own_reminders_go_on_for_the_turn_that_they_have_made_for_themselves(alice: User, bob: User) -> None:
    with stopped() as now:
        game = begun("climb", alice, bob, recorded=HIGH_AND_LOW, clock=THREE_DAYS)
        now.advance(hours=1)
        services.play(alice, game, {"type": "play", "card": "9H"})
        head = Head.objects.get(game=game)
        assert told(alice, "reminder") == [("waiting", head.awaited_since)]
        assert Message.objects.get(kind="reminder").params["deadline"] == head.deadline_at
        assert head.awaited_at == clock.now_us()
