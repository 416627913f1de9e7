"""One picture a game, 160 by 100, in colours of its own (they look the same in light and dark)."""

from collections.abc import Callable

from tools.look.courts import bull_head, dots, fill, line
from tools.look.faces import clew
from tools.look.shapes import rank, suit, symbol

RED, BLACK, PAPER, EDGE = "#b3261e", "#23211f", "#fffdf6", "#cfc4b0"
GOLD, THREAD, FELT, NIGHT, SAND, SKY = "#d9a441", "#c2573a", "#2f5f50", "#26304a", "#ecdcb8", "#cfe0e2"


def ground(paint: str) -> str:
    """The whole picture's ground."""
    return f'<rect width="160" height="100" fill="{paint}"/>'


def card(code: str, x: float, y: float, *, turn: float = 0, scale: float = 1) -> str:
    """A little card, 26 by 36 around (x, y); a code of '' is a back."""
    inside = (
        rank(code[0], -10, -14, 0.5, RED if code[1] in "DH" else BLACK, 5)
        + suit(code[1], 2.5, 6, 0.85, fill=RED if code[1] in "DH" else BLACK)
        if code
        else line("#e9d9b4", 1, "M-9-14L9 14M9-14L-9 14M-9 0L0-14 9 0 0 14Z")
    )
    paint = PAPER if code else "#24564a"
    return (
        f'<g transform="translate({x:g} {y:g})rotate({turn:g})scale({scale:g})">'
        f'<rect x="-13" y="-18" width="26" height="36" rx="2.6" fill="{paint}" stroke="{EDGE}"/>{inside}'
        "</g>"
    )


def tile(code: str, column: int, row: int) -> str:
    """A square of the labyrinth's grid, 20 across; a code of '' is one that lies face down."""
    x, y = 58 + column * 24, 4 + row * 24
    if not code:
        lattice = line("#e9d9b4", 0.8, f"M{x} {y}l20 20M{x + 20} {y}l-20 20M{x + 10} {y}l10 10-10 10-10-10z")
        return f'<rect x="{x}" y="{y}" width="20" height="20" rx="2" fill="#24564a" stroke="#e9d9b4"/>{lattice}'
    paint = RED if code[1] in "DH" else BLACK
    return (
        f'<rect x="{x}" y="{y}" width="20" height="20" rx="2" fill="{PAPER}"/>'
        + rank(code[0], x + 2, y + 4.6, 0.38, paint, 5.4)
        + suit(code[1], x + 14.6, y + 10.4, 0.42, fill=paint)
    )


def ariadne() -> str:
    """The grid, the Minotaur in it, the thread leading out."""
    rows = ("7S 9S 4H QD", "3C -- 8C 2D", "KS 8H ## 5H", "AC 6S -- JD")
    cells = "".join(
        tile(code.strip("#"), column, row)
        for row, codes in enumerate(rows)
        for column, code in enumerate(codes.split())
        if code != "--"
    )
    return (
        ground(FELT)
        + cells
        + f'<rect x="82" y="28" width="20" height="20" rx="2" fill="{SAND}"/>'
        + f'<g transform="translate(80 25.4)scale(.4)">{bull_head("#5b2a3c", GOLD)}</g>'
        + line(THREAD, 2.4, "M34 87C46 92 42 74 56 74H80V50H92V46")
        + clew(26, 70, 0.95, THREAD, "#f6e3d3")
    )


def kathmandu() -> str:
    """The mountains, a stupa, prayer flags, and the two colours of tokens."""
    flags = "".join(
        fill(paint, f"M{x:g} {y:g}h9l-1 10h-7z")
        for paint, x, y in (
            ("#2f6fa8", 8, 14.5), ("#f5f1e6", 24, 19.5), (RED, 40, 22.5), ("#3b8a58", 56, 24.5), (GOLD, 72, 25),
            ("#2f6fa8", 88, 24.2), ("#f5f1e6", 104, 22), (RED, 120, 18.5), ("#3b8a58", 136, 13.5),
        )
    )  # fmt: skip
    return (
        ground("#bcd6de")
        + fill("#7d95ab", "M0 78L34 34L62 66L92 22L128 62L146 44L160 58V100H0Z")
        + fill(
            "#f7f7f2",
            "M34 34L25 46L31 44L36 49L44 46ZM92 22L81 38L88 36L93 42L99 36L105 37ZM146 44L139 51L146 50L153 51Z",
        )
        + fill("#5c7c5d", "M0 84C40 72 110 72 160 86V100H0Z")
        + line("#6d4f36", 0.9, "M0 10C50 30 110 30 160 6")
        + flags
        + fill("#f5f1e6", "M52 88C52 64 108 64 108 88Z")
        + fill(GOLD, "M71 56H89V70H71ZM72 56L80 36L88 56Z")
        + dots(BLACK, 2.2, (76.5, 62), (83.5, 62))
        + line(BLACK, 0.9, "M74 59.6q2.5-1.6 5 0M81 59.6q2.5-1.6 5 0M80 63v3.5")
        + f'<circle cx="28" cy="86" r="8" fill="{RED}" stroke="#7d150f" stroke-width="1.5"/>'
        + '<circle cx="132" cy="86" r="8" fill="#2f6fa8" stroke="#1b4a75" stroke-width="1.5"/>'
        + f'<rect x="46" y="87" width="68" height="5" fill="{SAND}"/>'
    )


def conquian() -> str:
    """A sun, cut paper, and a sequence over the gap: six, seven, jack."""
    rays = "".join(f"M80 62L{x:g} {y:g}" for x, y in (
        (20, 62), (24, 42), (34, 24), (52, 12), (70, 6), (90, 6), (108, 12), (126, 24), (136, 42), (140, 62),
    ))  # fmt: skip
    paper = "".join(f"M{x} 0h28v12l-4.7 5-4.7-5-4.7 5-4.7-5-4.7 5-4.5-5z" for x in range(2, 160, 32))
    return (
        ground("#f0c9a0")
        + line("#e3894d", 7, rays)
        + '<circle cx="80" cy="62" r="40" fill="#f3b23e"/>'
        + fill("#a8325f", paper)
        + line("#f0c9a0", 1.6, "".join(f"M{x} 5l3-3 3 3-3 3z" for x in range(13, 160, 32)))
        + fill("#4d7a4a", "M0 90C40 80 120 80 160 90V100H0Z")
        + card("6H", 52, 62, turn=-16, scale=1.25)
        + card("7H", 80, 56, scale=1.25)
        + card("JH", 108, 62, turn=16, scale=1.25)
    )


def jar(x: float, y: float, scale: float, paint: str, *, eyes: bool = False) -> str:
    """An oil jar, 40 wide and 60 high at scale 1, its foot at (x, y); with eyes under its lid."""
    look = dots("#fff3cf", 3.4, (-4, -52), (4, -52)) + dots(BLACK, 1.6, (-3.6, -52), (4.4, -52)) if eyes else ""
    lid = fill("#6b3b22", "M-11-58C-11-66 11-66 11-58Z") if eyes else fill("#6b3b22", "M-11-56H11V-52H-11Z")
    return (
        f'<g transform="translate({x:g} {y:g})scale({scale:g})">'
        + (fill("#1a1410", "M-10-59H10V-46H-10Z") if eyes else "")
        + look
        + fill(paint, "M-10-49H10C22-42 24-22 9 0H-9C-24-22-22-42-10-49Z")
        + line("#6b3b22", 2, "M-17-34C-6-30 6-30 17-34M-16.5-20C-6-16 6-16 16.5-20")
        + line(GOLD, 1.4, "M-15-27l5 4 5-4 5 4 5-4 5 4 5-4")
        + lid
        + "</g>"
    )


def forty_thieves() -> str:
    """The thieves in their jars, at night."""
    return (
        ground(NIGHT) + '<circle cx="128" cy="22" r="11" fill="#f2e3b3"/>'
        '<circle cx="123.5" cy="19.5" r="9.5" fill="#26304a"/>'
        + dots("#f2e3b3", 1.6, (18, 18), (44, 10), (70, 24), (96, 12), (150, 44))
        + fill("#8b6a45", "M0 84H160V100H0Z")
        + jar(34, 92, 1.05, "#b8693c")
        + jar(80, 92, 1.15, "#c77b49", eyes=True)
        + jar(126, 92, 1.05, "#b8693c", eyes=True)
    )


def indian() -> str:
    """A lotus on the water."""
    petals = "M80 78C68 66 70 40 80 28C90 40 92 66 80 78Z"
    side = "M80 78C60 72 50 54 50 38C64 44 76 58 80 78ZM80 78C100 72 110 54 110 38C96 44 84 58 80 78Z"
    low = "M80 80C58 82 38 72 30 56C50 54 70 64 80 80ZM80 80C102 82 122 72 130 56C110 54 90 64 80 80Z"
    return (
        ground("#f3d9a6")
        + '<circle cx="80" cy="44" r="36" fill="#f0b04a"/>'
        + fill("#2d6f6d", "M0 76H160V100H0Z")
        + fill("#5da06f", "M22 84C40 76 120 76 138 84C120 92 40 92 22 84Z")
        + fill("#b8456f", low)
        + fill("#d4688d", side)
        + fill("#eb9ab3", petals)
        + line("#8fc7bd", 1.4, "M8 90H28M60 95H100M134 91H152")
    )


def limited() -> str:
    """The limited express."""
    return (
        ground("#d8e3dc")
        + fill("#9cb7a6", "M0 70C30 50 60 64 90 54S140 48 160 60V100H0Z")
        + '<circle cx="36" cy="20" r="7" fill="#f7f4ea"/><circle cx="48" cy="15" r="9" fill="#f7f4ea"/>'
        '<circle cx="63" cy="19" r="6" fill="#f7f4ea"/>'
        + fill("#7a2622", "M34 46H84V74H34ZM104 34H140V78H104Z")
        + fill("#23211f", "M78 42H104V78H24V66H34V46H78ZM40 30H54L52 46H42ZM66 38H76V46H66Z")
        + fill("#7a2622", "M84 40H104V74H84Z")
        + fill(GOLD, "M30 58H84V62H30ZM100 30H144V35H100Z")
        + fill("#cfe6ee", "M110 42H120V54H110ZM125 42H135V54H125Z")
        + fill(BLACK, "M16 80L28 68V80Z")
        + "".join(
            f'<circle cx="{x}" cy="80" r="{r}" fill="#3b3733" stroke="{GOLD}" stroke-width="2"/>'
            for x, r in ((40, 7), (60, 7), (84, 9), (112, 9), (134, 7))
        )
        + line("#6d4f36", 3, "M0 90H160")
        + line("#6d4f36", 2, "".join(f"M{x} 90V95" for x in range(6, 160, 14)))
    )


def little_forty() -> str:
    """A little jar, and three cards turned at once."""
    return (
        ground("#e9c79b")
        + fill("#b98a58", "M0 80H160V100H0Z")
        + jar(42, 90, 0.8, "#a8532f", eyes=True)
        + card("4C", 84, 56, turn=-14, scale=1.15)
        + card("9D", 104, 53, turn=2, scale=1.15)
        + card("QS", 124, 58, turn=18, scale=1.15)
    )


def lucas() -> str:
    """Every ace already home."""
    cards = "".join(card("A" + s, 29 + i * 34, 58, scale=1.15) for i, s in enumerate("SHCD"))
    behind = "".join(card("A" + s, 25 + i * 34, 45, scale=1.15) for i, s in enumerate("SHCD"))
    return (
        ground("#4b3d63")
        + fill("#5d4d78", "M0 100L60 0H100L160 100Z")
        + behind
        + cards
        + fill(GOLD, "M62 20L60 6L71 13L80 3L89 13L100 6L98 20Z")
    )


def maria() -> str:
    """The Maria under sail."""
    return (
        ground("#cfe0e2")
        + '<circle cx="130" cy="22" r="11" fill="#f3d27a"/>'
        + line("#5d3a22", 2.6, "M80 12V74M50 24V72M112 28V72")
        + fill("#f8f3e4", "M62 20C82 16 92 20 100 20C106 34 104 46 100 54C88 50 76 52 62 54C68 42 68 32 62 20Z")
        + fill(
            "#f0e6cc",
            "M38 32C46 30 54 30 60 32C64 42 62 50 60 56C52 54 46 54 38 56C42 48 42 40 38 32ZM106 34"
            "C112 33 120 33 126 34C130 42 128 50 126 56C118 54 112 54 106 56C110 48 110 42 106 34Z",
        )
        + suit("H", 83, 36, 1, fill=RED)
        + fill(RED, "M80 12L96 9L80 6Z")
        + fill("#7b4a2a", "M26 66L36 70H118L134 60L128 84C120 90 46 90 40 86Z")
        + line(GOLD, 2, "M33 76H130")
        + fill("#2f6f86", "M0 84q10-6 20 0t20 0 20 0 20 0 20 0 20 0 20 0 20 0V100H0Z")
    )


def number_ten() -> str:
    """The door of number ten."""
    return (
        ground("#b9a58c")
        + line(
            "#a38e74",
            1,
            "M0 14H160M0 28H160M0 42H160M0 56H160M0 70H160M0 84H160M20 0V14M60 14V28M20 28V42M130 0V14"
            "M146 14V28M130 28V42M20 56V70M140 56V70M12 70V84M146 42V56",
        )
        + fill("#f4eee0", "M44 8H116V100H44Z")
        + fill("#26323b", "M54 34C54 8 106 8 106 34Z")
        + line("#f4eee0", 1.6, "M80 34V14M80 34L60 22M80 34L100 22")
        + fill("#17191c", "M54 38H106V100H54Z")
        + line("#3c4147", 1.6, "M59 44H76V62H59ZM84 44H101V62H84ZM59 76H76V98H59ZM84 76H101V98H84Z")
        + rank("T", 69.5, 42, 1, GOLD, 4)
        + f'<circle cx="80" cy="80" r="4.6" fill="none" stroke="{GOLD}" stroke-width="2"/>'
        + fill(GOLD, "M66 71.6H94V74H66Z")
        + fill("#2d2a26", "M30 92V40H33V92ZM127 92V40H130V92Z")
        + dots("#f7dd8c", 9, (31.5, 37), (128.5, 37))
    )


def soldier(x: float, y: float, scale: float) -> str:
    """A toy soldier, 16 wide and 44 high at scale 1, his feet at (x, y)."""
    return (
        f'<g transform="translate({x:g} {y:g})scale({scale:g})">'
        + fill("#23211f", "M-5.5-44H5.5L5-32H-5Z")
        + fill("#f6dfc3", "M-4-32H4V-27H-4Z")
        + fill(RED, "M-6.5-27H6.5V-12H-6.5Z")
        + fill("#28406b", "M-5.5-12H-.6V0H-5.5ZM.6-12H5.5V0H.6Z")
        + line("#f5f1e6", 1.6, "M-5.5-26L5.5-13M5.5-26L-5.5-13", "butt")
        + line(GOLD, 1.8, "M0-47V-43")
        + line("#5d3a22", 1.6, "M8.6-42V-12")
        + "</g>"
    )


def rank_and_file() -> str:
    """Toy soldiers in rank and file."""
    rows = ((52, 0.7, 6, 22, 25), (72, 0.85, 6, 16, 25.6), (95, 1.05, 6, 8, 28.8))
    men = "".join(soldier(left + i * step, y, scale) for y, scale, n, left, step in rows for i in range(n))
    return ground("#c9d3a4") + fill("#a9b780", "M0 40H160V100H0Z") + men


def house(x: int, top: int, width: int, paint: str, roof: str) -> str:
    """A house of the street with its lit windows."""
    windows = "".join(
        f"M{x + 5 + i * 11} {y}h6v8h-6z" for y in range(top + 7, 74, 15) for i in range((width - 4) // 11)
    )
    return (
        fill(paint, f"M{x} {top}H{x + width}V84H{x}Z")
        + fill(roof, f"M{x - 2} {top}L{x + width / 2:g} {top - 14}L{x + width + 2} {top}Z")
        + fill("#f7dd8c", windows)
    )


def streets() -> str:
    """A street in the evening."""
    return (
        ground("#6f7fa3")
        + '<circle cx="136" cy="18" r="8" fill="#f2e3b3"/>'
        + house(4, 40, 28, "#8c4a3c", "#4a2f2b")
        + house(34, 26, 26, "#c08a4e", "#5d3a22")
        + house(62, 46, 34, "#5b6e5a", "#343f38")
        + house(98, 32, 26, "#a65a48", "#4a2f2b")
        + house(126, 44, 30, "#7a6a86", "#453b52")
        + fill("#3d4350", "M0 84H160V100H0Z")
        + line("#e8dfc8", 1.8, "M6 92H24M40 92H58M74 92H92M108 92H126M142 92H158", "butt")
        + line("#23211f", 1.6, "M61 84V60M97 84V60")
        + dots("#ffeaa8", 5, (61, 58), (97, 58))
    )


PICTURES: dict[str, Callable[[], str]] = {
    "ariadne": ariadne,
    "kathmandu": kathmandu,
    "conquian": conquian,
    "forty-thieves": forty_thieves,
    "indian": indian,
    "limited": limited,
    "little-forty": little_forty,
    "lucas": lucas,
    "maria": maria,
    "number-ten": number_ten,
    "rank-and-file": rank_and_file,
    "streets": streets,
}


def picture_symbols() -> list[str]:
    """The whole picture sprite; the ids are the slugs and variants of the rules."""
    return [symbol(f"picture-{name}", "0 0 160 100", draw()) for name, draw in PICTURES.items()]
