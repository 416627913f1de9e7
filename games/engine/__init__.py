"""The rules. Pure Python: nothing here knows of Django, a database, a clock or chance."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from games.engine.contract import Rules

__all__ = ["UnknownRules", "all_rules", "get_rules", "has_numbers", "latest_version"]


class UnknownRules(LookupError):
    """No rules of this slug and version are known here."""


@cache
def _registry() -> dict[tuple[str, int], Rules[Any]]:
    """Every game found: each module of this package that has a ``RULES`` (one instance, or a tuple of versions)."""
    found: dict[tuple[str, int], Rules[Any]] = {}
    for module_info in iter_modules(__path__):
        if module_info.name.startswith("_"):
            continue
        provided = getattr(import_module(f"{__name__}.{module_info.name}"), "RULES", ())
        for rules in provided if isinstance(provided, tuple) else (provided,):
            found[rules.slug, rules.version] = rules
    return found


def get_rules(slug: str, version: int) -> Rules[Any]:
    """The rules of this slug and version, or :class:`UnknownRules`."""
    try:
        return _registry()[slug, version]
    except KeyError:
        raise UnknownRules(f"no rules {slug!r} version {version!r}") from None


def latest_version(slug: str) -> int:
    """The newest version of these rules, which new tables begin with. Raises :class:`UnknownRules`."""
    versions = [version for known, version in _registry() if known == slug]
    if not versions:
        raise UnknownRules(f"no rules {slug!r}")
    return max(versions)


def versions_of(slug: str) -> list[int]:
    """Every version of these rules that is known here, the oldest first."""
    return sorted(version for known, version in _registry() if known == slug)


def has_numbers(slug: str) -> bool:
    """Whether this game's deals have numbers; no for a game that isn't known."""
    return any(rules.slug == slug and rules.numbered for rules in _registry().values())


def all_rules() -> list[Rules[Any]]:
    """The newest version of every game, by slug."""
    return [get_rules(slug, latest_version(slug)) for slug in sorted({slug for slug, _ in _registry()})]
