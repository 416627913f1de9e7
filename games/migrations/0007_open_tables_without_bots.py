"""The index of open tables has those at which everybody but bots may sit, too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_table_talk"),
    ]

    operations = [
        migrations.RemoveIndex("head", "head_open_tables"),
        migrations.AddIndex(
            "head",
            models.Index(
                fields=["opened_at"],
                condition=models.Q(("admits__in", ["anyone", "people"]), ("status", "open")),
                name="head_open_tables",
            ),
        ),
    ]
