"""``manage.py simulate``: months of play with outages, and whether everybody was told what was true, in time, once."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.simulation.check import faults
from games.simulation.world import Plan, simulate
from games.store.models import Event, Head
from notifications.models import InboxItem, Message


class Command(BaseCommand):
    help = "Simulates play on an injected clock in an empty database, and checks all messages against the events."

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = Plan()
        for name in ("players", "games", "days", "step_minutes", "seed"):
            parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(usual, name))

    def handle(self, *args: Any, **options: Any) -> None:
        if Head.objects.exists():
            raise CommandError("There are games in this database; a simulation needs an empty one.")
        sizes = {name: options[name] for name in ("players", "games", "days", "step_minutes", "seed")}
        started = time.monotonic()
        run = simulate(Plan(**sizes))
        found = list(faults(run))
        sent = Message.objects.filter(state=Message.State.SENT).count()
        self.stdout.write(
            f"{sizes['players']} players, {sizes['games']} games, {sizes['days']} days: "
            f"{Event.objects.count()} events, "
            f"{InboxItem.objects.count()} told, {sent} messages in {len(run.mails)} mails, "
            f"{time.monotonic() - started:.0f} s"
        )
        for fault in found:
            self.stderr.write(fault)
        if found:
            sys.exit(1)
        self.stdout.write("nobody was told anything untrue, nothing was left untold or told twice, no clock was wrong")
