"""Django looks for models here; they live with the store."""

from games.store.models import (
    Event,
    ExpiryWarning,
    GameSecret,
    Head,
    Heartbeat,
    Invitation,
    Outage,
    Remark,
    Seat,
    Work,
)

__all__ = [
    "Event",
    "ExpiryWarning",
    "GameSecret",
    "Head",
    "Heartbeat",
    "Invitation",
    "Outage",
    "Remark",
    "Seat",
    "Work",
]
