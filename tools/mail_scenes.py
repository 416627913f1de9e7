"""Games that bring about every kind of mail: played by the services, sent by the sender, on a clock that is moved on.

Needs Django set up on a database of its own, with mails kept by the ``locmem`` backend. See ``tools/mail_pictures.py``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from allauth.account.adapter import get_adapter
from django.core import mail
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import translation

from accounts import vacation
from accounts.models import User
from config import clock
from games import agreeing, learning, outages, services, sweeping, talking
from games.engine.contract import Move
from games.selectors import access_to, load_table
from games.table.commands import Terms
from games.table.events import OpenerSeat
from games.table.state import Table
from games.table.terms import DAY, HOUR, ClockTerms, PerMove
from games.table.undo import CannotUndo
from notifications import outbox, sender, wishes
from notifications.headers import message_id
from notifications.kinds import Channel, Topic
from notifications.models import Message, Preferences
from notifications.render import FEW

#: A Monday, so that no weekend lies between a move and its deadline.
MORNING = datetime(2027, 3, 1, 8, 30, tzinfo=UTC)
THREE_DAYS = ClockTerms(PerMove(3 * DAY)).to_json()
SEATS: tuple[OpenerSeat, ...] = ("first", "second")
GAMES = ("ariadne", "kathmandu", "conquian")
NAMES = {"en": ("Mina", "Jonas", "Bartholomew.of.the_Hills"), "ko": ("미나", "지훈", "달빛아래혼자걷는나그네")}
REMARKS = {
    "en": ("Well played! I didn't see that one coming.", "Sorry for the wait,\nthe train had no net: <b>back</b> now."),
    "ko": ("좋은 수네요! 전혀 예상하지 못했어요.", "늦어서 죄송해요.\n기차에서 인터넷이 안 됐어요. 이제 <돌아왔어요>."),
}
ZONES = {"en": "Europe/Berlin", "ko": "Asia/Seoul"}


@dataclass(frozen=True, slots=True)
class Taken:
    """A mail that was sent, by a name for its files, and the kinds of the news that it tells."""

    name: str
    kinds: tuple[str, ...]
    mail: EmailMessage


@dataclass(frozen=True, slots=True)
class Stage:
    """Who plays and reads, the clock, and the mails that are kept."""

    clock: clock.FrozenClock
    reader: User
    other: User
    third: User
    rng: random.Random = field(default_factory=lambda: random.Random(7))
    taken: list[Taken] = field(default_factory=list)

    def begin(self, slug: str = "ariadne", seat: OpenerSeat = "first") -> Table:
        """A game of three days a move that the reader opened, to sit there, and the other sat down to."""
        terms = Terms(slug, opener_seat=seat, quick_pass=False, clock=THREE_DAYS)
        opened = services.open_game(self.reader, terms).table
        return services.sit_down(self.other, opened.id).table

    def begin_anywhere(self, slug: str) -> Table:
        """As :meth:`begin`, with the news of that told already."""
        table = self.begin(slug, self.rng.choice(SEATS))
        self.skip()
        return table

    def play(self, table: Table, until: Callable[[Table], bool]) -> Table:
        """Play by chance until that holds, or the game is over."""
        by_place = {access_to(user, table.id).place: user for user in (self.reader, self.other)}
        while table.status == "running" and not until(table):
            seat = table.awaited_seat
            assert seat is not None
            self.clock.advance(minutes=self.rng.randint(1, 40))
            moves = table.rules.legal_moves(table.state)
            user = by_place[table.place_of(seat)]
            table = services.play(user, table.id, self.choose(moves), step=table.step).table
        return table

    def choose(self, moves: Sequence[Move]) -> Move:
        return self.rng.choice([move for move in moves if move["type"] != "pass"] or moves)

    def awaits_reader(self, table: Table) -> bool:
        seat = table.awaited_seat
        return seat is not None and access_to(self.reader, table.id).place == table.place_of(seat)

    def skip(self) -> None:
        """Send what is due so far, and look at none of it."""
        self.clock.advance(minutes=5)
        sender.send_due()
        mail.outbox.clear()

    def take(self, name: str) -> None:
        """Send what is due, and keep the mails to the reader under this name. Raises LookupError if there is none."""
        if not self._send(name):
            raise LookupError(f"no mail to take for {name}")

    def take_of(self, name: str, play: Callable[[], object]) -> None:
        """As :meth:`take`, after as many games as it takes: nobody is mailed what came of a move of their own."""
        for _ in range(20):
            play()
            if self._send(name):
                return
        raise LookupError(f"no mail came for {name}")

    def _send(self, name: str) -> bool:
        self.clock.advance(minutes=5)
        sender.send_due()
        kinds = _kinds_of(self.reader)
        found = [one for one in mail.outbox if one.to == [self.reader.email]]
        mail.outbox.clear()
        for number, one in enumerate(found):
            suffix = f"-{number + 1}" if number else ""
            self.taken.append(Taken(name + suffix, kinds[one.extra_headers["Message-ID"]], one))
        return bool(found)


def _kinds_of(user: User) -> dict[str, tuple[str, ...]]:
    """The kinds of news in each mail that was sent to somebody, by its Message-ID."""
    found: dict[str, tuple[str, ...]] = {}
    for row in Message.objects.filter(user=user, state=Message.State.SENT, channel=Channel.MAIL).order_by("pk"):
        sent_as = message_id(row.bundle or row.key)
        found[sent_as] = (*found.get(sent_as, ()), row.kind)
    return found


@contextmanager
def stage(language: str) -> Iterator[Stage]:
    """Three people who read that language and want every kind of mail; gone afterwards, with all that they did."""
    mail.outbox = []
    with clock.frozen(MORNING) as stopped, transaction.atomic():
        reader, other, third = (_person(name, number, language) for number, name in enumerate(NAMES[language]))
        yield Stage(stopped, reader, other, third)
        transaction.set_rollback(True)


def _person(name: str, number: int, language: str) -> User:
    user = User.objects.create_user(name, f"player{number}@example.org", language=language, time_zone=ZONES[language])
    for topic in Topic.values:
        wishes.switch(user, topic, Channel.MAIL, on=True)
    return user


# --- turns ------------------------------------------------------------------------------------------------------------


def first_turn(on: Stage) -> None:
    for slug in GAMES:
        for seat in SEATS:
            if on.awaits_reader(on.begin(slug, seat)):
                on.take(f"first-turn-{slug}")
            else:
                on.skip()


def turn(on: Stage) -> None:
    for slug in GAMES:
        table = on.play(on.begin(slug), lambda table: table.step > 14 and not on.awaits_reader(table))
        on.skip()
        on.play(table, on.awaits_reader)
        on.take(f"turn-{slug}")


def turn_with_few_ways(on: Stage) -> None:
    def few(table: Table) -> bool:
        return on.awaits_reader(table) and 1 < len(table.rules.legal_moves(table.state)) <= FEW

    for slug in ("ariadne", "conquian"):
        while not few(on.play(on.begin(slug), lambda table: table.step > 12 and few(table))):
            on.skip()  # this game ended without
        on.take(f"turn-few-{slug}")


def turn_after_many_moves(on: Stage) -> None:
    """The widest table, the longest hand, the longest name."""
    on = replace(on, other=on.third)
    for slug in ("ariadne", "kathmandu"):
        on.play(on.begin(slug), lambda table: table.step > 40 and on.awaits_reader(table))
        on.take(f"turn-late-{slug}")


def turn_in_a_new_round(on: Stage) -> None:
    for slug in ("ariadne", "kathmandu"):

        def new_round(slug: str = slug) -> None:
            on.play(on.begin_anywhere(slug), lambda table: table.rounds > 1 and on.awaits_reader(table))

        on.take_of(f"turn-round-{slug}", new_round)


def reminder(on: Stage) -> None:
    on.play(on.begin(), lambda table: table.step > 6 and on.awaits_reader(table))
    on.skip()
    on.clock.advance(hours=66)
    on.take("reminder")


# --- tables -----------------------------------------------------------------------------------------------------------


def invited(on: Stage) -> None:
    services.open_game(on.other, Terms("kathmandu", admits="invited", clock=THREE_DAYS), invite=[on.reader])
    on.take("challenged")
    services.open_game(on.other, Terms("conquian", admits="invited", clock=THREE_DAYS), invite=[on.reader, on.third])
    on.take("invited")


def began(on: Stage) -> None:
    table = services.open_game(on.reader, Terms("ariadne", opener_seat="second", clock=THREE_DAYS)).table
    services.sit_down(on.other, table.id)
    on.take("began")


def expiring(on: Stage) -> None:
    services.open_game(on.reader, Terms("conquian", clock=THREE_DAYS))
    on.clock.advance(days=28)
    sweeping.expire_open(clock.now_us())
    on.take("expiring")
    on.clock.advance(days=3)
    sweeping.expire_open(clock.now_us())
    on.take("expired")


# --- what is asked and agreed -----------------------------------------------------------------------------------------


def asked(on: Stage) -> None:
    table = on.play(on.begin("kathmandu"), lambda table: table.step > 8 and on.awaits_reader(table))
    on.skip()
    agreeing.offer_draw(on.other, table.id)
    on.take("draw-offered")
    _ask_undo(on, table)
    on.take("undo-asked")
    agreeing.ask_pause(on.other, table.id)
    on.take("pause-asked")
    agreeing.answer_pause(on.reader, table.id, granted=True)
    on.skip()
    agreeing.resume(on.other, table.id)
    on.take("resumed")
    agreeing.ask_pause(on.reader, table.id)
    agreeing.answer_pause(on.other, table.id, granted=True)
    on.take("paused")
    agreeing.resume(on.reader, table.id)
    agreeing.give_time(on.other, table.id, 26 * HOUR)
    on.take("given-time")


def _ask_undo(on: Stage, table: Table) -> None:
    """The other asks to take a move back, as soon as there is one after which no hidden card was seen."""
    while True:
        try:
            services.ask_undo(on.other, table.id)
        except CannotUndo:
            table = on.play(table, _later(on, table.step + 1))
            on.skip()
        else:
            return


def _later(on: Stage, step: int) -> Callable[[Table], bool]:
    return lambda table: table.step > step and on.awaits_reader(table)


def said(on: Stage) -> None:
    table = on.play(on.begin("kathmandu"), lambda table: table.step > 4 and not on.awaits_reader(table))
    on.skip()
    for remark in REMARKS[on.reader.language]:
        talking.say(on.other, table.id, remark)
    on.take("said")


# --- ends -------------------------------------------------------------------------------------------------------------


def ended(on: Stage) -> None:
    on.take_of("ended", lambda: on.play(on.begin_anywhere("conquian"), lambda _table: False))


def ended_early(on: Stage) -> None:
    services.resign(on.other, on.play(on.begin(), lambda table: table.step > 6).id)
    on.take("ended-resigned")
    table = on.play(on.begin("kathmandu"), lambda table: table.step > 6)
    on.skip()
    agreeing.offer_draw(on.reader, table.id)
    agreeing.answer_draw(on.other, table.id, accepted=True)
    on.take("ended-drawn")
    agreeing.abort(on.other, on.begin("conquian").id)
    on.take("ended-called-off")


def ended_by_time(on: Stage) -> None:
    def moved(table: Table) -> bool:
        return table.step > 6

    _overdue(on, on.play(on.begin(), lambda table: moved(table) and on.awaits_reader(table)), "ended-time-lost")
    _overdue(on, on.play(on.begin(), lambda table: moved(table) and not on.awaits_reader(table)), "ended-time-won")
    _overdue(on, on.begin("conquian", "second"), "ended-nobody-moved")


def _overdue(on: Stage, table: Table, name: str) -> None:
    """Take the mail of a game whose time runs out."""
    on.skip()
    on.clock.advance(hours=71)
    on.skip()
    on.clock.advance(hours=2)
    sweeping.end_overdue(clock.now_us())
    assert load_table(access_to(on.reader, table.id)).status == "ended"
    on.take(name)


# --- time off ---------------------------------------------------------------------------------------------------------


def away(on: Stage) -> None:
    on.play(on.begin("kathmandu"), lambda table: table.step > 6 and on.awaits_reader(table))
    on.skip()
    planned = vacation.plan(on.other, clock.now_us() + 2 * DAY, clock.now_us() + 9 * DAY)
    on.take("away-soon")
    vacation.call_off(on.other, planned.pk)
    on.take("away-off")
    vacation.begin(on.other, until=clock.now_us() + 5 * DAY)
    _learn()
    on.take("away")
    vacation.end(on.other)
    _learn()
    on.take("back")


def own_vacation(on: Stage) -> None:
    vacation.begin(on.reader, until=clock.now_us() + 5 * DAY)
    on.clock.advance(days=4, hours=1)
    outbox.announce_vacation_ends(clock.now_us())
    on.take("away-ends")
    on.clock.advance(days=3)
    _learn()
    User.objects.filter(pk=on.reader.pk).update(auto_vacation=True)
    on.play(on.begin(), lambda table: table.step > 4 and on.awaits_reader(table))
    on.skip()
    on.clock.advance(days=3)
    sweeping.end_overdue(clock.now_us())
    _learn()
    on.take("away-by-itself")


def _learn() -> None:
    vacation.tell_due(clock.now_us())
    learning.learn_all(sweeping.MOST)


def outage(on: Stage) -> None:
    on.play(on.begin("conquian"), lambda table: table.step > 6 and on.awaits_reader(table))
    on.skip()
    outages.beat(clock.now_us())
    on.clock.advance(hours=30)
    outages.beat(clock.now_us())
    outages.credit_all(clock.now_us(), sweeping.MOST)
    on.take("outage")


# --- several in one ---------------------------------------------------------------------------------------------------


def gathered(on: Stage) -> None:
    Preferences.objects.filter(user=on.reader).update(delivery=Preferences.Delivery.DAILY)
    for slug in GAMES:
        on.play(on.begin(slug), lambda table: table.step > 6 and on.awaits_reader(table))
    services.resign(on.other, on.play(on.begin(), lambda table: table.step > 4).id)
    services.open_game(on.other, Terms("conquian", admits="invited"), invite=[on.reader])
    on.clock.advance(days=1)
    on.take("digest")


def several(on: Stage) -> None:
    table = on.play(on.begin(), lambda table: table.step > 4 and not on.awaits_reader(table))
    on.skip()
    on.play(table, on.awaits_reader)
    agreeing.offer_draw(on.other, table.id)
    agreeing.give_time(on.other, table.id, DAY)
    on.take("several")


# --- accounts ---------------------------------------------------------------------------------------------------------

_LINK = "https://clew.example/accounts/confirm-email/MQ:1w8Yb2:tCo0v5mA3qhJmJmZr4yQ0kqkFvQWc1Zs3u7Zk9QhN2o/"


def account(on: Stage) -> None:
    """All mails about accounts, as allauth asks for them."""
    context = {
        "user": on.reader,
        "activate_url": _LINK,
        "password_reset_url": _LINK.replace("confirm-email", "password/reset/key"),
        "from_email": "mina.before@example.org",
        "to_email": on.reader.email,
    }
    adapter = get_adapter()
    with translation.override(on.reader.language):
        for prefix in ACCOUNT_MAILS:
            adapter.send_mail(prefix, str(on.reader.email), context)
            on.take("account-" + prefix.rsplit("/", 1)[1].replace("_", "-"))


ACCOUNT_MAILS = (
    "account/email/email_confirmation_signup",
    "account/email/email_confirmation",
    "account/email/password_reset_key",
    "account/email/account_already_exists",
    "account/email/unknown_account",
    "account/email/password_changed",
    "account/email/email_changed",
    "mfa/email/totp_activated",
    "mfa/email/totp_deactivated",
    "mfa/email/recovery_codes_generated",
)
type Scene = Callable[[Stage], None]

#: Scenes of a few moves, which bring about every kind of mail.
SHORT: tuple[Scene, ...] = (
    first_turn,
    turn,
    reminder,
    invited,
    began,
    expiring,
    asked,
    said,
    ended_early,
    ended_by_time,
    away,
    own_vacation,
    outage,
    gathered,
    several,
    account,
)
#: Scenes that play whole rounds, for mails that are drawn otherwise then.
LONG: tuple[Scene, ...] = (turn_with_few_ways, turn_after_many_moves, turn_in_a_new_round, ended)


def played(language: str, scenes: Sequence[Scene] = SHORT + LONG) -> list[Taken]:
    """The mails of these scenes to a reader of this language."""
    found: list[Taken] = []
    for scene in scenes:
        with stage(language) as on:
            scene(on)
            found += on.taken
    return found
