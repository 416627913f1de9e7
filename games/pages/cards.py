"""Cards in words, for people who hear a page."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_SUITS: dict[str, str | Promise] = {
    "C": gettext_lazy("clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
    "S": gettext_lazy("spades"),
}
_RANKS: dict[str, str | Promise] = {
    "A": gettext_lazy("ace"),
    "T": "10",
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
}


def card_name(card: str) -> str:
    """``"QD"`` is *queen of diamonds*, in the reader's language."""
    rank, suit = card[0], card[1]
    return _("%(rank)s of %(suit)s") % {"rank": _RANKS.get(rank, rank), "suit": _SUITS[suit]}
