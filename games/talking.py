"""Table talk: the one way in for what players say to each other, and for whether they want to hear it.

What is said is text of theirs: kept as rows of its own, shown to who sits at the table and nobody else, never trusted.
Every function raises :class:`~games.selectors.NoSuchGame` for who doesn't sit there, and at a patience's table.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from django.db import IntegrityError, transaction

from accounts.models import User
from config import clock
from config.streams import publisher
from games.acting import TRIES, TooBusy
from games.engine.contract import gettext_noop
from games.hearing import seat_of
from games.store.models import Remark, Seat
from games.table.commands import Refused
from games.table.terms import MINUTE
from notifications import remarks

#: Characters that a remark has at most.
LONGEST: Final = 1000
#: So many remarks one player may make at a table within so long (microseconds).
MOST, WITHIN = 20, 10 * MINUTE

#: What lets a text be shown in another order than it is written in, and what is there to be seen by no one: embeddings,
#: overrides and isolates (Unicode's annex 9), blank format characters, tags, annotations.
_UNSEEN: Final = re.compile("[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
#: Letters by Unicode's book that nobody can see: the fillers of Hangul, and the empty Braille pattern.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_BREAK: Final = re.compile("\r\n|[\r\u0085\u2028\u2029\v\f]")


def say(user: User, game_id: str, text: str, *, command: str | None = None) -> Remark:
    """Say something at a table of one's own; the remark as it is kept (see :func:`clean`).

    The same command id again has no second effect and gives the first remark. Raises Refusal: ``nobody_there``,
    ``empty``, ``too_long``, ``too_much``, ``bad_command_id``.
    """
    seat = seat_of(user, game_id)
    if command is not None and not (0 < len(command) <= 100 and command.isprintable()):
        raise Refused("bad_command_id", gettext_noop("A command id has 1 to 100 printable characters."))
    for _ in range(TRIES):
        done = None if command is None else _made_by(seat, command)
        if done is not None:
            return done
        if seat.game.taken < 2:
            raise Refused("nobody_there", gettext_noop("Nobody else sits at this table."))
        cleaned = clean(text)
        try:
            return _write(seat, cleaned, command)
        except IntegrityError:
            continue  # somebody said something in between, or this very thing is being said twice
    raise TooBusy(game_id)


def _made_by(seat: Seat, command: str) -> Remark | None:
    return Remark.objects.filter(game=seat.game_id, user=seat.user_id, command=command).first()


def _write(seat: Seat, text: str, command: str | None) -> Remark:
    """Write the remark and promise to tell the others, in one transaction. Raises Refusal or IntegrityError."""
    now = clock.now_us()
    last = Remark.objects.filter(game=seat.game_id).order_by("-number").first()
    _check_pace(seat, now)
    with transaction.atomic():
        remark = Remark.objects.create(
            game=seat.game_id,
            number=1 if last is None else last.number + 1,
            place=seat.place,
            user_id=seat.user_id,
            text=text,
            at=now if last is None else max(now, last.at),
            command=command,
        )
        remarks.announce(remark)
        publisher.talked(seat.game_id, remark.number)
    return remark


def _check_pace(seat: Seat, now: int) -> None:
    """Refuse who has said too much lately. Whoever is told to wait can say something again after that time."""
    theirs = Remark.objects.filter(game=seat.game_id, user=seat.user_id).order_by("-number")
    first = theirs.values_list("at", flat=True)[MOST - 1 : MOST].first()
    if first is not None and first > now - WITHIN:
        wait = -(-(first + WITHIN - now) // MINUTE)
        raise Refused(
            "too_much", gettext_noop("You have said a lot here just now. Minutes to wait: %(minutes)s."), minutes=wait
        )


def clean(text: str) -> str:
    """The text as it is kept: composed, lines ended by ``\\n`` alone and at most one of them empty in a row.

    Without control characters, and without what changes the order in which a text is shown. Raises Refusal: ``empty``
    where nobody could see anything of it, ``too_long`` past :data:`LONGEST` characters.
    """
    if len(text) > 20 * LONGEST:
        raise _too_long()  # not worth a closer look
    text = _UNSEEN.sub("", _BREAK.sub("\n", text)).replace("\t", " ")
    text = "".join(char for char in text if char == "\n" or unicodedata.category(char) not in ("Cc", "Cs"))
    lines = [line.rstrip() for line in unicodedata.normalize("NFC", text).split("\n")]
    text = re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()
    if not any(_is_seen(char) for char in text):
        raise Refused("empty", gettext_noop("There is nothing to be read in this."))
    if len(text) > LONGEST:
        raise _too_long()
    return text


def _too_long() -> Refused:
    return Refused("too_long", gettext_noop("A message has at most %(count)s characters."), count=LONGEST)


def _is_seen(char: str) -> bool:
    return char not in _BLANK and unicodedata.category(char)[0] in "LNPS"


# --- hearing it, or not -----------------------------------------------------------------------------------------------


def mark_heard(user: User, game_id: str, number: int) -> None:
    """The player has seen the talk up to the remark of this number; nothing where they had already."""
    seat = seat_of(user, game_id)
    last = Remark.objects.filter(game=seat.game_id, number__lte=number).order_by("-number").first()
    if last is not None and last.number > seat.talk_heard:
        Seat.objects.filter(pk=seat.pk, talk_heard__lt=last.number).update(talk_heard=last.number)


def set_quiet(user: User, game_id: str, *, quiet: bool) -> None:
    """Hide the talk at a table from the player and tell them nothing of it, or have it again."""
    seat = seat_of(user, game_id)
    Seat.objects.filter(pk=seat.pk).update(talk_quiet=quiet)
