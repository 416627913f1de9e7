"""What the moves of the Forty Thieves family are called: phrases without a subject, in the past tense."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop

WORDS: Final[dict[str, str]] = {
    "forty_thieves.draw_one": gettext_noop("turned a card from the stock"),
    "forty_thieves.draw_several": gettext_noop("turned %(count)s cards from the stock"),
    "forty_thieves.redeal": gettext_noop("turned the waste over into a new stock (redeals left: %(left)s)"),
    "forty_thieves.waste_to_foundation": gettext_noop("played %(card)s from the waste to the foundations"),
    "forty_thieves.waste_to_column": gettext_noop("moved %(card)s from the waste to column %(target)s"),
    "forty_thieves.card_to_foundation": gettext_noop("played %(card)s from column %(column)s to the foundations"),
    "forty_thieves.card_to_column": gettext_noop("moved %(card)s from column %(column)s to column %(target)s"),
    "forty_thieves.run_to_column": gettext_noop("moved %(cards)s from column %(column)s to column %(target)s"),
}
