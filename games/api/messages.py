"""The talk at a table, for who sits there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.pagination import ByCursor
from config.api.problems import Problem
from config.api.schema import CURSOR, LIMIT, problems
from config.api.times import moment
from games import hearing, talking
from games.api.answers import GameEndpoint, checked
from games.api.serializers import RealText, Strict
from games.engine.contract import Refusal
from games.services import TooBusy
from games.store.models import Remark, Seat
from games.wording import refusal_text


class SaySerializer(Strict):
    """What is to be said."""

    text = RealText(max_length=talking.LONGEST, trim_whitespace=False)


class MessageSerializer(serializers.Serializer[Any]):
    """Something that was said. ``text`` is plain text by another person: it may say anything, and is never HTML."""

    number = serializers.IntegerField(help_text="Counts from 1 in each game, without gaps.")
    seat = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    bot = serializers.BooleanField()
    you = serializers.BooleanField()
    text = serializers.CharField()
    at = serializers.DateTimeField()


class _Newest(ByCursor):
    ordering = "-number"


class _Onward(ByCursor):
    ordering = "number"


class _After(serializers.Serializer[Any]):
    after = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class Messages(GameEndpoint):
    """The talk at a table. For who doesn't sit there, there is none; a patience has none."""

    public: ClassVar[bool] = False
    pagination_class = _Newest

    @extend_schema(
        operation_id="list_messages",
        parameters=[
            OpenApiParameter(
                "after",
                {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
                description="Only messages with a number past this, then the oldest first.",
            ),
            LIMIT,
            CURSOR,
        ],
        responses={200: MessageSerializer(many=True)},
    )
    def get(self, request: Request, game: str) -> Response:
        """What was said, the newest first. None of it where you have quieted the table."""
        seat, seats, said = hearing.remarks(self.person(), game)
        asked = _After(data=request.query_params)
        asked.is_valid(raise_exception=True)
        after = asked.validated_data.get("after")
        pages = self.pagination_class() if after is None else _Onward()
        page = pages.paginate_queryset(said if after is None else said.filter(number__gt=after), request, self) or []
        return pages.get_paginated_response([told(remark, seat, seats) for remark in page])

    @extend_schema(
        operation_id="say",
        request=SaySerializer,
        responses={201: MessageSerializer, **problems("conflict", "too-many-requests", "busy")},
    )
    def post(self, request: Request, game: str) -> Response:
        """Say something to who sits at the table with you."""
        seat, seats, _said = hearing.remarks(self.person(), game)
        text = checked(SaySerializer, request)["text"]
        try:
            remark = talking.say(self.person(), game, text, command=self.command)
        except Refusal as refusal:
            raise _problem(refusal) from None
        except TooBusy:
            raise Problem(429, "busy", headers={"Retry-After": "1"}) from None
        return Response(told(remark, seat, seats), status=201)


def told(remark: Remark, reader: Seat, seats: Mapping[int, Seat]) -> dict[str, Any]:
    """A remark for who sits on ``reader``; ``seats`` are the table's, by place."""
    who, seating = seats[remark.place], reader.game.seating
    return {
        "number": remark.number,
        "seat": seating[remark.place] if seating else None,
        "name": who.user.name,
        "bot": who.user.is_bot,
        "you": remark.place == reader.place,
        "text": remark.text,
        "at": moment(remark.at),
    }


def _problem(refusal: Refusal) -> Problem:
    text = refusal_text(refusal)
    match refusal.code:
        case "too_much":
            wait = str(60 * refusal.params["minutes"])
            return Problem(429, "too-many-requests", text, code=refusal.code, headers={"Retry-After": wait})
        case "empty" | "too_long":
            error = {"field": "text", "code": refusal.code, "message": text}
            return Problem(400, "invalid", text, code=refusal.code, errors=[error])
        case _:
            return Problem(409, "conflict", text, code=refusal.code)
