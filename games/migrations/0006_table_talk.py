import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_head_clock"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("seat", "talk_heard", models.PositiveIntegerField(default=0)),
        migrations.AddField("seat", "talk_quiet", models.BooleanField(default=False)),
        migrations.CreateModel(
            name="Remark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.UUIDField()),
                ("number", models.PositiveIntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("text", models.CharField(max_length=1000)),
                ("at", models.BigIntegerField()),
                ("command", models.CharField(max_length=100, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["game", "number"], name="remark_game_number"),
                    models.UniqueConstraint(
                        condition=models.Q(command__isnull=False),
                        fields=["game", "user", "command"],
                        name="remark_game_user_command",
                    ),
                ],
            },
        ),
    ]
