"""``granian tests.browser.fixed_site:application``: the site, with the secret and the ids of :mod:`fixed_chance`."""

from __future__ import annotations

import secrets
from types import SimpleNamespace

from config.wsgi import application  # first: it sets Django up
from games import services
from tests.browser import fixed_chance

__all__ = ["application"]

_drawn = {name: getattr(secrets, name) for name in secrets.__all__}
_fixed = SimpleNamespace(**{**_drawn, "token_bytes": lambda count: fixed_chance.SECRET[:count]})
setattr(services, "secrets", _fixed)  # noqa: B010 - which types forbid, for good reason, outside of tests
setattr(services, "game_id_for", fixed_chance.game_id_for)  # noqa: B010 - the same
