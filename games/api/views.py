"""The endpoints of games: rules, lists, a table, what is done at it, looking back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from config.api.pagination import ByCursor
from config.api.problems import Problem
from config.api.schema import CURSOR, IF_NONE_MATCH, LIMIT, problems
from config.api.views import Endpoint, is_current, tagged
from games import agreeing, inviting, listing, services, viewing
from games.api import representation
from games.api.answers import GameEndpoint, checked, stated_step
from games.api.catalogue import rules_known, told
from games.api.serializers import (
    STATUSES,
    ActionSerializer,
    GameSerializer,
    MoveSerializer,
    NewGameSerializer,
    RowSerializer,
    RulesSerializer,
    SeatSerializer,
    StepsSerializer,
)
from games.engine import get_rules
from games.engine.contract import Refusal
from games.selectors import NoSuchGame
from games.services import Done, Terms
from games.table.commands import Typed
from games.table.terms import SECOND

IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description='The one step that you saw, in quotes: "41"; no list, and no “*”. Or “step” in the body.',
    pattern=r'^"[0-9]{1,9}"$',
)
_STEPS_AT_ONCE: Final = 500
#: ``?mine`` alone means yes.
_YES, _NO = ("true", "1"), ("false", "0")


class RulesList(Endpoint):
    """The games that can be played here."""

    public: ClassVar[bool] = True

    @extend_schema(operation_id="list_rules", responses={200: RulesSerializer(many=True)})
    def get(self, _request: Request) -> Response:
        return Response([told(rules) for rules in rules_known()])


class RulesDetail(Endpoint):
    """One game: its options, versions, and how its moves are typed."""

    public: ClassVar[bool] = True

    @extend_schema(operation_id="read_rules", responses={200: RulesSerializer})
    def get(self, _request: Request, slug: str) -> Response:
        found = next((rules for rules in rules_known() if rules.slug == slug), None)
        if found is None:
            raise Http404
        return Response(told(found))


class Newest(ByCursor):
    ordering = ("-opened_at", "-game")


class Games(Endpoint):
    """Games to be listed, and tables to be opened."""

    public: ClassVar[bool] = True
    pagination_class = Newest

    @extend_schema(
        operation_id="list_games",
        parameters=[
            OpenApiParameter("mine", str, enum=["", *_YES, *_NO], description="Only games in which you sit."),
            OpenApiParameter("awaiting", str, enum=["me"], description="Only games that await your move."),
            OpenApiParameter("status", str, enum=list(STATUSES)),
            OpenApiParameter("rules", str),
            LIMIT,
            CURSOR,
        ],
        responses={200: RowSerializer(many=True)},
    )
    def get(self, request: Request) -> Response:
        """Games that you may see, newest first: yours, those you are invited to, those that anybody may watch."""
        asked = _Asked(data=request.query_params)
        asked.is_valid(raise_exception=True)
        wish, user = asked.validated_data, self.user()
        heads = listing.visible(
            user,
            mine=wish.get("mine", "false") not in _NO,
            awaiting="awaiting" in wish,
            status=wish.get("status"),
            rules=wish.get("rules"),
        )
        pages = self.pagination_class()
        page = pages.paginate_queryset(heads, request, self) or []
        people = listing.sitters(page)

        def row(head: Any) -> dict[str, Any]:
            seats = people[head.pk]
            you = next((one.place for one in seats if user is not None and one.user_id == user.pk), None)
            return representation.row(head, seats, you)

        return pages.get_paginated_response([row(head) for head in page])

    @extend_schema(operation_id="open_game", request=NewGameSerializer, responses={201: GameSerializer})
    def post(self, request: Request) -> Response:
        """Open a table and sit down at it. A patience begins at once."""
        data, user = checked(NewGameSerializer, request), self.person()
        alone = _is_patience(data["rules"])
        for field in ("invite", "link"):
            if data.get(field) and alone:
                raise serializers.ValidationError({field: [_("A patience has one seat, and that is yours.")]})
        if data.get("visibility") == "invited" and not (alone or data.get("invite") or data.get("link")):
            text = _("Nobody could sit down: name a player, or make a link.")
            raise serializers.ValidationError({"visibility": [text]})
        answers = GameEndpoint()
        answers.request = request
        try:
            invited = [inviting.invitee(user, name) for name in data.get("invite", ())]
        except DjangoValidationError as nobody:
            raise serializers.ValidationError({"invite": nobody.messages}) from None
        try:
            done = services.open_game(
                user,
                _terms(data),
                salt=data.get("salt"),
                invite=invited,
                invite_link=data.get("link", False),
                command=self.command,
            )
        except Refusal as refusal:
            raise answers.problem(refusal, None) from None
        response = answers.table(viewing.after(user, done.table), status=201)
        response["Location"] = reverse("api-game", args=[done.table.id])
        return response


class _Asked(serializers.Serializer[Any]):
    """What a list is asked for."""

    mine = serializers.ChoiceField(choices=["true", "1", "false", "0"], required=False, allow_blank=True)
    awaiting = serializers.ChoiceField(choices=["me"], required=False)
    status = serializers.ChoiceField(choices=STATUSES, required=False)
    rules = serializers.CharField(max_length=32, required=False)


def _is_patience(slug: str) -> bool:
    return any(rules.slug == slug and rules.seats == 1 for rules in rules_known())


def _terms(data: Mapping[str, Any]) -> Terms:
    """The terms of a new table; what isn't said is as on the site's form. A patience is nobody else's."""
    alone = _is_patience(data["rules"])
    times = ("per_move", "start", "increment", "cap")
    clock = data.get("clock")
    return Terms(
        data["rules"],
        data.get("options", {}),
        admits=data.get("visibility", "invited" if alone else "anyone"),
        opener_seat=data.get("seat", "first" if alone else "random"),
        quick_pass=data.get("quick_pass", True),
        number=data.get("number"),
        clock=clock and {name: value * SECOND if name in times else value for name, value in clock.items()},
    )


class Game(GameEndpoint):
    """One table."""

    @extend_schema(operation_id="read_game", parameters=[IF_NONE_MATCH], responses={200: GameSerializer, 304: None})
    def get(self, request: Request, game: str) -> Response:
        """The table as you may see it. With ``If-None-Match`` it costs next to nothing while nothing has happened."""
        if request.headers.get("If-None-Match"):
            etag = representation.etag(viewing.peek(self.user(), game))
            if is_current(request, etag):
                return tagged(Response(status=304), etag)
        return self.table(viewing.sight(self.user(), game, steady=True))


class Seats(GameEndpoint):
    """The seats of a table."""

    @extend_schema(
        operation_id="sit_down",
        request=SeatSerializer,
        responses={200: GameSerializer, **problems("conflict", "busy")},
    )
    def post(self, request: Request, game: str) -> Response:
        """Take the free seat."""
        data = checked(SeatSerializer, request)
        token = data.get("token")
        viewing.peek(self.person(), game, token=token)

        def sit() -> Done:
            return services.sit_down(self.person(), game, salt=data.get("salt"), token=token, command=self.command)

        return self.carried_out(game, sit)


class Moves(GameEndpoint):
    """The moves of a game."""

    @extend_schema(
        operation_id="move",
        parameters=[IF_MATCH],
        request=MoveSerializer,
        responses={
            200: GameSerializer,
            **problems("conflict", "stale", "illegal-move", "step-required", "busy"),
        },
    )
    def post(self, request: Request, game: str) -> Response:
        """Make a move, as JSON or typed. It counts by the moment at which it was received."""
        self.seated(game)
        data = checked(MoveSerializer, request)
        step = stated_step(request, data)
        if step is None:
            raise Problem(428, "step-required")
        move = Typed(data["notation"]) if "notation" in data else data["move"]
        return self.carried_out(game, lambda: services.play(self.person(), game, move, step=step, command=self.command))


type _Act = Callable[[User, str, str, Mapping[str, Any]], Done]

_ACTS: Final[dict[str, _Act]] = {
    "resign": lambda user, game, key, data: services.resign(user, game, step=data["step"], command=key),
    "offer_draw": lambda user, game, key, data: agreeing.offer_draw(user, game, step=data["step"], command=key),
    "accept_draw": lambda user, game, key, data: agreeing.answer_draw(
        user, game, accepted=True, step=data["step"], command=key
    ),
    "decline_draw": lambda user, game, key, data: agreeing.answer_draw(
        user, game, accepted=False, step=data["step"], command=key
    ),
    "ask_undo": lambda user, game, key, data: services.ask_undo(user, game, step=data["step"], command=key),
    "grant_undo": lambda user, game, key, data: services.answer_undo(
        user, game, granted=True, step=data["step"], command=key
    ),
    "decline_undo": lambda user, game, key, data: services.answer_undo(
        user, game, granted=False, step=data["step"], command=key
    ),
    "undo": lambda user, game, key, data: services.undo(
        user, game, to_step=data.get("to_step"), step=data["step"], command=key
    ),
    "redo": lambda user, game, key, data: services.redo(user, game, step=data["step"], command=key),
    "hint": lambda user, game, key, data: services.take_hint(user, game, step=data["step"], command=key),
    "give_time": lambda user, game, key, data: agreeing.give_time(
        user, game, data["seconds"] * SECOND, step=data["step"], command=key
    ),
    "ask_pause": lambda user, game, key, data: agreeing.ask_pause(user, game, step=data["step"], command=key),
    "grant_pause": lambda user, game, key, data: agreeing.answer_pause(
        user, game, granted=True, step=data["step"], command=key
    ),
    "decline_pause": lambda user, game, key, data: agreeing.answer_pause(
        user, game, granted=False, step=data["step"], command=key
    ),
    "resume": lambda user, game, key, data: agreeing.resume(user, game, step=data["step"], command=key),
    "abort": lambda user, game, key, data: agreeing.abort(user, game, step=data["step"], command=key),
    "withdraw": lambda user, game, key, data: agreeing.withdraw(user, game, step=data["step"], command=key),
}


class Actions(GameEndpoint):
    """What else is done at a table."""

    @extend_schema(
        operation_id="act",
        parameters=[IF_MATCH],
        request=ActionSerializer,
        responses={200: GameSerializer, **problems("conflict", "stale", "busy")},
    )
    def post(self, request: Request, game: str) -> Response:
        """Resign, agree, take back, give time, call off, take a hint."""
        self.seated(game)
        data = checked(ActionSerializer, request)
        data["step"] = stated_step(request, data)
        act = _ACTS[data["action"]]
        shown: Callable[[viewing.Sight], dict[str, Any]] = _hinted if data["action"] == "hint" else _nothing
        return self.carried_out(game, lambda: act(self.person(), game, self.command, data), shown)


def _nothing(_sight: viewing.Sight) -> dict[str, Any]:
    return {}


def _hinted(sight: viewing.Sight) -> dict[str, Any]:
    table = sight.table
    return {"hint": get_rules(table["rules"], table["rules_version"]).hint(table["view"], table["legal"])}


class Steps(GameEndpoint):
    """The course of a game."""

    @extend_schema(
        operation_id="list_steps",
        parameters=[OpenApiParameter("after", int, description="Only steps with a number past this.")],
        responses={200: StepsSerializer},
    )
    def get(self, request: Request, game: str) -> Response:
        """The steps of the game as you may see them, a deal without its cards."""
        asked = _After(data=request.query_params)
        asked.is_valid(raise_exception=True)
        past = asked.validated_data["after"]
        sight = viewing.sight(self.user(), game, steady=True)
        found = [one for one in sight.history if one.number > past]
        more = len(found) > _STEPS_AT_ONCE
        found = found[:_STEPS_AT_ONCE]
        here = request.build_absolute_uri(request.path)
        return Response(
            {
                "next": f"{here}?after={found[-1].number}" if more else None,
                "results": [representation.step(one) for one in found],
            }
        )


class _After(serializers.Serializer[Any]):
    after = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)


class StepDetail(GameEndpoint):
    """A moment of a game."""

    @extend_schema(
        operation_id="read_step",
        parameters=[
            OpenApiParameter("eyes", str, description="Of a finished game: open, spectator, or a seat's number.")
        ],
        responses={200: GameSerializer},
    )
    def get(self, request: Request, game: str, n: int) -> Response:
        """The table as it stood after step ``n``, with your own eyes; after the end with any."""
        moment = viewing.replay(self.user(), game, step=n, eyes=request.query_params.get("eyes"))
        if moment.number != n:
            raise Http404
        return Response(representation.game(moment.sight))


class Record(GameEndpoint):
    """The record of a game."""

    @extend_schema(
        operation_id="read_record",
        responses={200: OpenApiTypes.OBJECT, **problems("conflict")},
    )
    def get(self, _request: Request, game: str) -> Response:
        """The game's record, once it is over; ``python -m games.engine verify`` checks it."""
        user = self.user()
        if viewing.sight(user, game, steady=True).status != "ended":
            raise Problem(409, "conflict", _("The record can be read once the game is over."), code="not_over")
        try:
            return Response(viewing.game_record(user, game))
        except NoSuchGame:
            # Taken away before it began: there was no deal.
            raise Problem(409, "conflict", _("This game never began."), code="not_begun") from None
