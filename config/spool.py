"""The broker of an embedded site: Celery's queue in files, where a message is there whole or not at all.

Kombu's own transport makes a message's file and then writes it, so that a worker that looks in between finds an empty
one, and ends. Here it is written beside and then renamed.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from time import monotonic
from typing import Any, Final

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

#: What broker addresses of this kind begin with: ``spool://``.
SCHEME: Final = "spool"


class Channel(filesystem.Channel):
    """Puts messages by renaming; everything else is Kombu's."""

    def _put(self, queue: str, message: Any, **_kwargs: Any) -> None:  # type: ignore[override] # the stub lacks Kombu's own
        # The names that Kombu's own _get looks for: in the order of their making, with the queue at the end.
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        folder = Path(self.data_folder_out)
        unready = folder / f"{name}.part"
        try:
            unready.write_text(dumps(message))
            unready.replace(folder / name)
        except OSError as error:
            raise ChannelError(f"Cannot add {name!r} to the queue") from error


class Transport(filesystem.Transport):
    """Kombu's filesystem transport with that channel."""

    Channel = Channel


def register() -> None:
    """Make addresses of this kind known to Kombu."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
