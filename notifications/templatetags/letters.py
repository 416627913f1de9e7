"""Template filters of mails."""

from __future__ import annotations

import re

from django import template
from django.template.defaultfilters import stringfilter

register = template.Library()

_SUITS = re.compile("([♣♦♥♠])(?!\ufe0e)")


@register.filter
@stringfilter
def suits(text: str) -> str:
    """Suits as signs in the text's own colour: without the selector some mail programs draw coloured pictures."""
    return _SUITS.sub("\\1\ufe0e", text)
