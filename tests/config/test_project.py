"""What must hold of the project as a whole."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=1)


@pytest.mark.django_db
def test_django_finds_nothing_wrong_with_the_project() -> None:
    call_command("check", fail_level="WARNING", databases=["default"])
