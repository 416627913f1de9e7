"""The page of a player's vacation: begin it now, plan it, end it, and whether it is spent by itself."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import vacation
from accounts.models import User
from accounts.vacation import NoVacation
from config import clock
from games.engine.contract import Refusal
from games.pages.times import duration
from games.wording import refusal_text


class _Day(forms.DateField):
    """A day as browsers send it, whatever the language."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], **kwargs)


class BeginForm(forms.Form):
    """Leave now."""

    last = _Day(
        label=gettext_lazy("Last day of your vacation"),
        help_text=gettext_lazy("Leave it empty to be away until you end your vacation yourself."),
        required=False,
    )


class PlanForm(forms.Form):
    """Leave on some later day."""

    first_day = _Day(label=gettext_lazy("First day"))
    last_day = _Day(label=gettext_lazy("Last day"))


class AutomaticForm(forms.ModelForm):  # type: ignore[type-arg] # the stubs' base can't be subscripted at run time
    """Whether a day is spent by itself when time runs out."""

    class Meta:
        model = User
        fields = ("auto_vacation",)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The vacation; sent with ``do`` (``begin``, ``plan``, ``end``, ``call-off``, ``automatic``) it is changed."""
    assert isinstance(request.user, User)
    user = User.objects.get(pk=request.user.pk)  # of its own: a refused form may not change who the page greets
    do = request.POST.get("do", "")
    begin = BeginForm(request.POST if do == "begin" else None)
    plan = PlanForm(request.POST if do == "plan" else None)
    if request.method == "POST":
        bound = {"begin": begin, "plan": plan}.get(do)
        if bound is None or bound.is_valid():
            try:
                messages.success(request, _act(user, do, begin, plan, request))
                return redirect("vacation")
            except NoVacation as refusal:
                _refuse(request, bound, refusal)
        return _shown(request, user, begin, plan, status=422)
    return _shown(request, user, begin, plan)


def _act(user: User, do: str, begin: BeginForm, plan: PlanForm, request: HttpRequest) -> str:
    """Do it and say so. Raises :class:`NoVacation`."""
    match do:
        case "begin":
            last = begin.cleaned_data["last"]
            vacation.begin(user, until=None if last is None else _after(user, last))
            return _("Your vacation has begun. Your opponents are told.")
        case "plan":
            first, last = plan.cleaned_data["first_day"], plan.cleaned_data["last_day"]
            vacation.plan(user, _start(user, first), _after(user, last))
            return _("Your vacation is planned. Your opponents are told.")
        case "end":
            vacation.end(user)
            return _("Welcome back! Your clocks run again where it is your turn.")
        case "call-off":
            number = request.POST.get("vacation", "")
            vacation.call_off(user, int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0)
            return _("The planned vacation is called off.")
        case _:
            form = AutomaticForm(request.POST, instance=user)
            form.is_valid()
            user.save(update_fields=["auto_vacation"])
            return _("Your settings are saved.")


def _refuse(request: HttpRequest, form: forms.Form | None, refusal: Refusal) -> None:
    if form is None:
        messages.error(request, refusal_text(refusal))
    else:
        form.add_error(None, refusal_text(refusal))


def _start(user: User, day: date) -> int:
    """When a day begins in the player's zone, in microseconds since the epoch."""
    return clock.to_us(datetime(day.year, day.month, day.day, tzinfo=user.zone()))


def _after(user: User, day: date) -> int:
    """When a day is over in the player's zone."""
    return _start(user, day) if day == date.max else _start(user, day + timedelta(days=1))


def _shown(request: HttpRequest, user: User, begin: BeginForm, plan: PlanForm, *, status: int = 200) -> HttpResponse:
    left = vacation.time_left(user)
    context = {
        "current": vacation.current(user),
        "planned": vacation.planned(user),
        "left": duration(left) if left else "",
        "allowance": settings.CLEW_VACATION_DAYS,
        "begin": begin,
        "plan": plan,
        "automatic": AutomaticForm(instance=user),
    }
    return render(request, "accounts/vacation.html", context, status=status)
