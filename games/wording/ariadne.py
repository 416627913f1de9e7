"""What moves of Ariadne's Thread are called: phrases without a subject, in the past tense."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop

#: Message id to its translatable template. ``card`` and ``moved`` are cards, ``cell`` and ``to`` cells' short names.
WORDS: Final[dict[str, str]] = {
    "ariadne.place": gettext_noop("placed %(card)s at %(cell)s"),
    "ariadne.swap": gettext_noop("swapped %(card)s in at %(cell)s and moved %(moved)s face down to %(to)s"),
    "ariadne.joker_up": gettext_noop(
        "put %(card)s in the joker's place at %(cell)s; the joker went to %(to)s as Theseus, face up"
    ),
    "ariadne.joker_down": gettext_noop(
        "put %(card)s in the joker's place at %(cell)s; the joker went to %(to)s as the Minotaur, face down"
    ),
}
