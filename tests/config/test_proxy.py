"""Caddyfile: what stands in front of the containers sends everything where it is answered."""

import re

from tests.config.compose import ROOT, SERVICES, filled

CADDYFILE = (ROOT / "Caddyfile").read_text()


def test_every_service_that_is_sent_something_listens_at_that_port() -> None:
    targets = dict(re.findall(r"reverse_proxy (\w+):(\d+)", CADDYFILE))
    assert set(targets) == {"web", "stream"}
    for name, port in targets.items():
        assert f"--port {port} " in SERVICES[name]["command"]


def test_streams_are_sent_where_browsers_ask_for_them_and_nothing_is_held_back() -> None:
    stream, again = (filled(SERVICES[name]["environment"]["CLEW_STREAM_URL"], {}) for name in ("web", "stream"))
    matcher = re.search(r"@stream path (\S+)\n\thandle @stream \{([^}]*)\}", CADDYFILE)
    assert matcher is not None
    assert matcher[1] == stream == again
    assert "reverse_proxy stream:" in matcher[2]
    assert "flush_interval -1" in matcher[2]


def test_the_site_is_reached_by_the_proxy_alone_which_is_believed() -> None:
    open_to_all = {
        name
        for name, service in SERVICES.items()
        if any(not str(port).startswith("127.0.0.1:") for port in service.get("ports", []))
    }
    assert open_to_all == {"proxy"}
    assert {filled(SERVICES[name]["environment"]["CLEW_BEHIND_PROXY"], {}) for name in ("web", "stream")} == {"1"}


def test_there_may_be_as_many_streams_as_the_site_allows() -> None:
    from django.conf import settings

    allowed = re.search(r"--backpressure (\d+)", SERVICES["stream"]["command"])
    assert allowed is not None
    assert int(allowed[1]) > settings.CLEW_STREAM_MOST
    assert SERVICES["stream"]["ulimits"]["nofile"] > settings.CLEW_STREAM_MOST
