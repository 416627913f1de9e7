"""A mail back end that kills its own process with −9, once, before or after a send.

``CLEW_TEST_CRASH`` is ``POINT:WHAT:FILE``: ``before`` or ``after`` the mail server took the message, the ``process``
that sends or the whole ``worker`` (its process group, as when the machine dies), while FILE is there, which the crash
removes.
"""

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends import smtp


class EmailBackend(smtp.EmailBackend):
    """Django's SMTP back end with two crash points."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{"host": os.environ["SMTP_HOST"], "port": int(os.environ["SMTP_PORT"]), "timeout": 5, **options}
        )

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        crash_at("before")
        sent = super().send_messages(email_messages)
        crash_at("after")
        return sent


def crash_at(point: str) -> None:
    """Die here, if this is the point that the environment names and it has not been done yet."""
    wanted, what, file = os.environ["CLEW_TEST_CRASH"].split(":", 2)
    if wanted != point or not Path(file).exists():
        return
    Path(file).unlink()
    if what == "worker":
        os.killpg(os.getpgid(0), signal.SIGKILL)
    else:
        os.kill(os.getpid(), signal.SIGKILL)
