"""The queue in files: a message that is looked for while it is written is not there yet, and then it is whole."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

from config import spool

LARGE = {"body": "x" * 200_000}


@pytest.fixture
def channel(tmp_path: Path) -> Any:
    spool.register()
    folder = tmp_path / "messages"
    folder.mkdir()
    folders = {
        "data_folder_in": str(folder),
        "data_folder_out": str(folder),
        "control_folder": str(tmp_path / "control"),
    }
    with Connection("spool://localhost/", transport_options=folders) as connection:
        yield connection.channel()


def test_messages_come_whole_and_from_their_own_queue(channel: Any) -> None:
    for number in range(5):
        channel._put("celery", {"number": number})
    channel._put("another", {"number": 5})
    assert {channel._get("celery")["number"] for _ in range(5)} == {0, 1, 2, 3, 4}
    with pytest.raises(Empty):
        channel._get("celery")


def test_a_message_that_is_half_written_is_not_there_yet(channel: Any, tmp_path: Path) -> None:
    half = json.dumps(LARGE)[:1000]
    (tmp_path / "messages" / "1_a.celery.msg.part").write_text(half)
    with pytest.raises(Empty):
        channel._get("celery")


def test_who_reads_while_others_write_never_finds_half_a_message(channel: Any) -> None:
    writer = threading.Thread(target=lambda: [channel._put("celery", LARGE) for _ in range(200)])
    writer.start()
    found = 0
    while found < 200:
        try:
            assert channel._get("celery") == LARGE
            found += 1
        except Empty:
            continue
    writer.join()
