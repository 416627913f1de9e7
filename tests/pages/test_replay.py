"""Looking back: every moment, with whose eyes, and the record that proves the deals."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import clock
from games import services, viewing
from games.engine.contract import OPEN, Play
from games.engine.record import read_record, verify
from games.services import NoSuchGame
from tests.games.people import begun, play_on, table
from tests.pages.tables import ariadne, cards, logged_in, text


def replay(client: Client, game: str, **query: Any) -> Any:
    return client.get(reverse("replay", args=[game]), query)


def over(alice: User, bob: User, moves: int = 8) -> str:
    """A game that ended by resigning, so that hands and piles are left to be seen."""
    game = ariadne(alice, bob, moves=moves)
    services.resign(bob, game)
    return game


def number(shown: str) -> int:
    found = re.search(r'data-number="(\d+)"', shown)
    assert found
    return int(found[1])


# --- moments ------------------------------------------------------------------------------------------------------


def test_every_moment_is_the_table_after_that_step(alice: User, bob: User) -> None:
    game = over(alice, bob)
    now = table(game)
    states = [*(entry.before for entry in now.line[1:]), now.state]
    for entry, state in zip(now.line, states, strict=True):
        moment = viewing.replay(alice, game, step=entry.number, eyes="open")
        assert moment.sight.table["view"] == now.rules.view(state, OPEN)


def test_a_moment_that_is_not_there_is_the_nearest_before_it(alice: User, bob: User) -> None:
    game = over(alice, bob)
    client = logged_in(alice)
    shown = {step: number(text(replay(client, game, step=step))) for step in ("0", "1", "5", "500", "", "x")}
    assert shown == {"0": 1, "1": 1, "5": 5, "500": 9, "": 9, "x": 9}


def test_the_replay_works_by_links_and_a_form_alone(alice: User, bob: User) -> None:
    game = over(alice, bob)
    shown = text(replay(Client(), game, step=4))
    for name, step in (("first", 1), ("back", 3), ("forward", 5), ("last", 9)):
        assert re.search(rf'href="\?step={step}&amp;eyes=open"[^>]* data-go="{name}"', shown), name
    assert 'method="get"' in shown
    assert f'href="{reverse("replay", args=[game])}?step=7&amp;eyes=open"' in shown
    assert re.search(r'data-step="4" aria-current="step"', shown)


def test_moves_are_numbered_as_people_count_them_and_links_go_on_naming_steps(alice: User, bob: User) -> None:
    game = begun("conquian", alice, bob, options={"target": 3})
    play_on(game, alice, bob, moves=60)
    line = table(game).line
    counts = list(accumulate(int(isinstance(entry.step, Play)) for entry in line))
    assert counts.count(0) == 1  # the first deal is before the first move
    shown = text(replay(logged_in(alice), game))
    links = re.findall(r'\?step=(\d+)&amp;eyes=\w+" data-move="(\d+)" data-step="(\d+)"', shown)
    assert links == [
        (str(entry.number), str(count), str(entry.number)) for entry, count in zip(line, counts, strict=True)
    ]
    numbers = re.findall(r'<span class="step">(\d+)</span>', shown)
    assert numbers == [str(n) for n in range(1, counts[-1] + 1)]
    third = next(entry.number for entry, count in zip(line, counts, strict=True) if count == 3)
    assert f"<span data-at>3</span> / {counts[-1]}" in text(replay(logged_in(alice), game, step=third))


def test_a_date_stands_beside_the_first_move_of_its_day_only(alice: User, bob: User) -> None:
    with clock.frozen(datetime(2026, 11, 30, 9, tzinfo=UTC)) as frozen:
        game = ariadne(alice, bob, moves=2)
        frozen.advance(days=1)
        play_on(game, alice, bob, moves=1)
        shown = text(replay(logged_in(alice), game))
    times = re.findall(r"<time [^>]*>([^<]+)</time>", shown.partition("data-moves>")[2].partition("</ol>")[0])
    assert times == ["30 Nov, 09:00", "09:00", "1 Dec, 09:00"]


def test_looking_back_at_a_game_that_is_over_begins_with_its_first_deal(alice: User, bob: User) -> None:
    game = over(alice, bob)
    client = logged_in(alice)
    link = re.search(r'href="([^"]+)">Look back at the whole game', text(client.get(reverse("table", args=[game]))))
    assert link
    assert number(text(client.get(link[1]))) == table(game).line[0].number


def test_a_part_is_the_moment_alone_and_the_same_as_on_the_page(alice: User, bob: User) -> None:
    game = over(alice, bob)
    part = text(replay(Client(), game, step=4, part=1)).strip()
    assert "<html" not in part
    assert part in text(replay(Client(), game, step=4))


def test_a_part_of_a_finished_game_may_be_kept_and_is_not_sent_twice(alice: User, bob: User) -> None:
    game = over(alice, bob)
    answer = replay(Client(), game, step=4, part=1)
    assert answer["Cache-Control"] == "private, max-age=600"
    again = Client(headers={"if-none-match": answer["ETag"]})
    assert replay(again, game, step=4, part=1).status_code == 304
    assert replay(again, game, step=5, part=1).status_code == 200


def test_a_part_of_a_running_game_is_asked_for_again_each_time(alice: User, bob: User) -> None:
    answer = replay(Client(), ariadne(alice, bob, moves=3), step=2, part=1)
    assert answer["Cache-Control"] == "private, no-cache"


def test_a_moment_costs_as_many_queries_however_long_the_game(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    for moves in (2, 60):
        game = ariadne(alice, bob, moves=moves)
        client = logged_in(alice)
        with django_assert_max_num_queries(7):  # of these, 1 for the last visit
            replay(client, game, step=2, part=1)


def test_a_table_without_a_deal_has_nothing_to_look_back_at(alice: User) -> None:
    game = services.open_game(alice, services.Terms("ariadne")).table.id
    assert replay(logged_in(alice), game).status_code == 404


# --- eyes ---------------------------------------------------------------------------------------------------------


def test_a_running_game_is_looked_back_at_with_ones_own_eyes_only(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob, moves=6)
    own = {alice: "0", bob: "1", charlie: "spectator", None: "spectator"}
    for user, eyes in own.items():
        client = logged_in(user) if user else Client()
        assert 'data-eyes="' + eyes + '"' in text(replay(client, game))
        for other in {"0", "1", "open", "spectator", "2", "x"} - {eyes}:
            assert replay(client, game, eyes=other).status_code == 404, (user, other)
            assert replay(client, game, eyes=other, part=1).status_code == 404


def test_a_moment_of_a_running_game_shows_the_hand_of_then_and_nobody_elses(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=6)
    now = table(game)
    before = now.line[3].before
    shown = cards(text(replay(logged_in(alice), game, step=3, part=1)))
    lying = [card for _, card in before.table]
    assert sorted(shown) == sorted([*lying, "JK", *before.hands[0]])


def test_a_finished_game_is_open_and_has_each_seats_eyes(alice: User, bob: User, charlie: User) -> None:
    game = over(alice, bob)
    now = table(game)
    lying = {card for _, card in now.state.table} | {"JK"}
    piles = {card for pack, drawn in zip(now.state.packs, now.state.drawn, strict=True) for card in pack[drawn:]}
    seen = {eyes: set(cards(text(replay(logged_in(charlie), game, eyes=eyes, part=1)))) for eyes in ("open", "0", "1")}
    assert seen["open"] == lying | set(now.state.hands[0]) | set(now.state.hands[1]) | piles
    assert seen["0"] == lying | set(now.state.hands[0])
    assert seen["1"] == lying | set(now.state.hands[1])
    assert "With the eyes of bob" in text(replay(logged_in(alice), game))
    assert "With my eyes" in text(replay(logged_in(alice), game))


def test_the_eyes_are_kept_from_moment_to_moment(alice: User, bob: User) -> None:
    shown = text(replay(logged_in(alice), over(alice, bob), step=4, eyes="1"))
    assert 'href="?step=5&amp;eyes=1"' in shown
    assert 'href="?step=4&amp;eyes=open"' in shown


# --- the record ---------------------------------------------------------------------------------------------------


def test_the_record_of_a_finished_game_replays_and_proves_its_deals(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=200)
    answer = Client().get(reverse("record", args=[game]))
    assert answer["Content-Disposition"] == f'attachment; filename="clew-ariadne-{game[:8]}.json"'
    read = read_record(answer.content)
    assert verify(read) == len(table(game).state.rounds)
    assert read.result == table(game).rules.result(table(game).state)
    assert "ended" not in read.document


def test_the_record_says_how_a_game_ended_that_the_rules_did_not_end(alice: User, bob: User) -> None:
    document = json.loads(Client().get(reverse("record", args=[over(alice, bob)])).content)
    assert document["ended"] == {"by": "resignation", "seat": 1}
    assert document["result"] is None


def test_a_running_game_gives_no_record(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=3)
    assert logged_in(alice).get(reverse("record", args=[game])).status_code == 404
    with pytest.raises(NoSuchGame):
        viewing.game_record(alice, game)


def test_a_table_that_ended_goes_on_being_looked_at_as_it_was(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=4)
    before = text(replay(logged_in(alice), game, step=3, eyes="0", part=1))
    play_on(game, alice, bob, moves=3)
    services.resign(alice, game)
    assert text(replay(logged_in(alice), game, step=3, eyes="0", part=1)) == before
