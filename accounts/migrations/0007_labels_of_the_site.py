"""Tokens that the site called something in Korean: from now on such a label is stored in English, and read in any."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations


def in_english(apps: Any, _schema_editor: Any) -> None:
    bots_tokens = apps.get_model("accounts", "Token").objects.filter(user__is_bot=True)
    for korean, english in (("첫 토큰", "First token"), ("토큰", "Token")):
        bots_tokens.filter(label=korean).update(label=english)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0006_token_command")]

    operations: ClassVar = [migrations.RunPython(in_english, migrations.RunPython.noop, elidable=True)]
