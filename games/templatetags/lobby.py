"""Template tags of the lists and forms around the tables."""

from __future__ import annotations

import uuid

from django import template

register = template.Library()


@register.simple_tag
def command_id() -> str:
    """A new command id: a form sent twice acts once."""
    return uuid.uuid4().hex
