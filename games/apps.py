from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "games"

    def ready(self) -> None:
        """Make the tasks known, which the services wake by their names."""
        import_module("games.tasks")
