from importlib import import_module

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "notifications"

    def ready(self) -> None:
        """Make the tasks known, which the outbox wakes by their names."""
        import_module("notifications.tasks")
