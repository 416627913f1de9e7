"""What the games are called, in the reader's language. The engine knows only slugs."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_NAMES: dict[str, str | Promise] = {
    "ariadne": _("Ariadne's Thread"),
    "kathmandu": _("Kathmandu"),
    "conquian": _("Conquian"),
    "forty_thieves": _("Forty Thieves"),
}


def game_name(slug: str) -> str:
    """The game's name; for a game that has none here, its slug in plain letters."""
    return str(_NAMES.get(slug) or slug.replace("_", " ").title())
