"""What the games are called, in the reader's language. The engine knows only slugs."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_NAMES: dict[str, str | Promise] = {
    "ariadne": _("Ariadne's Thread"),
    "kathmandu": _("Kathmandu"),
    "conquian": _("Conquian"),
    "forty-thieves": _("Forty Thieves"),
    "indian": _("Indian"),
    "limited": _("Limited"),
    "little-forty": _("Little Forty"),
    "lucas": _("Lucas"),
    "maria": _("Maria"),
    "number-ten": _("Number Ten"),
    "rank-and-file": _("Rank and File"),
    "streets": _("Streets"),
}


def game_name(slug: str) -> str:
    """The name of a game or of its variant (see ``games.listing.entry_of``); if it has none here, the plain slug."""
    return str(_NAMES.get(slug) or slug.replace("_", " ").title())
