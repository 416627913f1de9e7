from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_bots_and_tokens"),
    ]

    operations = [
        migrations.AddField(
            model_name="token",
            name="command",
            field=models.CharField(max_length=100, null=True, unique=True),
        ),
    ]
