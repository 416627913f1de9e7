"""The endpoints that open streams: a ticket for one game, and the way to the stream of all one's own."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Token
from config.api.problems import Problem
from config.api.schema import problems
from config.api.times import moment
from config.api.views import Endpoint
from config.streams.tickets import Ticket, ticket_for_game, ticket_for_person
from games import viewing
from games.api.answers import GameEndpoint


class TicketSerializer(serializers.Serializer[Any]):
    """What opens a stream."""

    ticket = serializers.CharField(help_text="Good for one minute, by anybody who has it.")
    url = serializers.URLField(help_text="The stream, with the ticket: open it as server-sent events.")
    expires = serializers.DateTimeField()


class StreamTicket(GameEndpoint):
    """The stream of one game."""

    @extend_schema(operation_id="read_stream_ticket", responses={200: TicketSerializer, **problems("unavailable")})
    def get(self, request: Request, game: str) -> Response:
        """A ticket for the stream that tells whenever this game has moved on.

        It says no more than that: ``{"game", "version"}``, a number that grows with everything that happens, at once
        when it opens, too. ``talk``, for who sits there, is the number of the last message. Then ask for the game.
        """
        user = self.user()
        seen = viewing.peek(user, game)
        ticket = ticket_for_game(
            game, None if user is None else user.pk, sits=seen.place is not None, token=_token(request)
        )
        url = _url(request, ticket)
        data = {"ticket": ticket.signed(), "url": url, "expires": moment(ticket.expires)}
        return Response(data, headers={"Cache-Control": "no-store"})


class MyStream(Endpoint):
    """The stream of all one's games."""

    @extend_schema(
        operation_id="read_my_stream",
        responses={
            307: OpenApiResponse(description="“Location” is the stream, server-sent events: follow it at once."),
            **problems("unavailable"),
        },
    )
    def get(self, request: Request) -> Response:
        """Leads to the stream that tells whenever one of your games has moved on, also those that you join later.

        It tells at once how far each of them is. When it ends, come again.
        """
        url = _url(request, ticket_for_person(self.person().pk, token=_token(request)))
        return Response(status=307, headers={"Location": url, "Cache-Control": "no-store"})


def _token(request: Request) -> int | None:
    """With which token it is asked; the stream ends when that is revoked."""
    return request.auth.pk if isinstance(request.auth, Token) else None


def _url(request: Request, ticket: Ticket) -> str:
    """The whole address of a stream. Raises Problem where this site has none."""
    if not settings.CLEW_STREAM_URL:
        raise Problem(
            503, "unavailable", _("This site has no streams: ask again every now and then."), code="no-stream"
        )
    return request.build_absolute_uri(f"{settings.CLEW_STREAM_URL}?ticket={ticket.signed()}")
