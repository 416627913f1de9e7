"""Check games from their events, and make heads again from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction

from games.engine.contract import DEAL, Packs, Refusal
from games.engine.shuffle import ALGORITHM, commitment, deal_by_number, random_seating, shuffle_packs
from games.store.models import Event as EventRow
from games.store.models import GameSecret, Head, Seat
from games.store.thread import event_hash, game_ids, head_fields, load
from games.store.verify_time import time_faults
from games.table.dealer import Dealer
from games.table.events import (
    Dealt,
    Ended,
    Event,
    Moved,
    SatDown,
    Started,
    TableOpened,
    Undone,
    canonical_json,
    decode,
)
from games.table.state import Stamped, Table, evolve
from games.table.undo import check_undo


def verify_game(game_id: str) -> list[str]:
    """Everything that is wrong with a game, a sentence each; empty when all is well.

    Looks at the chain of hashes, the order of versions and times, the legality of every step, every deck against the
    secret, the revealed secret against the commitment, and the head against the fold. A game that is being played
    meanwhile is looked at again, so that no row of before is held against one of after.
    """
    while True:
        before = _head_version(game_id)
        faults = list(_faults(game_id))
        if not faults or _head_version(game_id) == before:
            return faults


def _head_version(game_id: str) -> int | None:
    return Head.objects.filter(game=game_id).values_list("version", flat=True).first()


def _faults(game_id: str) -> Iterator[str]:
    rows = EventRow.objects.filter(game=game_id).order_by("version")
    secret_row = GameSecret.objects.filter(game=game_id).first()
    secret = bytes(secret_row.secret) if secret_row else None
    table: Table | None = None
    last_hash = b""
    for expected, row in enumerate(rows, start=1):
        where = f"event {row.version}"
        if row.version != expected:
            yield f"{where}: version {expected} is missing"
            return
        if bytes(row.hash) != event_hash(last_hash, row):
            yield f"{where}: the hash does not match what is stored"
        last_hash = bytes(row.hash)
        try:
            event = decode(row.type, row.schema, row.payload)
            if row.seat != event.seat_column:
                yield f"{where}: its seat column does not match"
            yield from (f"{where}: {fault}" for fault in _event_faults(game_id, table, event, row.at, secret))
            table = evolve(table, Stamped(event, row.version, row.at), game_id)
        except Exception as error:  # noqa: BLE001 - a damaged payload can fail in any way; say where and stop
            yield f"{where}: cannot be applied ({type(error).__name__}: {error})"
            return
    if table is None:
        yield "no events"
        return
    if table.status == "running" and table.awaits is None:
        yield "the rules have ended, but no event says so"
    if table.awaits == DEAL:
        yield "a deal is awaited, but no event holds it"
    yield from _row_faults(table, last_hash)


def _event_faults(game_id: str, table: Table | None, event: Event, at: int, secret: bytes | None) -> Iterator[str]:
    """What the decider would never have let through."""
    if table is None:
        yield from _opening_faults(game_id, event, secret)
        return
    if at < table.last_at:
        yield "earlier than the event before it"
    number = table.opened.number
    dealer = Dealer(lambda: secret or b"", number=None if number is None else int(number))
    yield from time_faults(table, event, at, dealer)
    match event:
        case TableOpened():
            yield "the table is opened a second time"
        case SatDown(place, _, _) if place != len(table.salts) or table.status != "open":
            yield "somebody sat down where no place was free"
        case Started(seating):
            yield from _seating_faults(table, seating, secret)
        case Dealt(round_no, packs):
            yield from _deal_faults(table, round_no, packs, secret)
        case Moved(seat, move, automatic):
            yield from _move_faults(table, seat, move)
            if automatic and not _may_be_automatic(table, move):
                yield "a move that the table may not make for a seat is marked as automatic"
        case Undone(_, to_step):
            yield from _undo_faults(table, to_step)
        case Ended():
            yield from _end_faults(table, event, secret)
        case _:
            pass


def _opening_faults(game_id: str, event: Event, secret: bytes | None) -> Iterator[str]:
    if not isinstance(event, TableOpened) or event.commitment is None:
        return
    if secret is None:
        yield "the shuffle's secret is missing"
    elif commitment(game_id, secret) != event.commitment:
        yield "the commitment is not to this game's secret"


def _end_faults(table: Table, ended: Ended, secret: bytes | None) -> Iterator[str]:
    if ended.secret != (secret.hex() if secret is not None and table.opened.commitment is not None else None):
        yield "the revealed secret is not the one committed to"
    if (ended.by == "rules") != (table.status == "running" and table.rules.awaits(table.state) is None):
        yield "the end does not fit where the rules stand"


def _seating_faults(table: Table, seating: tuple[int, ...], secret: bytes | None) -> Iterator[str]:
    seats = table.rules.seats
    if len(table.salts) != seats or sorted(seating) != list(range(seats)):
        yield "started without everybody seated"
    elif seats > 1 and table.opened.opener_seat in ("first", "second"):
        if (seating[0] == 0) != (table.opened.opener_seat == "first"):
            yield "the opener does not sit where the terms say"
    elif table.opened.opener_seat == "random" and secret is not None:
        salts = [salt.text for salt in table.salts]
        if random_seating(seats, secret=secret, game=table.id, salts=salts) != seating:
            yield "the seating is not the one drawn from the secret"


def _deal_faults(table: Table, round_no: int, packs: Packs, secret: bytes | None) -> Iterator[str]:
    try:
        table.rules.check_deal(table.state, packs)
    except Refusal as refusal:
        yield refusal.detail
        return
    standard = table.rules.packs(table.state)
    if table.opened.number is not None:
        if packs != deal_by_number(standard, int(table.opened.number)):
            yield "the packs are not those of the deal's number"
    elif secret is not None and table.opened.algorithm == ALGORITHM:
        salts = [salt.text for salt in table.salts]
        if packs != shuffle_packs(standard, secret=secret, game=table.id, salts=salts, round_no=round_no):
            yield "the packs are not the ones that the secret shuffles"


def _undo_faults(table: Table, to_step: int) -> Iterator[str]:
    try:
        check_undo(table, to_step)
    except Refusal as refusal:
        yield f"an undo that may not be ({refusal.code})"


def _move_faults(table: Table, seat: int, move: Any) -> Iterator[str]:
    try:
        canonical = table.rules.check(table.state, seat, move)
    except Refusal as refusal:
        yield f"illegal ({refusal.code}): {refusal.detail}"
        return
    if canonical != move:
        yield "the move is not in its canonical form"


def _may_be_automatic(table: Table, move: Any) -> bool:
    rules = table.rules
    allowed = rules.lone_pass == "always" or (rules.lone_pass == "optional" and table.opened.quick_pass)
    return allowed and rules.pass_if_lone(table.state) == move


def _row_faults(table: Table, last_hash: bytes) -> Iterator[str]:
    head = Head.objects.filter(game=table.id).first()
    if head is None:
        yield "the head is missing"
        return
    for name, value in head_fields(table, last_hash).items():
        if _differs(head, name, value):
            yield f"the head's {name} is not what the events say"
    places = list(Seat.objects.filter(game__pk=table.id).order_by("place").values_list("place", flat=True))
    if places != list(range(len(table.salts))):
        yield "the people at the table are not as many as sat down"


def rebuild(game_id: str) -> bool:
    """Make a game's head again from its events, telling nobody; whether anything in it changed."""
    with transaction.atomic():
        # Locking the head (where the database can) keeps an append from coming in between.
        locked = Head.objects.select_for_update().filter(game=game_id).first()
        thread = load(game_id)
        fields = head_fields(thread.table, thread.hash)
        changed = locked is None or any(_differs(locked, name, value) for name, value in fields.items())
        if changed:
            Head.objects.update_or_create(game=game_id, defaults=fields)
    return changed


def _differs(head: Head, name: str, value: Any) -> bool:
    """Whether a head's column holds anything but ``value``: as JSON, where 1 is not true."""
    held = getattr(head, name)
    if isinstance(value, bytes):
        return bytes(held) != value
    return canonical_json(held) != canonical_json(value)


__all__ = ["game_ids", "rebuild", "verify_game"]
