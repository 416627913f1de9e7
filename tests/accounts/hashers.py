"""How passwords are stored in these tests."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class QuickArgon2(Argon2PasswordHasher):
    """Argon2 with next to no work."""

    time_cost = 1
    memory_cost = 64
    parallelism = 1
