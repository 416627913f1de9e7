"""Errors of the API, all of one form: RFC 9457 problem details.

A problem has ``type`` (an address that explains it), ``title``, ``status`` and ``detail``; a refusal of the rules or of
the table also has its ``code``, invalid data its ``errors`` (field by field), a stale move the present ``game``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response

CONTENT_TYPE: Final = "application/problem+json"

#: Every kind of problem: what it is called, and what it means for whoever gets it.
KINDS: Final[dict[str, tuple[str | Promise, str | Promise]]] = {
    "malformed": (_("Malformed request"), _("The body isn't JSON of the kind that is expected here.")),
    "invalid": (_("Invalid data"), _("Fields are missing or wrong. “errors” names each one and says why.")),
    "idempotency-key": (
        _("Idempotency-Key is missing or malformed"),
        _("Every POST has this header: 1 to 64 printable characters, new for each intention, the same for a repeat."),
    ),
    "not-authenticated": (_("Not authenticated"), _("Send a valid token: “Authorization: Bearer …”.")),
    "forbidden": (_("Not allowed"), _("The token lacks the scope for this, or it isn't yours to do.")),
    "not-found": (_("Not found"), _("There is nothing here, or it isn't yours to see: the two are not told apart.")),
    "method-not-allowed": (_("Method not allowed"), _("The header “Allow” says what can be done here.")),
    "not-acceptable": (_("Not acceptable"), _("Answers are JSON.")),
    "conflict": (_("Not possible now"), _("The table doesn't allow it as it stands. “code” says why.")),
    "stale": (_("The table has moved on"), _("The step that you named has passed. “game” is the table as it is now.")),
    "too-large": (_("Too large"), _("The body is larger than anything that is expected here.")),
    "unsupported-media-type": (_("Unsupported media type"), _("Bodies are JSON: “Content-Type: application/json”.")),
    "illegal-move": (_("Illegal move"), _("The rules forbid the move. “code” names the rule; nothing has changed.")),
    "step-required": (
        _("Say which step you saw"),
        _('A move states the step that it was made for: “If-Match: "41"”, or “step” in the body.'),
    ),
    "too-many-requests": (_("Too many requests"), _("Wait as many seconds as “Retry-After” says.")),
    "busy": (_("The table is busy"), _("Others keep acting at this table. Nothing was done: try again.")),
    "unavailable": (_("Not available"), _("This service doesn't offer that, or not just now.")),
    "internal-error": (_("Our fault"), _("Something broke here. Nothing was done by halves.")),
}

_KIND_OF_STATUS: Final = {
    400: "invalid",
    401: "not-authenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    409: "conflict",
    413: "too-large",
    415: "unsupported-media-type",
    429: "too-many-requests",
    503: "unavailable",
}


class Problem(exceptions.APIException):
    """An error of a kind of :data:`KINDS`. ``members`` are added to what is sent."""

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str | Promise | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        self.status_code = status
        self.kind = kind
        self.headers = dict(headers or {})
        self.members = members
        super().__init__(str(KINDS[kind][1] if detail is None else detail))


def document(status: int, kind: str, detail: str, **members: Any) -> dict[str, Any]:
    """A problem as JSON, in the active language."""
    about = f"{settings.CLEW_SITE_URL}{reverse('api-problems')}#{kind}"
    return {"type": about, "title": str(KINDS[kind][0]), "status": status, "detail": detail, **members}


def handle(error: Exception, _context: Mapping[str, Any]) -> Response | None:
    """Django REST framework's exception handler. None for an error of ours, which then is a 500."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if not isinstance(error, exceptions.APIException):
        return None
    kind, detail, members = _told(error)
    headers = error.headers if isinstance(error, Problem) else {}
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(wait)))
    challenge = getattr(error, "auth_header", None)
    if challenge:
        headers["WWW-Authenticate"] = challenge
    data = document(error.status_code, kind, detail, **members)
    response = Response(data, status=error.status_code, headers=headers, content_type=CONTENT_TYPE)
    # Whoever asked has been told; what Django writes of each would bury what an operator has to know.
    response._has_been_logged = True  # type: ignore[attr-defined] # Django's own mark
    return response


def _told(error: exceptions.APIException) -> tuple[str, str, dict[str, Any]]:
    """The kind of an error, its detail, and what else is said."""
    match error:
        case Problem():
            return error.kind, str(error.detail), error.members
        case exceptions.ValidationError():
            return "invalid", str(KINDS["invalid"][1]), {"errors": list(_fields(error.detail))}
        case exceptions.ParseError():
            return "malformed", str(error.detail), {}
        case exceptions.NotFound():
            return "not-found", str(KINDS["not-found"][1]), {}
        case exceptions.Throttled():
            return "too-many-requests", str(KINDS["too-many-requests"][1]), {}
        case _:
            return _KIND_OF_STATUS.get(error.status_code, "internal-error"), str(error.detail), {}


def _fields(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Every message of nested validation errors with the dotted path of its field; the body as a whole is ``""``."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            # What is wrong with several fields together is filed under a name of the framework's.
            at = path if name == "non_field_errors" else f"{path}.{name}".strip(".")
            yield from _fields(inner, at)
    elif isinstance(detail, list | tuple):
        for inner in detail:
            yield from _fields(inner, path)
    else:
        yield {"field": path, "code": getattr(detail, "code", "invalid"), "message": str(detail)}


def plain(status: int, kind: str) -> HttpResponse:
    """A problem outside of any endpoint: an address that isn't there, an error of ours."""
    data = document(status, kind, str(KINDS[kind][1]))
    return JsonResponse(data, status=status, content_type=CONTENT_TYPE)


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/v1/")
