"""How the endpoints describe themselves: OpenAPI 3.1, made by drf-spectacular from the views."""

from __future__ import annotations

import inspect
from typing import Any

from django.utils.functional import Promise
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from config.api.problems import CONTENT_TYPE, KINDS


class ProblemSerializer(serializers.Serializer[Any]):
    """RFC 9457 problem details."""

    type = serializers.URLField(help_text="An address that explains this kind of problem.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField(required=False, help_text="The rule that a refused move or action breaks.")
    # The base class has an attribute of this name, which a field replaces.
    errors = serializers.ListField(  # type: ignore[assignment]
        child=serializers.DictField(), required=False, help_text="Field by field."
    )
    game = serializers.DictField(required=False, help_text="The table as it is now, where a move came too late.")


IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    pattern=r"^[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?$",
    description="1 to 64 printable ASCII characters, new for each intention. The same again has no second effect.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description="The ETag of the answer you have: then 304."
)

LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
    description="Rows of a page.",
)
CURSOR = OpenApiParameter("cursor", OpenApiTypes.STR, description="From “next” or “previous”.")


def problems(*kinds: str) -> dict[tuple[int, str], OpenApiResponse]:
    """Responses of an endpoint's own problems, of :data:`~config.api.problems.KINDS`, by their status."""
    by_status: dict[int, list[str | Promise]] = {}
    for kind in kinds:
        by_status.setdefault(_STATUS[kind], []).append(KINDS[kind][0])
    return {
        (status, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "; ".join(map(str, titles)))
        for status, titles in by_status.items()
    }


_STATUS = {
    "malformed": 400,
    "invalid": 400,
    "idempotency-key": 400,
    "not-authenticated": 401,
    "forbidden": 403,
    "not-found": 404,
    "not-acceptable": 406,
    "conflict": 409,
    "stale": 412,
    "too-large": 413,
    "unsupported-media-type": 415,
    "illegal-move": 422,
    "step-required": 428,
    "too-many-requests": 429,
    "busy": 429,
    "unavailable": 503,
}


class Schema(AutoSchema):
    """Adds what every endpoint has: the Idempotency-Key of a POST, and the problems that any may answer with."""

    def get_override_parameters(self) -> list[Any]:
        given = list(super().get_override_parameters())
        return [*given, IDEMPOTENCY_KEY] if self.method == "POST" else given

    def get_summary(self) -> str | None:
        """The first sentence about the handler, else about its view."""
        handler = getattr(self.view, self.method.lower(), None)
        text = inspect.getdoc(handler) or inspect.getdoc(self.view) or ""
        return text.partition("\n")[0].partition(". ")[0].rstrip(".").replace("``", "") or None

    def get_auth(self) -> list[Any]:
        """A public endpoint may be read without credentials."""
        given: list[Any] = super().get_auth()
        public = getattr(self.view, "public", False) and self.method in ("GET", "HEAD")
        return [*given, {}] if public else given

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        """Not in get_response_serializers, which every view's own description replaces."""
        bodies = super()._get_response_bodies(direction)
        common = ["invalid", "not-authenticated", "forbidden", "not-acceptable", "too-many-requests"]
        if self.method not in ("GET", "HEAD"):
            common += ["malformed", "too-large", "unsupported-media-type"]
        if self.method == "POST":
            common += ["idempotency-key"]
        if "{" in self.path:
            common += ["not-found"]
        for (status, content_type), response in problems(*common).items():
            told: Any = self._get_response_for_code  # untyped
            body = told(response, str(status), (content_type,), direction)
            own = bodies.setdefault(str(status), body)
            if own is not body:
                own["description"] = "; ".join(filter(None, (own["description"], body["description"])))
        return dict(sorted(bodies.items()))


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # registers itself, untyped
    """A token in the header ``Authorization``."""

    target_class = "accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "A personal token, made on the settings page."}
