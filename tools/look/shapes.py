"""The pen: suits and ranks as paths, and the few helpers every drawing uses.

Suits are closed outlines in a box of about 20 by 20 around the origin, in absolute commands M, L, C and Z only, so
that they can be scaled, turned and written many times into one path. Ranks are strokes in a box of 20 by 28 from the
top left. Nothing is text: a card looks the same whatever fonts are installed.
"""

type Command = tuple[str, tuple[float, ...]]
type Shape = tuple[Command, ...]

SUITS = "CDHS"
RANKS = "A23456789TJQK"


def number(value: float) -> str:
    """The shortest text of a coordinate, rounded to a tenth."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    if text in {"-0", ""}:
        return "0"
    return text.replace("-0.", "-.") if text.startswith("-0.") else text.removeprefix("0") or "0"


def circle(x: float, y: float, r: float) -> Shape:
    """A circle as four curves."""
    k = r * 0.5523
    return (
        ("M", (x - r, y)),
        ("C", (x - r, y - k, x - k, y - r, x, y - r)),
        ("C", (x + k, y - r, x + r, y - k, x + r, y)),
        ("C", (x + r, y + k, x + k, y + r, x, y + r)),
        ("C", (x - k, y + r, x - r, y + k, x - r, y)),
        ("Z", ()),
    )


HEART: Shape = (
    ("M", (0, 9.6)),
    ("C", (-2.6, 5.6, -9.4, 1.6, -9.4, -4)),
    ("C", (-9.4, -7.4, -7, -9.2, -4.8, -9.2)),
    ("C", (-2.4, -9.2, -0.8, -7.6, 0, -5.4)),
    ("C", (0.8, -7.6, 2.4, -9.2, 4.8, -9.2)),
    ("C", (7, -9.2, 9.4, -7.4, 9.4, -4)),
    ("C", (9.4, 1.6, 2.6, 5.6, 0, 9.6)),
    ("Z", ()),
)
DIAMOND: Shape = (
    ("M", (0, -10)),
    ("C", (1.8, -6.4, 4.6, -2.8, 7.8, 0)),
    ("C", (4.6, 2.8, 1.8, 6.4, 0, 10)),
    ("C", (-1.8, 6.4, -4.6, 2.8, -7.8, 0)),
    ("C", (-4.6, -2.8, -1.8, -6.4, 0, -10)),
    ("Z", ()),
)
SPADE: Shape = (
    ("M", (0, -9.8)),
    ("C", (2.4, -5.8, 9, -2.4, 9, 2.8)),
    ("C", (9, 5.8, 6.8, 7.2, 4.8, 7.2)),
    ("C", (3.2, 7.2, 1.8, 6.4, 1, 5)),
    ("C", (1.1, 7.2, 1.9, 8.8, 3.4, 9.8)),
    ("L", (-3.4, 9.8)),
    ("C", (-1.9, 8.8, -1.1, 7.2, -1, 5)),
    ("C", (-1.8, 6.4, -3.2, 7.2, -4.8, 7.2)),
    ("C", (-6.8, 7.2, -9, 5.8, -9, 2.8)),
    ("C", (-9, -2.4, -2.4, -5.8, 0, -9.8)),
    ("Z", ()),
)
CLUB: Shape = (
    *circle(0, -5.2, 4.6),
    *circle(-5, 2.2, 4.6),
    *circle(5, 2.2, 4.6),
    ("M", (-1.6, -2.6)),
    ("L", (1.6, -2.6)),
    ("C", (1, 2.4, 1.2, 7.8, 3.4, 9.8)),
    ("L", (-3.4, 9.8)),
    ("C", (-1.2, 7.8, -1, 2.4, -1.6, -2.6)),
    ("Z", ()),
)
SUIT_SHAPES = {"C": CLUB, "D": DIAMOND, "H": HEART, "S": SPADE}

RANK_STROKES = {
    "A": "M1 28L10 1L19 28M4.5 19H15.5",
    "2": "M1.5 8C1.5-2.4 18.5-2.4 18.5 8C18.5 15 4 19 1.5 28H19",
    "3": "M2 0H18L9 11.2C23 10.4 22.5 28 9.5 28C5 28 1.6 26 .5 22",
    "4": "M15 28V0L.5 19.5H20",
    "5": "M17.5 0H3.8L2.6 12.4C5 10.4 7.4 9.9 9.8 9.9C22.4 9.9 22.4 28 9.4 28C5 28 1.6 26 .5 22.4",
    "6": "M14.5 0C7 5 1 12 1 19C1 31 19 31 19 19C19 8 5 7 2 15",
    "7": "M.5 0H19.5C13 8 8.6 17 7.6 28",
    "8": "M10 0C1 0 1 13 10 13C19 13 19 0 10 0M10 13C-1.6 13-1.6 28 10 28C21.6 28 21.6 13 10 13",
    "9": "M5.5 28C13 23 19 16 19 9C19-3 1-3 1 9C1 20 15 21 18 13",
    "T": "M0 5L4.6.6V28M15.5 0C7.5 0 7.5 28 15.5 28C23.5 28 23.5 0 15.5 0",
    "J": "M6 0H16V19.5C16 31 1.5 31 .5 20.5",
    "Q": "M10 0C-2.6 0-2.6 27.4 10 27.4C22.6 27.4 22.6 0 10 0M11.5 19.5L20 30",
    "K": "M2 0V28M19 0L2.5 17M8 11.5L20 28",
    "0": "M10 0C-1 0-1 28 10 28C21 28 21 0 10 0",
    "1": "M5 5L12 .6V28",
    "+": "M2 14H18M10 6V22",
    "-": "M3 14H17",
}


def suit_fill(suit: str) -> str:
    """The paint of a suit: a custom property of the page, and a colour where there is none."""
    return f"var(--suit-{suit.lower()},{'#b3261e' if suit in 'DH' else '#23211f'})"


def outline(shape: Shape, x: float, y: float, scale: float, *, turned: bool = False) -> str:
    """The path text of a shape at (x, y), upside down when turned. Relative commands: they compress best."""
    sign = -scale if turned else scale
    pen = start = (0.0, 0.0)
    parts: list[str] = []
    for name, values in shape:
        if name == "Z":
            parts.append("z")
            pen = start
            continue
        points = [
            (round(x + values[i] * sign, 1), round(y + values[i + 1] * sign, 1)) for i in range(0, len(values), 2)
        ]
        if name == "M":
            parts.append("M" + " ".join(number(v) for point in points for v in point))
            start = points[0]
        else:
            relative = [number(v) for px, py in points for v in (px - pen[0], py - pen[1])]
            parts.append(name.lower() + " ".join(relative))
        pen = points[-1]
    return "".join(parts)


def suit(code: str, x: float, y: float, scale: float, *, fill: str | None = None) -> str:
    """One pip."""
    return f'<path fill="{fill or suit_fill(code)}" d="{outline(SUIT_SHAPES[code], x, y, scale)}"/>'


def rank(code: str, x: float, y: float, scale: float, paint: str, weight: float = 4.6) -> str:
    """One rank's strokes, its top left at (x, y)."""
    return (
        f'<path fill="none" stroke="{paint}" stroke-width="{number(weight)}" stroke-linejoin="round" '
        f'transform="translate({number(x)} {number(y)})scale({scale:g})" d="{RANK_STROKES[code]}"/>'
    )


def half_turn(content: str) -> str:
    """The content, and again upside down about the middle of a 100 by 140 card."""
    return f'{content}<g transform="rotate(180 50 70)">{content}</g>'


def symbol(name: str, box: str, content: str, aspect: str = "") -> str:
    """A symbol to be shown with <use>."""
    fit = f' preserveAspectRatio="{aspect}"' if aspect else ""
    return f'<symbol id="{name}" viewBox="{box}"{fit}>{content}</symbol>'


def sprite(symbols: list[str], note: str) -> str:
    """A whole sprite file."""
    body = "\n".join(symbols)
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n<!-- {note} -->\n{body}\n</svg>\n'
