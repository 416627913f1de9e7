"""Template tags of the whole site: pictures out of the sprites, cards, and moments."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from config import clock
from games.engine.cards import show
from games.names import game_name as name_of

register = template.Library()


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """An icon of the sprite: decoration, or with ``label`` an image of its own."""
    return _use("icons", f"icon-{name}", "icon", label)


@register.simple_tag
def logo() -> SafeString:
    return _use("icons", "logo", "logo", "")


@register.simple_tag
def picture(name: str) -> SafeString:
    """The picture of a game (or of a variant), decoration."""
    return _use("pictures", f"picture-{name.replace('_', '-')}", "picture", "")


@register.simple_tag
def card(code: str, *, small: bool = False, label: bool = True) -> SafeString:
    """A card's face (``"7S"``, ``"JK-up"``, ``"back"``), named for screen readers unless ``label`` is off."""
    text = show(code) if label and len(code) == 2 and code != "JK" else ""
    return _use("cards", f"{'small' if small else 'card'}-{code}", "card", text)


@register.filter
def shown(code: str) -> str:
    """A card as people read it: ``10♦``."""
    return show(code)


@register.filter
def game_name(slug: str) -> str:
    return name_of(slug)


@register.filter
def moment(us: int | None) -> SafeString | str:
    """A stored time (microseconds since the epoch): absolute in the reader's zone, with how long ago beside it."""
    if us is None:
        return ""
    at = clock.from_us(us)
    local = timezone.localtime(at)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        at.isoformat(timespec="seconds"),
        ago(at),
        date_format(local, "DATETIME_FORMAT"),
    )


def ago(at: datetime) -> str:
    """How long ago, roughly, in words."""
    now = clock.now()
    if now - at < timedelta(minutes=1):
        return _("just now")
    return _("%(time)s ago") % {"time": timesince(at, now, depth=1)}


def _use(sprite: str, symbol: str, css: str, label: str) -> SafeString:
    href = f"{static(f'games/{sprite}.svg')}#{symbol}"
    if label:
        return format_html('<svg class="{}" role="img" aria-label="{}"><use href="{}"></use></svg>', css, label, href)
    return format_html('<svg class="{}" aria-hidden="true" focusable="false"><use href="{}"></use></svg>', css, href)
