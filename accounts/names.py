"""How people are called in front of others: a bot's name never stands without the word that it is one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

#: The columns that :func:`shown` takes, of rows with a foreign key ``user``. Whoever reads names reads them by these.
NAMED: Final = ("user__name", "user__is_bot")


def shown(name: str, is_bot: bool) -> str:
    """A player's name for pages, mails and screen readers, in the active language: a bot's is marked as such.

    Nobody can be called like a marked bot: names hold neither spaces nor brackets.
    """
    # Translators: a player's name.
    return _("%(name)s (bot)") % {"name": name} if is_bot else name
