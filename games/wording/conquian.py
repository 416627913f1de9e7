"""What Conquian's moves do, as phrases without a subject: the seat's name stands before them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop

#: Message id to its translatable template. ``card`` is one card, ``cards`` a list of cards.
WORDS: Final[dict[str, str]] = {
    "conquian.pass": gettext_noop("declined %(card)s"),
    "conquian.pass_forcible": gettext_noop("declined %(card)s, which fits their own meld"),
    "conquian.pass_turn": gettext_noop("declined %(card)s and turned the next card"),
    "conquian.pass_drawn": gettext_noop("declined %(card)s with the stock used up, so the round was drawn"),
    "conquian.allow": gettext_noop("let %(card)s be buried"),
    "conquian.allow_drawn": gettext_noop("let %(card)s be buried with the stock used up, so the round was drawn"),
    "conquian.meld": gettext_noop("melded %(cards)s and discarded %(card)s"),
    "conquian.meld_out": gettext_noop("melded %(cards)s and went out"),
    "conquian.rearrange": gettext_noop("melded %(cards)s, rearranged the melds and discarded %(card)s"),
    "conquian.rearrange_out": gettext_noop("melded %(cards)s, rearranged the melds and went out"),
    "conquian.force": gettext_noop("forced %(card)s onto %(cards)s"),
    "conquian.force_out": gettext_noop("forced %(card)s onto %(cards)s, and so the other player went out"),
    "conquian.discard": gettext_noop("discarded %(card)s"),
}
