"""Bodies of requests: JSON objects, no larger than anything that is meant."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import IO, Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from config.api.problems import Problem

#: Bytes of a body.
LARGEST: Final = 64 * 1024


class Body(JSONParser):
    """One JSON object. What is larger, nested without end, or no object is refused before anything is done with it."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        body = stream.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise Problem(413, "too-large")
        if not body.strip():
            return {}
        try:
            data = super().parse(io.BytesIO(body), media_type, dict(parser_context or {}))
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        if not isinstance(data, dict):
            raise ParseError(_("The body has to be one JSON object."))
        return data
