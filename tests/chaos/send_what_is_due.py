"""A process that sends what is due by its clock, and prints how many messages it handled."""

import sys

import django

if __name__ == "__main__":
    django.setup()

    from notifications.sender import send_due

    sys.stdout.write(f"{send_due()}\n")
