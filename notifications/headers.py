"""The headers of a mail about a game: how it is threaded, how to be rid of its like, and that a machine wrote it."""

from __future__ import annotations

import hashlib
from email.policy import Policy
from email.utils import format_datetime
from typing import Self

from django.conf import settings

from accounts.models import User
from config import clock
from notifications.unsubscribe import off_url


class Unbroken(str):
    """A header's value that stays on its line as it is, however long.

    Python would write a word that is longer than a line as an encoded word, which isn't allowed within an address or
    an id (RFC 2047, 5), and no mail program would find either in it. Only for values without spaces of our own making.
    """

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str, value: str) -> Self:
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.name, str(self))  # mails are copied

    def fold(self, *, policy: Policy) -> str:
        """The header's line. The name and this method are what ``email.policy`` asks of a header."""
        return f"{self.name}: {self}{policy.linesep}"


def message_id(key: str) -> str:
    """The Message-ID of a message: always the same for the same key, so that a repeat can be recognised."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:40]
    return f"<{digest}@{settings.CLEW_MAIL_DOMAIN}>"


def news_headers(user: User, topic: str, *, root: str | None) -> dict[str, str]:
    """The headers of a mail about games besides its own id.

    ``root`` is the id that all mails of a game to a reader answer; None for a mail of several games. ``topic`` is what
    one click switches off: empty for all of them.
    """
    off = off_url(user, topic)
    threaded = {name: Unbroken(name, root) for name in ("In-Reply-To", "References")} if root is not None else {}
    headers = {
        "Date": format_datetime(clock.now()),
        "Auto-Submitted": "auto-generated",
        **threaded,
        "List-Unsubscribe": Unbroken("List-Unsubscribe", f"<{off}>"),
    }
    if off.startswith("https:"):  # RFC 8058 knows one click over HTTPS only
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers
