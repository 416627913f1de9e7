"""Rows. Events are the truth; a head is what lists and sweeps look at, and can be made again from them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Event(models.Model):
    """One event of one game. Append-only: the database refuses UPDATE, DELETE and TRUNCATE (see the migrations)."""

    id = models.BigAutoField(primary_key=True)
    game = models.UUIDField()
    version = models.PositiveIntegerField()
    #: 0 for the first event of an append, then counted up: says where each append ended.
    batch = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=32)
    schema = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    payload = models.JSONField()
    #: Microseconds since the epoch, passed in by the service, never before the previous event's.
    at = models.BigIntegerField()
    recorded_at = models.DateTimeField(db_default=Now())
    #: On the first event of an append that a command led to.
    command = models.CharField(max_length=100, null=True)
    #: SHA-256 over the previous event's hash and the canonical JSON of this event.
    hash = models.BinaryField(max_length=32)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "version"], name="event_game_version"),
            models.UniqueConstraint(
                fields=["game", "command"], condition=models.Q(command__isnull=False), name="event_game_command"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} #{self.version} {self.type}"


class Head(models.Model):
    """Where a game stands: the fold of its events, as far as lists and sweeps need it. Never the truth."""

    game = models.UUIDField(primary_key=True)
    version = models.PositiveIntegerField()
    step = models.PositiveIntegerField()
    status = models.CharField(max_length=8)
    rules = models.CharField(max_length=32)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    admits = models.CharField(max_length=8)
    #: Whether the table's lone passes are made by themselves (see ``games.table.decider.Terms``).
    quick_pass = models.BooleanField(default=True)
    #: The terms of the clock (see ``games.table.terms``); null where no time is kept.
    clock = models.JSONField(null=True)
    seats = models.PositiveSmallIntegerField()
    taken = models.PositiveSmallIntegerField()
    #: ``seating[place]`` is that place's seat; empty until the game starts.
    seating = models.JSONField()
    awaits_seat = models.PositiveSmallIntegerField(null=True)
    awaits_place = models.PositiveSmallIntegerField(null=True)
    #: The version of the event since which that seat has been awaited, and the moment since which for its present move.
    awaited_since = models.PositiveIntegerField()
    awaited_at = models.BigIntegerField()
    opened_at = models.BigIntegerField()
    last_at = models.BigIntegerField()
    #: The first moment at which the awaited seat has run out of time; null where no time passes.
    deadline_at = models.BigIntegerField(null=True)
    #: The outcome once the game is over (see ``games.table.view.outcome``).
    result = models.JSONField(null=True)
    #: The last event's hash. Never leaves the server while the game runs.
    hash = models.BinaryField(max_length=32)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["opened_at"],
                condition=models.Q(status="open", admits__in=["anyone", "people"]),
                name="head_open_tables",
            ),
            models.Index(fields=["opened_at"], condition=models.Q(status="open"), name="head_waiting_tables"),
            models.Index(fields=["deadline_at"], condition=models.Q(deadline_at__isnull=False), name="head_deadlines"),
        ]

    def __str__(self) -> str:
        return f"{self.rules} {self.game} at version {self.version}"


class Seat(models.Model):
    """Who sits at which place of a game (0 the opener). Events name places; this says whose they are."""

    # No constraint in the database: heads can be thrown away and made again.
    game = models.ForeignKey(Head, on_delete=models.DO_NOTHING, db_constraint=False, related_name="sitters")
    place = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats")
    #: The number of the last remark of the table talk that they have seen.
    talk_heard = models.PositiveIntegerField(default=0)
    #: They want none of the talk at this table: it is hidden from them, and they are told nothing of it.
    talk_quiet = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "place"], name="seat_game_place"),
            models.UniqueConstraint(fields=["game", "user"], name="seat_game_user"),
        ]

    def __str__(self) -> str:
        return f"place {self.place} of {self.game_id}"


class Remark(models.Model):
    """Something that a player said at a table: a row of its own, as no event carries what people write.

    Stays with the game. ``number`` counts from 1 in each game, without gaps: who has seen one has seen those before it.
    """

    game = models.UUIDField()
    number = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="remarks")
    text = models.CharField(max_length=1000)
    #: Microseconds since the epoch, never before the previous remark's.
    at = models.BigIntegerField()
    command = models.CharField(max_length=100, null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="remark_game_number"),
            models.UniqueConstraint(
                fields=["game", "user", "command"],
                condition=models.Q(command__isnull=False),
                name="remark_game_user_command",
            ),
        ]

    def __str__(self) -> str:
        return f"remark {self.number} at {self.game}"


class Invitation(models.Model):
    """Who else may sit at a table: a player by name, or whoever holds the token of a link."""

    game = models.ForeignKey(Head, on_delete=models.DO_NOTHING, db_constraint=False, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=43, null=True, unique=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user"], name="invitation_game_user"),
            models.CheckConstraint(
                condition=models.Q(user__isnull=False, token__isnull=True)
                | models.Q(user__isnull=True, token__isnull=False),
                name="invitation_user_or_token",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.game_id}"


class GameSecret(models.Model):
    """The shuffle's secret: 32 random bytes that only a deal and a game's end read."""

    game = models.UUIDField(primary_key=True)
    secret = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"secret of {self.game}"


class Work(models.Model):
    """What a running game has yet to learn of one of its players: gone on vacation, back, moved to another zone.

    Written in the transaction of the account's decision; ``key`` is the command id that makes learning it idempotent.
    """

    class Kind(models.TextChoices):
        AWAY = "away", "gone on vacation"
        BACK = "back", "back from vacation"
        ZONE = "zone", "in another time zone"

    game = models.UUIDField()
    key = models.CharField(max_length=100)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=4, choices=Kind.choices)
    #: When it was so, in microseconds since the epoch.
    at = models.BigIntegerField()
    #: The IANA name, of a change of zone.
    zone = models.CharField(max_length=64, null=True)
    #: A vacation that began by itself because time was running out.
    automatic = models.BooleanField(default=False)
    done = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "key"], name="work_game_key")]
        indexes: ClassVar = [
            models.Index(fields=["game", "at"], condition=models.Q(done=False), name="work_of_game"),
            models.Index(fields=["at"], condition=models.Q(done=False), name="work_pending"),
        ]

    def __str__(self) -> str:
        return f"{self.key} for {self.game}"


class Heartbeat(models.Model):
    """One row: when the service last swept, in microseconds since the epoch. An old one means that it was down."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.BigIntegerField()

    def __str__(self) -> str:
        return f"alive at {self.at}"


class Outage(models.Model):
    """The service was down between two moments (microseconds since the epoch): running clocks are credited."""

    since = models.BigIntegerField(unique=True)
    until = models.BigIntegerField()
    #: How far the sweeps have come: every game up to this one has been credited, and then all.
    credited_upto = models.UUIDField(null=True)
    done = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"down from {self.since} to {self.until}"


class ExpiryWarning(models.Model):
    """The owner of an open table has been told that it will be taken away soon."""

    game = models.UUIDField(primary_key=True)

    def __str__(self) -> str:
        return f"warned of {self.game}"
