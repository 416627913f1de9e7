"""What may be posted to: public hosts by https, and nothing within; whatever names, redirects or DNS say."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest
from pytest_django.fixtures import Settings

from notifications.channels import Failure, guarded

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:c0a8:101::", "192.0.2.1",
    "240.0.0.1",
]  # fmt: skip


class Listener:
    """A web server of this machine that notes what it is sent. ``answer`` is a status and headers."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.answer: tuple[int, dict[str, str]] = (204, {})
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                status, headers = outer.answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://hooks.example:{self.server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def listener(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """A host that the operator allows by name, which lies on this machine."""
    settings.CLEW_WEBHOOK_HOSTS = ["hooks.example"]
    monkeypatch.setattr(guarded, "resolve", lambda host, port: ["127.0.0.1"])
    with Listener() as found:
        yield found


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_public_are_refused_wherever_they_come_from(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not guarded.is_public(ipaddress.ip_address(address))
    literal = f"[{address}]" if ":" in address else address
    with pytest.raises(guarded.Forbidden):
        guarded.check(f"https://{literal}/")
    monkeypatch.setattr(guarded, "resolve", lambda host, port: [address])
    with pytest.raises(guarded.Forbidden):
        guarded.post("https://innocent.example/", b"", {})


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111"])
def test_public_addresses_are_not(address: str) -> None:
    assert guarded.is_public(ipaddress.ip_address(address))


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "resolve", lambda host, port: ["1.1.1.1", "10.0.0.1"])
    with pytest.raises(guarded.Forbidden):
        guarded.pinned("innocent.example", 443)


@pytest.mark.parametrize(
    "url",
    [
        "http://innocent.example/", "ftp://innocent.example/", "https://", "https://user:pass@innocent.example/", "file:///etc/passwd",
        "https://innocent.example:99999/", "gopher://x", "https://exa mple/", "https://exämple/", "javascript:alert(1)",
        "http://localhost/", "http://2130706433/", "http://0x7f.1/",
    ],
)  # fmt: skip
def test_what_is_no_public_web_address_is_refused(url: str) -> None:
    with pytest.raises(guarded.Forbidden):
        guarded.check(url)


def test_a_name_in_other_spellings_of_this_machine_is_refused_once_it_is_resolved() -> None:
    for url in ("https://localhost/", "https://2130706433/", "https://0x7f.1/", "https://127.1/"):
        with pytest.raises(Failure):
            guarded.post(url, b"", {})


def test_the_name_is_resolved_once_and_the_connection_goes_where_it_was_looked_at(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS that answers otherwise the second time gains nothing: it isn't asked."""
    asked: list[str] = []

    def changing(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    monkeypatch.setattr(guarded, "resolve", changing)
    assert guarded.post(f"{listener.url}/a?b=c", b"hello", {}).status == 204
    assert asked == ["hooks.example"]
    path, headers, body = listener.requests[0]
    assert (path, headers["host"].partition(":")[0], body) == ("/a?b=c", "hooks.example", b"hello")


def test_a_redirect_is_not_followed(listener: Listener) -> None:
    listener.answer = (302, {"Location": f"{listener.url}/elsewhere"})
    assert guarded.post(listener.url, b"", {}).status == 302
    assert len(listener.requests) == 1


def test_a_host_that_the_operator_did_not_name_is_not_reached_on_this_machine(
    listener: Listener, settings: Settings
) -> None:
    settings.CLEW_WEBHOOK_HOSTS = ["other.example"]
    with pytest.raises(guarded.Forbidden):
        guarded.post(listener.url.replace("http://", "https://"), b"", {})
    assert listener.requests == []


def test_the_certificate_is_asked_for_under_the_hosts_own_name(listener: Listener) -> None:
    connection = guarded._connection("https", "hooks.example", "127.0.0.1", 443)
    assert connection.server_hostname == connection.assert_hostname == "hooks.example"  # type: ignore[attr-defined]  # HTTPS
    assert guarded._trust.context.verify_mode == ssl.CERT_REQUIRED


def test_who_answers_a_byte_at_a_time_is_cut_off(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CLEW_WEBHOOK_HOSTS = ["slow.example"]
    monkeypatch.setattr(guarded, "resolve", lambda host, port: ["127.0.0.1"])
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def dribble() -> None:
            taken, _ = server.accept()
            with taken:
                taken.sendall(b"HTTP/1.1 200 OK\r\n")
                while not ended.wait(0.05):
                    try:
                        taken.sendall(b"X: y\r\n")
                    except OSError:
                        return

        thread = threading.Thread(target=dribble, daemon=True)
        thread.start()
        with pytest.raises(Failure) as failure:
            guarded.post(f"http://slow.example:{server.getsockname()[1]}/", b"", {}, seconds=0.3)
        ended.set()
        thread.join(5)
    assert failure.value.unsure
    assert not failure.value.permanent
