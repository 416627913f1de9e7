"""Webhooks: messages posted to an address of a person's own, as Discord, Slack, ntfy or plain JSON want them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from typing import Any, Final

from config import clock
from notifications.channels import Failure
from notifications.channels.guarded import post
from notifications.models import Webhook

#: Characters that Discord takes.
_DISCORD: Final = 2000
_NO_EMBEDS: Final = 1 << 2
#: What Discord takes for more than text.
_MARKS: Final = re.compile(r"([\\`*_~|#<\[\]])")
#: Answers that say that trying again is of no use.
_FINAL: Final = (400, 401, 403, 404, 405, 410, 413)


def send(hook: Webhook, title: str, items: Sequence[dict[str, Any]], *, key: str, seconds: float) -> None:
    """Post a message of one or more items (``title``, ``lines``, ``deadline``, ``link``…). Raises :class:`Failure`."""
    body, headers = request_of(hook, title, items, key=key)
    answer = post(hook.url, body, headers, seconds=seconds)
    if 200 <= answer.status < 300:
        return
    final = answer.status in _FINAL or 300 <= answer.status < 400  # a redirect isn't followed
    raise Failure(f"the webhook answered {answer.status}: {answer.text}"[:400], permanent=final)


def request_of(hook: Webhook, title: str, items: Sequence[dict[str, Any]], *, key: str) -> tuple[bytes, dict[str, str]]:
    """Body and headers in the webhook's dialect. ``key`` is the same however often this message is sent."""
    match hook.dialect:
        case Webhook.Dialect.DISCORD:
            # Nobody is pinged, and nothing formatted or unfolded, by what a message happens to hold.
            plain = [{**item, "title": _plain(item["title"]), "lines": map(_plain, item["lines"])} for item in items]
            text = _text(_plain(title), plain)[:_DISCORD]
            data = {"content": text, "allowed_mentions": {"parse": []}, "flags": _NO_EMBEDS}
            return _json(data), _JSON
        case Webhook.Dialect.SLACK:
            text = _text(title, items).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return _json({"text": text, "unfurl_links": False}), _JSON
        case Webhook.Dialect.NTFY:
            headers = {"Title": _word(title), "Click": items[0]["link"], "Content-Type": "text/plain; charset=utf-8"}
            return "\n\n".join(_said(item) for item in items).encode(), headers
        case _:
            return _signed(hook, {"id": key_id(key), "title": title, "messages": list(items)})


def key_id(key: str) -> str:
    """What a message is recognised by."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over ``<timestamp>.<body>``, in hex."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def _signed(hook: Webhook, data: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
    body, timestamp = _json(data), str(clock.now_us() // 1_000_000)
    return body, {
        **_JSON,
        "Idempotency-Key": data["id"],
        "X-Clew-Timestamp": timestamp,
        "X-Clew-Signature": f"sha256={signature(hook.secret, timestamp, body)}",
    }


_JSON: Final = {"Content-Type": "application/json"}


def _json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def _text(title: str, items: Sequence[dict[str, Any]]) -> str:
    parts = [title] if len(items) > 1 else []
    return "\n\n".join([*parts, *(f"{item['title']}\n{_said(item)}\n{item['link']}" for item in items)])


def _said(item: dict[str, Any]) -> str:
    return "\n".join([*item["lines"], *([item["deadline"]] if item["deadline"] else [])])


def _plain(text: str) -> str:
    """A text for Discord, in which nothing is bold, hidden, a heading, or a link that says another address."""
    return _MARKS.sub(r"\\\1", text)


def _word(text: str) -> str:
    """A header's value, as an encoded word (RFC 2047) where it isn't plain ASCII."""
    line = " ".join(text.split())
    return line if line.isascii() else f"=?UTF-8?B?{base64.b64encode(line.encode()).decode()}?="
