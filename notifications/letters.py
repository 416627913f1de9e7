"""Mails of everything but turns, and of several games at once: what they say, as text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence

import css_inline
from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from notifications.kinds import TOPIC_OF, Topic
from notifications.render import Rendered
from notifications.truth import News
from notifications.unsubscribe import off_url
from notifications.wording import Said, say

_inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def letter(user: User, news: Sequence[News]) -> Rendered:
    """One mail of one or more messages, the soonest deadline first, in the active language and the user's zone."""
    with timezone.override(user.zone()):
        said = [say(one) for one in in_order(news)]
        topic = TOPIC_OF[news[0].kind].value if len(news) == 1 else ""
        subject = said[0].title if len(said) == 1 else gathered_title(said)
        context = {
            "subject": subject,
            "several": len(said) > 1,
            "items": said,
            "why": _("You get this mail because you, %(name)s, play on Clew (%(site)s).")
            % {"name": user.name, "site": settings.CLEW_SITE_URL},
            "settings_link": settings.CLEW_SITE_URL + reverse("settings"),
            "off_link": off_url(user, topic),
            "off_label": off_label(topic),
        }
        html = render_to_string("notifications/letter.html", context)
        text = render_to_string("notifications/letter.txt", context)
    return Rendered(subject, text, _inliner.inline(html))


def in_order(news: Sequence[News]) -> list[News]:
    """The soonest of the reader's own deadlines first, then what else awaits them, then the rest."""
    return sorted(news, key=lambda one: (not one.awaited, one.awaited and one.deadline is None, one.deadline or 0))


def gathered_title(said: Sequence[Said]) -> str:
    """The subject of several messages."""
    waiting = sum(bool(one.deadline) for one in said)
    count = len(said)
    if waiting > 1:
        return ngettext("%(count)d game waits for you", "%(count)d games wait for you", waiting) % {"count": waiting}
    return ngettext("%(count)d message about your games", "%(count)d messages about your games", count) % {
        "count": count
    }


def off_label(topic: str) -> str:
    """What the link that switches mails off says."""
    if topic == Topic.TURN:
        return _("No more mails about my turns")
    return _("No more mails of this kind") if topic else _("No more mails about games")
