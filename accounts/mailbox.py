"""The mailbox page of an embedded site, so that a newcomer sees the mails arrive.

It shows links that confirm addresses and reset passwords: it exists only in embedded mode, and only for whoever sits at
the machine itself.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import cast

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.csp import CSP
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

#: The page's own policy: the site's, and frames for the mails.
_FRAMING = {**cast(dict[str, Collection[str]], settings.SECURE_CSP), "frame-src": [CSP.SELF]}
#: How many mails the page shows, the newest.
SHOWN = 50
_LOOPBACK = {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
#: What the file backend writes after every mail.
_RULE = b"\n" + b"-" * 79 + b"\n"
_LINK = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)]")
_FILE = re.compile(r"\d{8}-\d{6}-\d+\.log")


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that was sent. ``id`` is its file's name and its number within."""

    id: str
    subject: str
    to: str
    at: datetime | None
    text: str
    html: str

    def linked(self) -> SafeString:
        """The text, escaped, with its web addresses to click on."""
        parts: list[str] = []
        end = 0
        for found in _LINK.finditer(self.text):
            parts += [escape(self.text[end : found.start()]), format_html('<a href="{0}">{0}</a>', found[0])]
            end = found.end()
        return mark_safe("".join([*parts, escape(self.text[end:])]))  # every part is escaped above


@require_safe
@never_cache
@csp_override(_FRAMING)
def mailbox(request: HttpRequest) -> HttpResponse:
    """The latest mails, the newest first."""
    _only_here(request)
    return render(request, "accounts/mailbox.html", {"mails": latest(Path(settings.CLEW_DATA) / "mail")})


@require_safe
@never_cache
@xframe_options_sameorigin
@csp_override(
    {
        "default-src": [CSP.NONE],
        "img-src": ["data:"],
        "style-src": [CSP.UNSAFE_INLINE],
        "frame-ancestors": [CSP.SELF],
        "base-uri": [CSP.NONE],
        "form-action": [CSP.NONE],
        # Links open a tab of their own, which is a page like any other.
        "sandbox": ["allow-popups", "allow-popups-to-escape-sandbox", "allow-top-navigation-by-user-activation"],
    }
)
def mailbox_html(request: HttpRequest, mail: str) -> HttpResponse:
    """The HTML of a mail, to be framed: mails style themselves inline, and may do nothing else."""
    _only_here(request)
    found = next((one for one in latest(Path(settings.CLEW_DATA) / "mail") if one.id == mail), None)
    if found is None or not found.html:
        raise Http404
    return HttpResponse(f'<base target="_top">{found.html}')


#: The beginnings of what proxies add to a request.
_BY_PROXY = (
    "HTTP_X_FORWARDED",
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_REAL_IP",
    "HTTP_X_CLIENT",
    "HTTP_TRUE_CLIENT",
    "HTTP_CF_",
)


def _only_here(request: HttpRequest) -> None:
    """Raise Http404 unless the site is embedded and the request comes from this machine by no proxy."""
    forwarded = any(name.startswith(_BY_PROXY) for name in request.META)
    if not settings.CLEW_EMBEDDED or forwarded or request.META.get("REMOTE_ADDR") not in _LOOPBACK:
        raise Http404


def latest(folder: Path) -> list[Mail]:
    """The newest mails out of the files that Django's file backend wrote, the newest first."""
    mails: list[Mail] = []
    files = [path for path in folder.glob("*.log") if _FILE.fullmatch(path.name)] if folder.is_dir() else []
    for path in sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True):
        raw = [part for part in path.read_bytes().split(_RULE) if part.strip()]
        mails += [_read(f"{path.stem}.{number}", part) for number, part in reversed([*enumerate(raw)])]
        if len(mails) >= SHOWN:
            break
    return mails[:SHOWN]


def _read(mail_id: str, raw: bytes) -> Mail:
    message = email.message_from_bytes(raw.lstrip(b"\n"), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    try:
        at = parsedate_to_datetime(message["Date"]) if message["Date"] else None
    except ValueError:
        at = None
    return Mail(
        id=mail_id,
        subject=str(message["Subject"] or ""),
        to=str(message["To"] or ""),
        at=at,
        text=_part(message, "plain"),
        html=_part(message, "html"),
    )


def _part(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part is not None else ""
