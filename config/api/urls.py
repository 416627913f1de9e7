"""Where the API is: version 1, its schema, its documentation."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from config.api import guide, pages

urlpatterns = [
    path("schema/", pages.SchemaDocument.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    path("guide/", guide.guide, name="api-guide"),
    path("guide/<slug:page>/", guide.guide, name="api-guide-page"),
    path("problems/", pages.problems, name="api-problems"),
    path("v1/", include("games.api.urls")),
    path("v1/", include("accounts.api")),
    path("v1/", include("notifications.api")),
    re_path(r"^v1/", pages.nothing_here),
]
