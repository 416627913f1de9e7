"""The engine's messages in people's languages: a sentence for every id that a game emits, and for every refusal.

The engine speaks no language; this package holds one module a game with its ``WORDS``, message id to a template marked
for translation. A template is a phrase without a subject, in the past tense (``"placed %(card)s at %(cell)s"``), so
that callers can compose ``"Alice: placed 7♠ at h7"`` in any language.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from django.utils.translation import gettext

from games.engine.cards import JOKER, RANK_NUMBER, show
from games.engine.contract import Refusal, Words

__all__ = ["UnknownWords", "refusal_text", "sentence", "told_text"]


class UnknownWords(LookupError):
    """No game's wording has a sentence for this message id."""


@cache
def _templates() -> dict[str, str]:
    """Every template by message id, from each module of this package."""
    found: dict[str, str] = {}
    for module_info in iter_modules(__path__):
        found |= import_module(f"{__name__}.{module_info.name}").WORDS
    return found


def sentence(words: Words) -> str:
    """The message in the active language, cards as people are shown them. Raises :class:`UnknownWords`."""
    template = _templates().get(words.id)
    if template is None:
        raise UnknownWords(words.id)
    return gettext(template) % _shown(words.params)


def told_text(words: Words, *, automatic: bool = False) -> str:
    """:func:`sentence`, with a word about a pass that nobody had to make: it was the only legal move."""
    text = sentence(words)
    return gettext("%(move)s (automatically)") % {"move": text} if automatic else text


def refusal_text(refusal: Refusal) -> str:
    """The sentence that names the rule, in the active language."""
    translated = gettext(refusal.template)
    return translated % _shown(refusal.params) if refusal.params else translated


def _shown(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _show(value) for name, value in params.items()}


def _show(value: Any) -> Any:
    """A card as ``10♦``, a list joined by commas, a list of lists by semicolons, anything else as it is."""
    if isinstance(value, str):
        return show(value) if value in RANK_NUMBER or value == JOKER else value
    if isinstance(value, list | tuple):
        nested = any(isinstance(item, list | tuple) for item in value)
        return ("; " if nested else ", ").join(str(_show(item)) for item in value)
    return value
