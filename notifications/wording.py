"""What messages say: a title and a few sentences for every kind, in the active language and time zone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from config import clock
from games.names import game_name
from games.pages.outcomes import outcome_text
from games.pages.times import duration
from notifications.kinds import Kind
from notifications.truth import News


@dataclass(frozen=True, slots=True)
class Said:
    """A message in words. ``label`` is what ``link`` leads to; ``deadline`` is a sentence or empty.

    ``quotes`` are texts that another player wrote.
    """

    title: str
    lines: tuple[str, ...]
    deadline: str
    link: str
    label: str
    quotes: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """All lines, with ``>`` before each that another player wrote, so that it can't be taken for one of ours."""
        return (*self.lines, *(f"> {line}" for quote in self.quotes for line in quote.split("\n")))


def say(news: News) -> Said:
    """The message, for a mail's subject and body, a push, a webhook and the inbox."""
    named = {"game": game_name(news.entry), "others": ", ".join(news.others)}
    title, lines = _KINDS[news.kind](news, named)
    deadline = ""
    if news.awaited and news.deadline is not None and news.kind not in (Kind.ENDED, Kind.AWAY_ENDS):
        deadline = _("Move by %(moment)s.") % {"moment": moment(news.deadline)}
    if news.game is None:  # of one's own vacation
        link, label = reverse("vacation"), _("Vacation")
    elif news.kind == Kind.ENDED and not news.others:
        link, label = reverse("new"), _("New game")
    else:
        link, label = reverse("table", args=[news.game]), _("Go to the table")
    if news.kind == Kind.MESSAGE:
        link += "#talk"
    lines = tuple(line for line in lines if line)
    return Said(title, lines, deadline, settings.CLEW_SITE_URL + link, label, news.remarks)


def moment(us: int) -> str:
    """A stored time (microseconds since the epoch) in full, in the active time zone, which it names."""
    local = timezone.localtime(clock.from_us(us))
    zone = local.tzname() or ""
    return _("%(moment)s (%(zone)s)") % {
        # Translators: day, date and time, in the letters of Django's date filter.
        "moment": date_format(local, pgettext("date format", "l j F Y, H:i")),
        "zone": f"UTC{zone}" if zone.startswith(("+", "-")) else zone,
    }


type _Words = tuple[str, tuple[str, ...]]


def _turn(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("Your turn: %(game)s against %(others)s") % named,
        (_("It is your turn in %(game)s against %(others)s.") % named,),
    )


def _reminder(news: News, named: dict[str, str]) -> _Words:
    left = news.params["deadline"] - clock.now_us()
    return (
        _("Your time is running out: %(game)s against %(others)s") % named,
        (
            _("It is your turn in %(game)s against %(others)s.") % named,
            _("Time left: %(time)s") % {"time": duration(left)} if left > 0 else "",
        ),
    )


def _seated(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("You have a seat: %(game)s with %(others)s") % named,
        (_("You were given a seat in a game of %(game)s with %(others)s.") % named,),
    )


def _invited(news: News, named: dict[str, str]) -> _Words:
    if news.params.get("alone"):
        return (
            _("%(others)s challenges you to %(game)s") % named,
            (_("%(others)s challenges you to a game of %(game)s. The seat is kept for you.") % named,),
        )
    return (
        _("%(others)s invites you to %(game)s") % named,
        (_("%(others)s invites you to a game of %(game)s. Whoever of those invited comes first sits down.") % named,),
    )


def _began(news: News, named: dict[str, str]) -> _Words:
    return (
        _("The game has begun: %(game)s with %(others)s") % named,
        (
            _("Your game of %(game)s with %(others)s has begun.") % named,
            "" if news.awaited else _("You will be told when it is your turn."),
        ),
    )


def _ended(news: News, named: dict[str, str]) -> _Words:
    if not news.others:
        return (
            _("Nobody came: your table of %(game)s") % named,
            (_("Nobody sat down at your table of %(game)s, and it was taken away. You can open another.") % named,),
        )
    how = outcome_text(news.result, news.names, news.seat) if news.result is not None else ""
    return (
        _("Game over: %(game)s with %(others)s") % named,
        (_("Your game of %(game)s with %(others)s is over.") % named, how),
    )


def _draw(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("A draw is offered: %(game)s with %(others)s") % named,
        (_("%(others)s offers you a draw in %(game)s. You can take it or decline it at the table.") % named,),
    )


def _undo(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("May a move be taken back? %(game)s with %(others)s") % named,
        (_("%(others)s asks to take back a move in %(game)s. You can grant or decline it at the table.") % named,),
    )


def _pause(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("Shall the clocks be paused? %(game)s with %(others)s") % named,
        (_("%(others)s asks to pause the clocks in %(game)s. You can grant or decline it at the table.") % named,),
    )


def _paused(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("The clocks are paused: %(game)s with %(others)s") % named,
        (
            _("The clocks of your game of %(game)s with %(others)s stand still until one of you ends the pause.")
            % named,
        ),
    )


def _resumed(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("The clocks run again: %(game)s with %(others)s") % named,
        (_("The pause in your game of %(game)s with %(others)s is over.") % named,),
    )


def _extended(news: News, named: dict[str, str]) -> _Words:
    return (
        _("You were given time: %(game)s with %(others)s") % named,
        (_("%(others)s gave you time in %(game)s: %(time)s.") % {**named, "time": duration(news.params["us"])},),
    )


def _credited(news: News, named: dict[str, str]) -> _Words:
    back = {**named, "time": duration(news.params["us"])}
    return (
        _("Time was given back: %(game)s with %(others)s") % named,
        (
            _("Clew was out of service for a while.")
            + " "
            + _("What that took of the clock in %(game)s with %(others)s was given back: %(time)s.") % back,
        ),
    )


def _clock_meanwhile(news: News, named: dict[str, str]) -> str:
    """What the opponent's vacation means for their clock; nothing where no time is kept."""
    if news.stands_still is None:
        return ""
    if news.stands_still:
        return _("Meanwhile their clock in %(game)s stands still.") % named
    return _("In %(game)s their clock runs on: this table doesn't stop for vacations.") % named


def _planned(news: News, named: dict[str, str]) -> dict[str, str]:
    return {**named, "begins": moment(news.params["begins"]), "ends": moment(news.params["ends"])}


def _away_soon(news: News, named: dict[str, str]) -> _Words:
    planned = _("%(others)s will be on vacation from %(begins)s to %(ends)s.") % _planned(news, named)
    return (
        _("%(others)s will be on vacation: %(game)s") % named,
        (planned, _clock_meanwhile(news, named)),
    )


def _away_off(news: News, named: dict[str, str]) -> _Words:
    return (
        _("%(others)s will not be on vacation: %(game)s") % named,
        (_("%(others)s has called off the vacation from %(begins)s to %(ends)s.") % _planned(news, named),),
    )


def _away(news: News, named: dict[str, str]) -> _Words:
    return (
        _("%(others)s is on vacation: %(game)s") % named,
        (_("%(others)s is on vacation.") % named, _clock_meanwhile(news, named)),
    )


def _away_you(_news: News, named: dict[str, str]) -> _Words:
    return (
        _("A day of your vacation has begun by itself: %(game)s") % named,
        (
            _("Your time in %(game)s with %(others)s had run out, so a day of your vacation has begun by itself.")
            % named,
        ),
    )


def _away_ends(news: News, _named: dict[str, str]) -> _Words:
    return (
        _("Your vacation is about to end"),
        (
            _("Your vacation ends on %(moment)s. From then on your clocks run.")
            % {"moment": moment(news.params["ends"])},
        ),
    )


def _back(news: News, named: dict[str, str]) -> _Words:
    return (
        _("%(others)s is back from vacation: %(game)s") % named,
        (
            _("%(others)s is back from vacation.") % named,
            _("In %(game)s their clock runs again when it is their turn.") % named if news.stands_still else "",
        ),
    )


def _expiring(news: News, named: dict[str, str]) -> _Words:
    ends = {**named, "moment": moment(news.params["at"])}
    return (
        _("Nobody has come yet: your table of %(game)s") % named,
        (_("Nobody has sat down at your table of %(game)s yet. It will be taken away on %(moment)s.") % ends,),
    )


def _message(news: News, named: dict[str, str]) -> _Words:
    more = ngettext(
        "%(count)d message before it is at the table.", "%(count)d messages before it are at the table.", news.more
    )
    return (
        _("%(others)s wrote to you: %(game)s") % named,
        (
            _("%(others)s wrote to you at your table of %(game)s.") % named,
            more % {"count": news.more} if news.more else "",
        ),
    )


_KINDS: dict[str, Callable[[News, dict[str, str]], _Words]] = {
    Kind.TURN: _turn,
    Kind.REMINDER: _reminder,
    Kind.SEATED: _seated,
    Kind.INVITED: _invited,
    Kind.BEGAN: _began,
    Kind.ENDED: _ended,
    Kind.DRAW_OFFERED: _draw,
    Kind.UNDO_ASKED: _undo,
    Kind.PAUSE_ASKED: _pause,
    Kind.PAUSED: _paused,
    Kind.RESUMED: _resumed,
    Kind.EXTENDED: _extended,
    Kind.CREDITED: _credited,
    Kind.AWAY_SOON: _away_soon,
    Kind.AWAY_OFF: _away_off,
    Kind.AWAY: _away,
    Kind.AWAY_YOU: _away_you,
    Kind.AWAY_ENDS: _away_ends,
    Kind.BACK: _back,
    Kind.EXPIRING: _expiring,
    Kind.MESSAGE: _message,
}
