"""A container's health check is answered by a process that serves the site, whatever the site is called."""

import pytest

from config.alive import main
from tests.conftest import serving
from tests.plugins.servers import free_port


def test_a_process_is_alive_by_the_name_of_its_site_and_not_once_it_is_gone(
    real_database: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(real_database) as url:
        port = url.rsplit(":", 1)[1]
        monkeypatch.setenv("CLEW_SITE_URL", url)
        assert main([port]) == 0
        monkeypatch.setenv("CLEW_SITE_URL", "https://elsewhere.example")
        assert main([port]) == 1
    monkeypatch.setenv("CLEW_SITE_URL", url)
    assert main([port]) == 1


def test_nobody_at_the_port_is_not_alive() -> None:
    assert main([str(free_port())]) == 1
