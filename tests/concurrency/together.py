"""Several threads that meet at one point of the code before they go on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

SECONDS = 60.0


def together(actions: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run each action in a thread of its own; what each returned or raised, in order."""

    def run(action: Callable[[], Any]) -> Any:
        try:
            return action()
        except Exception as error:  # noqa: BLE001 - what was raised is what the test looks at
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions, timeout=SECONDS))


def meet_at(patch: pytest.MonkeyPatch, module: Any, name: str, parties: int) -> None:
    """Have each thread wait, the first time that ``module.name`` has returned to it, until all are there."""
    barrier, function, met = threading.Barrier(parties, timeout=SECONDS), getattr(module, name), threading.local()

    def waiting(*args: Any, **kwargs: Any) -> Any:
        returned = function(*args, **kwargs)
        if not hasattr(met, "yes"):
            met.yes = True
            barrier.wait()
        return returned

    patch.setattr(module, name, waiting)


def once_before(patch: pytest.MonkeyPatch, module: Any, name: str, action: Callable[[], Any]) -> None:
    """Do something before the first call of ``module.name``."""
    _once(patch, module, name, action, after=False)


def once_after(patch: pytest.MonkeyPatch, module: Any, name: str, action: Callable[[], Any]) -> None:
    """Do something after the first call of ``module.name``, before it returns."""
    _once(patch, module, name, action, after=True)


def _once(patch: pytest.MonkeyPatch, module: Any, name: str, action: Callable[[], Any], *, after: bool) -> None:
    function = getattr(module, name)
    done: list[bool] = []

    def hooked(*args: Any, **kwargs: Any) -> Any:
        if done:
            return function(*args, **kwargs)
        done.append(True)
        if not after:
            action()
        returned = function(*args, **kwargs)
        if after:
            action()
        return returned

    patch.setattr(module, name, hooked)
