"""The pages' addresses."""

from django.urls import path

from games.pages import views

urlpatterns = [
    path("", views.front, name="front"),
]
