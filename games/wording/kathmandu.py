"""What Kathmandu's moves are called: for each message of the engine a subjectless phrase in the past tense."""

from typing import Final

from django.utils.translation import gettext_noop

WORDS: Final = {
    "kathmandu.meld": gettext_noop("melded %(cards)s"),
    "kathmandu.shed": gettext_noop("shed %(cards)s for %(tokens)s red tokens"),
    "kathmandu.shed_one": gettext_noop("shed %(cards)s for a red token"),
    "kathmandu.sweep": gettext_noop("swept the market: took all %(tokens)s red tokens, and cards took their places"),
    "kathmandu.swept": gettext_noop("swept the market: took all %(tokens)s red tokens, for which came %(cards)s"),
    "kathmandu.buy": gettext_noop("bought %(cards)s for %(tokens)s red tokens"),
    "kathmandu.buy_one": gettext_noop("bought %(cards)s for a red token"),
    "kathmandu.swap": gettext_noop("swapped %(give)s for %(take)s"),
    "kathmandu.reveal": gettext_noop("took a red token and turned up a card in its place"),
    "kathmandu.revealed": gettext_noop("took a red token, for which came %(cards)s"),
    "kathmandu.pass": gettext_noop("passed"),
}
