"""``manage.py rebuild [ID…]``: heads again from the events. Tells nobody."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.store.thread import GameNotFound
from games.store.verify import game_ids, rebuild


class Command(BaseCommand):
    help = "Make the heads of all games, or of those named, again from their events."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", type=uuid.UUID, metavar="ID")

    def handle(self, *args: Any, ids: list[uuid.UUID], **options: Any) -> None:
        made = changed = 0
        for game_id in map(str, ids) if ids else game_ids():
            try:
                changed += rebuild(game_id)
            except GameNotFound:
                raise CommandError(f"There is no game {game_id}.") from None
            made += 1
        self.stdout.write(f"{made} heads made again, {changed} of them changed.")
