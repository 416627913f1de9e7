"""Who can be asked to a table by name."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User, name_key


def invitee(opener: User, name: str) -> User:
    """The player of this name. Raises ValidationError (``no_such_player``, ``yourself``).

    Names are public: that there is none of it may be said.
    """
    found = User.objects.filter(
        name_key=name_key(name), is_active=True, is_guest=False, pending_since__isnull=True
    ).first()
    if found is None:
        raise ValidationError(_("There is no player called %(name)s."), params={"name": name}, code="no_such_player")
    if found == opener:
        raise ValidationError(_("That is you. Whom would you like to play against?"), code="yourself")
    return found
