"""What the test run itself stands on."""

import json
import os
import subprocess
import sys
import threading

import pytest
import redis
from django.contrib.sessions.models import Session
from django.db import connection, connections
from django.utils import timezone

from tests.plugins.servers import Valkey, wait_until
from tests.plugins.services import refuse_flushing, worker_redis_url


def add_session(key: str) -> None:
    Session.objects.create(session_key=key, session_data="", expire_date=timezone.now())


def test_servers_end_when_the_one_who_started_them_closes_the_pipe() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.plugins.servers", "valkey"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["valkey"]["url"]
        with redis.Redis.from_url(url) as client:
            assert client.ping()
        process.stdin.close()
        assert process.wait(10) == 0
    with redis.Redis.from_url(url) as client, pytest.raises(redis.ConnectionError):
        client.ping()


def test_a_server_can_be_stopped_and_started_again_on_its_port() -> None:
    with Valkey() as server, redis.Redis.from_url(server.url) as client:
        assert client.set("a", "1")
        server.stop()
        with pytest.raises(redis.ConnectionError):
            client.ping()
        server.start()
        assert wait_until(lambda: bool(client.ping()))


def test_each_worker_has_a_redis_database_of_its_own() -> None:
    urls = {worker_redis_url("redis://localhost:1/0", f"gw{number}") for number in range(3)}
    assert urls == {"redis://localhost:1/1", "redis://localhost:1/2", "redis://localhost:1/3"}


def test_a_real_database_shows_commits_to_other_threads(real_database: dict[str, str]) -> None:
    seen: list[int] = []

    def look() -> None:
        seen.append(Session.objects.count())
        connections.close_all()

    add_session("a")
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [1]


@pytest.mark.parametrize("turn", [1, 2])
def test_a_real_database_begins_empty_whoever_had_one_before(real_database: dict[str, str], turn: int) -> None:
    assert Session.objects.count() == 0
    add_session(f"left by {turn}")


def test_a_child_process_sees_the_real_database(real_database: dict[str, str]) -> None:
    add_session("a")
    code = (
        "import django; django.setup(); from django.contrib.sessions.models import Session; "
        "print(Session.objects.get().session_key)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**real_database, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "a\n"


@pytest.mark.django_db
def test_the_shared_database_is_back_after_a_real_one(request: pytest.FixtureRequest) -> None:
    assert "real_" not in str(connection.settings_dict["NAME"])
    assert Session.objects.count() == 0


def test_the_valkey_database_is_empty(valkey: str) -> None:
    with redis.Redis.from_url(valkey) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_the_valkey_database_is_empty_again(valkey: str) -> None:
    with redis.Redis.from_url(valkey) as client:
        assert client.dbsize() == 0


def test_sqlite_is_set_up_to_lose_no_commit_and_no_event() -> None:
    code = (
        "import django; django.setup(); from django.db import connection; c = connection.cursor(); "
        "print([c.execute('PRAGMA ' + p).fetchone()[0] for p in "
        "('journal_mode', 'synchronous', 'recursive_triggers', 'busy_timeout', 'foreign_keys')], "
        "connection.transaction_mode)"
    )
    environ = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environ, "DJANGO_SETTINGS_MODULE": "config.settings", "CLEW_EMBEDDED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "['wal', 2, 1, 20000, 1] IMMEDIATE\n"


@pytest.mark.parametrize(
    "body",
    [
        "@pytest.mark.django_db(transaction=True)\ndef test_it(): pass",
        "@pytest.mark.django_db(reset_sequences=True)\ndef test_it(): pass",
        "def test_it(transactional_db): pass",
        "def test_it(live_server): pass",
    ],
)
def test_a_test_that_would_flush_the_database_is_refused(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    module = pytest.Module.from_parent(request.session, path=request.path)
    namespace: dict[str, object] = {"pytest": pytest}
    exec(body, namespace)
    item = pytest.Function.from_parent(module, name="test_it", callobj=namespace["test_it"])
    with pytest.raises(pytest.UsageError, match="real_database"):
        refuse_flushing([item])
