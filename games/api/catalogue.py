"""The games as programs are told of them."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine import all_rules, versions_of
from games.engine.contract import Rules
from games.names import game_name

#: How moves are typed; the game's own module has the grammar.
_NOTATION: Final[dict[str, str | Promise]] = {
    "ariadne": _(
        "A card and a cell: “7S h7” places; “9S x i8” swaps, the card that moves going to i8; “4S j f8” sends the "
        "joker to f8."
    ),
    "kathmandu": _(
        "“meld 7C 7D 7H”, “shed 2C”, “buy 4H”, “swap 2C 9D / 4H 4S” (yours, then the market's), “sweep”, “reveal”, "
        "“pass”."
    ),
    "conquian": _(
        "“pass”, “allow”, “force 4H5H6H”, “-2C” for a discard; a meld as the melds that are new or changed with "
        "slashes between, then the discard: “4H5H6H/KCKDKS-2C”, without one to go out."
    ),
    "forty_thieves": _(
        "“t3 t5” moves the last card of the third column to the fifth, “t3 t5 4” the last four; “w t2” and “w f” the "
        "waste's; “t1 f” plays to a foundation; “draw”; “redeal”. A card may stand for its pile: “7S 8S”."
    ),
}
#: Whose page tells the rules of a game that is offered by its variants.
_PAGE: Final = {"forty_thieves": "forty-thieves"}


def rules_known() -> list[Rules[Any]]:
    """The newest version of every game that is offered."""
    return [rules for rules in all_rules() if rules.slug in _NOTATION]


def told(rules: Rules[Any]) -> dict[str, Any]:
    """One game, in the active language."""
    page = _PAGE.get(rules.slug, rules.slug)
    return {
        "slug": rules.slug,
        "name": game_name(page),
        "version": rules.version,
        "versions": versions_of(rules.slug),
        "seats": rules.seats,
        "options": {name: {"values": list(values), "default": values[0]} for name, values in rules.offered.items()},
        "quick_pass": rules.lone_pass == "optional",
        "numbered": rules.numbered,
        "notation": str(_NOTATION[rules.slug]),
        "url": f"{settings.CLEW_SITE_URL}{reverse('rules-page', args=[page])}",
    }
