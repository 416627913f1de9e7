"""The mailbox page of an embedded site."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.mailbox import latest
from notifications import sender
from tests.accounts.conftest import sign_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """An embedded site that keeps its mails here."""
    settings.CLEW_EMBEDDED = True
    settings.CLEW_DATA = tmp_path
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "OPTIONS": {"file_path": str(tmp_path / "mail")},
        }
    }
    return tmp_path / "mail"


def send(subject: str, text: str, html: str = "") -> None:
    mail = EmailMultiAlternatives(subject, text, to=["alice@example.com"])
    if html:
        mail.attach_alternative(html, "text/html")
    mail.send()


def frame(client: Client) -> str:
    """The address of the first mail's HTML."""
    page = client.get("/mailbox/").content.decode()
    return page.partition(' src="/mailbox/')[2].partition('"')[0]


def test_a_sign_up_is_finished_from_the_mailbox(folder: Path) -> None:
    client = Client()
    sign_up(client, "미나", "mina@example.com")
    sender.send_due()
    page = client.get("/mailbox/").content.decode()
    assert "mina@example.com" in page
    link = page.partition('<a href="http://localhost:8000/accounts/confirm-email/')[2].partition('"')[0]
    assert client.post(f"/accounts/confirm-email/{link}").status_code == 302
    assert client.get("/settings/").status_code == 200


def test_every_page_of_an_embedded_site_leads_to_it(folder: Path) -> None:
    assert 'href="/mailbox/"' in Client().get("/accounts/login/").content.decode()


def test_without_a_mail_it_says_what_to_do(folder: Path) -> None:
    assert "No mail has been sent yet." in Client().get("/mailbox/").content.decode()


def test_the_newest_is_first_and_korean_can_be_read(folder: Path) -> None:
    send("첫째", "하나")
    send("둘째", "둘")
    for age, path in enumerate(sorted(folder.iterdir(), key=lambda path: "둘" in path.read_text())):
        os.utime(path, (1000 + age, 1000 + age))
    assert [mail.subject for mail in latest(folder)] == ["둘째", "첫째"]
    assert "하나" in Client().get("/mailbox/").content.decode()


def test_a_mail_can_not_break_out_of_the_page(folder: Path) -> None:
    send("<script>1</script>", "<img src=x onerror=1> http://a.example/?\"'<b> https://ok.example/x?a=1&b=2.")
    page = Client().get("/mailbox/").content.decode()
    assert "<script>1" not in page
    assert "<img src=x" not in page
    assert '<a href="https://ok.example/x?a=1&amp;b=2">https://ok.example/x?a=1&amp;b=2</a>.' in page


def test_the_html_of_a_mail_is_framed_under_a_policy_of_its_own(folder: Path) -> None:
    send("Hello", "text", "<p style='color:red'>red</p><script>alert(1)</script>")
    client = Client()
    outer = client.get("/mailbox/")
    assert "frame-src 'self'" in outer.headers["Content-Security-Policy"]
    assert "unsafe" not in outer.headers["Content-Security-Policy"]
    answer = client.get(f"/mailbox/{frame(client)}")
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status_code == 200
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy
    assert "script-src" not in policy
    assert "frame-ancestors 'self'" in policy
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("name", ["20270101-000000-1.0", "..%2F..%2Fclew.0", "x"])
def test_there_is_no_other_file_to_be_read(folder: Path, name: str) -> None:
    send("Hello", "text", "<p>html</p>")
    assert Client().get(f"/mailbox/{name}.html").status_code == 404


def test_files_of_other_names_are_no_mails(folder: Path) -> None:
    folder.mkdir()
    (folder / "other.log").write_text("Subject: no\n\nno")
    assert latest(folder) == []


ELSEWHERE = [
    {"REMOTE_ADDR": "192.168.0.7"},
    {"REMOTE_ADDR": ""},
    {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"},
    {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=192.0.2.1"},
    {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_HOST": "clew.example"},
    {"REMOTE_ADDR": "127.0.0.1", "HTTP_CF_CONNECTING_IP": "192.0.2.1"},
    {"REMOTE_ADDR": "127.0.0.1", "HTTP_TRUE_CLIENT_IP": "192.0.2.1"},
    {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_REAL_IP": "192.0.2.1"},
]


@pytest.mark.parametrize("where", ELSEWHERE)
def test_only_the_machine_itself_may_look(folder: Path, where: dict[str, str]) -> None:
    send("Hello", "text", "<p>html</p>")
    inner = frame(Client())
    assert inner
    client = Client(**where)  # type: ignore[arg-type] # WSGI's variables, whatever they are
    assert client.get("/mailbox/").status_code == 404
    assert client.get(f"/mailbox/{inner}").status_code == 404


def test_ipv6_is_this_machine_too(folder: Path) -> None:
    assert Client(REMOTE_ADDR="::1").get("/mailbox/").status_code == 200


def test_a_site_for_others_has_no_mailbox(folder: Path, settings: Settings) -> None:
    settings.CLEW_EMBEDDED = False
    client = Client()
    assert client.get("/mailbox/").status_code == 404
    assert client.get("/mailbox/20270101-000000-1.0.html").status_code == 404
    assert "/mailbox/" not in client.get("/accounts/login/").content.decode()
