"""Tickets: what opens a stream, signed by the site and of use for a minute.

A ticket names what may be heard: one game, or all the games of a person. Whether they may was looked at when it was
made; a stream lasts for a limited time, and its next one needs a ticket that is made anew. It names the token, too, by
which it was got: the stream ends with the token, or with the account.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core import signing

from config import clock

#: Seconds within which a ticket has to be shown.
LASTS: Final = 60
_SALT: Final = "clew.streams.ticket"


class BadTicket(Exception):
    """Not a ticket of this site, or one whose time is over."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """``game``: the id of the one game it is for, None for all of the person's. ``user``: whose it is, None: nobody's.

    ``expires``: microseconds since the epoch. ``hears_talk``: whether they sit there, and so hear of the table talk.
    ``token``: the id of the token that was shown for it, None where it was a session or nothing.
    """

    game: str | None
    user: int | None
    hears_talk: bool
    expires: int
    token: int | None = None

    def signed(self) -> str:
        """As it stands in an address."""
        return signing.dumps([self.game, self.user, self.hears_talk, self.expires, self.token], salt=_SALT)


def ticket_for_game(game_id: str, user_id: int | None, *, sits: bool, token: int | None = None) -> Ticket:
    """For one game, to somebody (None: nobody we know) who was found to be allowed to look at it, or to sit there."""
    return Ticket(game_id, user_id, sits, _end(), token)


def ticket_for_person(user_id: int, *, token: int | None = None) -> Ticket:
    """For all games at which a person sits."""
    return Ticket(None, user_id, True, _end(), token)


def read(signed: str) -> Ticket:
    """The ticket that was signed. Raises :class:`BadTicket`."""
    try:
        game, user, hears_talk, expires, token = signing.loads(signed, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise BadTicket(signed) from None
    if expires <= clock.now_us():
        raise BadTicket(signed)
    return Ticket(game, user, hears_talk, expires, token)


def _end() -> int:
    return clock.now_us() + LASTS * 1_000_000
