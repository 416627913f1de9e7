"""Mails over one connection for as many as there are to send."""

from __future__ import annotations

import smtplib
import socket
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from django.conf import settings
from django.core.mail import EmailMessage, mailers

from notifications.channels import Failure, within

#: What part of the lease a mail may take: who is slower must have stopped when another sender takes the mail over.
_OF_LEASE = 0.75


class Post:
    """A context manager: the connection is opened for the first mail, and closed in the end or when something fails."""

    def __init__(self) -> None:
        self._backend: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def send(self, mail: EmailMessage) -> None:
        """Hand a mail to the mail server. Raises :class:`Failure`."""
        try:
            with within(max(0.5, settings.CLEW_LEASE * _OF_LEASE), self._cut):
                self._ready()
                self._hand_over(mail)
        except Failure:
            self._close()
            raise

    def _ready(self) -> None:
        """Have an open connection. One that the server has closed since is opened anew."""
        try:
            if self._backend is not None and not self._is_alive():
                self._close()
            if self._backend is None:
                self._backend = mailers.default
                self._backend.open()
        except Exception as error:
            raise Failure(_reason(error), ours=True) from error

    def _is_alive(self) -> bool:
        connection = getattr(self._backend, "connection", None)
        if connection is None:
            return not hasattr(self._backend, "connection")
        try:
            return bool(connection.noop()[0] == 250)
        except (smtplib.SMTPException, OSError):
            return False

    def _hand_over(self, mail: EmailMessage) -> None:
        try:
            self._backend.send_messages([mail])
        except smtplib.SMTPRecipientsRefused as error:
            permanent = all(500 <= code < 600 for code, _ in error.recipients.values())
            raise Failure(_reason(error), permanent=permanent, bounced=permanent) from error
        except smtplib.SMTPDataError as error:
            raise Failure(_reason(error), permanent=500 <= error.smtp_code < 600) from error
        except smtplib.SMTPResponseException as error:
            raise Failure(_reason(error), ours=True) from error
        except (smtplib.SMTPException, OSError) as error:
            # The connection broke: perhaps only after the server had taken the mail.
            raise Failure(_reason(error), unsure=True, ours=True) from error

    def _cut(self) -> None:
        """End whatever the connection waits for, from another thread."""
        # While it is being opened, Django keeps it under another name.
        for name in ("connection", "_partial_connection"):
            sock = getattr(getattr(self._backend, name, None), "sock", None)
            if sock is not None:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

    def _close(self) -> None:
        backend, self._backend = self._backend, None
        if backend is not None:
            with suppress(smtplib.SMTPException, OSError):
                backend.close()


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
