"""The endpoints of the person who asks, and of their bots."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from datetime import timedelta
from typing import Any, ClassVar

from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import IntegrityError, transaction
from django.http import Http404
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import bots, export, people, tokens
from accounts.models import ANY_TOKEN, FIRST_TOKEN, Token, User
from accounts.serializers import (
    ALL_SCOPES,
    BotNameSerializer,
    BotSerializer,
    ExportSerializer,
    MeChangeSerializer,
    MeSerializer,
    NewBotSerializer,
    NewTokenSerializer,
    TokenWishSerializer,
)
from config import clock
from config.api.problems import Problem
from config.api.schema import problems
from config.api.times import moment
from config.api.views import Endpoint
from games.api.answers import checked
from games.selectors import waiting_count
from games.wording import refusal_text
from notifications.models import InboxItem


class Me(Endpoint):
    """Who asks."""

    @extend_schema(operation_id="read_me", responses={200: MeSerializer})
    def get(self, request: Request) -> Response:
        """Your account, how many games await you, and what your token allows."""
        return Response(_me(request, self.person()))

    @extend_schema(operation_id="change_me", request=MeChangeSerializer, responses={200: MeSerializer})
    def patch(self, request: Request) -> Response:
        """Change your language or your time zone."""
        data, user = checked(MeChangeSerializer, request), copy(self.person())
        for name, value in data.items():
            setattr(user, name, value)
        people.keep_settings(user, data)
        return Response(_me(request, user))


def _me(request: Request, user: User) -> dict[str, Any]:
    scopes = request.auth.scopes if isinstance(request.auth, Token) else ALL_SCOPES
    return {
        "name": user.name,
        "bot": user.is_bot,
        "owner": user.owner.name if user.owner else None,
        "language": user.language,
        "time_zone": user.time_zone,
        "mail_confirmed": EmailAddress.objects.filter(user=user, verified=True).exists(),
        "waiting": waiting_count(user),
        "unread": InboxItem.objects.filter(user=user, read_at__isnull=True).count(),
        "scopes": [scope for scope in ALL_SCOPES if scope in scopes],
    }


class Export(Endpoint):
    """All that is kept of you."""

    @extend_schema(
        operation_id="read_export",
        parameters=[OpenApiParameter("after", str, description="From “next” of the part before.")],
        responses={200: ExportSerializer},
    )
    def get(self, request: Request) -> Response:
        """Part by part: follow “next” until it is null. Of a running game it holds what you may see yourself."""
        try:
            found, mark = export.part(self.person(), request.query_params.get("after", ""))
        except export.NoSuchPart:
            raise serializers.ValidationError({"after": [_("This leads nowhere.")]}) from None
        following = request.build_absolute_uri(f"{request.path}?after={mark}") if mark is not None else None
        return Response({**found, "next": following}, headers={"Cache-Control": "no-store"})


class _BotEndpoint(Endpoint):
    """Everything about bots: to read of them, ``read``; for the rest ``bot``, or a session that is surely theirs."""

    scopes: ClassVar[Mapping[str, str]] = {"POST": "bot", "DELETE": "bot"}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method == "POST" and request.auth is None and is_reauthentication_required(request, app="account"):
            raise Problem(
                403, "forbidden", _("Give your password once more, on the page “Access for programs”."),
                code="reauthenticate",
            )  # fmt: skip

    def bot(self, name: str) -> User:
        """The bot of the asker's that is called so. Raises Http404, whoever else may be called so."""
        found = bots.named(self.person(), name)
        if found is None:
            raise Http404
        return found

    def command_key(self) -> str:
        """The command as it is stored with the token that it makes: everybody's own."""
        return f"{self.person().pk}:{self.command}"


class Bots(_BotEndpoint):
    """Your bots."""

    @extend_schema(operation_id="list_bots", responses={200: BotSerializer(many=True)})
    def get(self, _request: Request) -> Response:
        """All of them, by name, with their tokens but for the secrets."""
        return Response([_bot(bot) for bot in bots.of(self.person()).prefetch_related("tokens")])

    @extend_schema(
        operation_id="make_bot", request=BotNameSerializer, responses={201: NewBotSerializer, **problems("conflict")}
    )
    @sensitive_variables("secret")
    def post(self, request: Request) -> Response:
        """Make a bot. The answer holds its first token's secret, which is told this once."""
        name = checked(BotNameSerializer, request)["name"]
        before = self._made_before()
        if before is not None:
            return _made_bot(before, None)
        try:
            with transaction.atomic():
                bot = bots.make(self.person(), name)
                token, secret = tokens.make(bot, FIRST_TOKEN, bots.SCOPES, command=self.command_key())
        except (bots.NoBot, DjangoValidationError, IntegrityError) as refusal:
            before = self._made_before()  # the same command, at the same moment
            if before is not None:
                return _made_bot(before, None)
            raise _problem(refusal) from None
        return _made_bot(token, secret)

    def _made_before(self) -> Token | None:
        """The first token of the bot that this command has made."""
        return Token.objects.filter(command=self.command_key()).select_related("user").first()


def _problem(refusal: bots.NoBot | DjangoValidationError | IntegrityError) -> Exception:
    """Why there is no such bot, as the API says it."""
    match refusal:
        case bots.NoBot():
            return Problem(409, "conflict", refusal_text(refusal), code=refusal.code)
        case DjangoValidationError():
            code = refusal.code or "invalid"
            texts = [serializers.ErrorDetail(text, code) for text in refusal.messages]
            return serializers.ValidationError({"name": texts})
        case _:
            return refusal


class Bot(_BotEndpoint):
    """One of your bots."""

    @extend_schema(operation_id="read_bot", responses={200: BotSerializer})
    def get(self, _request: Request, name: str) -> Response:
        return Response(_bot(self.bot(name)))

    @extend_schema(operation_id="retire_bot", responses={204: None})
    def delete(self, _request: Request, name: str) -> Response:
        """Retire it: its tokens are revoked, its open tables taken away, its running games resigned."""
        bots.retire(self.bot(name))
        return Response(status=204)


class BotTokens(_BotEndpoint):
    """The tokens of one of your bots."""

    @extend_schema(
        operation_id="make_bot_token",
        request=TokenWishSerializer,
        responses={201: NewTokenSerializer, **problems("conflict")},
    )
    @sensitive_variables("secret")
    def post(self, request: Request, name: str) -> Response:
        """Make a further token of a bot. The answer holds its secret, which is told this once."""
        bot, wish = self.bot(name), checked(TokenWishSerializer, request)
        before = bot.tokens.filter(command=self.command_key()).first()
        if before is not None:
            return _made(_token(before, None))
        if not tokens.has_room(bot):
            text = _("There are as many tokens as one can have. Revoke one first.")
            raise Problem(409, "conflict", text, code="too_many_tokens")
        days = wish.get("expires_in_days")
        expires_at = None if days is None else clock.now() + timedelta(days=days)
        try:
            with transaction.atomic():
                token, secret = tokens.make(
                    bot,
                    wish.get("label") or ANY_TOKEN,
                    wish.get("scopes") or bots.SCOPES,
                    expires_at=expires_at,
                    command=self.command_key(),
                )
        except IntegrityError:  # the same command, at the same moment, or before for something else
            before = bot.tokens.filter(command=self.command_key()).first()
            if before is None:
                raise Problem(400, "idempotency-key") from None
            return _made(_token(before, None))
        return _made(_token(token, secret))


class BotToken(_BotEndpoint):
    """One token of one of your bots."""

    @extend_schema(operation_id="revoke_bot_token", responses={204: None})
    def delete(self, _request: Request, name: str, token: int) -> Response:
        """Revoke it: from now on it is refused."""
        if not tokens.revoke(self.bot(name), token):
            raise Http404
        return Response(status=204)


@sensitive_variables("secret")
def _made_bot(token: Token, secret: str | None) -> Response:
    bot = token.user
    made_at = moment(clock.to_us(bot.date_joined))
    return _made({"name": bot.name, "bot": True, "made_at": made_at, "token": _token(token, secret)})


@sensitive_variables("data")
def _made(data: dict[str, Any]) -> Response:
    """Something new with its secret, which nobody on the way keeps."""
    return Response(data, status=201, headers={"Cache-Control": "no-store"})


def _bot(bot: User) -> dict[str, Any]:
    made = sorted(bot.tokens.all(), key=lambda token: token.pk)
    told = [export.told_token(token) for token in made]
    return {"name": bot.name, "bot": True, "made_at": moment(clock.to_us(bot.date_joined)), "tokens": told}


@sensitive_variables("secret")
def _token(token: Token, secret: str | None) -> dict[str, Any]:
    return {**export.told_token(token), "secret": secret}


urlpatterns = [
    path("me/", Me.as_view(), name="api-me"),
    path("me/export/", Export.as_view(), name="api-export"),
    path("bot/", Bots.as_view(), name="api-bots"),
    path("bot/<str:name>/", Bot.as_view(), name="api-bot"),
    path("bot/<str:name>/tokens/", BotTokens.as_view(), name="api-bot-tokens"),
    path("bot/<str:name>/tokens/<int:token>/", BotToken.as_view(), name="api-bot-token"),
]
