"""The pages of access for programs: tokens made, shown once and revoked; bots made and retired.

What makes a token asks for the password once more, as whatever is delicate does. A secret stands in the one answer to
the form that made it, which nobody keeps: in no address, session, message or log.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from accounts import bots, tokens
from accounts.models import FIRST_TOKEN, Token, User
from accounts.names import shown
from config import clock
from games.wording import refusal_text

_LASTS = (
    ("", gettext_lazy("Until I revoke it")),
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("A year")),
)
#: What a scope allows, said to its giver.
ALLOWS = {
    Token.Scope.READ: gettext_lazy("Read: games, messages, settings, everything kept about me"),
    Token.Scope.PLAY: gettext_lazy("Play: open tables, sit down, move, change settings"),
    Token.Scope.BOT: gettext_lazy("Manage bots: make and retire them, and give them tokens"),
}


class LabelForm(forms.Form):
    """A token of a bot: what it is called and how long it lasts."""

    label = forms.CharField(
        label=gettext_lazy("What is it for?"),
        max_length=60,
        help_text=gettext_lazy("Such as the program or the machine that will use it."),
    )
    lasts = forms.ChoiceField(label=gettext_lazy("How long is it good?"), choices=_LASTS, required=False)

    def save(self, user: User, scopes: list[str] | tuple[str, ...]) -> tuple[Token, str]:
        days = self.cleaned_data["lasts"]
        expires_at = clock.now() + timedelta(days=int(days)) if days else None
        return tokens.make(user, self.cleaned_data["label"], scopes, expires_at=expires_at)


class TokenForm(LabelForm):
    """A token of a person's own: also what it allows."""

    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What may it do?"),
        choices=list(ALLOWS.items()),
        initial=["read"],
        widget=forms.CheckboxSelectMultiple,
    )
    field_order = ("label", "scopes", "lasts")


class BotForm(forms.Form):
    """A new bot."""

    name = forms.CharField(
        label=gettext_lazy("Name of the bot"),
        max_length=24,
        help_text=gettext_lazy("Other players see this name, with the word that it is a bot."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}),
    )


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _bot(request: HttpRequest, name: str) -> User:
    bot = bots.named(_me(request), name)
    if bot is None:
        raise Http404
    return bot


@never_cache
@login_required
@require_safe
def programs(request: HttpRequest) -> HttpResponse:
    """A person's tokens, their bots, and the bots' tokens."""
    me = _me(request)
    mine = list(bots.of(me).prefetch_related("tokens"))
    context = {
        "tokens": _rows(me),
        "bots": [{"bot": bot, "name": shown(bot.name, is_bot=True), "tokens": _rows(bot)} for bot in mine],
        "may_add_bot": bots.may_have_another(me),
    }
    return render(request, "accounts/programs.html", context)


def _rows(user: User) -> list[dict[str, Any]]:
    now = clock.now()
    return [
        {
            "token": token,
            "allows": [ALLOWS[Token.Scope(scope)] for scope in token.scope_names.split()],
            "over": token.expires_at is not None and token.expires_at <= now,
        }
        for token in sorted(user.tokens.all(), key=lambda one: one.pk, reverse=True)
    ]


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator] # allauth ships no types
@require_http_methods(["GET", "HEAD", "POST"])
def new_token(request: HttpRequest) -> HttpResponse:
    """A token of one's own. The answer to the form shows its secret, once."""
    me = _me(request)
    form = TokenForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _has_room(form, me):
        made, secret = form.save(me, form.cleaned_data["scopes"])
        get_adapter().send_notification_mail("accounts/email/token_made", me, {"label": made.label})
        return _shown_once(request, made, secret)
    return _form(request, form, _("New token"), _("Make the token"))


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator] # allauth ships no types
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot(request: HttpRequest) -> HttpResponse:
    """A bot with its first token, whose secret the answer shows, once."""
    form = BotForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            bot = bots.make(_me(request), form.cleaned_data["name"])
        except bots.NoBot as refusal:
            form.add_error(None, refusal_text(refusal))
        except forms.ValidationError as error:
            form.add_error("name", error)
        else:
            made, secret = tokens.make(bot, FIRST_TOKEN, bots.SCOPES)
            return _shown_once(request, made, secret, bot)
    return _form(request, form, _("New bot"), _("Make the bot"))


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator] # allauth ships no types
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot_token(request: HttpRequest, name: str) -> HttpResponse:
    """A further token of a bot."""
    bot = _bot(request, name)
    form = LabelForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _has_room(form, bot):
        made, secret = form.save(bot, bots.SCOPES)
        return _shown_once(request, made, secret, bot)
    return _form(
        request, form, _("New token for %(name)s") % {"name": shown(bot.name, is_bot=True)}, _("Make the token")
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, token: int, name: str | None = None) -> HttpResponse:
    """Ask whether a token of one's own or of one's bot is to be revoked; sent, do it."""
    user = _me(request) if name is None else _bot(request, name)
    row = get_object_or_404(Token, pk=token, user=user)
    if request.method == "POST":
        tokens.revoke(user, row.pk)
        messages.success(request, _("The token was revoked."))
        return redirect("programs")
    return render(request, "accounts/revoke.html", {"token": row, "bot": name and shown(user.name, is_bot=True)})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def retire(request: HttpRequest, name: str) -> HttpResponse:
    """Ask whether a bot is to be retired; sent, do it."""
    bot = _bot(request, name)
    called = shown(bot.name, is_bot=True)
    if request.method == "POST":
        bots.retire(bot)
        messages.success(request, _("%(name)s is retired.") % {"name": called})
        return redirect("programs")
    return render(request, "accounts/retire.html", {"bot": bot, "name": called, "games": bots.games_of(bot)})


def _has_room(form: forms.Form, user: User) -> bool:
    if tokens.has_room(user):
        return True
    form.add_error(None, _("There are as many tokens as one can have. Revoke one first."))
    return False


def _form(request: HttpRequest, form: forms.Form, title: str, button: str) -> HttpResponse:
    context = {"form": form, "title": title, "button": button}
    return render(request, "accounts/program_form.html", context, status=422 if form.errors else 200)


@sensitive_variables("secret", "context")
def _shown_once(request: HttpRequest, made: Token, secret: str, bot: User | None = None) -> HttpResponse:
    context = {"token": made, "secret": secret, "bot": shown(bot.name, is_bot=True) if bot else ""}
    return render(request, "accounts/secret.html", context)
