"""``manage.py demo``: two demo players with a game in progress, one finished, and an open table."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.demo import PASSWORD, make_demo


class Command(BaseCommand):
    help = "Make two demo players with games, on a site of your own; their passwords are printed."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.CLEW_EMBEDDED:
            raise CommandError("The demo players' password is known to everybody: only bin/play makes them.")
        for player in make_demo():
            self.stdout.write(f"{player.name} logs in with the password {PASSWORD}")
