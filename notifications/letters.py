"""Mails of everything but turns, and of several games at once: what they say, as text and as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from notifications.kinds import TOPIC_OF, Kind, Topic
from notifications.render import Rendered
from notifications.styles import inlined
from notifications.truth import News
from notifications.unsubscribe import off_url
from notifications.wording import Said, say


def letter(user: User, news: Sequence[News]) -> Rendered:
    """One mail of one or more messages, the soonest deadline first, in the active language and the user's zone."""
    with timezone.override(user.zone()):
        ordered = in_order(news)
        said = [say(one) for one in ordered]
        topic = TOPIC_OF[news[0].kind].value if len(news) == 1 else ""
        subject = said[0].title if len(said) == 1 else gathered_title(ordered)
        context = {
            "subject": subject,
            "several": len(said) > 1,
            "items": said if len(said) == 1 else list(_gathered(ordered, said)),
            "why": _("You get this mail because you, %(name)s, play on Clew (%(site)s).")
            % {"name": user.name, "site": settings.CLEW_SITE_URL},
            "settings_link": settings.CLEW_SITE_URL + reverse("settings"),
            "off_link": off_url(user, topic),
            "off_label": off_label(topic),
        }
        html = render_to_string("notifications/letter.html", context)
        text = render_to_string("notifications/letter.txt", context)
    return Rendered(subject, text, inlined(html))


def in_order(news: Sequence[News]) -> list[News]:
    """The soonest of the reader's own deadlines first, then what else awaits them, then the rest; a game at a time."""
    games: dict[str | None, int] = {}
    for one in news:
        games.setdefault(one.game, len(games))

    def place(one: News) -> tuple[bool, bool, int, int]:
        return not one.awaited, one.awaited and one.deadline is None, one.deadline or 0, games[one.game]

    return sorted(news, key=place)


def gathered_title(news: Sequence[News]) -> str:
    """The subject of several messages: how many games wait for the reader, or else how many messages they are."""
    waiting = len({one.game for one in news if one.awaited})
    count = len(news)
    if waiting > 1:
        return ngettext("%(count)d game waits for you", "%(count)d games wait for you", waiting) % {"count": waiting}
    return ngettext("%(count)d message about your games", "%(count)d messages about your games", count) % {
        "count": count
    }


def _gathered(news: Sequence[News], said: Sequence[Said]) -> Iterator[Said]:
    """What is said of each in a mail of several: nothing twice, neither within one of them nor of the same game."""
    for number, (one, words) in enumerate(zip(news, said, strict=True)):
        told = one.game is not None and any(before.game == one.game for before in news[:number])
        again = one.game is not None and any(after.game == one.game for after in news[number + 1 :])
        yield replace(
            words,
            lines=() if one.kind == Kind.TURN else words.lines,  # its title says it
            deadline="" if told else words.deadline,
            link="" if again else words.link,
        )


def off_label(topic: str) -> str:
    """What the link that switches mails off says."""
    if topic == Topic.TURN:
        return _("No more mails about my turns")
    return _("No more mails of this kind") if topic else _("No more mails about games")
