"""Celery: it only wakes up work that already stands in the database, so losing a message delays and loses nothing."""

import os

from celery import Celery

from config import spool

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

spool.register()
app = Celery("clew")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
