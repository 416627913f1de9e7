"""The pages about messages: the inbox, what was sent, how one wants to be told; and the operator's view of it all."""

from __future__ import annotations

import json
import secrets
import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.core.paginator import Paginator
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from config import clock
from games import viewing
from games.names import game_name
from games.pages.asking import hides_private, user_of
from games.pages.pagination import page_number
from games.pages.times import duration
from notifications import bounces, replanning, truth, watching, wishes
from notifications.channels import Failure, push, webhook
from notifications.devices import device_name
from notifications.forms import MOST_DEVICES, MOST_WEBHOOKS, GameForm, PreferencesForm, WebhookForm
from notifications.kinds import Kind
from notifications.models import Device, GamePreference, InboxItem, Message, Webhook
from notifications.wording import say

ROWS = 30


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


# --- what was told ----------------------------------------------------------------------------------------------------


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def inbox(request: HttpRequest) -> HttpResponse:
    """What the person was told, the newest first. A POST marks all of it as read."""
    user = _me(request)
    if request.method == "POST":
        InboxItem.objects.filter(user=user, read_at__isnull=True).update(read_at=clock.now())
        return redirect("inbox")
    page = Paginator(InboxItem.objects.filter(user=user).order_by("-id"), ROWS).get_page(page_number(request))
    told = zip(page, truth.told_all(list(page)), strict=True)
    rows = [{"item": item, "said": say(news)} for item, news in told if news is not None]
    unread = InboxItem.objects.filter(user=user, read_at__isnull=True).count()
    return render(request, "notifications/inbox.html", {"rows": rows, "page": page, "unread": unread})


@never_cache
@login_required
@require_safe
def deliveries(request: HttpRequest) -> HttpResponse:
    """What was to be sent to the person, when, and how it went."""
    user = _me(request)
    sent = Message.objects.filter(user=user).exclude(kind=Kind.ACCOUNT).order_by("-id")
    page = Paginator(sent, ROWS).get_page(page_number(request))
    told = zip(page, truth.told_all(list(page)), strict=True)
    rows = [{"message": row, "title": say(news).title} for row, news in told if news is not None]
    return render(request, "notifications/deliveries.html", {"rows": rows, "page": page, "bounce": bounces.of(user)})


# --- how to be told ---------------------------------------------------------------------------------------------------


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """All about how a person is told."""
    user = _me(request)
    form = PreferencesForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your settings are saved."))
        return redirect("message-settings")
    return _preferences_page(request, user, form, WebhookForm(prefix="hook"))


def _preferences_page(request: HttpRequest, user: User, form: PreferencesForm, hook_form: WebhookForm) -> HttpResponse:
    context = {
        "form": form,
        "hook_form": hook_form,
        "hooks": list(user.webhooks.order_by("pk")),
        "devices": list(user.devices.order_by("pk")),
        "push_key": push.public_key(),
        "bounce": bounces.of(user),
    }
    failed = form.errors or hook_form.errors
    return render(request, "notifications/preferences.html", context, status=422 if failed else 200)


@login_required
@require_POST
def add_webhook(request: HttpRequest) -> HttpResponse:
    """Add an address to post messages to."""
    user = _me(request)
    form = WebhookForm(request.POST, prefix="hook")
    if not form.is_valid():
        return _preferences_page(request, user, PreferencesForm(user), form)
    wishes.of(user)
    if user.webhooks.count() >= MOST_WEBHOOKS:
        messages.error(request, _("You have as many webhooks as one can have."))
    else:
        with transaction.atomic():
            Webhook.objects.create(
                user=user, dialect=form.cleaned_data["dialect"], url=form.cleaned_data["url"],
                secret=secrets.token_urlsafe(24), added_at=clock.now(),
            )  # fmt: skip
            replanning.replan(user)
        messages.success(request, _("The webhook was added. Try it with a test message."))
    return redirect("message-settings")


@login_required
@require_POST
def change_webhook(request: HttpRequest, hook: int) -> HttpResponse:
    """Remove a webhook of one's own, or send a test message there."""
    user = _me(request)
    row = get_object_or_404(Webhook, pk=hook, user=user)
    if "test" not in request.POST:
        row.delete()
        messages.success(request, _("The webhook was removed."))
        return redirect("message-settings")
    item: dict[str, Any] = {
        "kind": "test", "game": None, "title": _("A test message of Clew"), "deadline": "", "deadline_at": None,
        "lines": [_("If you can read this, messages arrive.")], "link": request.build_absolute_uri("/"),
    }  # fmt: skip
    try:
        webhook.send(row, item["title"], [item], key=f"test/{uuid.uuid4()}", seconds=8)
    except Failure as failure:
        messages.error(request, _("The test message did not arrive: %(reason)s") % {"reason": failure})
    else:
        messages.success(request, _("The test message was taken."))
    return redirect("message-settings")


@login_required
@require_POST
def add_device(request: HttpRequest) -> HttpResponse:
    """A browser's push subscription, as JSON. 204, or 422 for what is none."""
    user = _me(request)
    try:
        endpoint, p256dh, auth = push.read_subscription(json.loads(request.body))
    except (push.BadSubscription, ValueError, RecursionError):
        return JsonResponse({"error": "no subscription"}, status=422)
    wishes.of(user)
    if user.devices.exclude(endpoint=endpoint).count() >= MOST_DEVICES:
        return JsonResponse({"error": "too many"}, status=422)
    name = device_name(request.headers.get("User-Agent", ""))
    # Whoever uses the browser now is told there, and nobody before them.
    with transaction.atomic():
        _device, added = Device.objects.update_or_create(
            endpoint=endpoint,
            defaults={"user": user, "p256dh": p256dh, "auth": auth, "name": name, "added_at": clock.now()},
        )
        if added:
            replanning.replan(user)
    messages.success(request, _("This device shows messages from now on."))
    return HttpResponse(status=204)


@login_required
@require_POST
def remove_device(request: HttpRequest, device: int) -> HttpResponse:
    """Send nothing to a device of one's own any more."""
    get_object_or_404(Device, pk=device, user=_me(request)).delete()
    messages.success(request, _("The device was removed."))
    return redirect("message-settings")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@hides_private
def game_preferences(request: HttpRequest, game: uuid.UUID) -> HttpResponse:
    """What a player is told of one game."""
    user = _me(request)
    sight = viewing.sight(user_of(request), str(game))
    if sight.place is None:
        raise Http404
    row = GamePreference.objects.filter(user=user, game=game).first()
    how = "" if row is None else "muted" if row.muted else "gathered" if row.gathered else ""
    form = GameForm(request.POST or None, initial={"how": how})
    if request.method == "POST" and form.is_valid():
        wishes.of(user)
        chosen = form.cleaned_data["how"]
        flags = {"muted": chosen == "muted", "gathered": chosen == "gathered"}
        with transaction.atomic():
            GamePreference.objects.update_or_create(user=user, game=game, defaults=flags)
            replanning.replan(user)
        messages.success(request, _("Your settings are saved."))
        return redirect("table", game=game)
    context = {"form": form, "game": game, "name": game_name(sight.table["rules"])}
    return render(request, "notifications/game.html", context)


# --- addresses that bounce --------------------------------------------------------------------------------------------


@login_required
@require_POST
def ask_address(request: HttpRequest) -> HttpResponse:
    """Send a mail that shows whether the address works again."""
    user = _me(request)
    if bounces.of(user) is not None:
        bounces.ask_again(user)
        messages.success(request, _("A mail is on its way. Follow its link if it arrives."))
    return redirect("message-settings")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def address_works(request: HttpRequest, token: str) -> HttpResponse:
    """A POST says that the mail with this link arrived; a GET only asks, since mail scanners follow every link."""
    found = bounces.mended(token)
    if found is None:
        raise Http404
    if request.method == "POST":
        bounces.forget(*found)
    return render(request, "notifications/address_works.html", {"address": found[1], "done": request.method == "POST"})


# --- for browsers and operators ---------------------------------------------------------------------------------------


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """The script that shows pushes: at the root, since it may act for what lies beside and below it alone."""
    path = finders.find("games/sw.js")
    assert isinstance(path, str)
    with open(path, "rb") as file:  # noqa: PTH123 - the finder gives a text
        response = HttpResponse(file.read(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@never_cache
@login_required
@require_safe
def operator(request: HttpRequest) -> HttpResponse:
    """How the outbox stands, for those who run the site; nobody else learns that there is such a page."""
    if not _me(request).is_staff:
        raise Http404
    health = watching.health()
    closed = [
        (
            Message.State(state).label,
            _("Push") if channel == Message.Channel.PUSH else Message.Channel(channel).label,
            count,
        )
        for state, channel, count in health.counts
    ]
    seconds = round(health.age)
    short = ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds}
    context = {"health": health, "closed": closed, "age": short if seconds < 60 else duration(seconds * 1_000_000)}
    return render(request, "notifications/operator.html", context)


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Whether the database answers, and how late the outbox is: 200, or 503 with the reason."""
    try:
        connection.ensure_connection()
        age = watching.oldest_due_age()
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it isn't ready
        return JsonResponse({"ready": False, "reason": "the database does not answer"}, status=503)
    return JsonResponse({"ready": True, "oldest_due_seconds": round(age, 1)})
