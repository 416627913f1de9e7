"""A broker that is away, silent or emptied delays a mail; it loses none and holds up no move."""

import json
import socket
from collections.abc import Iterator

import pytest
import redis

from config import hints
from tests.chaos.conftest import Site, states, until
from tests.notifications import games
from tests.plugins.servers import free_port

pytestmark = pytest.mark.any_database

#: Seconds that an action may take on a busy machine however the broker fares: it gives up on a silent one after 5.
AT_ONCE = 2.0


@pytest.fixture(params=["refuses", "is silent"])
def broken_broker(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a broker that refuses connections, or that takes them and never answers."""
    if request.param == "refuses":
        yield f"redis://127.0.0.1:{free_port()}/0"
        return
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield f"redis://127.0.0.1:{silent.getsockname()[1]}/0"


def test_a_move_succeeds_at_once_without_a_broker_and_the_sweep_sends_its_mail(site: Site, broken_broker: str) -> None:
    told = json.loads(site.run("-m", "tests.chaos.make_a_move", "ann", "ben", REDIS_URL=broken_broker))
    assert told["seconds"] < AT_ONCE
    assert states() == ["waiting", "waiting"]
    site.worker(beat=True)
    site_settles(site)


def test_a_broker_that_forgot_everything_only_delays_the_mail(site: Site) -> None:
    ann, ben = games.person("ann"), games.person("ben")
    game = games.start(ann, ben)
    games.move(ann, game)
    assert hints.flush(10)
    with redis.Redis.from_url(site.environment["REDIS_URL"]) as broker:
        assert broker.llen("celery") == 2
        broker.flushdb()
    site.worker(beat=True)
    site_settles(site)


def site_settles(site: Site) -> None:
    """The first player's mail is no longer true once they have moved; the second's is sent, once."""
    until(lambda: states() == ["dropped", "sent"], f"the mail sent (the messages are {states()})")
    assert [mail["To"] for mail in site.sink.mails] == ["ben@example.com"]
