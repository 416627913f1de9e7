"""Opening a table: choose the game, agree on the terms, ask somebody to sit down."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games import inviting, services
from games.engine.contract import Refusal
from games.engine.shuffle import LARGEST_NUMBER
from games.pages import catalogue
from games.pages.terms import Asked, asks_quick_pass, quick_pass_text, seat_to_begin
from games.pages.times import PACES, USUAL_CLOCK, clock_choices
from games.services import Terms
from games.table.terms import ClockTerms
from games.wording import refusal_text

if TYPE_CHECKING:
    from games.table.events import Admits


class NewGameForm(forms.Form):
    """The terms of a new table, and who is asked to it."""

    opener_seat = forms.ChoiceField(
        label=_("Who begins?"),
        choices=[("random", _("By lot")), ("first", _("I do")), ("second", _("My opponent"))],
        widget=forms.RadioSelect,
        initial="random",
    )
    admits = forms.ChoiceField(
        label=_("Who may sit down?"),
        choices=[("anyone", _("Anyone")), ("people", _("Anyone but bots")), ("invited", _("Only whom I invite"))],
        widget=forms.RadioSelect,
        initial="anyone",
    )
    invite = forms.CharField(
        label=_("Invite a player"),
        help_text=_("Their player name. The invitation is then on their page. Optional."),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    link = forms.BooleanField(
        label=_("Make a link that I can send to a friend"), required=False, initial=True, widget=forms.CheckboxInput
    )
    clock = forms.ChoiceField(
        label=_("How much time is there?"), choices=clock_choices, initial=USUAL_CLOCK, widget=forms.Select
    )
    weekends_off = forms.BooleanField(
        label=_("No time passes on Saturdays and Sundays"), required=False, widget=forms.CheckboxInput
    )
    vacation = forms.BooleanField(
        label=_("A player's clock stands still while they are on vacation"),
        required=False,
        initial=True,
        widget=forms.CheckboxInput,
    )
    salt = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"autocomplete": "off"}))
    command = forms.CharField(max_length=64, widget=forms.HiddenInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, opener: User, entry: catalogue.Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.opener = opener
        self.asked = entry.asked
        for one in self.asked:
            self.fields[_field(one)] = forms.TypedChoiceField(
                label=str(one.label),
                choices=one.choices,
                coerce=int,
                initial=one.choices[0][0],
                widget=forms.RadioSelect,
            )
        if asks_quick_pass(entry.rules):
            self.fields["quick_pass"] = forms.BooleanField(
                label=_("Make passes at once where nothing else is legal"),
                help_text=lazy(quick_pass_text, str)(),
                required=False,
                initial=True,
                widget=forms.CheckboxInput,
            )
        self.fields["salt"].widget.attrs["data-salt"] = services.game_id_for(opener, self["command"].value() or "")

    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the game's own options."""
        return [self[_field(one)] for one in self.asked]

    def options(self) -> dict[str, int]:
        """The game's own options as chosen."""
        return {one.name: self.cleaned_data[_field(one)] for one in self.asked}

    def clock_terms(self) -> dict[str, Any] | None:
        """The clock as chosen, or None for none."""
        pace = PACES.get(self.cleaned_data["clock"])
        if pace is None:
            return None
        return ClockTerms(pace, self.cleaned_data["weekends_off"], self.cleaned_data["vacation"]).to_json()

    def clean_invite(self) -> User | None:
        """The player of this name, if one was given."""
        name: str = self.cleaned_data["invite"]
        return inviting.invitee(self.opener, name) if name else None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        asked = data.get("link") or data.get("invite") or "invite" in self.errors
        if data.get("admits") == "invited" and not asked:
            self.add_error("admits", _("Nobody could sit down: name a player, or make a link."))
        return data


class PatienceForm(forms.Form):
    """A patience is played alone: only its deal is to be chosen, and whether others may watch."""

    number = forms.IntegerField(
        label=_("Deal number"),
        help_text=_("The same number gives everyone the same cards. Leave it empty for a deal of its own."),
        required=False,
        min_value=1,
        max_value=LARGEST_NUMBER,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric", "maxlength": "21"}),
    )
    watched = forms.BooleanField(
        label=_("Others may watch, if they know its address"), required=False, widget=forms.CheckboxInput
    )
    command = forms.CharField(max_length=64, widget=forms.HiddenInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, opener: User, entry: catalogue.Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

    def options(self) -> dict[str, int]:
        """Variants have no options."""
        return {}

    def clock_terms(self) -> None:
        """Nobody waits for who plays alone."""


def _field(one: Asked) -> str:
    return f"option_{one.name}"


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """The games that can be opened."""
    return render(request, "games/new.html", {"entries": catalogue.entries()})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache  # coming back to the form must make a new command, or it would lead to the table opened before
@login_required
def new_game(request: HttpRequest, entry: str) -> HttpResponse:
    """The form for one game's terms; sent, it opens the table and goes there."""
    chosen = catalogue.find(entry)
    if chosen is None:
        raise Http404
    assert isinstance(request.user, User)
    initial = {"command": uuid.uuid4().hex, "number": request.GET.get("number", "")[:21]}
    kind = PatienceForm if chosen.seats == 1 else NewGameForm
    given = request.POST if request.method == "POST" else None
    form = kind(given, opener=request.user, entry=chosen, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("table", game=_open(request.user, chosen, form))
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
    context = {"entry": chosen, "form": form}
    template = "games/new_patience.html" if chosen.seats == 1 else "games/new_game.html"
    return render(request, template, context, status=422 if form.errors else 200)


def _open(user: User, entry: catalogue.Entry, form: NewGameForm | PatienceForm) -> str:
    """The id of the table that was opened on these terms. Raises Refusal."""
    data = form.cleaned_data
    if entry.seats == 1:
        admits: Admits = "anyone" if data["watched"] else "invited"
        alone = Terms(entry.rules, entry.options, admits=admits, opener_seat="first", number=data["number"])
        return services.open_game(user, alone, command=data["command"]).table.id
    terms = Terms(
        entry.rules,
        {**entry.options, **form.options()},
        quick_pass=data.get("quick_pass", True),
        admits=cast("Admits", data["admits"]),
        opener_seat=seat_to_begin(entry.rules, data["opener_seat"]),
        clock=form.clock_terms(),
    )
    invite = [data["invite"]] if data["invite"] else []
    done = services.open_game(
        user, terms, salt=data["salt"] or None, invite=invite, invite_link=data["link"], command=data["command"]
    )
    return done.table.id
