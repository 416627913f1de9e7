"""Dicts and lists that can't be changed: moves that many lists share.

They equal, serialise and read like plain ones; copying or pickling one gives a plain one.
"""

from __future__ import annotations

from typing import Any, NoReturn


def _refuse(self: object, *args: object, **kwargs: object) -> NoReturn:
    raise TypeError("this value is shared and can't be changed: copy it first")


class FrozenDict(dict[str, Any]):
    """A dict whose every changing method raises TypeError."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[list[tuple[str, Any]]]]:
        return dict, (list(self.items()),)


class FrozenList(list[Any]):
    """A list whose every changing method raises TypeError."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[type[list[Any]], tuple[tuple[Any, ...]]]:
        return list, (tuple(self),)
