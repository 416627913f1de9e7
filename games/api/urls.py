"""Where the endpoints of games are, below ``/api/v1/``."""

from django.urls import path

from games.api import messages, streams, views

urlpatterns = [
    path("rules/", views.RulesList.as_view(), name="api-rules"),
    path("rules/<slug:slug>/", views.RulesDetail.as_view(), name="api-rules-detail"),
    path("games/", views.Games.as_view(), name="api-games"),
    path("games/<uuid:game>/", views.Game.as_view(), name="api-game"),
    path("games/<uuid:game>/seats/", views.Seats.as_view(), name="api-seats"),
    path("games/<uuid:game>/moves/", views.Moves.as_view(), name="api-moves"),
    path("games/<uuid:game>/actions/", views.Actions.as_view(), name="api-actions"),
    path("games/<uuid:game>/steps/", views.Steps.as_view(), name="api-steps"),
    path("games/<uuid:game>/steps/<int:n>/", views.StepDetail.as_view(), name="api-step"),
    path("games/<uuid:game>/record/", views.Record.as_view(), name="api-record"),
    path("games/<uuid:game>/messages/", messages.Messages.as_view(), name="api-messages"),
    path("games/<uuid:game>/stream-ticket/", streams.StreamTicket.as_view(), name="api-stream-ticket"),
    path("me/stream/", streams.MyStream.as_view(), name="api-my-stream"),
]
