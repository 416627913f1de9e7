"""Signing up: from the form by the mailed link to where one wanted to go."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import people
from accounts.models import User
from config import clock
from games import services
from games.table.commands import Terms
from notifications import sender
from notifications.models import Message
from tests.accounts.conftest import PASSWORD, letters, mailed_path, sign_up

pytestmark = pytest.mark.django_db

WAITING_ROOM = "/accounts/confirm-email/"


def who(client: Client) -> str | None:
    """The name of the person who is logged in here."""
    answer = client.get("/settings/")
    return str(answer.context["user"].name) if answer.status_code == 200 else None


def test_the_mailed_link_confirms_the_address_logs_in_and_leads_on_where_the_person_wanted_to_go() -> None:
    client = Client()
    assert sign_up(client, "Mina", "Mina@Example.com", next="/rules/") == (302, WAITING_ROOM)
    assert who(client) is None
    path = mailed_path("mina@example.com")
    assert client.get(path).status_code == 200
    assert who(client) is None, "a mail scanner that follows the link confirms nothing"
    answer = client.post(path)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/")
    assert who(client) == "Mina"


def test_in_another_browser_the_link_leads_to_the_log_in_and_from_there_on() -> None:
    sign_up(Client(), "Mina", "mina@example.com", next="/rules/")
    elsewhere = Client()
    answer = elsewhere.post(mailed_path("mina@example.com"))
    assert answer.headers["Location"] == "/accounts/login/?next=%2Frules%2F"
    assert who(elsewhere) is None
    answer = elsewhere.post(answer.headers["Location"], {"login": "mina", "password": PASSWORD, "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert who(elsewhere) == "Mina"


@pytest.mark.parametrize("wanted", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_nobody_is_led_to_another_site(wanted: str) -> None:
    client = Client()
    sign_up(client, "Mina", "mina@example.com", next=wanted)
    path = mailed_path("mina@example.com")
    assert "elsewhere" not in path
    answer = Client().post(f"{path}?then={wanted}")
    assert answer.headers["Location"] == "/accounts/login/"
    sign_up(client, "Nuri", "nuri@example.com")
    assert client.post(mailed_path("nuri@example.com")).headers["Location"] == "/home/"


def test_the_link_works_once_and_not_when_it_is_forged() -> None:
    sign_up(Client(), "Mina", "mina@example.com")
    path = mailed_path("mina@example.com")
    assert Client().post(path[:-2] + "/").status_code == 404
    assert Client().post(path).status_code == 302
    assert Client().post(path).status_code == 404
    assert "used already" in Client().get(path).content.decode()


def test_somebody_else_who_is_logged_in_is_not_taken_for_the_one_who_signed_up(alice: User) -> None:
    sign_up(Client(), "Mina", "mina@example.com")
    client = Client()
    client.force_login(alice)
    client.post(mailed_path("mina@example.com"))
    assert who(client) is None


def test_language_and_time_zone_come_from_the_browser() -> None:
    client = Client(headers={"accept-language": "ko-KR,ko;q=0.9"})
    sign_up(client, "미나", "mina@example.com", time_zone="Asia/Seoul")
    user = User.objects.get(name="미나")
    assert (user.language, user.time_zone) == ("ko", "Asia/Seoul")
    assert letters("mina@example.com")[0].subject == "Clew 메일 주소를 확인해 주세요"


@pytest.mark.parametrize(
    ("field", "cookie", "stored"),
    [
        ("Mars/Olympus", "", "UTC"),
        ("", "Europe%2FOslo", "Europe/Oslo"),
        ("../../etc/passwd", "Europe/Oslo", "Europe/Oslo"),
        ("", "../../etc/passwd", "UTC"),
        ("", "", "UTC"),
    ],
)
def test_a_time_zone_that_is_none_falls_back(field: str, cookie: str, stored: str) -> None:
    client = Client()
    client.cookies["timezone"] = cookie
    assert sign_up(client, "Mina", "mina@example.com", time_zone=field)[0] == 302
    assert User.objects.get(name="Mina").time_zone == stored


# --- who has an account stays unknown ---------------------------------------------------------------------------------


def seen(client: Client, name: str, email: str) -> list[Any]:
    """All that signing up shows, and what can be found out by trying again with the name."""
    answer = client.post("/accounts/signup/", {"username": name, "email": email, "password1": PASSWORD})
    facts: list[Any] = [answer.status_code, answer.headers["Location"], sorted(answer.headers), answer.content]
    facts.append(client.get(WAITING_ROOM).content.decode().count("<p"))
    again = Client().post("/accounts/signup/", {"username": name, "email": f"x{email}", "password1": PASSWORD})
    facts += [again.status_code, "This name is taken." in again.content.decode()]
    login = Client().post("/accounts/login/", {"login": name, "password": PASSWORD})
    facts += [login.status_code, login.headers["Location"]]
    wrong = Client().post("/accounts/login/", {"login": name, "password": "not this one"})
    return [*facts, wrong.status_code, "together with this password" in wrong.content.decode()]


def test_signing_up_with_an_address_that_has_an_account_looks_like_any_other_sign_up(alice: User) -> None:
    assert seen(Client(), "newcomer", "new@example.com") == seen(Client(), "impostor", "alice@example.com")
    assert [letter.subject for letter in letters("alice@example.com")] == ["You have an account at Clew already"]
    assert "/accounts/password/reset/" in mailed_path("alice@example.com")
    alice.refresh_from_db()
    assert alice.email == "alice@example.com"
    assert User.objects.get(name="impostor").email is None


def test_both_kinds_of_sign_up_take_the_time_of_one_password(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    plain = User.set_password

    def counted(self: User, raw_password: str | None) -> None:
        hashed.append(self.name)
        plain(self, raw_password)

    monkeypatch.setattr(User, "set_password", counted)
    sign_up(Client(), "newcomer", "new@example.com")
    assert hashed == ["newcomer"]
    sign_up(Client(), "impostor", "alice@example.com")
    assert hashed == ["newcomer", "impostor"]


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ALICE", "Alice", "ａｌｉｃｅ"])
def test_a_name_that_differs_in_case_or_width_only_is_taken(alice: User, name: str) -> None:
    client = Client()
    assert sign_up(client, name, "new@example.com")[0] == 200
    assert letters("new@example.com") == []


@pytest.mark.parametrize("name", ["аlice", "alıсe", "Ωmega", "миnа", "한글и", "b٥b", "b০b", "ɑlice", "aǀice"])
def test_a_name_that_mixes_alphabets_to_look_like_another_is_refused(name: str) -> None:
    assert sign_up(Client(), name, "new@example.com")[0] == 200
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "name", ["саша", "Ωμέγα", "미나Mina", "ﾊﾅコーヒー漢字々さん", "mina_9", "Strauß-ı", "٣٤", "علي٣۴", "ª"]
)
def test_a_name_may_be_written_in_any_alphabet(name: str) -> None:
    assert sign_up(Client(), name, "new@example.com")[0] == 302


def test_a_name_whose_folded_form_is_too_long_to_be_kept_is_refused() -> None:
    assert sign_up(Client(), "\ufdfa" * 24, "new@example.com")[0] == 200
    assert not User.objects.exists()


def test_sharp_s_is_two_s() -> None:
    assert sign_up(Client(), "Strauß", "one@example.com")[0] == 302
    assert sign_up(Client(), "STRAUSS", "two@example.com")[0] == 200


def test_hangul_typed_in_pieces_is_the_same_name() -> None:
    assert sign_up(Client(), "미나", "one@example.com")[0] == 302
    assert User.objects.filter(name="미나").exists()
    assert sign_up(Client(), "미나", "two@example.com")[0] == 200


@pytest.mark.parametrize(
    "name", ["a\r\nBcc: x@example.com", "a\nb", "a b", "<b>", "a@b", ".a", "a\u202eb", "a\x00b", "", "x" * 25]
)
def test_a_name_can_hold_nothing_that_ends_a_header_or_passes_for_something_else(name: str) -> None:
    assert sign_up(Client(), name, "new@example.com")[0] == 200
    assert not User.objects.exists()
    assert not Message.objects.exists()


@pytest.mark.parametrize("email", ["a@example.com\nBcc: x@example.com", "a@b", "", "a@example.com, b@example.com"])
def test_an_address_is_one_address(email: str) -> None:
    assert sign_up(Client(), "Mina", email)[0] == 200
    assert not Message.objects.exists()


def test_whoever_loses_a_race_for_a_name_is_asked_to_try_again(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "is_name_taken", lambda _name: False)
    client = Client()
    assert sign_up(client, "alice", "new@example.com") == (302, "/accounts/signup/")
    assert "Somebody else was quicker." in client.get("/accounts/signup/").content.decode()
    assert letters("new@example.com") == []


def test_a_weak_password_is_refused_with_a_reason() -> None:
    answer = Client().post("/accounts/signup/", {"username": "Mina", "email": "m@example.com", "password1": "12345678"})
    assert answer.status_code == 200
    assert "This password is too common." in answer.content.decode()


# --- what was never confirmed -----------------------------------------------------------------------------------------


def test_a_name_that_was_not_confirmed_in_time_is_free_again() -> None:
    now = clock.now()
    with clock.frozen(now) as standing:
        sign_up(Client(), "Mina", "mina@example.com")
        standing.advance(days=3)
        assert sign_up(Client(), "Mina", "other@example.com")[0] == 200
        standing.advance(seconds=1)
        assert sign_up(Client(), "Mina", "other@example.com")[0] == 302
    assert User.objects.get(name="Mina").email == "other@example.com"


def test_a_confirmed_account_stays() -> None:
    sign_up(Client(), "Mina", "mina@example.com")
    Client().post(mailed_path("mina@example.com"))
    with clock.frozen(clock.now() + timedelta(days=400)):
        people.forget_unconfirmed()
    assert User.objects.filter(name="Mina").exists()


def test_somebody_who_sits_at_a_table_stays() -> None:
    sign_up(Client(), "Mina", "mina@example.com")
    services.open_game(User.objects.get(name="Mina"), Terms("ariadne"))
    with clock.frozen(clock.now() + timedelta(days=400)):
        people.forget_unconfirmed()
    assert User.objects.filter(name="Mina").exists()


# --- mails ------------------------------------------------------------------------------------------------------------


def test_a_mail_server_that_is_down_does_not_break_signing_up(settings: Settings) -> None:
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": 9, "timeout": 1},
        }
    }
    assert sign_up(Client(), "Mina", "mina@example.com") == (302, WAITING_ROOM)
    assert sender.send_due() == 1
    (letter,) = letters("mina@example.com")
    assert (letter.state, letter.attempts) == ("waiting", 1)
    assert letter.body_text, "what was not sent is kept"


def test_the_link_leaves_the_outbox_with_the_mail(mailoutbox: list[Any]) -> None:
    sign_up(Client(), "Mina", "mina@example.com")
    path = mailed_path("mina@example.com")
    assert sender.send_due() == 1
    (mail,) = mailoutbox
    assert mail.to == ["mina@example.com"]
    assert path in mail.body
    assert path in mail.alternatives[0].content
    assert mail.extra_headers["Auto-Submitted"] == "auto-generated"
    (letter,) = letters("mina@example.com")
    assert (letter.state, letter.body_text, letter.body_html) == ("sent", None, None)


def test_a_mail_whose_link_is_too_old_is_not_sent_any_more(mailoutbox: list[Any]) -> None:
    with clock.frozen(clock.now()) as standing:
        sign_up(Client(), "Mina", "mina@example.com")
        standing.advance(days=3)
        sender.send_due()
    assert mailoutbox == []
    (letter,) = letters("mina@example.com")
    assert (letter.state, letter.body_text) == ("dropped", None)


def test_when_the_mail_can_not_be_written_down_nobody_is_signed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        message = "no disk"
        raise OSError(message)

    monkeypatch.setattr("notifications.outbox.write_account_mail", fail)
    with pytest.raises(OSError, match="no disk"):
        sign_up(Client(), "Mina", "mina@example.com")
    assert not User.objects.exists()


def test_logging_in_right_after_signing_up_does_not_tell_whether_the_address_had_an_account(valkey: str) -> None:
    people.add_person("Alba", "alba@example.com", PASSWORD)
    told = []
    for name, address in (("Fresh", "fresh@example.com"), ("Other", "alba@example.com")):
        sign_up(Client(), name, address, password1="another-" + PASSWORD)
        answer = Client().post("/accounts/login/", {"login": address, "password": "another-" + PASSWORD})
        told.append((answer.status_code, answer.context["form"].errors.as_text() if answer.context else None))
    assert told[0] == told[1]
    assert told[0][0] == 200


@pytest.mark.parametrize("name", ["Alba\u3164", "\u3164", "\u115f", "Al\u1160ba", "\uffa0x"])
def test_a_name_with_letters_that_nobody_can_see_is_refused(name: str) -> None:
    status, _ = sign_up(Client(), name, "x@example.com")
    assert status == 200
    assert not User.objects.exists()
