"""Webhooks in each dialect, and web push that a browser can read; what the other side answers, and what follows."""

import base64
import json
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from accounts.models import User
from config import clock
from notifications import sender, wishes
from notifications.channels import push, webhook
from notifications.devices import device_name
from notifications.models import Bounce, Device, Message, PushKey, Webhook
from tests.notifications import games
from tests.notifications.smtp_sink import Sink
from tests.notifications.test_guarded import Listener, listener

__all__ = ["listener"]


def hook(user: User, dialect: str, url: str) -> Webhook:
    wishes.of(user)
    return Webhook.objects.create(user=user, dialect=dialect, url=url, secret="s3cret", added_at=clock.now())


def coded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Browser:
    """What a browser keeps of its subscription."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"

    def subscription(self, endpoint: str) -> dict[str, Any]:
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"endpoint": endpoint, "keys": {"p256dh": coded(point), "auth": coded(self.auth)}}

    def read(self, body: bytes) -> dict[str, Any]:
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(plain)
        return found


def subscribed(user: User, browser: Browser, endpoint: str) -> Device:
    endpoint, p256dh, auth = push.read_subscription(browser.subscription(endpoint))
    wishes.of(user)
    return Device.objects.create(
        user=user, endpoint=endpoint, p256dh=p256dh, auth=auth, name="a browser", added_at=clock.now()
    )


def told(alice: User, bob: User, now: clock.FrozenClock) -> str:
    game = games.start(alice, bob)
    now.advance(seconds=60)
    sender.send_due()
    return game


@pytest.mark.parametrize("dialect", ["discord", "slack", "ntfy", "json"])
def test_a_turn_reaches_a_webhook_in_its_dialect(
    alice: User, bob: User, now: clock.FrozenClock, listener: Listener, mailoutbox: Any, dialect: str
) -> None:
    hook(alice, dialect, f"{listener.url}/{dialect}")
    game = told(alice, bob, now)
    ((path, headers, body),) = listener.requests
    assert path == f"/{dialect}"
    text = body.decode()
    assert "It is your turn in Ariadne's Thread against bob." in text
    match dialect:
        case "discord":
            assert json.loads(text)["allowed_mentions"] == {"parse": []}
        case "slack":
            assert set(json.loads(text)) == {"text", "unfurl_links"}
        case "ntfy":
            assert headers["title"] == "Your turn: Ariadne's Thread against bob"
            assert headers["click"].endswith(f"/games/{game}/")
        case "json":
            stamp = headers["x-clew-timestamp"]
            assert headers["x-clew-signature"] == f"sha256={webhook.signature('s3cret', stamp, body)}"
            data = json.loads(text)
            assert headers["idempotency-key"] == data["id"]
            assert data["messages"][0]["game"] == game
    assert {row.state for row in Message.objects.all()} == {"sent"}


def test_a_title_in_korean_is_a_header_of_ascii(alice: User) -> None:
    item = {"title": "차례", "lines": ["차례입니다"], "deadline": "", "link": "https://x.example/"}
    row = Webhook(user=alice, dialect="ntfy", url="https://x.example/", secret="")
    body, headers = webhook.request_of(row, "차례", [item], key="k")
    assert headers["Title"] == "=?UTF-8?B?7LCo66GA?="
    assert body.decode() == "차례입니다"


@pytest.mark.parametrize(
    ("status", "state"), [(500, "waiting"), (429, "waiting"), (404, "failed"), (302, "failed"), (200, "sent")]
)
def test_what_a_webhook_answers_says_whether_it_is_tried_again(
    alice: User, bob: User, now: clock.FrozenClock, listener: Listener, mailoutbox: Any, status: int, state: str
) -> None:
    hook(alice, "json", listener.url)
    listener.answer = (status, {})
    told(alice, bob, now)
    assert Message.objects.get(channel="webhook").state == state
    assert len(mailoutbox) == 1


def test_a_push_can_be_read_by_the_browser_that_asked_and_is_signed_by_the_site(
    alice: User, bob: User, now: clock.FrozenClock, listener: Listener, mailoutbox: Any
) -> None:
    browser = Browser()
    subscribed(alice, browser, f"{listener.url}/push/1")
    game = told(alice, bob, now)
    ((_, headers, body),) = listener.requests
    payload = browser.read(body)
    assert payload["title"] == "Your turn: Ariadne's Thread against bob"
    assert payload["url"].endswith(f"/games/{game}/")
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].startswith("vapid t=")
    assert headers["authorization"].endswith(f"k={push.public_key()}")
    assert len(headers["topic"]) <= 32


@pytest.mark.parametrize("body", ["가" * 2000, '"' * 4000, "a\n" * 3000, "\U0001f600" * 900])
def test_a_push_that_is_too_long_for_the_service_is_cut_and_still_can_be_read(body: str) -> None:
    packed = push.packed({"title": "Five games", "body": body, "url": "https://clew.example/", "tag": "turn/1"})
    assert len(packed) <= 3000
    told = json.loads(packed)
    assert told["title"] == "Five games"
    assert told["body"].endswith("…")
    assert body.startswith(told["body"].removesuffix("…"))
    short = {"title": "One", "body": "game", "url": "", "tag": ""}
    assert json.loads(push.packed(short)) == short


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
            "Chrome, Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox, Android"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1",
            "Safari, iPhone",
        ),
        ("something else", "something else"),
    ],
)
def test_a_device_is_called_by_its_browser_and_system(user_agent: str, name: str) -> None:
    assert device_name(user_agent) == name


def test_the_sites_key_is_made_once(db: None) -> None:
    assert push.public_key() == push.public_key()
    assert PushKey.objects.count() == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_no_more_is_removed(
    alice: User, bob: User, now: clock.FrozenClock, listener: Listener, mailoutbox: Any, status: int
) -> None:
    subscribed(alice, Browser(), f"{listener.url}/push/1")
    listener.answer = (status, {})
    told(alice, bob, now)
    assert not Device.objects.exists()


@pytest.mark.parametrize(
    "given",
    [None, [], {}, {"endpoint": 1, "keys": {}}, {"endpoint": "https://10.0.0.1/", "keys": {"p256dh": "a", "auth": "b"}},
     {"endpoint": "https://push.example/", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}],
)  # fmt: skip
def test_what_is_no_subscription_is_refused(given: Any) -> None:
    with pytest.raises(push.BadSubscription):
        push.read_subscription(given)


def test_where_mails_bounce_another_way_takes_over_even_if_switched_off(
    alice: User, bob: User, now: clock.FrozenClock, listener: Listener, sink: Sink
) -> None:
    hook(alice, "json", listener.url)
    wishes.switch(alice, "turn", "webhook", on=False)
    sink.refuse_recipient = "550 no such user"
    told(User.objects.get(pk=alice.pk), bob, now)
    assert Bounce.objects.get().user == alice
    sender.send_due()
    assert len(listener.requests) == 1
    assert b"It is your turn" in listener.requests[0][2]
    told(User.objects.get(pk=alice.pk), bob, now)
    assert len(listener.requests) == 2, "and from then on at once"
    assert sink.mails == []
