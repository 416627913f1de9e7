"""Template tags of tables: boards, cards in their several sizes, short moments."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from config import clock
from games.pages.boards import Scene, board_for
from games.pages.cards import card_name
from games.templatetags.clew import ago

register = template.Library()


@register.simple_tag
def square(symbol: str) -> SafeString:
    """A symbol of the card sprite as a square, decoration: ``"small-7S"``, ``"down-7S"``."""
    return format_html(
        '<svg class="card square" aria-hidden="true"><use href="{}#{}"></use></svg>',
        static("games/cards.svg"),
        symbol,
    )


@register.simple_tag
def square_card(card: str) -> SafeString:
    """A card as a small square with its name."""
    return format_html('{}<span class="visually-hidden">{}</span>', square(f"small-{card}"), card_name(card))


@register.simple_tag
def named(card: str) -> str:
    """A card in words: *queen of diamonds*."""
    return card_name(card)


@register.simple_tag
def face(card: str) -> SafeString:
    """A card of a hand, decoration: the style sheet shows its full or its large form."""
    sprite = static("games/cards.svg")
    return format_html(
        '<svg class="card" aria-hidden="true"><use class="full" href="{}#card-{}"></use>'
        '<use class="large" href="{}#large-{}"></use></svg>',
        sprite,
        card,
        sprite,
        card,
    )


@register.simple_tag
def layered(card: str) -> SafeString:
    """A card in all its three forms, of which the style sheet shows one, decoration; without a code its back."""
    sprite, code = static("games/cards.svg"), card or "back"
    return format_html(
        '<svg class="card" aria-hidden="true"><use class="full" href="{0}#card-{1}"></use>'
        '<use class="large" href="{0}#large-{1}"></use><use class="small" href="{0}#small-{1}"></use></svg>',
        sprite,
        code,
    )


@register.simple_tag
def pip(suit: str) -> SafeString:
    """A suit's sign in the seat's colour box, decoration."""
    return format_html(
        '<svg class="colour" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#pip-{}"></use></svg>',
        static("games/cards.svg"),
        suit,
    )


@register.inclusion_tag("games/boards/still.html")
def board(slug: str, view: dict[str, Any]) -> dict[str, Any]:
    """A table as a picture: nothing to touch, no open hands. ``view`` is what ``Rules.view`` gives a spectator."""
    return {"board": board_for(slug).drawn(Scene(view, still=True))}


@register.filter
def short_moment(us: int) -> SafeString:
    """A stored time (microseconds since the epoch) in few letters, in the reader's zone; in full on its title.

    The year is left out while it lasts.
    """
    local = timezone.localtime(clock.from_us(us))
    this_year = local.year == timezone.localtime(clock.now()).year
    # Translators: a short date with the time, in the letters of Django's date filter.
    return _in_few_letters(local, pgettext("date format", "j M, H:i") if this_year else "SHORT_DATETIME_FORMAT")


@register.filter
def time_of_day(us: int) -> SafeString:
    """As :func:`short_moment`, without the date."""
    return _in_few_letters(timezone.localtime(clock.from_us(us)), "TIME_FORMAT")


@register.filter
def day(us: int) -> date:
    """The day of a stored time in the reader's zone."""
    return timezone.localtime(clock.from_us(us)).date()


def _in_few_letters(local: datetime, form: str) -> SafeString:
    full = date_format(local, "DATETIME_FORMAT")
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.astimezone(UTC).isoformat(timespec="seconds"),
        full if local > clock.now() else f"{full}, {ago(local)}",
        date_format(local, form),
    )


@register.filter
def full_moment(us: int) -> SafeString:
    """A stored time, past or to come, in full in the reader's zone, which its title names."""
    at = clock.from_us(us)
    local = timezone.localtime(at)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        at.isoformat(timespec="seconds"),
        timezone.get_current_timezone_name(),
        date_format(local, "DATETIME_FORMAT"),
    )


@register.filter
def since(us: int) -> str:
    """How long ago a stored time was, in words."""
    return ago(clock.from_us(us))


@register.simple_tag
def initial(name: str, seat: int) -> SafeString:
    """The first letter of a player's name where seats have no colours, decoration; the second seat's is filled."""
    return format_html('<span class="initial seat-{}" aria-hidden="true">{}</span>', seat, name[:1].upper())


@register.simple_tag
def mark(suit: str) -> SafeString:
    """A suit's sign in a line of text, decoration."""
    return format_html(
        '<svg class="suit-mark" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#pip-{}"></use></svg>',
        static("games/cards.svg"),
        suit,
    )
