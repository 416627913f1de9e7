"""The environment, read with types. Every complaint names the variable and what it must look like.

An empty variable counts as absent, so that ``NAME= command`` and an empty line in a compose file mean the default.
"""

import math
import os
from collections.abc import Sequence


class EnvError(ValueError):
    """A variable is missing or can't be read as what it must be."""


_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}


def env_str(name: str, default: str | None = None) -> str:
    """The variable's text, stripped. Raises EnvError where it is absent and there is no default."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        message = f"{name} must be set in the environment."
        raise EnvError(message)
    return default


def env_bool(name: str, *, default: bool) -> bool:
    """1, true, yes, on / 0, false, no, off, in any case."""
    value = env_str(name, "").lower()
    if not value:
        return default
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise _unreadable(name, value, "1 or 0 (true/false, yes/no, on/off)")


def env_int(name: str, default: int, *, least: int | None = None) -> int:
    """A whole number, not below ``least``."""
    value = env_str(name, "")
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise _unreadable(name, value, "a whole number") from None
    if least is not None and number < least:
        raise _unreadable(name, value, f"a whole number of {least} or more")
    return number


def env_float(name: str, default: float, *, least: float | None = None) -> float:
    """A finite number, not below ``least``."""
    value = env_str(name, "")
    if not value:
        return default
    try:
        number = float(value)
    except ValueError:
        raise _unreadable(name, value, "a number") from None
    if not math.isfinite(number):
        raise _unreadable(name, value, "a finite number")
    if least is not None and number < least:
        raise _unreadable(name, value, f"a number of {least:g} or more")
    return number


def env_list(name: str, default: Sequence[str] = ()) -> list[str]:
    """Comma-separated, blanks around each item dropped, empty items left out."""
    value = env_str(name, "")
    if not value:
        return list(default)
    return [item for part in value.split(",") if (item := part.strip())]


def env_ints(name: str, default: Sequence[int], *, least: int = 0) -> list[int]:
    """Comma-separated whole numbers, none below ``least``."""
    value = env_str(name, "")
    if not value:
        return list(default)
    try:
        numbers = [int(item) for item in env_list(name)]
    except ValueError:
        raise _unreadable(name, value, "whole numbers separated by commas") from None
    if any(number < least for number in numbers):
        raise _unreadable(name, value, f"whole numbers of {least} or more, separated by commas")
    return numbers


def env_choice(name: str, default: str, choices: Sequence[str]) -> str:
    """One of a few words."""
    value = env_str(name, default)
    if value not in choices:
        raise _unreadable(name, value, "one of " + ", ".join(choices))
    return value


def _unreadable(name: str, value: str, wanted: str) -> EnvError:
    return EnvError(f"{name} is {value!r}, and must be {wanted}.")
