"""Ariadne's Thread drawn in mails: every card where it lies, and what is special about it marked."""

import re
from typing import Any

from django.utils import translation

from games.engine.ariadne import RULES, State
from games.engine.contract import SPECTATOR
from games.engine.grid import read_cell
from notifications.boards.ariadne import AriadneMailBoard, Square

BOARD = AriadneMailBoard()


def played(*moves: str) -> dict[str, Any]:
    """The view after these moves, from a deal in the packs' own order: clubs and diamonds from the ace up."""
    black, red = RULES.packs(State())
    state = RULES.deal(RULES.start({}), (black, red))
    for text in moves:
        state = RULES.play(state, RULES.parse(state, text)).state
    return RULES.view(state, SPECTATOR)


def square(view: dict[str, Any], name: str, marks: frozenset[str] = frozenset()) -> Square:
    """The square of a cell by its name, as it is drawn."""
    drawn = BOARD.draw(view, marks)
    column = drawn["columns"].index(name[0])
    (row,) = (row for row in drawn["rows"] if row.name == name[1:])
    found: Square = row.squares[column]
    return found


def text_of(view: dict[str, Any]) -> str:
    with translation.override("en"):
        return BOARD.text(view)


def test_the_first_table_is_the_joker_among_open_cells() -> None:
    assert text_of(played()) == (
        "    f   g   h\n"
        " 6  ·   ·   ·\n"
        " 7  ·   ☆   ·\n"
        " 8  ·   ·   ·\n"
        "\n"
        " ☆    the joker as the Minotaur, face down\n"
        " ·    an open cell"
    )


def test_a_table_with_everything_on_it_as_text() -> None:
    # An ace from the hand takes the place of the three; then the joker's place is taken, and the joker turned.
    view = played("2C f6", "3D h7", "AC x h8", "AD j g6")
    assert text_of(view) == (
        "    e   f   g   h   i\n"
        " 5  ·   ·   ·   ·\n"
        " 6  ·   2♣  ★   ·   ·\n"
        " 7  ·   ·  [A♦] A♣  ·\n"
        " 8      ·   ·  (3♦) ·\n"
        " 9          ·   ·   ·\n"
        "\n"
        "[A♦]  the last card played\n"
        "(3♦)  lies face down\n"
        " ★    the joker as Theseus, face up\n"
        " ·    an open cell"
    )


def test_every_line_of_the_widest_table_fits_a_phone() -> None:
    grid = text_of({**played(), "open": [[x, 0] for x in range(-3, 5)]}).split("\n\n")[0]
    assert max(map(len, grid.splitlines())) <= 36


def test_coordinates_name_the_cells_that_the_moves_name() -> None:
    view = played("AC f6", "2D h7")
    assert square(view, "f6").text == "A♣"
    assert square(view, "h7").text == "2♦"
    assert square(view, "g7").kind == "joker"
    assert view["table"][0]["at"] == list(read_cell("f", "6"))


def test_squares_say_their_colour_and_what_was_played_last() -> None:
    view = played("AC f6", "2D h7")
    assert square(view, "f6") == Square("card", "A♣", "black")
    assert square(view, "h7") == Square("card", "2♦", "red", last=True)
    assert square(view, "g6") == Square("open", "·")


def test_a_card_that_was_swapped_out_lies_face_down_without_a_colour() -> None:
    view = played("2C f6", "3D h7", "AC x h8")
    assert square(view, "h8") == Square("down", "3♦")
    assert square(view, "h7") == Square("card", "A♣", "black", last=True)


def test_what_the_last_moves_changed_is_marked_where_squares_are_drawn() -> None:
    view = played("AC f6", "2D j f7")
    marks = frozenset({"cell:0,0", "cell:-1,0"})
    assert square(view, "g7", marks) == Square("card", "2♦", "red", last=True, new=True)
    assert square(view, "f7", marks) == Square("joker", "★", new=True)
    assert not square(view, "f6", marks).new


def test_cards_of_a_thread_are_marked_and_the_legend_says_so() -> None:
    view = played("AC f6", "AD h6", "2C f7", "2D h7", "3C f8", "3D h8", "4C f9", "4D h9", "5C f10")
    assert [square(view, f"f{row}").thread for row in range(6, 11)] == [True] * 5
    assert not square(view, "h6").thread
    with translation.override("en"):
        meanings = [meaning for _, meaning in BOARD.draw(view, frozenset())["legend"]]
    assert meanings == [
        "the last card played", "in a thread", "the joker as the Minotaur, face down", "an open cell",
    ]  # fmt: skip


def test_the_text_has_only_signs_of_which_each_is_explained() -> None:
    grid, legend = text_of(played("2C f6", "3D h7", "AC x h8")).split("\n\n")
    signs = set(re.findall(r"[★☆·]|\[|\(", grid))
    assert signs == {"☆", "·", "[", "("}
    assert all(sign in legend for sign in signs)
