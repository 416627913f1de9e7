"""The pure decision what events follow from a command: ``decide(table, command, dealer, at) -> events``.

Nothing here looks at a clock, a database or chance: what is drawn by lot comes from the dealer that is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from games.engine import UnknownRules, get_rules, latest_version
from games.engine.contract import DEAL, Move, Play, Refusal, Rules, gettext_noop
from games.engine.shuffle import LARGEST_NUMBER
from games.table.commands import (
    AnswerUndo,
    AskUndo,
    Command,
    PlayMove,
    PlayMoves,
    Redo,
    Refused,
    Resign,
    SitDown,
    Stale,
    TakeHint,
    Terms,
    Typed,
    Undo,
    Withdraw,
)
from games.table.dealer import Dealer
from games.table.events import (
    Dealt,
    Ended,
    EndedBy,
    Event,
    HintTaken,
    Moved,
    SatDown,
    Started,
    TableOpened,
    UndoAnswered,
    UndoAsked,
    Undone,
)
from games.table.state import Stamped, Table, evolve
from games.table.terms import check_terms
from games.table.timing import check_in_time, decide_timing
from games.table.undo import check_undo, undo_target

#: More moves than this are never made by one command.
MOST_MOVES = 104

_SALT = re.compile(r"[!-~]{8,64}")


def open_table(game_id: str, terms: Terms, sitting: SitDown, dealer: Dealer, at: int) -> list[Event]:
    """The first events of a game: the table is opened, and its opener sits down at place 0.

    Raises :class:`Refusal` (unknown rules, a bad option, a bad salt).
    """
    try:
        rules = get_rules(terms.rules, latest_version(terms.rules))
    except UnknownRules:
        raise Refused("unknown_rules", gettext_noop("There is no such game here.")) from None
    _check_choice("admits", terms.admits, ("anyone", "people", "invited"))
    _check_choice("opener_seat", terms.opener_seat, ("first", "second", "random"))
    _check_salt(sitting.salt)
    _check_number(rules, terms.number)
    clock = check_terms(terms.clock) if rules.seats > 1 else None
    opened = TableOpened(
        rules=rules.slug,
        rules_version=rules.version,
        options=rules.options(terms.options),
        admits=terms.admits,
        opener_seat=terms.opener_seat,
        quick_pass=terms.quick_pass,
        algorithm=dealer.algorithm,
        commitment=dealer.commitment(game_id),
        number=None if dealer.number is None else str(dealer.number),
        clock=None if clock is None else clock.to_json(),
    )
    table = evolve(None, Stamped(opened, 1, at), game_id)
    return [opened, *_seat_next(table, sitting, dealer, at)]


def decide(table: Table, command: Command, dealer: Dealer, at: int) -> list[Event]:
    """The events that follow from a command at a table. Raises :class:`Refusal`, changing nothing."""
    if isinstance(command, SitDown):
        if table.status != "open":
            raise Refused("table_full", gettext_noop("Every seat at this table is taken."))
        if command.bot and table.opened.admits == "people":
            raise Refused("no_bots", gettext_noop("No bot may sit down at this table."))
        _check_salt(command.salt)
        return _seat_next(table, command, dealer, at)
    if isinstance(command, Withdraw):
        if table.status != "open":
            raise Refused("table_full", gettext_noop("Every seat at this table is taken."))
        return [Ended(by="aborted", seat=None, secret=dealer.reveal())]
    _check_running(table)
    check_in_time(table, command, at)
    return _with_consequences(table, _decide(table, command, dealer, at), dealer, at)


def _decide(table: Table, command: Command, dealer: Dealer, at: int) -> list[Event]:
    """What a command leads to in a running game, before what follows from it by itself."""
    match command:
        case PlayMove(seat, move, step):
            check_step(table, step)
            return [Moved(seat, _move_of(table, seat, move))]
        case PlayMoves(seat, moves, step):
            _check_patience(table, alone=True)
            check_step(table, step)
            return _several(table, seat, moves)
        case Resign(seat):
            return [_given_up(table, seat, dealer)]
        case Undo(seat, to_step, step):
            _check_patience(table, alone=True)
            check_step(table, step)
            return [Undone(seat, _checked_target(table, undo_target(table, seat) if to_step is None else to_step))]
        case Redo(seat, step):
            _check_patience(table, alone=True)
            check_step(table, step)
            return [_redone(table, seat)]
        case AskUndo(seat, step):
            _check_patience(table, alone=False)
            check_step(table, step)
            if table.undo_asked is not None:
                raise Refused("already_asked", gettext_noop("This has been asked already."))
            return [UndoAsked(seat, _checked_target(table, undo_target(table, seat)))]
        case AnswerUndo(seat, granted, step):
            check_step(table, step)
            return _undo_answer(table, seat, granted=granted)
        case TakeHint(seat):
            _check_patience(table, alone=True)
            return [HintTaken(seat)]
        case SitDown() | Withdraw():
            raise AssertionError("decided before the game runs")
        case _:
            return decide_timing(table, command, dealer, at)


def _move_of(table: Table, seat: int, move: object) -> Move:
    """The canonical legal move that was given, as JSON or typed. Raises IllegalMove."""
    if isinstance(move, Typed) and table.awaited_seat == seat:
        return table.rules.parse(table.state, move.text)
    return table.rules.check(table.state, seat, move)


def _several(table: Table, seat: int, moves: Sequence[object]) -> list[Event]:
    """An event for each move up to the first that isn't legal any more; raises what forbids the very first."""
    if not 1 <= len(moves) <= MOST_MOVES:
        raise Refused("bad_moves", gettext_noop("So many moves can't be made at once."))
    rules, state = table.rules, table.state
    events: list[Event] = []
    for given in moves:
        try:
            move = rules.check(state, seat, given)
        except Refusal:
            if not events:
                raise
            break
        events.append(Moved(seat, move))
        state = rules.play(state, move).state
    return events


def _given_up(table: Table, seat: int, dealer: Dealer) -> Ended:
    if table.stuck:
        return Ended(by="rules", seat=None, secret=dealer.reveal())
    by: EndedBy = "given_up" if table.rules.seats == 1 else "resignation"
    return Ended(by=by, seat=seat, secret=dealer.reveal())


def _redone(table: Table, seat: int) -> Moved:
    if not table.undone:
        raise Refused("nothing_to_redo", gettext_noop("Nothing has been taken back that could be played again."))
    step = table.undone[-1].step
    assert isinstance(step, Play)
    return Moved(seat, step.move)


def _undo_answer(table: Table, seat: int, *, granted: bool) -> list[Event]:
    asked = table.undo_asked
    if asked is None or asked.seat == seat:
        raise Refused("nothing_asked", gettext_noop("Nothing has been asked that could be answered."))
    answer = UndoAnswered(seat, granted)
    return [answer, Undone(asked.seat, asked.to_step)] if granted else [answer]


def _checked_target(table: Table, to_step: int | None) -> int:
    if to_step is None:
        raise Refused("nothing_to_undo", gettext_noop("There is no move of yours to take back."))
    check_undo(table, to_step)
    return to_step


def _check_patience(table: Table, *, alone: bool) -> None:
    if alone and table.rules.seats > 1:
        raise Refused("not_alone", gettext_noop("Between two players, one asks and the other grants."))
    if not alone and table.rules.seats == 1:
        raise Refused("alone", gettext_noop("There is nobody to ask: in a patience you take back freely."))


def check_step(table: Table, step: int | None) -> None:
    """Raise :class:`Stale` where a command was made for another step (None: for any) than the table is at."""
    if step is not None and step != table.step:
        raise Stale("stale_step", gettext_noop("The table has moved on since you looked at it."))


def _check_running(table: Table) -> None:
    if table.status == "open":
        raise Refused("not_started", gettext_noop("The game has not begun: a seat is still free."))
    if table.status == "ended":
        raise Refused("game_over", gettext_noop("This game is over."))


def _check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise Refused(
            "bad_option",
            gettext_noop("%(name)s must be one of: %(allowed)s."),
            name=name,
            allowed=", ".join(allowed),
        )


def _check_number(rules: Rules[Any], number: int | None) -> None:
    if number is None:
        return
    if not rules.numbered:
        raise Refused("bad_option", gettext_noop("The deals of this game have no numbers."))
    if not 1 <= number <= LARGEST_NUMBER:
        raise Refused("bad_number", gettext_noop("A deal number is a whole number from 1 to 100000000000000000000."))


def _check_salt(salt: str) -> None:
    if not _SALT.fullmatch(salt):
        raise Refused("bad_salt", gettext_noop("A salt is 8 to 64 printable characters without spaces."))


def _seat_next(table: Table, sitting: SitDown, dealer: Dealer, at: int) -> list[Event]:
    place = len(table.salts)
    sat = SatDown(place, sitting.salt, sitting.salt_by, sitting.zone)
    if place + 1 < table.rules.seats:
        return [sat]
    salts = [*(taken.text for taken in table.salts), sitting.salt]
    return _with_consequences(table, [sat, Started(_seating(table, salts, dealer))], dealer, at)


def _seating(table: Table, salts: list[str], dealer: Dealer) -> tuple[int, ...]:
    seats = table.rules.seats
    if seats == 1:
        return (0,)
    match table.opened.opener_seat:
        case "first":
            return tuple(range(seats))
        case "second":
            return tuple((place + 1) % seats for place in range(seats))
        case "random":
            return dealer.seating(table.id, seats, salts)


def _with_consequences(table: Table, events: list[Event], dealer: Dealer, at: int) -> list[Event]:
    """``events`` and all that follows by itself: deals, lone passes, the end by the rules."""
    out = list(events)
    for event in events:
        table = evolve(table, Stamped(event, table.version + 1, at), table.id)
    while (following := _consequence(table, dealer)) is not None:
        out.append(following)
        table = evolve(table, Stamped(following, table.version + 1, at), table.id)
    return out


def _consequence(table: Table, dealer: Dealer) -> Event | None:
    if table.status != "running":
        return None
    rules, awaits = table.rules, table.awaits
    if table.stuck:
        return None  # its player may still undo
    if awaits is None:
        return Ended(by="rules", seat=None, secret=dealer.reveal())
    if awaits == DEAL:
        round_no = table.rounds + 1
        salts = [salt.text for salt in table.salts]
        packs = dealer.packs(table.id, rules.packs(table.state), salts, round_no)
        rules.check_deal(table.state, packs)  # a record can hold anything
        return Dealt(round_no, packs)
    assert isinstance(awaits, int)
    if rules.lone_pass == "always" or (rules.lone_pass == "optional" and table.opened.quick_pass):
        lone = rules.pass_if_lone(table.state)
        if lone is not None:
            return Moved(awaits, lone, automatic=True)
    return None
