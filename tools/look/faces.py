"""Every card in its four forms, and the suits.

- ``card-7S`` (100 by 140): the full face. ``card-JK-down``, ``card-JK-up`` and ``card-back`` stand beside the 52.
- ``large-7S`` (100 by 140): rank and suit as large as they go, for phones and weak eyes.
- ``small-7S`` (60 by 60): rank and suit side by side, for grids and for the strip that a fanned column shows.
- ``down-7S`` (60 by 60): a card that lies face down though both players know it: the back with a corner turned up.
- ``pip-S`` (24 by 24): the suit alone.
"""

from tools.look.courts import BULL, GROUND, HERO, bull_head, court, hero_head, joker_middle, line, worth
from tools.look.shapes import RANKS, SUIT_SHAPES, SUITS, half_turn, outline, rank, suit, suit_fill, symbol

FACE = "var(--card-face,#fffdf6)"
EDGE = "var(--card-edge,#cfc4b0)"
BACK = "var(--card-back,#24564a)"
BACK_THREAD = "var(--card-thread,#e9d9b4)"

LEFT, MIDDLE, RIGHT = 35.0, 50.0, 65.0
ROWS: dict[str, list[tuple[float, float]]] = {
    "2": [(MIDDLE, 28), (MIDDLE, 112)],
    "3": [(MIDDLE, 28), (MIDDLE, 70), (MIDDLE, 112)],
    "4": [(x, y) for y in (28.0, 112.0) for x in (LEFT, RIGHT)],
    "5": [(x, y) for y in (28.0, 112.0) for x in (LEFT, RIGHT)] + [(MIDDLE, 70)],
    "6": [(x, y) for y in (28.0, 70.0, 112.0) for x in (LEFT, RIGHT)],
    "7": [(x, y) for y in (28.0, 70.0, 112.0) for x in (LEFT, RIGHT)] + [(MIDDLE, 49)],
    "8": [(x, y) for y in (28.0, 70.0, 112.0) for x in (LEFT, RIGHT)] + [(MIDDLE, 49), (MIDDLE, 91)],
    "9": [(x, y) for y in (26, 55.4, 84.6, 114) for x in (LEFT, RIGHT)] + [(MIDDLE, 70)],
    "T": [(x, y) for y in (26, 55.4, 84.6, 114) for x in (LEFT, RIGHT)] + [(MIDDLE, 40.6), (MIDDLE, 99.4)],
}


def paper(width: int, height: int, radius: float, paint: str = FACE) -> str:
    """The card itself."""
    return (
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="{radius:g}" fill="{paint}" '
        f'stroke="{EDGE}"/>'
    )


def corners(code: str) -> str:
    """The two large indices."""
    left = 6.4 if code[0] != "T" else 5.6
    return half_turn(rank(code[0], left, 9, 0.82, suit_fill(code[1]), 4.8) + suit(code[1], 14.6, 45, 0.78))


def ace(code: str) -> str:
    """The ace's ornament: the pip inside a ring of wound thread whose end runs off."""
    paint = suit_fill(code)
    ring = "M50 37.6A32.4 32.4 0 1 1 49.9 37.6M50 44A26 26 0 1 0 50.1 44"
    end = "M73.6 92C82 102 72 113 61 107S44 108 28 119"
    rope = (
        f'<circle cx="50" cy="70" r="29.2" fill="none" stroke="{paint}" stroke-width="6" stroke-dasharray="1.3 3.29"/>'
    )
    return line(paint, 1.3, ring + end) + rope + suit(code, 50, 70, 1.75)


def pips(code: str) -> str:
    """The pips of a number card as one path; those in the lower half stand on their heads."""
    size = 0.94 if code[0] in "9T" else 1.06
    text = "".join(outline(SUIT_SHAPES[code[1]], x, y, size, turned=y > 70) for x, y in ROWS[code[0]])
    return f'<path fill="{suit_fill(code[1])}" d="{text}"/>'


def full(code: str) -> str:
    """A whole face."""
    middle = ace(code[1]) if code[0] == "A" else court(code) if code[0] in "JQK" else pips(code)
    return paper(100, 140, 8) + middle + corners(code)


def large(code: str) -> str:
    """The large-index face."""
    left = 9.0 if code[0] != "T" else 7.0
    return (
        paper(100, 140, 8)
        + rank(code[0], left, 12, 1.9, suit_fill(code[1]), 5)
        + suit(code[1], 80, 24, 1.15)
        + suit(code[1], 56, 104, 2.9)
    )


def small(code: str) -> str:
    """The square face."""
    left = 5.6 if code[0] != "T" else 4.4
    return paper(60, 60, 5) + rank(code[0], left, 13, 1.22, suit_fill(code[1]), 5.2) + suit(code[1], 45.6, 31, 1.14)


def weave(size: int, height: int) -> str:
    """The back's lattice: two threads crossing, within a border."""
    starts = range(-height, size, 12)
    return "".join(f"M{x} 0l{height} {height}M{x + height} 0l{-height} {height}" for x in starts)


def clew(x: float, y: float, scale: float, thread: str, ground: str) -> str:
    """A ball of thread, the house's sign, about 40 across at scale 1."""
    return (
        f'<g transform="translate({x:g} {y:g})scale({scale:g})"><circle r="19" fill="{ground}"/>'
        + line(
            thread,
            2.6,
            "M-17-4C-8-16 8-18 16-8M-18 4C-8-10 8-14 18 0M-15 11C-6-4 10-8 17 8M-8 17C-4 6 8 0 14 13"
            "M-13-13C-14-2-8 10 4 18M-6-17C-9-6-4 4 11 15",
        )
        + f'<circle r="19" fill="none" stroke="{thread}" stroke-width="2.6"/></g>'
    )


def back() -> str:
    """The back of the pack."""
    return (
        paper(100, 140, 8)
        + f'<rect x="6" y="6" width="88" height="128" rx="5" fill="{BACK}"/>'
        + f'<svg x="9" y="9" width="82" height="122" viewBox="0 0 82 122">{line(BACK_THREAD, 1, weave(82, 122))}</svg>'
        + f'<rect x="9" y="9" width="82" height="122" rx="3" fill="none" stroke="{BACK_THREAD}" stroke-width="1.4"/>'
        + clew(50, 70, 1.15, BACK_THREAD, BACK)
    )


def small_back() -> str:
    """The square back."""
    return (
        paper(60, 60, 5, BACK)
        + f'<svg x="2" y="2" width="56" height="56" viewBox="0 0 56 56">{line(BACK_THREAD, 0.9, weave(56, 56))}</svg>'
        + clew(30, 30, 0.8, BACK_THREAD, BACK)
    )


def known_back(code: str) -> str:
    """The square back with its lower right corner turned up, showing which card lies there."""
    return (
        paper(60, 60, 5, BACK)
        + f'<svg x="2" y="2" width="56" height="56" viewBox="0 0 56 56">{line(BACK_THREAD, 0.9, weave(56, 56))}</svg>'
        + f'<path fill="{FACE}" stroke="{EDGE}" d="M59.5 17V55a4.5 4.5 0 0 1-4.5 4.5H13Q33 36 59.5 17Z"/>'
        + rank(code[0], 28 if code[0] != "T" else 27, 36, 0.66, suit_fill(code[1]), 5.4)
        + suit(code[1], 50.4, 45, 0.76)
    )


def joker_small(*, up: bool) -> str:
    """The joker in the square: the head, and below it what it is worth."""
    paint = HERO if up else BULL
    head = hero_head(paint, GROUND) if up else bull_head(paint, "var(--court-gold,#d9a441)")
    return (
        paper(60, 60, 5)
        + f'<g transform="translate(7.5 1.6)scale(.75)">{head}</g>'
        + worth("+" if up else "-", paint, 16, 42.6, 0.5)
    )


def joker_corner(*, up: bool) -> str:
    """The joker's index: a star."""
    paint = HERO if up else BULL
    return half_turn(
        f'<path fill="{paint}" d="M14 8l2 5.6 6 .2-4.8 3.6 1.7 5.7-4.9-3.3-4.9 3.3 1.7-5.7-4.8-3.6 6-.2z"/>'
    )


def card_symbols() -> list[str]:
    """The whole card sprite, symbol by symbol."""
    codes = [r + s for s in SUITS for r in RANKS]
    face, square, top = "0 0 100 140", "0 0 60 60", "xMidYMin meet"
    result = [symbol(f"card-{code}", face, full(code)) for code in codes]
    for up, word in ((False, "down"), (True, "up")):
        whole = paper(100, 140, 8) + joker_middle(up=up) + joker_corner(up=up)
        result += [symbol(f"{kind}-JK-{word}", face, whole) for kind in ("card", "large")]
    result += [symbol(f"{kind}-back", face, back()) for kind in ("card", "large")]
    result += [symbol(f"large-{code}", face, large(code)) for code in codes]
    result += [symbol(f"small-{code}", square, small(code), top) for code in codes]
    result += [symbol(f"small-JK-{word}", square, joker_small(up=word == "up"), top) for word in ("down", "up")]
    result.append(symbol("small-back", square, small_back(), top))
    result += [symbol(f"down-{code}", square, known_back(code), top) for code in codes]
    result += [symbol(f"pip-{code}", "-12 -12 24 24", suit(code, 0, 0, 1)) for code in SUITS]
    return result
