"""PostgreSQL killed and started again, Redis killed and started empty, under a running worker: no mail is lost."""

import os
import subprocess
from pathlib import Path
from signal import SIGKILL

import pytest

from tests.chaos.conftest import until
from tests.chaos.nursery import Nursery
from tests.chaos.workers import Worker
from tests.notifications.smtp_sink import Sink
from tests.plugins.servers import Postgres, Valkey


def test_a_database_that_is_restarted_at_once_loses_no_mail(nursery: Nursery, tmp_path: Path) -> None:
    with Postgres(fsync=True) as postgres, Valkey() as valkey, Sink() as sink:
        environment = {
            **os.environ, **sink.environment, "DATABASE_URL": postgres.url, "REDIS_URL": valkey.url,
            "DJANGO_SETTINGS_MODULE": "config.settings", "CLEW_QUIET_SPELL": "0", "CLEW_LEASE": "10",
            "CLEW_RETRY_WAITS": "1", "CLEW_SWEEP_INTERVAL": "0.2",
        }  # fmt: skip
        nursery.run(environment, "manage.py", "migrate", "--verbosity=0")
        log = tmp_path / "worker.log"
        with Worker(nursery, environment, log, beat=True) as worker:
            until(worker.is_ready, "the worker runs")
            for server in (postgres, valkey):
                server.stop(SIGKILL)
            run_refused(nursery, environment)
            for server in (postgres, valkey):
                server.start()
            nursery.run(environment, "-m", "tests.chaos.make_a_move")
            until(lambda: "ben@example.com" in [mail["To"] for mail in sink.mails], "the mail arrived")
            assert not worker.is_dead()
        assert len(sink.message_ids) == len(set(sink.message_ids))


def run_refused(nursery: Nursery, environment: dict[str, str]) -> None:
    """Without a database nothing is done, and nothing promised."""
    with pytest.raises(subprocess.CalledProcessError) as failed:
        nursery.run(environment, "-m", "tests.chaos.make_a_move")
    assert "OperationalError" in "".join(failed.value.__notes__)
