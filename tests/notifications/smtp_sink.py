"""A real SMTP server in a thread, which keeps what it is given and refuses what it is told to refuse."""

from __future__ import annotations

import logging
from email import message_from_bytes, policy
from email.message import EmailMessage
from types import TracebackType
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.plugins.servers import free_port

PORT_TRIES = 5
logging.getLogger("mail.log").setLevel(logging.WARNING)  # it tells every line of every conversation


class Sink:
    """A context manager. ``mails`` are those taken, in order of arrival.

    ``refuse_recipient`` and ``refuse_data`` are SMTP answers (``"550 no such user"``) given from then on.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refuse_recipient: str | None = None
        self.refuse_data: str | None = None
        self.port = 0
        self._controller: Controller | None = None

    def __enter__(self) -> Self:
        for tries_left in reversed(range(PORT_TRIES)):
            self.port = free_port()
            self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
            try:
                self._controller.start()
                break
            except OSError:
                if not tries_left:
                    raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Take no more: connections are refused from now on."""
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    @property
    def options(self) -> dict[str, Any]:
        """OPTIONS of Django's SMTP backend that reach it."""
        return {"host": "127.0.0.1", "port": self.port, "timeout": 5}

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which a child process mails to it."""
        return {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(self.port)}

    @property
    def message_ids(self) -> list[str]:
        return [mail["Message-ID"] for mail in self.mails]

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuse_recipient is not None:
            return self.refuse_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        if self.refuse_data is not None:
            return self.refuse_data
        assert isinstance(envelope.content, bytes)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"
