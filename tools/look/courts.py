"""Jacks, queens, kings and the joker's two faces, built of plain shapes.

Every court is one half figure between y = 14 and y = 70, shown again upside down. What tells them apart at a glance is
the outline: the jack's slanted cap and feather, the queen's falling hair and pearls, the king's tall crown and beard.
The robe's weave belongs to the suit.
"""

from tools.look.shapes import half_turn, rank, suit, suit_fill

INK = "var(--court-ink,#33291f)"
GOLD = "var(--court-gold,#d9a441)"
SKIN = "var(--court-skin,#f6dfc3)"
CLOTH = "var(--court-cloth,#2f6f73)"
GROUND = "var(--court-ground,#f6eedd)"

BULL = "var(--joker-down,#5b2a3c)"
HERO = "var(--joker-up,#1f5a86)"

WEAVES = {
    "C": "M33 65h.1M38.5 60h.1M41 65.5h.1M61.5 60h.1M59 65.5h.1M67 65h.1",
    "D": "M34 62.5l3.2-4.2 3.2 4.2-3.2 4.2zM59.6 62.5l3.2-4.2 3.2 4.2-3.2 4.2z",
    "H": "M34 58.6q3 4 6 0M60 58.6q3 4 6 0M31.5 64q3 4 6 0q3 4 6 0M56.5 64q3 4 6 0q3 4 6 0",
    "S": "M35 61l3.5-3.5 3.5 3.5M58 61l3.5-3.5 3.5 3.5M32 66.5l4-4 4 4 4-4M56 62.5l4 4 4-4 4 4",
}


def fill(paint: str, d: str) -> str:
    """A filled path."""
    return f'<path fill="{paint}" d="{d}"/>'


def line(paint: str, width: float, d: str, cap: str = "round") -> str:
    """A stroked path."""
    return (
        f'<path fill="none" stroke="{paint}" stroke-width="{width:g}" stroke-linecap="{cap}" '
        f'stroke-linejoin="round" d="{d}"/>'
    )


def dots(paint: str, size: float, *points: tuple[float, float]) -> str:
    """Round dots: strokes of no length."""
    return line(paint, size, "".join(f"M{x:g} {y:g}h.01" for x, y in points))


def weave(code: str) -> str:
    """The suit's pattern on a robe."""
    return line(GOLD, 2.6 if code == "C" else 1.3, WEAVES[code])


def face(brow: float) -> str:
    """Eyes, nose and mouth; brow is the height of the eyes."""
    return (
        dots(INK, 1.9, (46.4, brow), (53.6, brow))
        + line(INK, 0.9, f"M50 {brow + 0.6:g}l-1.2 4.4h1.6")
        + line(INK, 0.9, f"M44.6 {brow - 2.6:g}q1.8-1 3.4-.2M52 {brow - 2.8:g}q1.6-.8 3.4.2")
    )


def king(code: str) -> str:
    """Crown, square beard, broad shoulders, sceptre."""
    robe = suit_fill(code)
    return (
        fill(robe, "M27 70V57C30 51 38 48.5 43 47.5H57C62 48.5 70 51 73 57V70Z")
        + weave(code)
        + fill(SKIN, "M42 26H58V40C58 50 42 50 42 40Z")
        + fill(GOLD, "M39 47L50 70L61 47L57 46L50 60L43 46Z")
        + fill(
            INK,
            "M40.6 27H43V36.4C45.4 37.6 47.4 38.2 50 38.2C52.6 38.2 54.6 37.6 57 36.4V27H59.4V46L55 53.4"
            "L50 57L45 53.4L40.6 46Z",
        )
        + fill(SKIN, "M47.2 40.4H52.8Q50 43 47.2 40.4Z")
        + face(32)
        + fill(GOLD, "M39 28L37.6 17.4L44 22L50 14.6L56 22L62.4 17.4L61 28Z")
        + line(robe, 2.4, "M39.4 26.4H60.6", "butt")
        + dots(robe, 2.6, (44.4, 22.6), (50, 20.4), (55.6, 22.6))
        + line(GOLD, 2.4, "M67.6 32V58")
        + fill(GOLD, "M67.6 20.4L71.6 26.4L67.6 32.4L63.6 26.4Z")
        + fill(SKIN, "M64.6 51.6H70.8V56.6H64.6Z")
    )


def queen(code: str) -> str:
    """Falling hair, coronet of pearls, round neckline, a flower."""
    robe = suit_fill(code)
    return (
        fill(INK, "M38 30C38 17 62 17 62 30C62 40 65 46 67 54H33C35 46 38 40 38 30Z")
        + fill(robe, "M28 70C29 60 35 54 43 51.6C46 58 54 58 57 51.6C65 54 71 60 72 70Z")
        + weave(code)
        + fill(
            SKIN,
            "M46.6 40H53.4V49C56 49.6 57 50.4 57.4 51.4C55 58.4 45 58.4 42.6 51.4C43 50.4 44 49.6 46.6 49Z",
        )
        + fill(SKIN, "M42.4 29C42.4 22 57.6 22 57.6 29V35C57.6 47 42.4 47 42.4 35Z")
        + fill(INK, "M41.4 32C43 26.6 47 25.4 50 23.6C53 25.4 57 26.6 58.6 32C60 20 40 20 41.4 32Z")
        + face(33.4)
        + line(robe, 1.6, "M48 40.8Q50 42.2 52 40.8")
        + fill(GOLD, "M40.4 24.4C46 20.8 54 20.8 59.6 24.4L61 18.8L55.6 20.6L50 15.6L44.4 20.6L39 18.8Z")
        + dots(GROUND, 2.4, (39.2, 18), (50, 14.8), (60.8, 18))
        + dots(robe, 2.2, (45, 22.4), (50, 20.6), (55, 22.4))
        + dots(GOLD, 2.2, (43.6, 53.6), (46.4, 56), (50, 57), (53.6, 56), (56.4, 53.6))
        + line(CLOTH, 1.4, "M31.4 62C31 54 31 48 32 42M31.2 54Q28.4 52.4 28.4 49.4")
        + dots(robe, 4, (32, 36.4), (29, 39.2), (35, 39.2), (30.2, 42.6), (33.8, 42.6))
        + dots(GOLD, 3, (32, 39.8))
        + fill(SKIN, "M28.6 57.4H34.4V62H28.6Z")
    )


def jack(code: str) -> str:
    """Slanted cap with a feather, bobbed hair, a sash, and a staff with thread wound on it."""
    robe = suit_fill(code)
    return (
        fill(robe, "M29 70V59C31 53.4 37 50.6 43 49.6H57C63 50.6 69 53.4 71 59V70Z")
        + weave(code)
        + fill(CLOTH, "M57 49.6L63.4 51.6L46 70H36.6Z")
        + fill(GROUND, "M42 48.4L50 54.6L58 48.4L60 52.4L50 59L40 52.4Z")
        + fill(INK, "M39.4 28H60.6V41.6C60.6 45 56 45.6 55 43V33H45V43C44 45.6 39.4 45 39.4 41.6Z")
        + fill(SKIN, "M43.2 28H56.8V37.4C56.8 49 43.2 49 43.2 37.4Z")
        + face(34)
        + line(INK, 1, "M47.8 41.6H52.2")
        + fill(
            robe,
            "M36.4 28.6C36 20.4 45 15.4 53 17.6C59 19 64 22.4 63.8 26.4C63.6 30 60 29.6 55 28.2"
            "C48 26.6 42 26.6 36.4 28.6Z",
        )
        + line(GOLD, 2, "M37.4 28.4C43 25.8 51 26 60.8 28.8")
        + line(GOLD, 2.6, "M58 26C64 22 67.6 19.4 69.6 15.4")
        + line(GROUND, 0.8, "M60 24.6L65.4 23.2M63 22.4L68 20.2")
        + line(INK, 1.8, "M32 36V70")
        + fill(GOLD, "M32 31.6L34.2 36.6H29.8Z")
        + line(GOLD, 1.5, "M29.6 46.6L34.4 44.6M29.6 49.6L34.4 47.6M29.6 52.6L34.4 50.6")
        + fill(SKIN, "M29 57H35V62H29Z")
    )


FIGURES = {"J": jack, "Q": queen, "K": king}


def court(code: str) -> str:
    """The middle of a court card: ground, two half figures, the pip beside each head, the thread between them."""
    figure, colour = FIGURES[code[0]](code[1]), code[1]
    x, y = {"J": (32.4, 21.6), "Q": (67, 22), "K": (34.4, 22.6)}[code[0]]
    return (
        f'<rect x="26" y="12" width="48" height="116" rx="3" fill="{GROUND}"/>'
        + half_turn(figure + suit(colour, x, y, 0.55))
        + f'<rect x="26" y="67.6" width="48" height="4.8" fill="{GOLD}"/>'
        + line(INK, 0.9, "M26 70q2-2.4 4 0t4 0 4 0 4 0 4 0 4 0 4 0 4 0 4 0 4 0 4 0 4 0")
        + f'<rect x="26" y="12" width="48" height="116" rx="3" fill="none" stroke="{suit_fill(colour)}" '
        'stroke-width="1.4"/>'
    )


def bull_head(paint: str, light: str) -> str:
    """The Minotaur's head in a 60 by 60 box: horns, ears, muzzle, ring."""
    return (
        fill(
            light,
            "M19.6 22C9 22 5 14 8.4 4.4C10.6 12 15 13.6 21.6 14.4L24 21ZM40.4 22C51 22 55 14 51.6 4.4"
            "C49.4 12 45 13.6 38.4 14.4L36 21Z",
        )
        + fill(
            paint,
            "M20 15C26 11.6 34 11.6 40 15L42.6 24.4L39 40C39.4 50 20.6 50 21 40L17.4 24.4ZM17 23L9 26.6"
            "C11 31 15 31.6 18.8 29.4ZM43 23L51 26.6C49 31 45 31.6 41.2 29.4Z",
        )
        + fill(light, "M22 40.4C24 35.6 36 35.6 38 40.4C38 48 22 48 22 40.4Z")
        + dots(light, 3.4, (25, 26.4), (35, 26.4))
        + line(paint, 1.6, "M22.4 22.4L28 24.4M37.6 22.4L32 24.4")
        + dots(paint, 2.6, (26.8, 40.6), (33.2, 40.6))
        + line(GOLD, 1.8, "M27.4 44.4C26 50.6 34 50.6 32.6 44.4")
    )


def hero_head(paint: str, light: str) -> str:
    """Theseus' helmet in a 60 by 60 box: crest, cheek pieces, eyes."""
    return (
        fill(GOLD, "M5 28A25 25 0 0 1 55 28H46.4A16.4 16.4 0 0 0 13.6 28Z")
        + line(
            paint,
            1.2,
            "M30 3V12M17.6 6.4L21.8 14M42.4 6.4L38.2 14M8.4 15.6L15.6 20.6M51.6 15.6L44.4 20.6",
            "butt",
        )
        + fill(
            paint,
            "M15 47V27C15 7 45 7 45 27V47C40.6 48.6 36 47 33.6 42V33.4H31.6V41C31.6 43 28.4 43 28.4 41"
            "V33.4H26.4V42C24 47 19.4 48.6 15 47Z",
        )
        + fill(
            light,
            "M19.4 27.6C22 25.2 26 26 28.2 30C25 32.4 20.6 31.6 19.4 27.6ZM40.6 27.6"
            "C38 25.2 34 26 31.8 30C35 32.4 39.4 31.6 40.6 27.6Z",
        )
        + line(light, 1.2, "M30 13V24M19 44V36M41 44V36")
    )


def joker_middle(*, up: bool) -> str:
    """The joker's full face: the labyrinth behind, the head, and what it is worth to a thread beside it."""
    paint = HERO if up else BULL
    head = hero_head(paint, GROUND) if up else bull_head(paint, GOLD)
    sign = "+" if up else "-"
    maze = "M50 18A42 42 0 0 1 84 85M16 85A42 42 0 0 1 42 19M50 26A34 34 0 0 1 78 80M22 80"
    "A34 34 0 0 1 42 27M50 18V26M22 80L16 85"
    return (
        line(GOLD, 2, maze, "butt")
        + line(paint, 1.4, "M14 112C34 104 34 126 52 116S74 106 86 114")
        + f'<g transform="translate(18.8 30)scale(1.04)">{head}</g>'
        + worth(sign, paint, 34, 117.4, 0.44)
    )


def worth(sign: str, paint: str, x: float, y: float, scale: float) -> str:
    """+10 or -10 in strokes."""
    step = 26 * scale
    return (
        rank(sign, x, y, scale, paint, 4.6)
        + rank("1", x + step * 0.8, y, scale, paint, 4.6)
        + rank("0", x + step * 1.6, y, scale, paint, 4.6)
    )
