"""The headers of a turn mail: one thread a game, a way out, and nothing that a name could add."""

import re
from email import message_from_bytes, policy
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from django.core.mail import EmailMessage
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from notifications import sender
from notifications.models import Message
from notifications.unsubscribe import off_url
from tests.notifications import games
from tests.notifications.smtp_sink import Sink

LONG_SITE = "https://the-card-table-of-our-street.and-the-next-one.example.org"


def sent(mailoutbox: list[EmailMessage], now: clock.FrozenClock) -> EmailMessage:
    """The mail that is sent when the quiet spell is over."""
    now.advance(seconds=60)
    before = len(mailoutbox)
    sender.send_due()
    (mail,) = mailoutbox[before:]
    return mail


def raw_headers(mail: EmailMessage) -> str:
    """The headers as they go over the wire, folded lines and all."""
    return mail.message(policy=policy.SMTP).as_bytes().split(b"\r\n\r\n", 1)[0].decode()


def test_all_mails_of_a_game_to_a_reader_answer_one_id(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: list[EmailMessage]
) -> None:
    game = games.start(alice, bob)
    mails = [sent(mailoutbox, now)]
    for player in (alice, bob, alice):
        games.move(player, game)
        mails.append(sent(mailoutbox, now))
    headers = [mail.extra_headers for mail in mails]
    to_alice, to_bob = headers[::2], headers[1::2]
    for mine in (to_alice, to_bob):
        roots = {header["References"] for header in mine} | {header["In-Reply-To"] for header in mine}
        assert len(roots) == 1
    assert to_alice[0]["References"] != to_bob[0]["References"]
    ids = {header["Message-ID"] for header in headers}
    assert len(ids) == 4
    assert not ids & {header["References"] for header in headers}


def test_two_games_are_two_threads(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: list[EmailMessage]
) -> None:
    roots = set()
    for _ in range(2):
        games.start(alice, bob)
        roots.add(sent(mailoutbox, now).extra_headers["References"])
    assert len(roots) == 2


def test_the_date_is_the_clocks(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: list[EmailMessage]) -> None:
    games.start(alice, bob)
    mail = sent(mailoutbox, now)
    assert parsedate_to_datetime(mail.extra_headers["Date"]) == clock.now()
    assert raw_headers(mail).count("Date: ") == 1


def test_a_mail_program_finds_the_way_out_on_one_line_however_long(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: list[EmailMessage], settings: Settings
) -> None:
    settings.CLEW_SITE_URL = LONG_SITE
    settings.CLEW_MAIL_DOMAIN = LONG_SITE.removeprefix("https://")
    games.start(alice, bob)
    mail = sent(mailoutbox, now)
    raw = raw_headers(mail)
    lines = raw.split("\r\n")
    assert f"List-Unsubscribe: <{off_url(alice)}>" in lines
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines
    root = mail.extra_headers["References"]
    assert re.fullmatch(r"<[0-9a-f]{40}@the-card-table[\w.-]+>", root)
    assert {f"References: {root}", f"In-Reply-To: {root}", f"Message-ID: {mail.extra_headers['Message-ID']}"} <= set(
        lines
    )
    assert "=?" not in raw


def test_python_alone_would_make_the_way_out_unreadable() -> None:
    """The negative control: this is what the header's own class is for."""
    mail = EmailMessage(headers={"List-Unsubscribe": f"<{LONG_SITE}/mail/off/{'x' * 50}/>"})
    assert "=?" in raw_headers(mail)


def test_without_https_there_is_no_one_click(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: list[EmailMessage], settings: Settings
) -> None:
    settings.CLEW_SITE_URL = "http://localhost:8000"
    games.start(alice, bob)
    headers = sent(mailoutbox, now).extra_headers
    assert headers["List-Unsubscribe"] == f"<{off_url(alice)}>"
    assert "List-Unsubscribe-Post" not in headers


def test_a_mail_is_text_and_html_of_which_programs_prefer_the_last(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink
) -> None:
    games.start(alice, bob)
    now.advance(seconds=60)
    sender.send_due()
    (mail,) = sink.mails
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    assert mail["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize(
    "name",
    [
        "m\r\nBcc: x@y.org",
        "m\nList-Unsubscribe: x",
        'm", <x@y.org>, "n',
        "m,n;o:p@q",
        "=?utf-8?q?Bcc=3A_x?=",
        "m\u2028\u0085\x0bBcc: x@y.org",
    ],
)
def test_no_name_adds_or_changes_a_header(
    alice: User, now: clock.FrozenClock, mailoutbox: list[EmailMessage], name: str
) -> None:
    mallory = games.person("mallory")
    plain = games.start(alice, mallory)
    expected = message_from_bytes(sent(mailoutbox, now).message().as_bytes(), policy=policy.default)
    User.objects.filter(pk=mallory.pk).update(name=name)
    games.start(alice, mallory)
    mail = message_from_bytes(sent(mailoutbox, now).message().as_bytes(), policy=policy.default)
    assert Message.objects.exclude(game=plain).count() == 1
    assert mail.keys() == expected.keys()
    for header in ("To", "From", "List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted"):
        assert mail[header] == expected[header]


def test_a_mail_can_be_copied_with_its_headers(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    games.start(alice, bob)
    mail = sent(mailoutbox, now)  # the test's mailbox holds a copy
    assert mail.extra_headers["List-Unsubscribe"].name == "List-Unsubscribe"
