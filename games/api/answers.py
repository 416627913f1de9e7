"""From services to answers: a table after an action, a refusal as a problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.problems import Problem
from config.api.views import Endpoint, tagged
from games import viewing
from games.api import representation
from games.engine.contract import BadOption, IllegalMove, Refusal
from games.selectors import NoSuchGame
from games.services import Done, TooBusy
from games.table.commands import Stale
from games.table.terms import BadTerms
from games.wording import refusal_text

#: One step, also without the quotes. RFC 9110 knows lists and "*", too: for "any of these" no move is meant.
_IF_MATCH: Final = re.compile(r'(?P<quote>"?)(?P<step>[0-9]{1,9})(?P=quote)')
#: Refusals of who doesn't know how the table stands now.
_OUT_OF_DATE: Final = ("stale_step", "game_over", "not_your_turn")
#: Refusals of terms by the field that is wrong.
_FIELDS: Final = {
    "unknown_rules": "rules",
    "bad_option": "options",
    "bad_number": "number",
    "bad_salt": "salt",
    "bot_invited": "invite",
}


class GameEndpoint(Endpoint):
    """An endpoint of one game: what isn't its asker's to see is not found."""

    public: ClassVar[bool] = True

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        if "game" in kwargs:
            kwargs["game"] = str(kwargs["game"])
        return super().dispatch(request, *args, **kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, NoSuchGame):
            exc = Http404()
        response: Response = super().handle_exception(exc)
        return response

    def seated(self, game: str) -> None:
        """Raise Problem for somebody who may look at the table but doesn't sit there, who may do nothing at it."""
        if viewing.peek(self.person(), game).place is None:
            raise Problem(403, "forbidden", _("You don't sit at this table."))

    def carried_out(
        self, game: str, act: Callable[[], Done], shown: Callable[[viewing.Sight], dict[str, Any]] | None = None
    ) -> Response:
        """Do something at a table, and answer with the table as that left it. Raises Problem."""
        try:
            done = act()
        except Refusal as refusal:
            raise self.problem(refusal, game) from None
        except TooBusy:
            raise Problem(429, "busy", headers={"Retry-After": "1"}) from None
        sight = viewing.after(self.person(), done.table)
        return self.table(sight, **(shown(sight) if shown else {}))

    def table(self, sight: viewing.Sight, *, status: int = 200, **more: Any) -> Response:
        data = {**representation.game(sight), **more}
        return tagged(Response(data, status=status), representation.etag(sight))

    def problem(self, refusal: Refusal, game: str | None) -> Problem:
        """A refusal as a problem; who is out of date is shown the present table."""
        text = refusal_text(refusal)
        now: dict[str, Any] = {}
        if refusal.code in _OUT_OF_DATE and game is not None:
            now = {"game": representation.game(viewing.sight(self.person(), game, steady=True))}
        if isinstance(refusal, Stale):
            return Problem(412, "stale", text, code=refusal.code, **now)
        field = _FIELDS.get(refusal.code)
        if field is not None or isinstance(refusal, BadOption | BadTerms):
            field = field or ("clock" if isinstance(refusal, BadTerms) else "options")
            error = {"field": field, "code": refusal.code, "message": text}
            return Problem(400, "invalid", text, code=refusal.code, errors=[error])
        if isinstance(refusal, IllegalMove) and refusal.code not in _OUT_OF_DATE:
            return Problem(422, "illegal-move", text, code=refusal.code)
        return Problem(409, "conflict", text, code=refusal.code, **now)


def stated_step(request: Request, data: Mapping[str, Any]) -> int | None:
    """The step that the asker saw, of the header or the body. Raises ValidationError where they are at odds."""
    given: int | None = data.get("step")
    header = request.headers.get("If-Match")
    if header is None:
        return given
    found = _IF_MATCH.fullmatch(header.strip())
    if found is None:
        text = _('This has to be one step\'s number in quotes, such as "41": neither a list nor *, nor an ETag.')
        raise ValidationError({"If-Match": [ErrorDetail(text, "not_one_step")]})
    step = int(found["step"])
    if given not in (None, step):
        raise ValidationError({"step": [_("The header If-Match names another step.")]})
    return step


def checked(serializer: Any, request: Request) -> dict[str, Any]:
    """The body as ``serializer`` (a class) understands it. Raises ValidationError, also for fields it doesn't know."""
    found = serializer(data=request.data, context={"request": request})
    found.is_valid(raise_exception=True)
    data: dict[str, Any] = found.validated_data
    return data
