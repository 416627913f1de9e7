"""Turn mails are sent by real workers: games played through, clocks that go ahead, two beats at once."""

import json
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from games.engine.contract import Awaits
from games.engine.record import Record, Stopped, replay
from notifications import headers, sender
from notifications.models import Message
from tests.chaos.conftest import Site, states
from tests.notifications import games


@pytest.mark.any_database
def test_whole_games_are_played_by_mail_and_are_in_order(site: Site, tmp_path: Path) -> None:
    """A finished game of Ariadne's Thread, and a short case of each other game between two players."""
    records = [games.finished_case("ariadne")]
    records += [
        min(games.cases(slug), key=lambda case: len(case.steps)) for slug in games.TWO_PLAYER_GAMES if slug != "ariadne"
    ]
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(record.document) + "\n" for record in records), encoding="utf-8")
    site.worker(beat=False)  # so that each mail is sent on a hint alone
    site.run("manage.py", "play_record", str(file), "--wait-for-mail=60")
    call_command("verify_games")

    rows = list(Message.objects.all())
    assert {row.state for row in rows} == {"sent"}
    assert {row.attempts for row in rows} == {1}
    assert Counter(site.sink.message_ids) == Counter(headers.message_id(row.key) for row in rows)
    expected = sum((turns(record) for record in records), Counter[str]())
    turn_mails = [mail["To"] for mail in site.sink.mails if mail["Subject"].startswith("Your turn")]
    assert Counter(turn_mails) == expected
    assert len(expected) == 2


def turns(record: Record) -> Counter[str]:
    """How often each player becomes awaited through the other's doing in a record, up to where it is refused."""
    awaited: list[Awaits] = [1]  # the second to sit down starts the game
    with suppress(Stopped):
        awaited.extend(record.rules.awaits(state) for state in replay(record))
    seats = [seat for seat in awaited if isinstance(seat, int)]
    addresses = ("recorded-first@example.invalid", "recorded-second@example.invalid")
    return Counter(addresses[after] for before, after in pairwise(seats) if before != after)


def test_two_beats_do_no_harm(site: Site) -> None:
    workers = [site.worker(beat=True) for _ in range(2)]
    ann, ben = games.person("ann"), games.person("ben")
    game = games.start(ann, ben)
    site.wait_until_sent(1)
    for number, player in enumerate((ann, ben, ann), start=2):
        games.move(player, game)
        site.wait_until_sent(number)
    assert not any(worker.is_dead() for worker in workers)
    assert len(site.sink.mails) == len(set(site.sink.message_ids)) == 4


def test_a_process_whose_clock_is_ahead_sends_what_is_due_only_later(site: Site, settings: Settings) -> None:
    settings.CLEW_QUIET_SPELL = 3600.0
    games.start(games.person("ann"), games.person("ben"))
    assert sender.send_due() == 0
    assert states() == ["waiting"]
    assert site.run("-m", "tests.chaos.send_what_is_due", CLEW_CLOCK_OFFSET="3700") == "1\n"
    assert states() == ["sent"]
    assert len(site.sink.mails) == 1
