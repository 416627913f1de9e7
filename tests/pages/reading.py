"""What tests read out of a page."""

from __future__ import annotations

import re
from html import unescape
from typing import Any


def cards_on(page: str) -> set[str]:
    """The cards that a page shows by ``data-card``."""
    return set(re.findall(r'data-card="(\w+)"', page))


def field(page: str, name: str) -> str:
    """The value of the first hidden or text field of this name. Fails where there is none."""
    tag = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
    assert tag is not None, f"no field {name}"
    value = re.search(r'value="([^"]*)"', tag.group())
    return unescape(value.group(1)) if value else ""


def ticked(page: str, element: str) -> bool:
    """Whether the box or radio of this id is chosen. Fails where there is none."""
    tag = re.search(rf'<input[^>]*id="{element}"[^>]*>', page)
    assert tag is not None, f"no box {element}"
    return " checked" in tag.group()


def page_of(answer: Any) -> str:
    """The text of an answer that was shown, with its entities read."""
    return unescape(answer.content.decode())
