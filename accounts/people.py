"""What is done with accounts: made, lent a name until they are confirmed, found by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import ProtectedError
from django.http import HttpRequest

from accounts.models import User, name_key
from config import clock
from games import learning
from notifications import replanning


def normal_name(name: str) -> str:
    """A name as it is stored: composed, so that Hangul typed in pieces is the same name."""
    return unicodedata.normalize("NFC", name.strip())


def stored_name(name: str) -> str | None:
    """How the person writes themselves whom somebody called ``name``, whatever its case and width."""
    return User.objects.filter(name_key=name_key(name)).values_list("name", flat=True).first()


def is_name_taken(name: str) -> bool:
    """Whether anybody has this name or one that only looks different."""
    return User.objects.filter(name_key=name_key(name)).exists()


@transaction.atomic
def add_person(name: str, email: str, password: str, **extra: Any) -> User:
    """An account that can log in at once, its address taken for confirmed: for demonstrations and tests."""
    user = User.objects.create_user(name, email, password, **extra)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def add_decoy(form: Any, request: HttpRequest) -> User:
    """An account with the name and the password of a sign-up whose address has an account already, and no address."""
    adapter = get_adapter()
    user: User = adapter.new_user(request)
    user = adapter.save_user(request, user, form, commit=False)
    user.email = None
    user.save()
    return user


def forget_unconfirmed() -> None:
    """Give back the names and addresses of sign-ups that were not confirmed in time."""
    lent_until = clock.now() - timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
    for user in User.objects.filter(pending_since__lt=lent_until):
        try:
            with transaction.atomic():
                user.delete()
        except ProtectedError:  # seated at a table all the same: the game keeps its people
            continue


def who_may_come_in(user_ids: Iterable[int]) -> set[int]:
    """Those of these people whose accounts are open."""
    return set(User.objects.filter(pk__in=list(user_ids), is_active=True).values_list("pk", flat=True))


def confirm(user: User, address: EmailAddress) -> None:
    """Whoever proves that an address is theirs keeps it: sign-ups by others that only claimed it lose it."""
    EmailAddress.objects.filter(email=address.email, verified=False).exclude(user=user).delete()
    has_it = EmailAddress.objects.filter(email=address.email, verified=True).values("user")
    User.objects.filter(email=address.email).exclude(pk=user.pk).exclude(pk__in=has_it).update(email=None)
    User.objects.filter(pk=user.pk).update(pending_since=None)
    user.pending_since = None


@transaction.atomic
def keep_settings(user: User, changed: Collection[str]) -> None:
    """Save what somebody changed about themselves (fields by name), and see to what follows from it."""
    fields = {field.name for field in User._meta.concrete_fields} & set(changed)
    user.save(update_fields={*fields, "name_key"})
    if "time_zone" in changed:
        learning.zone_changed(user)
    replanning.replan(user)
