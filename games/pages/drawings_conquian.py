"""What the rules page of Conquian draws: moments of a round, and moves made by the engine."""

from __future__ import annotations

from functools import cache
from typing import Any

from games.engine.conquian import RULES
from games.engine.conquian_melds import PACK, RANKS
from games.engine.contract import SPECTATOR
from games.pages.boards.base import View


@cache
def conquian() -> dict[str, Any]:
    """``row``: a suit in order. Tables by name, as an onlooker sees them: seat 0 lies at the bottom.

    ``melding`` and ``melded``: the seven of hearts is laid to a sequence; ``before`` and ``rearranged``: a sequence of
    four gives a card to a set; ``declined`` and ``forced``: a card that was declined is forced.
    """
    melding = _state("4H 5H 6H", "7H", "2S JH QC AD KS 3C 2D")
    before = _state("3S 4S 5S 6S", "6D", "6C JH QC AD KS 2D")
    declined = _state("4H 5H 6H", "7H", "2S JH QC AD KS 3C 2D", origin="discarded")
    declined = RULES.play(declined, {"type": "pass"}).state
    return {
        "row": [f"{rank}H" for rank in RANKS],
        "melding": _seen(melding),
        "melded": _played(melding, "4H5H6H7HJH-2S"),
        "before": _seen(before),
        "rearranged": _played(before, "3S4S5S/6S6D6C-JH"),
        "declined": _seen(declined),
        "forced": _played(declined, "force 4H5H6H"),
    }


def _state(melds: str, centre: str, hand: str, origin: str = "turned") -> Any:
    """Seat 0 is offered the centre card, with these melds (slashes between) and this hand."""
    mine = [part.split() for part in melds.split("/")]
    theirs = [["QD", "QH", "QS"]]
    known = {*hand.split(), centre, *(card for meld in [*mine, *theirs] for card in meld)}
    free = [card for card in PACK if card not in known]
    return RULES.from_json(
        {
            "target": 1,
            "scores": [0, 0],
            "stake": 1,
            "round": 1,
            "pack": [*(card for card in PACK if card in known), *free],
            "phase": "offer",
            "seat": 0,
            "turned": len(PACK) - 12,
            "hands": [hand.split(), free[:7]],
            "melds": [mine, theirs],
            "centre": centre,
            "origin": origin,
        }
    )


def _played(state: Any, notation: str) -> View:
    return _seen(RULES.play(state, RULES.parse(state, notation)).state)


def _seen(state: Any) -> View:
    return RULES.view(state, SPECTATOR)
