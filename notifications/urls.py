"""The addresses that mails lead to."""

from django.urls import path

from notifications import unsubscribe

urlpatterns = [
    path("mail/off/<str:token>/", unsubscribe.turn_mails_off, name="turn-mails-off"),
]
