"""``manage.py play_record FILE``: play a recorded game again through the services, between real users."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User, name_key
from games import services
from games.engine.contract import Deal, Play, Refusal, Step
from games.engine.record import NotARecord, Record, parse_record
from games.table.commands import Refused, Terms
from games.table.state import Table
from games.table.view import outcome
from notifications.models import Message


class Command(BaseCommand):
    help = "Play a record (or each line of a file of records) through the services, between two users made for it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a record, or one record a line; - for standard input")
        parser.add_argument("--line", type=int, metavar="N", help="only this line of the file, counted from 1")
        parser.add_argument(
            "--wait-for-mail",
            type=float,
            metavar="SECONDS",
            help="before each move, wait at most so long until a worker has dealt with the turn's mail",
        )

    def handle(self, *args: Any, file: str, line: int | None, wait_for_mail: float | None, **options: Any) -> None:
        played = 0
        for number, document in enumerate(_documents(file), start=1):
            if line is not None and number != line:
                continue
            try:
                record = parse_record(document)
            except NotARecord as error:
                raise CommandError(f"line {number}: {error}", returncode=2) from None
            expected = document.get("expect_error_step")
            self.stdout.write(self._play(record, expected, document.get("result"), wait_for_mail))
            played += 1
        if not played:
            raise CommandError("There is no such record in this file.", returncode=2)

    def _play(self, record: Record, expected_error: int | None, result: Any, patience: float | None) -> str:
        deals = [step.packs for step in record.steps if isinstance(step, Deal)]
        recorded = dict(enumerate(deals, start=1))
        players = [_player(name) for name in ("recorded-first", "recorded-second")][: record.rules.seats]
        terms = Terms(record.rules.slug, record.options, opener_seat="first", quick_pass=False)
        try:
            table = services.open_game(players[0], terms, recorded=recorded).table
            for other in players[1:]:
                table = services.sit_down(other, table.id, recorded=recorded).table
        except Refusal as refusal:
            raise CommandError(f"the game can't begin: {refusal.code}: {refusal.detail}") from None
        game = table.id
        for n, step in enumerate(record.steps):
            try:
                table = self._step(table, n, players, step, recorded, patience)
            except Refusal as refusal:
                if n == expected_error:
                    return f"{game}: {n} steps, then refused as recorded ({refusal.code})."
                raise CommandError(f"{game}: step {n}: {refusal.code}: {refusal.detail}") from None
        if expected_error is not None:
            raise CommandError(f"{game}: step {expected_error} was not refused.")
        # A patience that got stuck is over only when its player says so; its record tells what the rules say.
        reached = table.rules.result(table.state) if table.stuck else outcome(table)
        if result is not None and (
            reached is None or any(key not in reached or reached[key] != result[key] for key in result)
        ):
            raise CommandError(f"{game}: the recorded result was not reached.")
        return f"{game}: {table.step} steps, {table.status}."

    def _step(
        self, table: Table, n: int, players: list[User], step: Step, recorded: dict[int, Any], patience: float | None
    ) -> Table:
        """The table after step ``n``, or further on. Raises Refusal."""
        if n < table.step:  # it followed by itself: a deal, or a lone pass that the table makes
            if table.line[n].step != step:
                raise Refused("other_step", "The table has gone on with another step than the record.")
            return table
        if not isinstance(step, Play):
            raise Refused("deal_not_awaited", "No deal is awaited here.")
        if not 0 <= step.seat < len(players):
            raise Refused("not_your_turn", "The game has no such seat.")
        if patience is not None:
            _wait_until_told(table.id, patience)
        return services.play(players[step.seat], table.id, step.move, recorded=recorded).table


def _documents(file: str) -> Iterator[Any]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} can't be read: {error}", returncode=2) from None
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):  # a number of ten thousand digits is no JSONDecodeError
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                raise CommandError(f"{file}: line {number} is not JSON.", returncode=2) from None


def _player(name: str) -> User:
    """The user of this name, made if need be; only ever one that this command made."""
    email = f"{name}@example.invalid"
    user = User.objects.filter(name_key=name_key(name)).first() or User.objects.create_user(name, email)
    if user.email != email:
        raise CommandError(f"Somebody else is called {user.name} here.")
    return user


def _wait_until_told(game: str, seconds: float) -> None:
    """Wait until no message of this game is waiting to be sent."""
    deadline = time.monotonic() + seconds
    while Message.objects.filter(game=game, state=Message.State.WAITING).exists():
        if time.monotonic() > deadline:
            raise CommandError(f"{game}: no worker sent the turn's mail within {seconds:g} s.")
        time.sleep(0.05)
