"""Django looks for models here; they live with the store."""

from games.store.models import Event, GameSecret, Head, Invitation, Seat

__all__ = ["Event", "GameSecret", "Head", "Invitation", "Seat"]
