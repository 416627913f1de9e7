"""Bots: accounts of programs, made by a person, who answers for them. They play by tokens and in no other way."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet

from accounts.models import NAME, User, name_key
from config.streams import publisher
from games import agreeing, services
from games.engine.contract import Refusal, gettext_noop
from games.services import NoSuchGame, TooBusy
from games.store.models import Seat

#: What a bot's tokens can be made for.
SCOPES = ("read", "play")
_PASSES = 3


class NoBot(Refusal):
    """This bot can't be made; nothing has changed."""


def of(owner: User) -> QuerySet[User]:
    """The bots of a person that aren't retired, by name."""
    return owner.bots.filter(is_active=True).order_by("name_key")


def named(owner: User, name: str) -> User | None:
    """The bot of this person's that is called so, in whatever case."""
    if not NAME.fullmatch(name):  # some texts PostgreSQL can't even be asked for
        return None
    return of(owner).filter(name_key=name_key(name)).first()


def may_have_another(owner: User) -> bool:
    """Whether a person has fewer bots than they may have."""
    return not owner.is_bot and of(owner).count() < settings.CLEW_BOTS


def games_of(bot: User) -> int:
    """How many tables and games would end with the bot."""
    return _unfinished(bot).count()


def make(owner: User, name: str) -> User:
    """A new bot in its owner's language and zone, still without a token.

    Raises ValidationError where the name isn't valid or free, :class:`NoBot` where there may be no further bot.
    """
    if owner.is_bot:
        raise NoBot("bots_make_no_bots", gettext_noop("A bot can't make bots."))
    adapter = get_adapter()
    try:
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # so that two at once are counted one by one
            if not may_have_another(owner):
                raise NoBot("too_many_bots", gettext_noop("You have as many bots as one can have."))
            return User.objects.create_user(
                adapter.clean_username(name),
                is_bot=True,
                owner=owner,
                language=owner.language,
                time_zone=owner.time_zone,
                turn_mails=False,
            )
    except IntegrityError:  # somebody took the name since it was looked at
        taken: ValidationError = adapter.validation_error("username_taken")
        raise taken from None


def retire(bot: User) -> None:
    """Take a bot's tokens away, end its games, close its account. What was begun of it goes on when it is called again.

    Its open tables are taken away and its running games resigned, each by itself: its opponents shall not wait for a
    bot that will never move again. One whose name no game tells of is gone altogether, and its name is free.
    """
    bot.tokens.all().delete()
    publisher.shut_out(users=[bot.pk])
    _end_games(bot)
    try:
        with transaction.atomic():
            bot.delete()
            return
    except ProtectedError:  # it has sat at a table: the game keeps its people
        User.objects.filter(pk=bot.pk).update(is_active=False)
    _end_games(bot)  # what a request that was on its way has begun meanwhile


def _end_games(bot: User) -> None:
    """A game that is too busy is tried again; after that it is left to its clock."""
    for _ in range(_PASSES):
        games = list(_unfinished(bot).values_list("game_id", "game__status"))
        left = [game for game, status in games if not _ended(bot, str(game), status)]
        if not left:
            return


def _unfinished(bot: User) -> QuerySet[Seat]:
    return Seat.objects.filter(user=bot, game__status__in=("open", "running"))


def _ended(bot: User, game: str, status: str) -> bool:
    try:
        if status == "open":
            agreeing.withdraw(bot, game)  # without a command id: the bot may have used whichever it would be
        else:
            services.resign(bot, game)
    except (Refusal, NoSuchGame):
        # Over by now; or somebody sat down at the open table, which the next pass sees.
        return not _unfinished(bot).filter(game__pk=game).exists()
    except TooBusy:
        return False
    return True
