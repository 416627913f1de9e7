"""What running games learn of their players' accounts, by rows of work, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from accounts import vacation
from accounts.models import User
from config import clock
from games import agreeing, learning, services
from games.services import Terms
from games.store.models import Seat, Work
from games.store.verify import verify_game
from games.table.terms import DAY, HOUR, ClockTerms, PerMove
from tests.games.clocks import clocked, due, kinds, last, left, stopped
from tests.games.people import a_move, begun, events, table


@pytest.fixture
def now(db: None) -> Iterator[clock.FrozenClock]:
    with stopped() as frozen:
        yield frozen


def test_every_running_game_learns_of_a_vacation_by_an_event_of_its_own(
    now: clock.FrozenClock, alice: User, bob: User, charlie: User
) -> None:
    games = [clocked(alice, bob), clocked(bob, alice), begun("climb", alice, bob)]
    others = [clocked(alice, charlie), begun("forty_thieves", bob)]
    over = clocked(alice, bob)
    services.resign(alice, over)
    at = clock.now_us()
    vacation.begin(bob)
    now.advance(minutes=5)
    learning.learn_all()
    for game_id in games:
        assert (last(game_id).type, last(game_id).at) == ("vacation_began", at)
        assert last(game_id).command is not None
        assert verify_game(game_id) == []
    assert [kinds(game_id) for game_id in [*others, over]] == [[], [], ["ended"]]
    vacation.end(bob)
    learning.learn_all()
    assert [kinds(game_id) for game_id in games] == [["vacation_began", "vacation_ended"]] * 3
    assert not Work.objects.filter(done=False).exists()


def test_what_is_learnt_twice_is_one_event(now: clock.FrozenClock, alice: User, bob: User) -> None:
    game_id = clocked(alice, bob)
    vacation.begin(bob)
    learning.learn_all()
    Work.objects.update(done=False)
    learning.learn_all()
    assert kinds(game_id) == ["vacation_began"]


def test_the_event_bears_the_moment_of_the_decision_and_never_comes_before_the_last_one(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id, other = clocked(alice, bob), clocked(alice, bob)
    vacation.begin(bob)
    decided = clock.now_us()
    now.advance(minutes=1)
    agreeing.offer_draw(alice, game_id)
    learning.learn_all()
    assert (last(game_id).at, last(other).at) == (decided + 60_000_000, decided)


def test_moving_on_vacation_stays_allowed(now: clock.FrozenClock, alice: User, bob: User) -> None:
    game_id = clocked(alice, bob)
    vacation.begin(bob)
    learning.learn_all()
    now.advance(days=8)
    services.play(bob, game_id, a_move(game_id)[1])
    assert table(game_id).away == {1}
    assert due(game_id) == clock.now_us() + 3 * DAY


def test_a_vacation_that_is_over_before_anybody_looked_is_learnt_whole(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id = clocked(alice, bob)
    start = clock.now_us()
    vacation.plan(bob, start + HOUR, start + 3 * HOUR)
    now.advance(hours=5)
    vacation.tell_due(clock.now_us())
    learning.learn_all()
    assert kinds(game_id) == ["vacation_began", "vacation_ended"]
    assert [row.at for row in events(game_id)][-2:] == [start + HOUR, start + 3 * HOUR]
    assert left(game_id) == 3 * DAY - 3 * HOUR


def test_of_two_vacations_that_follow_each_other_the_game_learns_one_beginning_and_one_end(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id = clocked(alice, bob)
    start = clock.now_us()
    vacation.plan(bob, start + DAY, start + 2 * DAY)
    vacation.begin(bob)
    for _ in range(3):
        vacation.tell_due(clock.now_us())
        learning.learn_all()
        now.advance(days=1)
    assert kinds(game_id) == ["vacation_began", "vacation_ended"]
    assert last(game_id).at == start + 2 * DAY


def test_a_game_that_begins_while_a_player_is_on_vacation_learns_it(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    vacation.begin(alice)
    game_id = clocked(alice, bob, 0)
    learning.learn_all()
    assert kinds(game_id) == ["vacation_began"]
    vacation.end(alice)
    learning.learn_all()
    assert kinds(game_id) == ["vacation_began", "vacation_ended"]
    later = clocked(alice, bob, 0)
    learning.learn_all()
    assert kinds(later) == []


def test_a_change_of_time_zone_on_the_settings_page_reaches_the_games_with_a_clock(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    weekends = ClockTerms(PerMove(3 * DAY), weekends_off=True).to_json()
    game_id, without = clocked(alice, bob, clock=weekends), begun("climb", alice, bob)
    client = Client()
    client.force_login(bob)
    form = {"name": "bob", "language": "en", "time_zone": "Asia/Seoul", "turn_mails": "on", "theme": ""}
    for _ in range(2):
        assert client.post("/settings/", form).status_code == 302
    learning.learn_all()
    assert kinds(game_id) == ["zone_changed"]
    assert (last(game_id).payload, last(game_id).at) == ({"seat": 1, "zone": "Asia/Seoul"}, clock.now_us())
    assert kinds(without) == []
    assert verify_game(game_id) == []
    now.advance(hours=1)
    assert client.post("/settings/", {**form, "time_zone": "UTC"}).status_code == 302
    learning.learn_all()
    assert kinds(game_id) == ["zone_changed"] * 2


def test_a_player_who_moved_elsewhere_while_their_table_waited_begins_there(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    weekends = ClockTerms(PerMove(3 * DAY), weekends_off=True).to_json()
    game_id = services.open_game(alice, Terms("climb", opener_seat="first", clock=weekends)).table.id
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Seoul")
    services.sit_down(bob, game_id)
    learning.learn_all()
    now_at = table(game_id).clock
    assert now_at is not None
    assert [seat.zone for seat in now_at.seats] == ["Asia/Seoul", "UTC"]


def test_a_game_that_cannot_learn_does_not_keep_others_from_it(now: clock.FrozenClock, alice: User, bob: User) -> None:
    broken, fine = clocked(alice, bob), clocked(alice, bob)
    vacation.begin(bob)
    Seat.objects.filter(game__pk=broken).delete()
    learning.learn_all()
    assert (kinds(broken), kinds(fine)) == ([], ["vacation_began"])
    assert Work.objects.filter(done=False).count() == 1
