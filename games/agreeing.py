"""What two players agree on, and what one does about time. As in :mod:`games.services`, with who acts and a command id.

``step`` is the step that the player saw (None: whatever it is now). Every function raises
:class:`~games.selectors.NoSuchGame` or Refusal.
"""

from __future__ import annotations

from accounts.models import User
from config import clock
from games.acting import TRIES, Done, TooBusy, act, append_decided, command_key, reached
from games.selectors import NoSuchGame, access_to
from games.store.thread import VersionConflict, load
from games.table.commands import (
    Abort,
    AnswerDraw,
    AnswerPause,
    AskPause,
    GiveTime,
    OfferDraw,
    Resume,
    Withdraw,
)
from games.table.decider import check_step


def offer_draw(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Offer a draw; where the other has offered one, take it."""
    return act(user, game_id, OfferDraw, command, step=step)


def answer_draw(
    user: User, game_id: str, *, accepted: bool, step: int | None = None, command: str | None = None
) -> Done:
    """Take or decline the draw that the other player offers."""
    return act(user, game_id, lambda seat: AnswerDraw(seat, accepted), command, step=step)


def abort(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Call the game off before its second move."""
    return act(user, game_id, Abort, command, step=step)


def ask_pause(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Ask to stop the clocks; where the other has asked, stop them."""
    return act(user, game_id, AskPause, command, step=step)


def answer_pause(
    user: User, game_id: str, *, granted: bool, step: int | None = None, command: str | None = None
) -> Done:
    """Grant or decline the pause that the other player asks for."""
    return act(user, game_id, lambda seat: AnswerPause(seat, granted), command, step=step)


def resume(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """End the pause."""
    return act(user, game_id, Resume, command, step=step)


def give_time(user: User, game_id: str, us: int, *, step: int | None = None, command: str | None = None) -> Done:
    """Give the opponent so much time (microseconds, whole minutes)."""
    return act(user, game_id, lambda seat: GiveTime(seat, us), command, step=step)


def withdraw(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Take away a table of one's own that nobody has joined."""
    received = clock.now_us()
    access = access_to(user, game_id)
    if access.seated_place() != 0:
        raise NoSuchGame(game_id)
    key = command_key(0, command)
    for _ in range(TRIES):
        thread = load(access.game_id)
        if key is not None and key in thread.commands:
            return Done(reached(thread, key), 0)
        if thread.table.status == "open":
            check_step(thread.table, step)
        try:
            return Done(append_decided(thread, Withdraw(), received=received, actor=0, command=command), 0)
        except VersionConflict:
            continue
    raise TooBusy(game_id)
