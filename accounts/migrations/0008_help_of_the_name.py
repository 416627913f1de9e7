"""What the form says about a name: nothing changes in the database."""

from typing import ClassVar

from django.db import migrations, models

import accounts.models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0007_labels_of_the_site")]

    operations: ClassVar = [
        migrations.AlterField(
            model_name="user",
            name="name",
            field=models.CharField(
                help_text="Other players see this name: up to 24 letters and digits, without spaces.",
                max_length=24,
                unique=True,
                validators=[accounts.models.validate_name],
                verbose_name="name",
            ),
        ),
    ]
