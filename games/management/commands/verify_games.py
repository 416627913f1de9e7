"""``manage.py verify_games [ID…]``: check games from their events; exit status 1 if anything is wrong."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.store.models import Head
from games.store.verify import game_ids, verify_game


class Command(BaseCommand):
    help = "Check hash chain, legality, decks, results and heads of all games, or of those named."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", type=uuid.UUID, metavar="ID")

    def handle(self, *args: Any, ids: list[uuid.UUID], **options: Any) -> None:
        checked = broken = 0
        for game_id in map(str, ids) if ids else _every_game():
            checked += 1
            faults = verify_game(game_id)
            broken += bool(faults)
            for fault in faults:
                self.stderr.write(f"{game_id}: {fault}")
        if broken:
            raise CommandError(f"{broken} of {checked} games are not in order.", returncode=1)
        self.stdout.write(f"{checked} games checked: all in order.")


def _every_game() -> list[str]:
    """Also games of which only the head is left."""
    return sorted({*game_ids(), *map(str, Head.objects.values_list("game", flat=True))})
