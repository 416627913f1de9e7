"""Web push (RFC 8030, 8291, 8292): encrypted for the one browser that asked, and signed with the site's own key."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from py_vapid import Vapid02

from config import clock
from notifications.channels import Failure
from notifications.channels.guarded import check, post
from notifications.models import Device, PushKey

#: Seconds that a push service keeps a message for a browser that is away.
KEPT: Final = 24 * 60 * 60
_SIGNED_FOR: Final = 12 * 60 * 60
#: What a push service takes at least (RFC 8030, 7.2), less what encrypting adds.
_MOST: Final = 3000


class BadSubscription(ValueError):
    """This is no push subscription."""


def signing_key() -> Vapid02:
    """The site's key, made where there is none yet. Several processes may ask at once: all get the same."""
    pem = PushKey.objects.filter(pk=1).values_list("private_pem", flat=True).first()
    if pem is None:
        made = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        with transaction.atomic():
            PushKey.objects.bulk_create([PushKey(pk=1, private_pem=made.decode())], ignore_conflicts=True)
        pem = PushKey.objects.values_list("private_pem", flat=True).get(pk=1)
    return Vapid02.from_pem(pem.encode())


def public_key() -> str:
    """The key that a browser is told when it subscribes (base64url of the uncompressed point)."""
    point = signing_key().public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def read_subscription(given: Any) -> tuple[str, str, str]:
    """Endpoint, public key and secret of what a browser calls a subscription. Raises :class:`BadSubscription`."""
    try:
        endpoint, keys = given["endpoint"], given["keys"]
        p256dh, auth = keys["p256dh"], keys["auth"]
        check(endpoint)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        if len(_bytes(auth)) != 16 or len(endpoint) > 1000 or len(p256dh) > 120 or len(auth) > 60:
            raise BadSubscription
    except (TypeError, KeyError, ValueError, AttributeError, binascii.Error, Failure):
        raise BadSubscription from None
    return endpoint, p256dh, auth


def send(device: Device, payload: dict[str, Any], *, key: str, seconds: float) -> None:
    """Send to a device. Raises :class:`Failure`, with ``gone`` where the subscription is no more."""
    body = http_ece.encrypt(
        packed(payload),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(device.p256dh),
        auth_secret=_bytes(device.auth),
        version="aes128gcm",
    )
    parts = urlsplit(device.endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": clock.now_us() // 1_000_000 + _SIGNED_FOR,
        "sub": settings.CLEW_SITE_URL if settings.CLEW_SITE_URL.startswith("https:") else _contact(),
    }
    answer = post(
        device.endpoint,
        body,
        {
            **signing_key().sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT),
            # A second message of the same topic takes the first one's place: sent twice is shown once.
            "Topic": base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()[:24]).decode(),
        },
        seconds=seconds,
    )
    if answer.status in (404, 410):
        raise Failure(f"the push service answered {answer.status}", permanent=True, gone=True)
    if not 200 <= answer.status < 300:
        passing = answer.status == 429 or answer.status >= 500
        raise Failure(f"the push service answered {answer.status}: {answer.text}"[:400], permanent=not passing)


def packed(payload: Mapping[str, Any]) -> bytes:
    """The payload as JSON that a push service takes: a ``body`` that is too long ends with an ellipsis."""
    text = json.dumps(payload, ensure_ascii=False).encode()
    over, body = len(text) - _MOST, str(payload["body"])
    if over <= 0:
        return text
    kept = body.encode()[: -(over + len("…".encode()))].decode(errors="ignore")
    # JSON writes some characters longer than they are: what was cut off may not suffice.
    return packed({**payload, "body": kept.removesuffix("…") + "…"})


def _contact() -> str:
    return f"mailto:postmaster@{settings.CLEW_MAIL_DOMAIN}"


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
