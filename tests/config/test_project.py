"""What must hold of the project as a whole."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=1)


@pytest.mark.django_db
def test_django_finds_nothing_wrong_with_the_project() -> None:
    call_command("check", fail_level="WARNING", databases=["default"])


def test_every_variable_that_the_settings_read_is_told_to_who_runs_a_site() -> None:
    read = set(re.findall(r'env_\w+\(\s*"(\w+)"', (settings.BASE_DIR / "config/settings.py").read_text()))
    assert len(read) > 30
    told = "".join((settings.BASE_DIR / page).read_text() for page in ("README.md", "docs/running.md"))
    assert {name for name in read if f"`{name}`" not in told} == set()


def test_the_folder_of_the_default_database_is_made(tmp_path: Path) -> None:
    data = tmp_path / "not" / "yet"
    environ = {**os.environ, "DATABASE_URL": "", "DJANGO_SECRET_KEY": "given", "CLEW_DATA": str(data)}
    subprocess.run([sys.executable, "-c", "import config.settings"], env=environ, cwd=settings.BASE_DIR, check=True)
    assert data.is_dir()
