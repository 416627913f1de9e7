"""Every message that a game can emit has a sentence, in the active language, with cards as people know them."""

from __future__ import annotations

import pytest
from django.utils import translation

from games.engine import all_rules
from games.engine.contract import DEAL, IllegalMove, Refusal, Rules, Words
from games.wording import UnknownWords, refusal_text, sentence
from tests.contract.play import random_course


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_every_move_of_random_games_has_a_sentence(rules: Rules[object]) -> None:
    told: dict[str, str] = {}
    with translation.override("en"):
        for seed in range(6):
            for state in random_course(rules, seed, 150).states:
                if rules.awaits(state) not in (None, DEAL):
                    for move in rules.legal_moves(state):
                        words = rules.describe(state, move)
                        told.setdefault(words.id, sentence(words))
    assert len(told) >= 3
    for text in told.values():
        assert text
        assert "%" not in text


def test_a_sentence_shows_cards_as_people_know_them() -> None:
    with translation.override("en"):
        assert sentence(Words("ariadne.place", {"card": "7S", "cell": "h7"})) == "placed 7♠ at h7"
        assert sentence(Words("kathmandu.meld", {"cards": ["TC", "TD", "TH"]})) == "melded 10♣, 10♦, 10♥"
        melds = Words("conquian.meld_out", {"cards": [["4H", "5H", "6H"], ["KC", "KD", "KS"]]})
        assert sentence(melds) == "melded 4♥, 5♥, 6♥; K♣, K♦, K♠ and went out"


def test_a_message_without_a_sentence_is_an_error() -> None:
    with pytest.raises(UnknownWords):
        sentence(Words("ariadne.fly", {}))


def test_a_refusal_is_told_in_a_sentence_with_its_values() -> None:
    plain = IllegalMove("cell_occupied", "The cell must be empty; 100% of it.")
    shown = Refusal("not_held", "%(card)s is not in the hand.", card="TD")
    with translation.override("en"):
        assert refusal_text(plain) == "The cell must be empty; 100% of it."
        assert refusal_text(shown) == "10♦ is not in the hand."
