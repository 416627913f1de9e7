"""What every page knows of the reader's inbox."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from notifications.models import InboxItem


def unread(request: HttpRequest) -> dict[str, Any]:
    """``unread_count``: how much the reader has been told and not yet marked as read."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {"unread_count": 0}
    return {"unread_count": SimpleLazyObject(lambda: InboxItem.objects.filter(user=user, read_at__isnull=True).count())}
