"""The fair shuffle: its vectors, an independent implementation after its description, and that it is even."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import pack
from games.engine.shuffle import (
    ALGORITHM,
    NUMBER_ALGORITHM,
    _below,
    commitment,
    deal_by_number,
    random_seating,
    shuffle_packs,
)

GAME = "6f1f7e0a-3c5b-4d7e-9a43-0f2f5f0c9b11"
SECRET = bytes(range(32))
SALTS = ["alice's salt", "bob~"]
SALT = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=64)


def independent(
    count: int, secret: bytes, label: str, game: str, salts: list[str], round_no: int, pack_no: int
) -> list[int]:
    """The places that the cards of the unshuffled order come to stand in, written after the module's description."""

    def field(text: str) -> bytes:
        return struct.pack(">I", len(text)) + text.encode()

    context = field("clew-shuffle/1") + field(label) + field(game) + struct.pack(">I", len(salts))
    for salt in salts:
        context += field(salt)
    context += struct.pack(">II", round_no, pack_no)
    blocks = [hmac.new(secret, context + struct.pack(">Q", i), "sha256").digest() for i in range(100)]
    words = list(struct.unpack(">800I", b"".join(blocks)))
    items = list(range(count))
    for i in reversed(range(1, count)):
        bound = i + 1
        while words[0] >= 2**32 // bound * bound:
            words.pop(0)
        j = words.pop(0) % bound
        items[i], items[j] = items[j], items[i]
    return items


@settings(max_examples=40, deadline=None)
@given(
    secret=st.binary(min_size=32, max_size=32), game=st.uuids(), salts=st.lists(SALT, max_size=4), no=st.integers(1, 9)
)
def test_an_independent_implementation_shuffles_alike(secret: bytes, game: object, salts: list[str], no: int) -> None:
    black, red = pack(suits="CS"), pack(suits="DH")
    dealt = shuffle_packs((black, red), secret=secret, game=str(game), salts=salts, round_no=no)
    for pack_no, (cards, unshuffled) in enumerate(zip(dealt, (black, red), strict=True)):
        order = independent(26, secret, "deal", str(game), salts, no, pack_no)
        assert cards == tuple(unshuffled[place] for place in order)
    seating = random_seating(4, secret=secret, game=str(game), salts=salts)
    assert seating == tuple(independent(4, secret, "seating", str(game), salts, 0, 0))


def test_a_word_that_would_favour_low_numbers_is_thrown_away() -> None:
    assert 2**32 % 52 == 48
    assert _below(52, iter([2**32 - 48, 2**32 - 1, 2**32 - 49, 7])) == (2**32 - 49) % 52
    assert _below(64, iter([2**32 - 1])) == 63


def test_the_vectors_stay_as_they_are() -> None:
    assert (ALGORITHM, NUMBER_ALGORITHM) == ("clew-shuffle/1", "pysolfc")
    assert commitment(GAME, SECRET) == "843fb89ef92826e3cfe6ba6251d56cc3e3440db54aa4ec1a9a40a5bd99d080c4"
    dealt = shuffle_packs((pack(), pack(suits="H")), secret=SECRET, game=GAME, salts=SALTS, round_no=1)
    assert " ".join(dealt[0][:13]) == "JD 8D TD KH 4C 4D 4S 2S 3S AH 3C 6H 5D"
    assert " ".join(dealt[1]) == "3H 9H JH QH 2H 5H 8H 6H 7H KH AH TH 4H"
    assert random_seating(4, secret=SECRET, game=GAME, salts=SALTS) == (0, 2, 3, 1)


def test_the_commitment_is_the_hash_of_label_game_and_secret() -> None:
    assert commitment(GAME, SECRET) == hashlib.sha256(b"clew-shuffle/1" + GAME.encode() + SECRET).hexdigest()


def test_everything_that_goes_in_changes_the_deal() -> None:
    deals = [
        shuffle_packs((pack(),), secret=secret, game=game, salts=salts, round_no=round_no)[0]
        for secret, game, salts, round_no in [
            (SECRET, GAME, SALTS, 1),
            (SECRET[::-1], GAME, SALTS, 1),
            (SECRET, GAME.replace("6f", "7f"), SALTS, 1),
            (SECRET, GAME, SALTS[::-1], 1),
            (SECRET, GAME, ["alice's saltbob~"], 1),
            (SECRET, GAME, ["alice's saltb", "ob~"], 1),
            (SECRET, GAME, [], 1),
            (SECRET, GAME, SALTS, 2),
        ]
    ]
    assert len(set(deals)) == len(deals)
    twice = shuffle_packs((pack(), pack()), secret=SECRET, game=GAME, salts=SALTS, round_no=1)
    assert twice[0] != twice[1]


def chi_squared(counts: Counter[tuple[int, ...]], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((counts[order] - expected) ** 2 / expected for order in permutations(range(4)))


@pytest.mark.parametrize("round_offset", [0, 10_000])
def test_every_order_of_four_cards_comes_up_equally_often(round_offset: int) -> None:
    cards = pack("A234", "C")
    counts: Counter[tuple[int, ...]] = Counter()
    for round_no in range(1 + round_offset, 4801 + round_offset):
        (dealt,) = shuffle_packs((cards,), secret=SECRET, game=GAME, salts=SALTS, round_no=round_no)
        counts[tuple(map(cards.index, dealt))] += 1
    # 23 degrees of freedom: an even shuffle exceeds 49.7 once in a thousand; the values here never change.
    assert chi_squared(counts, 24) < 49.7


def test_the_measure_of_evenness_notices_a_bias() -> None:
    counts = Counter(dict.fromkeys(permutations(range(4)), 200))
    counts[0, 1, 2, 3] += 120
    assert chi_squared(counts, 24) > 49.7


@pytest.mark.parametrize(
    "spoil",
    [
        lambda ok: {**ok, "secret": b"short"},
        lambda ok: {**ok, "secret": bytes(33)},
        lambda ok: {**ok, "game": GAME.upper()},
        lambda ok: {**ok, "game": "7"},
        lambda ok: {**ok, "game": "\ud800"},
        lambda ok: {**ok, "salts": [""]},
        lambda ok: {**ok, "salts": ["a" * 65]},
        lambda ok: {**ok, "salts": ["소금"]},
        lambda ok: {**ok, "salts": ["line\nbreak"]},
        lambda ok: {**ok, "round_no": 0},
        lambda ok: {**ok, "round_no": 2**32},
    ],
)
def test_what_the_description_does_not_allow_is_refused(spoil: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    allowed: dict[str, Any] = {"secret": SECRET, "game": GAME, "salts": SALTS, "round_no": 1}
    shuffle_packs((pack(),), **allowed)
    with pytest.raises(ValueError, match=r"secret|game|UUID|salt|rounds"):
        shuffle_packs((pack(),), **spoil(allowed))


@pytest.mark.parametrize("number", [0, -1, 10**20 + 1])
def test_a_deal_number_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="deal number"):
        deal_by_number((pack() + pack(),), number)
