"""Nobody can tell what is hidden from them: not from answers, refusals or logs, and no secret leaves a running game."""

from __future__ import annotations

import json
import logging
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import User
from config import clock
from games import services
from games.engine import get_rules, latest_version
from games.engine.contract import Move, Refusal, Viewer
from games.selectors import look, steps
from games.services import NoSuchGame, Terms
from games.store.models import GameSecret
from games.table.commands import PlayMove
from games.table.decider import decide
from games.table.state import Table
from tests.games.people import begun, events, play_on, table
from tests.security.games import some_twins, store, viewers
from tests.table.tables import AT, SLUGS, climb_known

pytestmark = pytest.mark.any_database

CARD = re.compile(r"(?<![0-9A-Za-z])(?:[2-9TJQKA][CDHS]|JK)(?![0-9A-Za-z])")

with climb_known():
    EYES = [(slug, viewer) for slug in SLUGS for viewer in viewers(slug)]
    #: The same with quick passes, where a table may choose them; elsewhere they make no difference.
    TABLES = [
        pytest.param(slug, viewer, quick, id=f"{slug}-{viewer}-{'quick' if quick else 'slow'}")
        for slug, viewer in EYES
        for quick in ([False, True] if get_rules(slug, latest_version(slug)).lone_pass == "optional" else [False])
    ]
BY_EYES = pytest.mark.parametrize(("slug", "viewer"), EYES, ids=str)


def told(user: User | None, game_id: str) -> str:
    """All that selectors tell this person of a game, without the game's own id and promise."""
    shown = look(user, game_id)
    text = json.dumps([shown, steps(user, game_id)], sort_keys=True)
    return text.replace(game_id, "GAME").replace(shown["commitment"], "COMMITMENT")


@pytest.mark.parametrize(("slug", "viewer", "quick_pass"), TABLES)
def test_two_games_that_differ_only_in_hidden_cards_look_the_same(
    alice: User, bob: User, charlie: User, slug: str, viewer: Viewer, quick_pass: bool
) -> None:
    watching: list[User | None] = [[alice, bob][viewer]] if isinstance(viewer, int) else [charlie, None]
    for pair in some_twins(slug, viewer, moves=20, count=2, quick_pass=quick_pass):
        with clock.frozen(clock.from_us(AT)) as frozen:
            real, other = (store(thread, alice, bob) for thread in (pair.real, pair.other))
            for play in [None, *pair.moves]:
                if play is not None:
                    frozen.advance(seconds=1)
                    real.play(play)
                    other.play(play)
                for user in watching:
                    assert told(user, real.game) == told(user, other.game), f"{viewer} can tell after {play}"


@BY_EYES
def test_the_games_that_are_compared_do_differ(alice: User, bob: User, slug: str, viewer: Viewer) -> None:
    pair = next(some_twins(slug, viewer, moves=14, count=1))
    open_views = [thread.table.rules.to_json(thread.table.state) for thread in (pair.real, pair.other)]
    assert open_views[0] != open_views[1]


# --- refusals -----------------------------------------------------------------------------------------------------


def tried(pair_tables: list[Table], slug: str) -> list[Move]:
    """Moves that either game ever had, and those with every card in place of theirs."""
    found: dict[str, Move] = {}
    for now in pair_tables:
        for entry in now.line:
            before = entry.before
            for move in now.rules.legal_moves(before)[:40]:
                found[json.dumps(dict(move), sort_keys=True)] = move
    moves = list(found.values())
    return random.Random(slug).sample(moves, min(len(moves), 150))


def answer(now: Table, seat: int, move: object, dealer: Any) -> Any:
    try:
        return [event.type for event in decide(now, PlayMove(seat, move, None), dealer, now.last_at)][:1]
    except Refusal as refusal:
        return refusal.code, refusal.detail, refusal.params


@pytest.mark.parametrize(("slug", "viewer"), [(slug, viewer) for slug, viewer in EYES if isinstance(viewer, int)])
def test_a_refusal_tells_nothing_of_hidden_cards(slug: str, viewer: int) -> None:
    compared = 0
    for pair in some_twins(slug, viewer, moves=11, count=4):
        for move in tried([pair.real.table, pair.other.table], slug):
            real, other = (answer(thread.table, viewer, move, thread.dealer) for thread in (pair.real, pair.other))
            assert real == other, move
            compared += isinstance(real, tuple)
    assert compared


# --- secrets ------------------------------------------------------------------------------------------------------


def secrets_of(game_id: str) -> set[str]:
    """Texts that would give away a deal, in the spellings that they could leave in."""
    found: set[str] = set()
    kept = GameSecret.objects.filter(game=game_id).values_list("secret", flat=True)  # a numbered deal has none
    for value in map(bytes, [*kept, *(row.hash for row in events(game_id))]):
        found |= {value.hex(), value.hex().upper(), repr(value), str(list(value))}
    return found | {salt.text for salt in table(game_id).salts}


def given_away(text: str, game_id: str) -> Iterator[str]:
    return (secret for secret in secrets_of(game_id) if secret in text)


def everything_told(game_id: str, *people: User | None) -> str:
    return json.dumps([[look(user, game_id), steps(user, game_id)] for user in people])


@pytest.mark.parametrize("slug", SLUGS)
def test_no_secret_hash_or_salt_leaves_a_running_game(alice: User, bob: User, charlie: User, slug: str) -> None:
    people = (alice, bob)[: 1 if slug == "forty_thieves" else 2]
    game_id = begun(slug, *people)
    for moves in range(3):
        play_on(game_id, *people, moves=1, seed=moves)
        if table(game_id).status == "running":
            shown = everything_told(game_id, *people, charlie, None)
            assert list(given_away(shown, game_id)) == []
            assert '"secret"' not in shown
            assert '"hash"' not in shown


def test_the_search_for_secrets_finds_them_once_the_game_is_over(alice: User, bob: User) -> None:
    game_id = begun("climb", alice, bob)
    services.resign(alice, game_id)
    assert list(given_away(everything_told(game_id, bob), game_id))


def test_no_secret_leaves_a_table_that_waits_for_players(alice: User, charlie: User) -> None:
    game_id = services.open_game(alice, Terms("climb"), salt="alices-own-salt").table.id
    assert list(given_away(everything_told(game_id, alice, charlie, None), game_id)) == []


# --- logs and errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_logs_hold_no_card_and_no_secret(
    alice: User,
    bob: User,
    charlie: User,
    slug: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    people = (alice, bob)[: 1 if slug == "forty_thieves" else 2]
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("tests.security").debug("this is heard")
        game_id = begun(slug, *people)
        play_on(game_id, *people, moves=8)
        for user in (*people, charlie):
            with pytest.raises((Refusal, NoSuchGame)):
                services.play(user, game_id, {"type": "nonsense", "card": "AS"})
        texts = [*(record.getMessage() + str(record.exc_info) for record in caplog.records), *capfd.readouterr()]
        assert "this is heard" in "".join(texts)
    assert [text for text in texts if CARD.search(text)] == []
    assert [text for text in texts if any(given_away(text, game_id))] == []


@pytest.mark.parametrize("text", ["the hand is AS KD", "['TC']", '{"card":"2H"}', "top=JK."])
def test_the_search_for_cards_finds_them(text: str) -> None:
    assert CARD.search(text)
