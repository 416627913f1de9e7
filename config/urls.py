"""Where everything is found."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views import defaults
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.api.problems import is_api, plain


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """Alive: this process answers. Says nothing of the database or the broker."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


# Through the site's own login, with its rate limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign] # the way allauth gives


def server_error(request: HttpRequest) -> HttpResponse:
    """An error of ours: a problem where a program asked, else the page that says so."""
    return plain(500, "internal-error") if is_api(request) else defaults.server_error(request)


handler500 = "config.urls.server_error"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/", include("config.api.urls")),
    path("", include("accounts.urls")),
    path("", include("notifications.urls")),
    path("", include("games.pages.urls")),
]
