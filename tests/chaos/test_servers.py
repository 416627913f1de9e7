"""PostgreSQL killed and started again, Redis killed and started empty, under a running worker: no mail is lost."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL

import psycopg
import pytest

from tests.chaos.conftest import until
from tests.chaos.nursery import Nursery
from tests.chaos.workers import Worker
from tests.notifications.smtp_sink import Sink
from tests.plugins.servers import Postgres, Valkey


@dataclass(frozen=True)
class Servers:
    """PostgreSQL with the site's tables, and Valkey, that nobody else uses."""

    postgres: Postgres
    valkey: Valkey
    environment: dict[str, str]


@pytest.fixture(scope="module")
def servers(nursery: Nursery) -> Iterator[Servers]:
    with Postgres(fsync=True) as postgres, Valkey() as valkey:
        environment = {
            **os.environ, "DATABASE_URL": postgres.url, "REDIS_URL": valkey.url, "CLEW_DB_POOL": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings", "CLEW_QUIET_SPELL": "0", "CLEW_LEASE": "10",
            "CLEW_RETRY_WAITS": "1", "CLEW_SWEEP_INTERVAL": "0.2",
        }  # fmt: skip
        nursery.run(environment, "manage.py", "migrate", "--verbosity=0")
        yield Servers(postgres, valkey, environment)


def test_a_database_that_is_restarted_at_once_loses_no_mail(nursery: Nursery, servers: Servers, tmp_path: Path) -> None:
    with Sink() as sink:
        environment = {**servers.environment, **sink.environment}
        with Worker(nursery, environment, tmp_path / "worker.log", beat=True) as worker:
            until(worker.is_ready, "the worker runs")
            for server in (servers.postgres, servers.valkey):
                server.stop(SIGKILL)
            run_refused(nursery, environment)
            for server in (servers.postgres, servers.valkey):
                server.start()
            nursery.run(environment, "-m", "tests.chaos.make_a_move", "ann", "ben")
            until(lambda: "ben@example.com" in [mail["To"] for mail in sink.mails], "the mail arrived")
            assert not worker.is_dead()
        assert len(sink.message_ids) == len(set(sink.message_ids))


def test_redis_that_dies_while_tasks_are_fetched_and_not_begun_is_found_again(
    nursery: Nursery, servers: Servers, tmp_path: Path
) -> None:
    """A worker that counted such a task as its own for ever would take no other, nor hear that Redis is back."""
    with Sink() as sink:
        environment = {**servers.environment, **sink.environment}
        with Worker(nursery, environment, tmp_path / "worker.log", beat=True) as worker:
            until(worker.is_ready, "the worker runs")
            with psycopg.connect(servers.postgres.url) as connection:
                connection.execute("LOCK TABLE notifications_message, games_head IN ACCESS EXCLUSIVE MODE")
                until(lambda: worker.count("received") >= worker.count("succeeded") + 2, "a task waits behind another")
                servers.valkey.stop(SIGKILL)
                done = worker.count("succeeded")
            # Who has noticed that Redis is gone says nothing of tasks until it is back.
            until(
                lambda: worker.count("succeeded") > done or worker.says("Connection to broker lost"),
                "the task that had begun is done, or Redis is missed",
            )
            servers.valkey.start()
            nursery.run(environment, "-m", "tests.chaos.make_a_move", "cho", "dan")
            until(lambda: "dan@example.com" in [mail["To"] for mail in sink.mails], "the mail arrived")


def run_refused(nursery: Nursery, environment: dict[str, str]) -> None:
    """Without a database nothing is done, and nothing promised."""
    with pytest.raises(subprocess.CalledProcessError) as failed:
        nursery.run(environment, "-m", "tests.chaos.make_a_move", "ann", "ben")
    said = "".join(failed.value.__notes__)
    assert "OperationalError" in said or "PoolTimeout" in said
