"""The ways by which messages go out: one module each, which sends, or says by a :class:`Failure` why not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Failure(Exception):
    """A message did not go out, as far as we know.

    ``permanent``: trying again is useless. ``unsure``: it may have gone out all the same. ``bounced``: the mail address
    refuses all mails. ``gone``: the device or webhook is no more. ``ours``: our own service failed, not theirs.
    ``alone``: it could not even be written, so that what was to go with it had better go without.
    """

    def __init__(
        self,
        reason: str,
        *,
        permanent: bool = False,
        unsure: bool = False,
        bounced: bool = False,
        gone: bool = False,
        ours: bool = False,
        alone: bool = False,
    ) -> None:
        super().__init__(reason)
        self.permanent = permanent
        self.unsure = unsure
        self.bounced = bounced
        self.gone = gone
        self.ours = ours
        self.alone = alone


@contextmanager
def within(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` from another thread where the block takes longer: a timeout of a socket counts each read alone."""
    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
