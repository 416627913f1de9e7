"""Tokens: kept as a hash, found by their secret, and refused in the same words whatever is wrong with them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from accounts import tokens
from accounts.authentication import TokenAuthentication
from accounts.models import Token, User
from config import clock

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def authenticated(header: str) -> tuple[User, Token] | None:
    request = Request(APIRequestFactory().get("/", HTTP_AUTHORIZATION=header))
    return TokenAuthentication().authenticate(request)


def refusal_of(header: str) -> str:
    with pytest.raises(AuthenticationFailed) as caught:
        authenticated(header)
    return str(caught.value.detail)


def test_a_secret_finds_its_token_and_stands_nowhere_in_the_database(alice: User) -> None:
    token, secret = tokens.make(alice, "my laptop", ["play", "read"])
    found = tokens.find(secret)
    assert found == token
    assert found.user == alice
    assert found.scopes == {"read", "play"}
    row = Token.objects.filter(pk=token.pk).values().get()
    assert secret.removeprefix(tokens.PREFIX) not in str(row)


def test_secrets_begin_with_clew_and_hold_256_bits_of_their_own(alice: User) -> None:
    secrets = {tokens.make(alice, "one of many", ["read"])[1] for _ in range(50)}
    assert len(secrets) == 50
    assert {len(secret) for secret in secrets} == {len("clew_") + 43}  # 43 × 6 bits ≥ 256
    assert all(secret.startswith("clew_") for secret in secrets)


def test_there_is_no_token_without_a_scope_or_with_one_that_there_is_not(alice: User) -> None:
    with pytest.raises(ValueError, match="without a scope"):
        tokens.make(alice, "nothing", [])
    with pytest.raises(ValueError, match="admin"):
        tokens.make(alice, "too much", ["read", "admin"])
    assert not Token.objects.exists()


def test_a_program_shows_its_token_as_bearer(alice: User) -> None:
    token, secret = tokens.make(alice, "my laptop", ["read"])
    assert authenticated(f"Bearer {secret}") == (alice, token)
    assert authenticated(f"bearer  {secret} ") == (alice, token)


def test_a_request_that_shows_no_token_is_left_to_the_session(alice: User) -> None:
    assert authenticated("") is None
    assert authenticated("Basic YWxpY2U6cGFzc3dvcmQ=") is None


def test_every_bad_token_is_refused_in_the_same_words(alice: User, bob: User) -> None:
    with clock.frozen(NOON) as time:
        _run_out, run_out = tokens.make(alice, "ran out", ["read"], expires_at=NOON + timedelta(days=1))
        gone, revoked = tokens.make(alice, "revoked", ["read"])
        assert tokens.revoke(alice, gone.pk)
        closed = User.objects.create_user("closed", is_active=False)
        pending = User.objects.create_user("pending", pending_since=NOON)
        secrets = [revoked, *(tokens.make(user, "theirs", ["read"])[1] for user in (closed, pending))]
        assert authenticated(f"Bearer {run_out}") is not None
        time.advance(days=1)
        bad = [*secrets, run_out, "clew_" + "A" * 43, "clew_", "", "\x00\udcff", "x" * 100_000]
        assert {refusal_of(f"Bearer {secret}") for secret in bad} == {"This token is not valid."}
        # And at the same cost.
        for secret in bad:
            with CaptureQueriesContext(connection) as captured:
                refusal_of(f"Bearer {secret}")
            assert len(captured) == 1


def test_a_bots_token_is_good_only_while_its_owner_may_come_in(alice: User) -> None:
    bot = User.objects.create_user("alices.bot", is_bot=True, owner=alice)
    _token, secret = tokens.make(bot, "first", ["play"])
    assert tokens.find(secret) is not None
    alice.is_active = False
    alice.save()
    assert tokens.find(secret) is None


def test_only_whose_token_it_is_revokes_it(alice: User, bob: User) -> None:
    token, secret = tokens.make(alice, "my laptop", ["read"])
    assert not tokens.revoke(bob, token.pk)
    assert tokens.find(secret) is not None
    assert tokens.revoke(alice, token.pk)
    assert tokens.find(secret) is None
    assert not tokens.revoke(alice, token.pk)


def test_last_use_is_written_at_most_once_a_minute_and_in_one_update(alice: User) -> None:
    _token, secret = tokens.make(alice, "my laptop", ["read"])
    with clock.frozen(NOON) as time:
        with CaptureQueriesContext(
            connection,
        ) as first:
            authenticated(f"Bearer {secret}")
        assert [query["sql"].split()[0] for query in first] == ["SELECT", "UPDATE"]
        time.advance(seconds=59)
        with CaptureQueriesContext(connection) as again:
            authenticated(f"Bearer {secret}")
        assert [query["sql"].split()[0] for query in again] == ["SELECT"]
        assert Token.objects.get().used_at == NOON
        time.advance(seconds=1)
        authenticated(f"Bearer {secret}")
        assert Token.objects.get().used_at == NOON + timedelta(minutes=1)


def test_two_requests_at_once_write_last_use_once(alice: User) -> None:
    token, _secret = tokens.make(alice, "my laptop", ["read"])
    stale = Token.objects.get(pk=token.pk)
    with clock.frozen(NOON) as time:
        tokens.note_use(token)
        time.advance(seconds=30)
        tokens.note_use(stale)  # read before the other wrote
    assert Token.objects.get().used_at == NOON


def test_a_person_has_no_owner(alice: User, bob: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=bob.pk).update(owner=alice)
