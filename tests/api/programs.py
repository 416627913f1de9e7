"""Programs that use the API in this process: a test client with a token, or without one."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from accounts import tokens
from accounts.models import User

API = "/api/v1"
PROBLEM = "application/problem+json"


def new_key() -> str:
    return str(uuid.uuid4())


class Program:
    """Asks the API as somebody. Paths begin below ``/api/v1``; headers are given as ``If_Match='"41"'``."""

    def __init__(self, client: Client, secret: str | None = None) -> None:
        self.client = client
        self.headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}

    def ask(self, method: str, path: str, body: object = None, *, key: str | None = None, **headers: str) -> Any:
        """The answer. A POST has a key of its own unless one is given; a body that is text is sent as it is."""
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if method == "POST":
            sent["Idempotency-Key"] = new_key() if key is None else key
        if method in ("GET", "HEAD", "OPTIONS"):
            return self.client.generic(method, f"{API}{path}", headers=sent)
        text = body if isinstance(body, str | bytes) else json.dumps({} if body is None else body)
        return self.client.generic(method, f"{API}{path}", text, content_type="application/json", headers=sent)

    def get(self, path: str, **headers: str) -> Any:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: object = None, *, key: str | None = None, **headers: str) -> Any:
        return self.ask("POST", path, body, key=key, **headers)

    def move(self, game: str, move: object, step: int, *, key: str | None = None) -> Any:
        """Make a move, typed where it is a text, as one who saw this step."""
        body = {"notation": move} if isinstance(move, str) else {"move": move}
        return self.post(f"/games/{game}/moves/", body, key=key, If_Match=f'"{step}"')


def program(user: User, *scopes: str) -> Program:
    """A program of this person's, with a token of its own that reads and plays unless other scopes are given."""
    _token, secret = tokens.make(user, "a program", scopes or ("read", "play"))
    return Program(Client(), secret)


def nobody() -> Program:
    return Program(Client())


def in_session(user: User, *, csrf: bool = True) -> Program:
    """The site's own script in somebody's browser, which shows the CSRF token or doesn't."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    session = Program(client)
    if csrf:
        client.cookies["csrftoken"] = "c" * 32
        session.headers["X-CSRFToken"] = "c" * 32
    return session


def problem(answer: HttpResponseBase, status: int, kind: str) -> dict[str, Any]:
    """The problem that an answer is, which has to be of this status and kind."""
    content: bytes = getattr(answer, "content", b"")
    assert answer.status_code == status, content
    assert answer["Content-Type"] == PROBLEM
    data: dict[str, Any] = json.loads(content)
    assert data["type"].endswith(f"/api/problems/#{kind}")
    assert data["status"] == status
    assert data["title"]
    assert data["detail"]
    return data
