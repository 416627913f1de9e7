"""The addresses that mails lead to, and the pages about messages."""

from django.urls import path

from notifications import pages, unsubscribe

urlpatterns = [
    path("mail/off/<str:token>/", unsubscribe.turn_mails_off, name="turn-mails-off"),
    path("mail/works/<str:token>/", pages.address_works, name="address-works"),
    path("inbox/", pages.inbox, name="inbox"),
    path("settings/messages/", pages.preferences, name="message-settings"),
    path("settings/messages/webhooks/", pages.add_webhook, name="add-webhook"),
    path("settings/messages/webhooks/<int:hook>/", pages.change_webhook, name="change-webhook"),
    path("settings/messages/devices/", pages.add_device, name="add-device"),
    path("settings/messages/devices/<int:device>/", pages.remove_device, name="remove-device"),
    path("settings/messages/address/", pages.ask_address, name="ask-address"),
    path("settings/deliveries/", pages.deliveries, name="deliveries"),
    path("games/<uuid:game>/messages/", pages.game_preferences, name="game-messages"),
    path("operator/outbox/", pages.operator, name="operator-outbox"),
    path("sw.js", pages.service_worker, name="service-worker"),
    path("readyz", pages.readyz, name="readyz"),
]
