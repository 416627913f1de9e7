"""The addresses of accounts: allauth's own names under /accounts/, and the site's."""

from allauth.account import urls as allauth_urls
from allauth.mfa import urls as second_step_urls
from allauth.usersessions import urls as session_urls
from django.urls import include, path

from accounts import download, mailbox, programs, vacations, views

urlpatterns = [
    # Ours before allauth's of the same name.
    path("accounts/signup/", views.signup, name="account_signup"),
    path("accounts/", include(allauth_urls)),
    path("accounts/second-step/", include(second_step_urls)),
    path("accounts/sessions/", include(session_urls)),
    path("settings/", views.settings_page, name="settings"),
    path("settings/vacation/", vacations.page, name="vacation"),
    path("settings/data/", download.download, name="download-data"),
    path("settings/programs/", programs.programs, name="programs"),
    path("settings/programs/token/", programs.new_token, name="new-token"),
    path("settings/programs/token/<int:token>/revoke/", programs.revoke, name="revoke-token"),
    path("settings/programs/bot/", programs.new_bot, name="new-bot"),
    path("settings/programs/bot/<str:name>/retire/", programs.retire, name="retire-bot"),
    path("settings/programs/bot/<str:name>/token/", programs.new_bot_token, name="new-bot-token"),
    path("settings/programs/bot/<str:name>/token/<int:token>/revoke/", programs.revoke, name="revoke-bot-token"),
    path("language/", views.set_language, name="set_language"),
    path("mailbox/", mailbox.mailbox, name="mailbox"),
    path("mailbox/<str:mail>.html", mailbox.mailbox_html, name="mailbox-html"),
]
