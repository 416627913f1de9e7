"""A real browser, and one real site for all of these tests: embedded, as bin/play runs it, with its mailbox."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, expect
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from accounts.models import User
from tests.browser.visitor import PATIENCE, Visitor
from tests.conftest import own_database, serving
from tests.games.people import person
from tests.plugins import chromium


@pytest.fixture(scope="session", autouse=True)
def allow_database_beside_the_browser() -> None:
    """Playwright keeps an event loop running in this thread, which Django takes for asynchronous code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the Chromium that was found."""
    return {**browser_type_launch_args, **found_chromium()}


def found_chromium(*, whole: bool = False) -> dict[str, Any]:
    """How Playwright launches the Chromium that was found. Without one the test is skipped; in CI it fails."""
    program = chromium.find(whole=whole)
    if program is None:
        message = "There is no Chromium here for the browser tests; bin/test tries to get one."
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return {"executable_path": program, "args": list(chromium.ARGS)}


@pytest.fixture(scope="package")
def shared_site(database_template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[str, Path]]:
    """The site's address, and its folder. Its database is also this process's while these tests run."""
    with (
        tempfile.TemporaryDirectory(prefix="site-", dir=django_settings.CLEW_DATA) as folder,
        own_database(database_template, os.environ["REDIS_URL"], django_db_blocker) as environment,
    ):
        call_command("createcachetable", "clew_cache", verbosity=0)
        environment |= {
            "CLEW_DATA": folder,
            "CLEW_EMBEDDED": "1",
            "CLEW_STATIC_MANIFEST": "1",
            "CLEW_QUIET_SPELL": "0",
            "CLEW_LOG_LEVEL": "WARNING",
        }
        _collect_static(environment)
        with serving(environment, "tests.browser.fixed_site:application") as url:
            yield url, Path(folder)
        connection.close()


def _collect_static(environment: dict[str, str]) -> None:
    """Our static files as they are served in production: with a hash in their names, and compressed."""
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    command += [f"--ignore={others}" for others in ("drf_spectacular_sidecar", "rest_framework", "admin")]
    subprocess.run(command, env=environment, check=True)


@pytest.fixture
def site(shared_site: tuple[str, Path], settings: Settings) -> str:
    """The site's address; what this process sends of its mails arrives in the site's mailbox."""
    url, folder = shared_site
    expect.set_options(timeout=PATIENCE)
    settings.CLEW_SITE_URL = url
    settings.CLEW_QUIET_SPELL = 0.0
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "OPTIONS": {"file_path": str(folder / "mail")},
        }
    }
    return url


@pytest.fixture
def visit(site: str, browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Opens a browser of somebody's own: ``visit(alice)``, ``visit(None, language="ko")``.

    After the test, none of them may have found anything to complain about in its console.
    """
    visitors: list[Visitor] = []

    def visit(user: User | None, language: str = "en", **options: Any) -> Visitor:
        context: BrowserContext = browser.new_context(
            base_url=site,
            locale={"en": "en-GB", "ko": "ko-KR"}[language],
            timezone_id="Asia/Seoul",
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(PATIENCE)
        if user is not None:
            User.objects.filter(pk=user.pk).update(language=language)
            client = Client()
            client.force_login(user)
            session = client.session  # as if the password had just been given, which delicate pages ask for
            session["account_authentication_methods_user"] = str(user.pk)
            given = {"method": "password", "at": time.time(), "reauthenticated": True}
            session["account_authentication_methods"] = [given]
            session.save()
            cookie = client.cookies[django_settings.SESSION_COOKIE_NAME]
            context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site}])
        visitors.append(Visitor(context.new_page()))
        return visitors[-1]

    yield visit
    complaints = [complaint for visitor in visitors for complaint in visitor.complaints]
    for visitor in visitors:
        visitor.page.context.close()
    assert complaints == []


@pytest.fixture
def alice(site: str) -> User:
    return person("alice")


@pytest.fixture
def bob(site: str) -> User:
    return person("bob")


@pytest.fixture
def charlie(site: str) -> User:
    return person("charlie")
