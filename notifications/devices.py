"""What a device is called in its owner's list: by the browser and the system that its user agent names."""

from __future__ import annotations

from typing import Final

#: The first that a user agent names counts: most browsers also claim to be those further down.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Whale/": "Whale",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def device_name(user_agent: str) -> str:
    """Such as ``Firefox, Android``; the user agent's beginning where it names neither."""
    found = [next((name for sign, name in signs.items() if sign in user_agent), "") for signs in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, found)) or user_agent[:80]
