"""What a message says, made from what its reader may see, at the time of sending."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from games import selectors
from games.engine.contract import Play
from games.store.models import Seat
from games.table.state import Table
from games.wording import sentence


@dataclass(frozen=True, slots=True)
class Rendered:
    """A message in its reader's language."""

    subject: str
    text: str


def turn(user: User, game_id: str, since: int) -> Rendered | None:
    """*Your turn* for ``user``, in the active language; None unless they are awaited since that very event."""
    try:
        access = selectors.access_to(user, game_id)
    except selectors.NoSuchGame:
        return None
    table = selectors.load_table(access)
    seat = table.awaited_seat
    if seat is None or access.place is None or seat != table.seat_of(access.place) or table.awaited_since != since:
        return None
    names = dict(Seat.objects.filter(game__pk=game_id).values_list("place", "user__name"))
    others = ", ".join(name for place, name in sorted(names.items()) if place != access.place)
    title = table.rules.slug
    link = f"{settings.CLEW_SITE_URL}/games/{game_id}/"
    lines = [
        _("It is your turn in %(game)s against %(others)s.") % {"game": title, "others": others},
        *_moves_since(table, seat, names),
        _("The table: %(link)s") % {"link": link},
    ]
    subject = _("Your turn: %(game)s against %(others)s") % {"game": title, "others": others}
    return Rendered(subject, "\n\n".join(lines) + "\n")


def _moves_since(table: Table, seat: int, names: dict[int, str]) -> list[str]:
    """What the others have done since this seat's last move, in words, a line each."""
    state = table.rules.start(table.opened.options)
    told: list[str] = []
    for entry in table.line:
        match entry.step:
            case Play(mover, move):
                if mover == seat:
                    told = []
                else:
                    words = sentence(table.rules.describe(state, move))
                    told.append(f"{names[table.place_of(mover)]}: {words}")
                state = table.rules.play(state, move).state
            case deal:
                state = table.rules.deal(state, deal.packs)
    return ["\n".join(told)] if told else []
