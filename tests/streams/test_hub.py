"""Who hears of which game, and that only the newest is owed."""

from __future__ import annotations

import pytest

from config.streams.hub import Full, Hub, Limits, Mark, Stream
from config.streams.tickets import ticket_for_game, ticket_for_person

ONE, TWO = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
ALICE, BOB = 1, 2


@pytest.fixture
def hub() -> Hub:
    return Hub(Limits(most=5, person=2, address=3))


def at_game(hub: Hub, game: str, user: int | None = ALICE, *, sits: bool = True, address: str = "::1") -> Stream:
    return hub.open(ticket_for_game(game, user, sits=sits), address)


def test_a_stream_hears_of_its_own_game_alone(hub: Hub) -> None:
    stream = at_game(hub, ONE)
    hub.moved(TWO, Mark(4))
    assert not stream.woken.is_set()
    hub.moved(ONE, Mark(4))
    assert stream.woken.is_set()
    assert stream.take() == {ONE: Mark(4)}
    assert not stream.woken.is_set()


def test_what_is_known_already_is_not_said_again(hub: Hub) -> None:
    stream = at_game(hub, ONE)
    for version in (4, 4, 3):
        hub.moved(ONE, Mark(version))
    assert stream.take() == {ONE: Mark(4)}
    hub.moved(ONE, Mark(4))
    assert stream.take() == {}


def test_a_reader_who_is_slow_is_owed_the_newest_of_each_game_and_no_more(hub: Hub) -> None:
    stream = hub.open(ticket_for_person(ALICE), "::1")
    hub.sits(ALICE, [ONE, TWO])
    for version in range(1, 1000):
        hub.moved(ONE, Mark(version))
        hub.moved(TWO, Mark(2 * version))
    assert stream.take() == {ONE: Mark(999), TWO: Mark(1998)}


def test_talk_is_told_to_who_sits_there_and_to_nobody_who_looks_on(hub: Hub) -> None:
    player, watcher = at_game(hub, ONE), at_game(hub, ONE, BOB, sits=False)
    hub.moved(ONE, Mark(4, 0))
    hub.moved(ONE, Mark(0, 3))
    assert player.take() == {ONE: Mark(4, 3)}
    assert watcher.take() == {ONE: Mark(4, 0)}
    hub.moved(ONE, Mark(0, 4))
    assert not watcher.woken.is_set()
    assert player.take() == {ONE: Mark(4, 4)}


def test_the_stream_of_a_person_hears_of_games_that_they_join_and_of_nobody_elses(hub: Hub) -> None:
    alice, bob = (hub.open(ticket_for_person(user), "::1") for user in (ALICE, BOB))
    hub.moved(ONE, Mark(2), users=[ALICE])
    hub.moved(ONE, Mark(3))
    assert alice.take() == {ONE: Mark(3)}
    assert not bob.woken.is_set()


def test_who_is_shut_out_has_the_streams_of_the_account_or_of_the_token_ended_and_no_others(hub: Hub) -> None:
    by_session, by_token = hub.open(ticket_for_person(ALICE), "::1"), hub.open(ticket_for_person(ALICE, token=5), "::1")
    others = [hub.open(ticket_for_person(BOB, token=6), "::2"), at_game(hub, ONE, None, address="::2")]
    hub.shut_out([], [5])
    assert [stream.over for stream in (by_session, by_token)] == [False, True]
    hub.shut_out([ALICE], [])
    assert by_session.over
    assert not any(stream.over for stream in others)
    by_session.take()
    assert by_session.woken.is_set(), "that it is over is not lost by what is said before"


def test_nothing_is_left_of_streams_that_were_closed(hub: Hub) -> None:
    streams = [at_game(hub, ONE), hub.open(ticket_for_person(BOB), "::1"), at_game(hub, TWO, None)]
    hub.sits(BOB, [ONE, TWO])
    for stream in streams:
        hub.close(stream)
    assert (hub.games, hub.people, hub.streams) == ([], [], set())
    assert all(at_game(hub, ONE) for _ in range(2)), "what was closed counts no more"


def test_streams_are_limited_by_person_by_address_and_in_all(hub: Hub) -> None:
    for _ in range(2):
        at_game(hub, ONE)
    with pytest.raises(Full) as full:
        at_game(hub, TWO)
    assert full.value.own
    at_game(hub, ONE, None)
    with pytest.raises(Full) as full:
        at_game(hub, ONE, None)
    assert full.value.own
    for address in ("::2", "::3"):
        at_game(hub, ONE, None, address=address)
    with pytest.raises(Full) as full:
        at_game(hub, ONE, None, address="::4")
    assert not full.value.own
