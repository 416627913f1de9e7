"""The download of all that the site keeps of a person, as one file that is made while it is sent."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import caches
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import export
from accounts.models import User

#: Seconds after which a download counts as given up, whatever became of it.
_LONGEST = 600


@never_cache
@login_required
@require_safe
def download(request: HttpRequest) -> HttpResponseBase:
    """``clew.json``. One at a time for each person: a download keeps one of the site's few threads."""
    user = request.user
    assert isinstance(user, User)
    if request.method == "HEAD":
        return _answer(iter(()))
    if not begin(user):
        messages.error(request, _("Your data is being sent already. Please wait until that is done."))
        return redirect("settings")
    return _answer(Sent(user))


def _answer(chunks: Iterator[str]) -> StreamingHttpResponse:
    response = StreamingHttpResponse(chunks, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="clew.json"'
    return response


class Sent:
    """The file in chunks. Closed when it was sent or the reader went away, even before they took the first chunk."""

    def __init__(self, user: User) -> None:
        self._user = user
        self._chunks = document(user)

    def __iter__(self) -> Iterator[str]:
        return self._chunks

    def __next__(self) -> str:
        return next(self._chunks)

    def close(self) -> None:
        self._chunks.close()
        _end(self._user)


def document(user: User) -> Generator[str]:
    """All parts of the export as one JSON object, its lists put together."""
    section = ""
    for part in export.parts(user):
        ((name, value),) = part.items()
        if name == "account":
            yield f'{{"account": {_json(value)}'
            continue
        if name != section:
            yield f'{"]" if section else ""},\n"{name}": ['
            begun, section = False, name
        for row in value:
            yield f"{',' if begun else ''}\n{_json(row)}"
            begun = True
    yield "]}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _key(user: User) -> str:
    return f"download:{user.pk}"


def begin(user: User) -> bool:
    """Whether no download of this person's is under way; a cache that is away keeps nobody from their data."""
    return caches["limits"].add(_key(user), 1, _LONGEST)


def _end(user: User) -> None:
    caches["limits"].delete(_key(user))
