"""Fifty random games of each entry; and what is found where something is wrong."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from games.engine import trial as trials
from games.engine.forty_thieves import RULES, State
from games.engine.kathmandu import RULES as KATHMANDU
from games.engine.trial import ENTRIES, Wrong, trial
from games.pages import catalogue


@pytest.mark.parametrize("entry", ENTRIES)
def test_random_games_conserve_cards_and_tokens_and_replay_to_the_same_result(entry: str) -> None:
    patience = ENTRIES[entry][0] == "forty_thieves"
    played = [trial(entry, seed, 300 if patience else sys.maxsize) for seed in range(50)]
    assert all(one.result is not None or (patience and len(one.steps) == 300) for one in played)
    assert len({str(one.steps) for one in played}) == 50


def test_every_entry_of_the_site_is_played() -> None:
    assert {entry.slug: entry.rules for entry in catalogue.entries()}.items() <= {
        name: slug for name, (slug, _) in ENTRIES.items()
    }.items()


def test_a_game_follows_from_its_seed() -> None:
    assert trial("streets", 7, 100) == trial("streets", 7, 100)
    assert trial("streets", 7, 100) != trial("streets", 8, 100)


def spoiled(patch: pytest.MonkeyPatch, rules: Any, spoil: Any) -> None:
    play = type(rules).play

    def played(self: Any, state: Any, move: Any) -> Any:
        done = play(self, state, move)
        return done._replace(state=spoil(done.state))

    patch.setattr(type(rules), "play", played)


def without_a_card(state: State) -> State:
    return replace(state, stock=state.stock[1:])


def with_a_card_more(state: State) -> State:
    return replace(state, stock=("KS", "KS", "KS", *state.stock))


@pytest.mark.parametrize(("spoil", "said"), [(without_a_card, "are gone"), (with_a_card_more, "came from nowhere")])
def test_a_card_too_few_or_too_many_is_found(monkeypatch: pytest.MonkeyPatch, spoil: Any, said: str) -> None:
    spoiled(monkeypatch, RULES, spoil)
    with pytest.raises(Wrong, match=said):
        trial("streets", 1, 50)


def test_tokens_too_many_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    spoiled(monkeypatch, KATHMANDU, lambda state: replace(state, red=(state.red[0] + 9, state.red[1])))
    with pytest.raises(Wrong, match="tokens"):
        trial("kathmandu", 1, sys.maxsize)


def test_a_replay_that_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "replay", lambda read: iter([RULES.start({"variant": "streets"})]))
    with pytest.raises(Wrong, match="another state"):
        trial("streets", 1, 50)
