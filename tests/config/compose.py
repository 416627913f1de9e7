"""docker-compose.yml as Compose reads it: with what the operator said, or else the defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
_INNERMOST = re.compile(r"\$\{([A-Z_]+)(:?)[-?]([^{}]*)\}")


def filled(value: object, given: Mapping[str, str]) -> str:
    """The value with its variables put in. With a colon, an empty one counts as not given."""
    text = str(value)
    while found := _INNERMOST.search(text):
        name, colon, default = found.groups()
        said = given.get(name, default)
        text = text[: found.start()] + (said if said or not colon else default) + text[found.end() :]
    return text
