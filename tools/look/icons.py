"""The site's icons, 24 by 24, in the colour of the text around them, and the logo: a clew, a ball of thread."""

from tools.look.faces import clew
from tools.look.shapes import symbol

# Strokes of width 2 with round ends; a name ending in "!" is filled instead.
STROKES = {
    "play!": "M7 4.5v15l12-7.5z",
    "pause!": "M6 5h4v14H6zM14 5h4v14h-4z",
    "first": "M6 5v14M19 5l-9 7 9 7z",
    "back": "M15 5l-8 7 8 7",
    "forward": "M9 5l8 7-8 7",
    "last": "M18 5v14M5 5l9 7-9 7z",
    "settings": "M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0"
    "M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
    "mail": "M3 6h18v12H3zM3 7l9 7 9-7",
    "link": "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7"
    "M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17",
    "check": "M4.5 12.5l5 5L20 7",
    "cross": "M6 6l12 12M18 6L6 18",
    "sun": "M8 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2"
    "M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
    "moon": "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
    "undo": "M9 5L4 10l5 5M4 10h9.5a5.5 5.5 0 0 1 0 11H9",
    "redo": "M15 5l5 5-5 5M20 10h-9.5a5.5 5.5 0 0 0 0 11H15",
    "hint": "M9 18h6M10 21.5h4M12 2.5a6.5 6.5 0 0 0-3.5 12V16h7v-1.5a6.5 6.5 0 0 0-3.5-12z",
    "flag": "M5 22V3.5M5 4.5c5-3 8 3 14 0v9c-6 3-9-3-14 0",
    "people": "M5.5 8.5a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0M2.5 20c0-8 13-8 13 0"
    "M15 5.2a3.5 3.5 0 0 1 0 6.6M18 14.2c2.5 1 3.5 3 3.5 5.8",
    "person": "M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 21c0-9.5 15-9.5 15 0",
    "clock": "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M12 6.5V12l3.5 2.5",
    "plus": "M12 5v14M5 12h14",
    "download": "M12 3.5v12M7 11l5 5 5-5M4 20.5h16",
    "share": "M12 15V3.5M8 7l4-4 4 4M5 11v9.5h14V11",
    "bell": "M6 17V10.5a6 6 0 0 1 12 0V17l1.5 1.5h-15zM10.5 21.5h3",
    "talk": "M3.5 5h17v11.5H12L7.5 20.5v-4h-4zM8 9.2h8M8 12.6h5",
    "replay": "M4 12a8 8 0 1 0 2.5-5.8M4 3.5V8h4.5M10 9v6l5-3z",
    "shield": "M12 3l7.5 3v5.5c0 5-3.5 8-7.5 9.5-4-1.5-7.5-4.5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5",
    "globe": "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M3.5 9.5h17M3.5 14.5h17"
    "M12 3c-5 5-5 13 0 18 5-5 5-13 0-18",
    "key": "M3.5 16a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0M11 12.5L20 3.5M16.5 7l3 3M14 9.5l2 2",
    "computer": "M3 4.5h18v11H3zM8 20.5h8M12 15.5v5",
    "book": "M12 6c-3-2-6-2-9-1.5v14c3-.5 6-.5 9 1.5 3-2 6-2 9-1.5v-14C18 4 15 4 12 6zM12 6v14",
    "eye": "M2 12c5-9 15-9 20 0-5 9-15 9-20 0M9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0",
    "warning": "M12 3.5L22 20.5H2zM12 9.5v5M12 17.6v.2",
    "info": "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M12 11v5.5M12 7.6v.2",
    "thread": "M4 8c5-5 11-5 16 0M3.5 14c5-8 12-9 17-2M7 19c2-6 7-10 13-4"
    "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0",
}  # fmt: skip

THREAD, INNER = "#b5482c", "#f8e4d3"


def logo(thread: str, inner: str) -> str:
    """The clew with its loose end, in a 48 by 48 box."""
    return (
        f'<path fill="none" stroke="{thread}" stroke-width="2.8" stroke-linecap="round" '
        f'd="M36 35C42 39 41 45 34 44S18 40 8 44"/>' + clew(24, 22, 0.95, thread, inner)
    )


def icon_symbols() -> list[str]:
    """The whole icon sprite."""
    result = [symbol("logo", "0 0 48 48", logo(f"var(--thread,{THREAD})", f"var(--thread-soft,{INNER})"))]
    for name, d in STROKES.items():
        paint = (
            'fill="currentColor"'
            if name.endswith("!")
            else 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
        )
        result.append(symbol(f"icon-{name.rstrip('!')}", "0 0 24 24", f'<path {paint} d="{d}"/>'))
    return result


def favicon() -> str:
    """The logo on its own, for a browser's tab."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">{logo(THREAD, INNER)}</svg>\n'


def app_icon() -> str:
    """The logo on linen with the margin that masked icons need; the PNGs are pictures of it."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        '<rect width="512" height="512" fill="#f4ede1"/>'
        f'<g transform="translate(96 100)scale(6.67)">{logo(THREAD, INNER)}</g></svg>\n'
    )
