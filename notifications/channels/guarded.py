"""Requests to addresses that people give us: to public hosts only, and never for longer than they may take.

The name is resolved once, every address that it has is looked at, and the connection goes to one of those: a name that
is given another address a moment later gains nothing. Redirects aren't followed. An operator may allow hosts by name
(``CLEW_WEBHOOK_HOSTS``), such as an ntfy of their own; those may be anywhere, and be spoken to without TLS.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.functional import cached_property
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from notifications.channels import Failure, within

#: Seconds that a request may take in all, and one step of it.
WHOLE: Final = 15.0
STEP: Final = 5.0
#: Bytes of an answer that are read.
ENOUGH: Final = 2000
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


class Forbidden(Failure):
    """Nothing is ever sent to this address."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, permanent=True)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the other side said."""

    status: int
    text: str


class _Trust:
    """The certificate authorities of this machine, read once."""

    @cached_property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context()


_trust = _Trust()


def check(url: str) -> SplitResult:
    """The parts of an address that may be posted to, as far as its text says. Raises :class:`Forbidden`."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise Forbidden("this is no web address") from None
    if parts.scheme not in ("https", "http") or not host or parts.username or parts.password:
        raise Forbidden("this is no web address")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise Forbidden("this is no web address")
    if not is_allowed(host):
        if parts.scheme != "https":
            raise Forbidden("the address must begin with https://")
        with suppress(ValueError):
            if not is_public(ipaddress.ip_address(host)):
                raise Forbidden("the address is not a public one")
    return parts


def is_allowed(host: str) -> bool:
    """Whether the operator vouches for the host."""
    return host.lower() in {name.lower() for name in settings.CLEW_WEBHOOK_HOSTS}


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is on the public internet, also where it stands within an IPv6 address."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a host. A function of its own, so that tests can stand in for the name servers."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def pinned(host: str, port: int) -> str:
    """The one address to connect to. Raises :class:`Forbidden` if any of the host's addresses isn't public."""
    pool = ThreadPoolExecutor(1)  # a name server may take its time, and can't be told to hurry
    try:
        addresses = pool.submit(resolve, host, port).result(STEP)
    except (OSError, TooSlow, UnicodeError) as error:
        raise Failure(f"the host could not be found: {error}") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    if not addresses:
        raise Failure("the host has no address")
    if not is_allowed(host) and not all(is_public(ipaddress.ip_address(one.partition("%")[0])) for one in addresses):
        raise Forbidden("the address is not a public one")
    return addresses[0]


def post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = WHOLE) -> Answer:
    """POST to an address, within so many seconds. Raises :class:`Failure`, of which :class:`Forbidden` is one."""
    parts = check(url)
    assert parts.hostname is not None
    host = parts.hostname
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = _connection(parts.scheme, host, pinned(host, port), port)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = {"Host": parts.netloc, "User-Agent": "Clew", "Content-Length": str(len(body)), **headers}
    unsure = False
    too_slow = threading.Event()

    def stop() -> None:
        too_slow.set()
        _cut(connection)

    try:
        with within(seconds, stop):
            connection.connect()
            unsure = True
            connection.request("POST", path, body=body, headers=sent, preload_content=False)
            answer = connection.getresponse()
            said = Answer(answer.status, answer.read(ENOUGH).decode("utf-8", "replace"))
        if too_slow.is_set():  # what was cut off can look like a whole answer
            raise TimeoutError("it took too long")
        return said
    except (HTTPError, OSError, ValueError) as error:
        raise Failure(f"{type(error).__name__}: {error}"[:400], unsure=unsure) from error
    finally:
        connection.close()


def _connection(scheme: str, host: str, address: str, port: int) -> HTTPConnection:
    if scheme == "http":
        return HTTPConnection(address, port, timeout=STEP)
    return HTTPSConnection(
        address, port, timeout=STEP, ssl_context=_trust.context, server_hostname=host, assert_hostname=host
    )


def _cut(connection: HTTPConnection) -> None:
    """End whatever the connection waits for."""
    sock = connection.sock
    if sock is not None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
