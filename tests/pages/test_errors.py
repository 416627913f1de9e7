"""The pages for what isn't there, isn't allowed, or went wrong."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client

from accounts.models import User


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/nope/", "/rules/nope/", "/games/00000000-0000-4000-8000-000000000000/"])
def test_what_is_not_there_has_a_page_of_the_site_with_a_way_back(path: str) -> None:
    answer = Client().get(path)
    text = answer.content.decode()
    assert answer.status_code == 404
    assert "Nothing here" in text
    assert 'class="site-header"' in text


@pytest.mark.django_db
def test_it_speaks_korean_and_knows_who_is_logged_in(alice: User) -> None:
    alice.language = "ko"
    alice.save()
    client = Client()
    client.force_login(alice, "accounts.backends.Backend")
    text = client.get("/nope/").content.decode()
    assert "여기에는 아무것도 없습니다" in text
    assert "alice" in text


@pytest.mark.django_db
def test_a_form_without_its_token_is_told_what_to_do() -> None:
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "x", "password": "y"})
    assert answer.status_code == 403
    assert "load its page again" in answer.content.decode()


def test_the_page_for_our_own_fault_needs_nothing_to_be_drawn() -> None:
    text = render_to_string("500.html")
    assert "It is our fault" in text
    assert "저희 쪽의 잘못" in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "kind"), [("/api/v1/rules/", "application/problem+json"), ("/rules/", "text/html; charset=utf-8")]
)
def test_our_own_fault_is_told_in_the_form_that_was_asked_for(
    path: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a secret of the server's")

    monkeypatch.setattr("games.api.views.rules_known", broken)
    monkeypatch.setattr("games.pages.catalogue.entries", broken)
    answer = Client(raise_request_exception=False).get(path)
    assert (answer.status_code, answer["Content-Type"]) == (500, kind)
    assert "secret" not in answer.content.decode()
