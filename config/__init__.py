"""Clew's configuration. Importing it makes the Celery app current, so that shared tasks find it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
