"""People."""

from __future__ import annotations

import re
import string
import unicodedata
import zoneinfo
from collections.abc import Collection
from typing import Any, ClassVar

from django.apps import apps
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts.zones import is_zone
from config.streams import publisher

NAME = re.compile(r"[^\W_](?:[\w.\-]*[^\W_])?")

#: Letters by Unicode's book that nobody can see: the fillers of Hangul.
_BLANK = re.compile("[\u115f\u1160\u3164\uffa0]")
#: Alphabets that people write side by side and nobody takes for each other. Others aren't mixed, so that a Cyrillic
#: letter can't make somebody's name look like another's (Unicode Technical Standard 39, 5.2: highly restrictive).
_WRITTEN_TOGETHER = {"LATIN", "HANGUL", "CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC"}
#: What Unicode's name of a letter or digit begins with: its alphabet. Arabic has two rows of digits.
_ALPHABET = re.compile(r"(?:EXTENDED )?(\w+)")
#: Letters of phonetic alphabets are called Latin, and some look just like a letter that everybody writes.
_PHONETIC = re.compile("[\u01c0-\u01c3\u0251\u0261\u0269\u1d00-\u1dbf]")
#: Characters of a folded name. A single ligature may stand for 18.
_KEY_LENGTH = 96


def name_key(name: str) -> str:
    """What makes two names the same: compatibility forms and case don't tell names apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def validate_name(name: str) -> None:
    """A player's name: letters and digits of any script, with ``_ . -`` inside. Raises ValidationError."""
    if not NAME.fullmatch(name) or unicodedata.normalize("NFC", name) != name or _BLANK.search(name):
        raise ValidationError(
            _("A name is made of letters and digits, with dots, hyphens or underscores only inside it."),
            code="invalid_name",
        )
    MaxLengthValidator(_KEY_LENGTH)(name_key(name))
    if len(alphabets := _alphabets(name)) > 1 and not alphabets <= _WRITTEN_TOGETHER:
        raise ValidationError(
            _("A name keeps to one alphabet. Latin may go with Korean, Japanese and Chinese."), code="mixed_name"
        )


def _alphabets(text: str) -> set[str]:
    """The alphabets of the letters as Unicode calls them, such as LATIN; compatibility forms as what they mean.

    Digits have alphabets, too (a Bengali zero looks like an o), but for 0 to 9, which go with every other.
    """
    signs = {sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum() and sign not in string.digits}
    return {"PHONETIC" if _PHONETIC.match(sign) else _alphabet(sign) for sign in signs}


def _alphabet(sign: str) -> str:
    found = _ALPHABET.match(unicodedata.name(sign, ""))
    return found[1] if found else ""


def validate_time_zone(name: str) -> None:
    """A name out of the IANA time zone database. Raises ValidationError."""
    if not is_zone(name):
        raise ValidationError(_("There is no time zone of this name."), code="invalid_time_zone")


class UserManager(BaseUserManager["User"]):
    """Makes and finds users by their public name."""

    def create_user(self, name: str, email: str | None = None, password: str | None = None, **extra: Any) -> User:
        user = self.model(name=name, email=email, **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    @transaction.atomic
    def create_superuser(self, name: str, email: str | None = None, password: str | None = None, **extra: Any) -> User:
        """Whoever may do this on the server is believed about the address: they log in before mail works."""
        email = (email or "").lower() or None
        user = self.create_user(name, email, password, is_staff=True, is_superuser=True, **extra)
        if email:
            addresses = apps.get_model("account", "EmailAddress").objects
            addresses.create(user=user, email=email, verified=True, primary=True)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(name_key=name_key(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """A person, a guest who hasn't signed up yet, or a bot. ``name`` is public, the mail address never is."""

    class Language(models.TextChoices):
        ENGLISH = "en", "English"
        KOREAN = "ko", "한국어"

    name = models.CharField(
        _("name"),
        max_length=24,
        unique=True,
        validators=[validate_name],
        help_text=_("Other players see this name: up to 24 letters and digits, without spaces."),
    )
    #: The folded name, which is unique.
    name_key = models.CharField(max_length=_KEY_LENGTH, unique=True, editable=False)
    email = models.EmailField(_("mail address"), unique=True, null=True, blank=True)
    is_guest = models.BooleanField(default=False, editable=False)
    #: A program that plays: without a mail address or a password, by tokens alone. Said wherever its name stands.
    is_bot = models.BooleanField(default=False, editable=False)
    #: Whose bot it is; of a person none.
    owner = models.ForeignKey("self", on_delete=models.CASCADE, null=True, editable=False, related_name="bots")
    language = models.CharField(_("language"), max_length=8, choices=Language.choices, default=Language.ENGLISH)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    turn_mails = models.BooleanField(_("Mail me when it is my turn"), default=True)
    auto_vacation = models.BooleanField(
        _("Spend vacation by itself"),
        default=False,
        help_text=_("A day at a time, when my time would run out."),
    )
    #: When they signed up, until they confirm their mail address: so long the name is only lent.
    pending_since = models.DateTimeField(null=True, editable=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(is_bot=True) | models.Q(owner__isnull=True), name="only_bots_have_owners"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """A name that was good when it was taken stays so: only another one has to keep today's rules."""
        kept = ["name"] if User.objects.filter(pk=self.pk, name=self.name).exists() else []
        super().clean_fields({*(exclude or ()), *kept})

    def clean(self) -> None:
        super().clean()
        taken = User.objects.filter(name_key=name_key(self.name)).exclude(pk=self.pk)
        if taken.exists():
            raise ValidationError({"name": ValidationError(_("This name is taken."), code="unique")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded name true, and a missing mail address null: empty strings would collide.

        Whose account is closed hears no more, nor do their bots.
        """
        self.name_key = name_key(self.name)
        self.email = self.email.strip().lower() or None if self.email else None
        super().save(*args, **kwargs)
        if not self.is_active:
            publisher.shut_out(users=[self.pk, *self.bots.values_list("pk", flat=True)])

    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.time_zone)


class Vacation(models.Model):
    """Time off, from ``begins_at`` until before ``ends_at``: past, present or planned. Microseconds since the epoch.

    Of nobody do two overlap. This row is the decision; each game learns it by an event of its own.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations")
    begins_at = models.BigIntegerField()
    #: When they said they would be back, or the year's allowance will be used up; in the end, when they were back.
    ends_at = models.BigIntegerField()
    #: Whether its player named the end. Else it lasts until they are back.
    until_named = models.BooleanField(default=False)
    #: Begun by itself because their time was running out.
    automatic = models.BooleanField(default=False)
    #: Whether the games have been told that it began, and that it ended.
    begun = models.BooleanField(default=False)
    ended = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["begins_at"], condition=models.Q(begun=False), name="vacation_to_begin"),
            models.Index(fields=["ends_at"], condition=models.Q(ended=False), name="vacation_to_end"),
        ]

    def __str__(self) -> str:
        return f"vacation of {self.user_id} from {self.begins_at} to {self.ends_at}"

    @property
    def lasts_until_back(self) -> bool:
        """Whether it goes on until its player is back, or the allowance is used up."""
        return not (self.until_named or self.automatic or self.ended)


#: What the site calls tokens that nobody gave a name: stored as here, and read in the reader's language.
FIRST_TOKEN, ANY_TOKEN = SITES_LABELS = (gettext_noop("First token"), gettext_noop("Token"))


class Token(models.Model):
    """What a program shows to act for its user: of the secret only the hash is kept. Revoking is deleting the row."""

    class Scope(models.TextChoices):
        READ = "read", "Read"
        PLAY = "play", "Play"
        BOT = "bot", "Manage bots"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    #: As its maker called it, or one of :data:`SITES_LABELS`.
    label = models.CharField(max_length=60)
    #: The scopes' names in the order of :class:`Scope`, with a space between.
    scope_names = models.CharField(max_length=40)
    #: SHA-256 of the secret, in hexadecimal. The secret has 256 random bits: nothing slower is needed.
    secret_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    #: To the minute.
    used_at = models.DateTimeField(null=True)
    #: From when on it is refused; null: never.
    expires_at = models.DateTimeField(null=True)
    #: By whose command it was made, where that came with one: the same command makes no second token.
    command = models.CharField(max_length=100, null=True, unique=True)

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"

    @property
    def shown_label(self) -> str:
        """What it is called, to a reader of the active language."""
        return gettext(self.label) if self.label in SITES_LABELS else self.label

    @property
    def scopes(self) -> frozenset[str]:
        """What it allows: some of ``read``, ``play`` and ``bot``."""
        return frozenset(self.scope_names.split())
