from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery

#: The events that a move is awaited since.
_TYPES = ("started", "dealt", "moved", "undone")


def since_the_present_move(apps: Any, schema_editor: Any) -> None:
    """Heads said since when a seat has been awaited; now, since when it has been for its present move."""
    events = apps.get_model("games", "Event").objects.filter(game=OuterRef("game"), type__in=_TYPES)
    last = Subquery(events.order_by("-version").values("at")[:1])
    apps.get_model("games", "Head").objects.filter(status="running").update(awaited_at=last)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_open_tables_without_bots"),
    ]

    operations = [
        migrations.RunPython(since_the_present_move, migrations.RunPython.noop, elidable=True),
    ]
