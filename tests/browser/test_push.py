"""Messages on a device: asked for, allowed or not, kept, shown by the service worker, and leading to the table.

No push service can be reached from a test. What it would do stands in: the browser's subscription is made here, and
what it would deliver is handed to the service worker by the browser's debugger.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserType, expect

from accounts.models import User
from notifications.models import Device
from tests.browser.conftest import found_chromium
from tests.browser.visitor import PATIENCE, Visitor
from tests.games.people import begun
from tests.notifications.test_channels import Browser as Pushed
from tests.plugins.servers import wait_until

pytestmark = pytest.mark.any_database

#: Puts what a push service would give in the place of the browser's own answer.
_SUBSCRIBED = """(subscription) => {
  PushManager.prototype.subscribe = async (options) => {
    window.askedWith = [options.userVisibleOnly, options.applicationServerKey.length];
    return { toJSON: () => subscription };
  };
}"""
_OUT_OF_REACH = """() => {
  PushManager.prototype.subscribe = async () => { throw new DOMException("push service error", "AbortError"); };
}"""
#: The notifications that are shown, as soon as there are some.
_SHOWN = """async (patience) => {
  const registration = await navigator.serviceWorker.ready;
  let shown = [];
  for (const end = Date.now() + patience; !shown.length && Date.now() < end;) {
    shown = await registration.getNotifications();
    await new Promise((again) => setTimeout(again, 20));
  }
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""
_CLICKED = """async () => {
  const opened = [];
  Clients.prototype.openWindow = async (url) => opened.push(url);
  const [notification] = await self.registration.getNotifications();
  const lasting = [];
  const click = new NotificationEvent("notificationclick", { notification });
  click.waitUntil = (promise) => lasting.push(promise);
  self.dispatchEvent(click);
  await Promise.all(lasting);
  return [opened, (await self.registration.getNotifications()).length];
}"""


@pytest.fixture(scope="module")
def browser(browser_type: BrowserType) -> Iterator[Browser]:
    """A whole browser: what has no windows shows no notifications."""
    with browser_type.launch(**found_chromium(whole=True)) as whole:
        yield whole


@pytest.fixture
def alices(alice: User, visit: Callable[..., Visitor]) -> Visitor:
    visitor = visit(alice, permissions=["notifications"])
    visitor.page.goto(reverse("message-settings"))
    return visitor


def ask(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Show messages on this device").click()


def test_a_device_that_is_allowed_is_kept_and_listed_by_a_name(alice: User, alices: Visitor) -> None:
    page = alices.page
    page.evaluate(_SUBSCRIBED, Pushed().subscription("https://push.example.com/alices"))
    with page.expect_navigation():
        ask(alices)
    expect(page.get_by_text("This device shows messages from now on.")).to_be_visible()
    expect(page.locator("[aria-labelledby=devices] li")).to_have_text(re.compile("Chrome, (Linux|macOS|Windows)"))
    device = Device.objects.get(user=alice)
    assert device.endpoint == "https://push.example.com/alices"
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No device shows messages yet.")).to_be_visible()
    assert not Device.objects.filter(user=alice).exists()


def test_who_does_not_allow_it_is_told_where_that_is_changed(alice: User, visit: Callable[..., Visitor]) -> None:
    visitor = visit(alice)  # whose browser denies every site what it wasn't told to grant
    visitor.page.goto(reverse("message-settings"))
    ask(visitor)
    expect(visitor.page.get_by_role("status")).to_contain_text("The browser does not allow it.")
    # Chromium adds on its console that windows of this kind never allow it.
    visitor.complaints[:] = [one for one in visitor.complaints if "Push API in incognito mode" not in one]
    assert not Device.objects.filter(user=alice).exists()


def test_a_push_service_that_cannot_be_reached_is_told_from_a_refusal(alice: User, alices: Visitor) -> None:
    alices.page.evaluate(_OUT_OF_REACH)
    ask(alices)
    expect(alices.page.get_by_role("status")).to_contain_text("This device could not be added.")
    assert not Device.objects.filter(user=alice).exists()


def test_a_subscription_that_is_none_is_told_to_have_failed(alice: User, alices: Visitor) -> None:
    alices.expected.add(422)
    alices.page.evaluate(_SUBSCRIBED, {"endpoint": "http://127.0.0.1/", "keys": {}})
    ask(alices)
    expect(alices.page.get_by_role("status")).to_contain_text("This device could not be added.")
    assert not Device.objects.filter(user=alice).exists()


def test_a_message_that_is_delivered_is_shown_and_a_click_opens_its_table(
    alice: User, bob: User, alices: Visitor, site: str
) -> None:
    page, table = alices.page, site + reverse("table", args=[begun("ariadne", alice, bob)])
    page.evaluate(
        "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => true)"
    )
    registered: list[dict[str, Any]] = []
    debugger = page.context.new_cdp_session(page)
    debugger.on("ServiceWorker.workerRegistrationUpdated", lambda told: registered.extend(told["registrations"]))
    debugger.send("ServiceWorker.enable")
    payload = {"title": "내 차례: bob", "body": "두 줄\n2027", "url": table, "tag": "turn/1"}
    # What the debugger tells comes in while the page is asked something.
    assert wait_until(lambda: bool(page.evaluate("true") and registered))
    registration = registered[-1]
    delivery = {"origin": site, "registrationId": registration["registrationId"], "data": json.dumps(payload)}
    shown: list[dict[str, Any]] = []
    for _try in range(4):  # on a busy machine the debugger may deliver before the worker hears
        debugger.send("ServiceWorker.deliverPushMessage", delivery)
        shown = page.evaluate(_SHOWN, PATIENCE / 4)
        if shown:
            break
    assert shown == [
        {"title": payload["title"], "body": payload["body"], "tag": payload["tag"], "data": {"url": table}}
    ]
    (worker,) = page.context.service_workers
    assert worker.evaluate(_CLICKED) == [[table], 0]
