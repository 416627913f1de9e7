"""Only UTF-8 comes in."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.programs import problem

BODY = b'--x\r\nContent-Disposition: form-data; name="login"\r\n\r\nA\r\n--x--\r\n'


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["zip", "hex", "idna", "utf-7", "unicode_escape", "no such thing"])
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
def test_a_form_in_another_charset_is_refused_before_anything_reads_it(charset: str, kind: str) -> None:
    answer = Client().post("/accounts/login/", BODY, content_type=f'{kind}; charset="{charset}"')
    assert (answer.status_code, answer.content) == (400, b"Send forms in UTF-8.\n")


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", "utf8"])
def test_utf_8_is_read_however_it_is_spelled(charset: str, valkey: str) -> None:
    answer = Client().post("/accounts/login/", BODY, content_type=f"multipart/form-data; boundary=x; charset={charset}")
    assert answer.status_code == 200


@pytest.mark.django_db
def test_the_api_says_as_a_problem_that_json_is_utf_8() -> None:
    answer = Client().post("/api/v1/games/", b"{}", content_type="application/json; charset=utf-16")
    problem(answer, 415, "unsupported-media-type")
