"""The fair shuffle, ``clew-shuffle/1``: secret and players' salts to packs in order; the commitment and its check.

Everything is exact, so that anyone can write it again. ``‖`` joins bytes; integers are unsigned and big-endian.

*Commitment.* ``SHA-256("clew-shuffle/1" ‖ game ‖ secret)`` in lower-case hex: the label and the game's canonical UUID
text (36 lower-case characters) in ASCII, the secret as its 32 bytes.

*Context.* ``field(text)`` is the text's length in bytes as 4 bytes, then its ASCII bytes. A context is ``field(
"clew-shuffle/1") ‖ field(label) ‖ field(game) ‖ number of salts (4 bytes) ‖ field(salt) for each salt in order of
places ‖ round (4 bytes) ‖ pack (4 bytes)``. The label is ``deal``, with the round counted from 1 and the pack from 0;
or ``seating``, with both 0.

*Stream.* Block ``i``, counted from 0, is ``HMAC-SHA-256(key=secret, message=context ‖ i (8 bytes))``: eight words of 4
bytes, taken in order, then the next block.

*Number below n.* Take words until one is below ``2**32 - 2**32 % n``; the number is that word modulo ``n``.

*Shuffle* (Fisher and Yates). The items stand in the unshuffled order, counted from 0. For ``i`` from the last down to
1: take ``j``, a number below ``i + 1``; items ``i`` and ``j`` change places. The first item is then the top card.
Every pack has a stream of its own. A seating shuffles ``0, 1, …``: the item at each place is that place's seat.

A patience by deal number has no secret: its algorithm is ``pysolfc``, which deals as PySolFC deals the game of that
number (the library ``pysol-cards`` knows how).
"""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from games.engine.cards import RANKS
from games.engine.contract import Packs

ALGORITHM: Final = "clew-shuffle/1"
NUMBER_ALGORITHM: Final = "pysolfc"
SECRET_BYTES: Final = 32
SALT_LENGTH: Final = 64
#: Deal numbers are 1 to this, as in PySolFC.
LARGEST_NUMBER: Final = 10**20
_WORDS: Final = 2**32


def commitment(game: str, secret: bytes) -> str:
    """The published promise to this secret, 64 hex digits. Raises ValueError for a bad game id or secret."""
    _check_secret(secret)
    return hashlib.sha256(ALGORITHM.encode() + _game(game).encode() + secret).hexdigest()


def shuffle_packs(packs: Packs, *, secret: bytes, game: str, salts: Sequence[str], round_no: int) -> Packs:
    """The packs in the order of this round's deal, top card first.

    ``packs`` are in the game's unshuffled order, ``salts`` in order of places, ``round_no`` counts from 1. Raises
    ValueError for a secret that isn't 32 bytes, a game that isn't a canonical UUID, or a salt that isn't 1 to 64
    printable ASCII characters.
    """
    _check_secret(secret)
    return _shuffled(packs, secret, "deal", _game(game), _salts(salts), round_no)


def random_seating(places: int, *, secret: bytes, game: str, salts: Sequence[str]) -> tuple[int, ...]:
    """A random seating of so many places: ``seating[place]`` is the seat. Raises as :func:`shuffle_packs`."""
    _check_secret(secret)
    stream = _words(secret, _context("seating", _game(game), _salts(salts), 0, 0))
    return _permuted(range(places), stream)


def deal_by_number(packs: Packs, number: int) -> Packs:
    """The pack of PySolFC's deal of this number, for a game of one pack made of whole decks.

    PySolFC deals from the end of its shuffled list of cards, so that is the top. A game that leaves cards out (the
    aces of *Lucas*) drops them after the shuffle. Raises ValueError unless 1 ≤ number ≤ 10**20.
    """
    # Only here: replaying and verifying all other games needs nothing but Python.
    from pysol_cards.cards import createCards
    from pysol_cards.random import LCRandom31, MTRandom

    if not 1 <= number <= LARGEST_NUMBER:
        raise ValueError("a deal number is a whole number from 1 to 10**20")
    (pack,) = packs
    left = Counter(pack)
    decks = max(left.values())
    # Not the library's own shuffle(): it still takes Microsoft's generator for 32000, PySolFC only below.
    generator = LCRandom31(number) if number < 32_000 else MTRandom(number)
    shuffled = generator.shuffle(createCards(decks))
    dealt = [RANKS[card.rank - 1] + card.suit_s() for card in reversed(shuffled)]
    return (tuple(card for card in dealt if card in left),)


def _shuffled(packs: Packs, key: bytes, label: str, game: str, salts: Sequence[str], round_no: int) -> Packs:
    if not 1 <= round_no < _WORDS:
        raise ValueError("rounds count from 1")
    return tuple(
        _permuted(cards, _words(key, _context(label, game, salts, round_no, pack_no)))
        for pack_no, cards in enumerate(packs)
    )


def _permuted[T](items: Sequence[T], words: Iterator[int]) -> tuple[T, ...]:
    out = list(items)
    for i in range(len(out) - 1, 0, -1):
        j = _below(i + 1, words)
        out[i], out[j] = out[j], out[i]
    return tuple(out)


def _below(n: int, words: Iterator[int]) -> int:
    limit = _WORDS - _WORDS % n
    return next(word for word in words if word < limit) % n


def _words(key: bytes, context: bytes) -> Iterator[int]:
    block_no = 0
    while True:
        block = hmac.digest(key, context + block_no.to_bytes(8), hashlib.sha256)
        yield from (int.from_bytes(block[at : at + 4]) for at in range(0, len(block), 4))
        block_no += 1


def _context(label: str, game: str, salts: Sequence[str], round_no: int, pack_no: int) -> bytes:
    fields = b"".join(_field(salt) for salt in salts)
    numbers = round_no.to_bytes(4) + pack_no.to_bytes(4)
    return _field(ALGORITHM) + _field(label) + _field(game) + len(salts).to_bytes(4) + fields + numbers


def _field(text: str) -> bytes:
    return len(text).to_bytes(4) + text.encode("ascii")


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise ValueError("a secret is 32 bytes")


def _game(game: str) -> str:
    if str(uuid.UUID(game)) != game:
        raise ValueError("a game id is a canonical UUID: 36 lower-case characters")
    return game


def _salts(salts: Sequence[str]) -> Sequence[str]:
    for salt in salts:
        if not 1 <= len(salt) <= SALT_LENGTH or not all(" " <= character <= "~" for character in salt):
            raise ValueError("a salt is 1 to 64 printable ASCII characters")
    return salts
