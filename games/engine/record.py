"""The game record, ``clew-record/1``: a whole game as one JSON document, read, replayed, verified and written.

The format is that of the specification's ``rules/README.md``. A document is read whole before anything is replayed, so
that what is no record (:class:`NotARecord`) and a step that isn't legal (:class:`Stopped`) are never confused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from games.engine import UnknownRules, get_rules
from games.engine.contract import Deal, Move, Options, Packs, Play, Refusal, Result, Rules, Step
from games.engine.shuffle import ALGORITHM, NUMBER_ALGORITHM, commitment, deal_by_number, shuffle_packs

FORMAT: Final = "clew-record/1"


class NotARecord(ValueError):
    """The document is no game record; the message is one line that says what is wrong."""


class Stopped(Exception):
    """A replay or check ended here: ``step`` (None where it is about no step), ``code`` and an English sentence."""

    def __init__(self, step: int | None, code: str, detail: str) -> None:
        self.step = step
        self.code = code
        self.detail = detail
        super().__init__(detail)


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read. ``result`` is what the document claims, None where it claims nothing."""

    rules: Rules[Any]
    options: dict[str, Any]
    steps: tuple[Step, ...]
    result: Result | None
    document: Mapping[str, Any]


# --- writing ------------------------------------------------------------------------------------------------------


def record(rules: Rules[Any], options: Options, steps: Sequence[Step], **extra: object) -> dict[str, Any]:
    """The document of these steps, which are trusted to be legal.

    ``extra`` adds the service's own keys (``undos``, ``ended``, ``shuffle``). ``result`` is the rules' own, None where
    they haven't reached one.
    """
    state = rules.start(options)
    for step in steps:
        state = rules.deal(state, step.packs) if isinstance(step, Deal) else rules.play(state, step.move).state
    return {
        "format": FORMAT,
        "rules": rules.slug,
        "rules_version": rules.version,
        "options": dict(options),
        "steps": [_written(step) for step in steps],
        "result": rules.result(state),
        **extra,
    }


def _written(step: Step) -> dict[str, Any]:
    if isinstance(step, Deal):
        return {"deal": [list(pack) for pack in step.packs]}
    return {"seat": step.seat, "move": dict(step.move)}


# --- reading ------------------------------------------------------------------------------------------------------


def read_record(content: bytes | str) -> Record:
    """The record that this text (UTF-8) is. Raises :class:`NotARecord`, whatever the text is."""
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        document = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise NotARecord("the document is nested too deeply") from None
    except UnicodeDecodeError:
        raise NotARecord("the document is not UTF-8 text") from None
    except ValueError as error:
        raise NotARecord(f"the document is not JSON: {error}") from None
    return parse_record(document)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def parse_record(document: object) -> Record:
    """The record of a JSON value. Raises :class:`NotARecord`. Keys that the format doesn't know are left alone."""
    if not isinstance(document, dict):
        raise NotARecord("a record is a JSON object")
    if document.get("format") != FORMAT:
        raise NotARecord(f'a record has "format": "{FORMAT}"')
    rules = _rules(document.get("rules"), document.get("rules_version"))
    options = document.get("options")
    if not isinstance(options, dict):
        raise NotARecord('"options" is an object')
    try:
        complete = rules.options(options)
    except Refusal as refusal:
        raise NotARecord(f"the options are refused: {refusal.detail}") from None
    steps = document.get("steps")
    if not isinstance(steps, list):
        raise NotARecord('"steps" is a list')
    result = document.get("result")
    if result is not None and not isinstance(result, dict):
        raise NotARecord('"result" is an object or null')
    _check_extras(document)
    return Record(rules, complete, tuple(_step(n, step) for n, step in enumerate(steps)), result, document)


def _rules(slug: object, version: object) -> Rules[Any]:
    if not isinstance(slug, str):
        raise NotARecord('"rules" is the name of a game')
    if type(version) is not int:
        raise NotARecord('"rules_version" is a whole number')
    try:
        return get_rules(slug, version)
    except UnknownRules:
        raise NotARecord("no such rules, or no such version of them, are known here") from None


def _step(n: int, step: object) -> Step:
    match step:
        case {"deal": list(packs), **rest} if not rest:
            if all(isinstance(pack, list) and all(isinstance(card, str) for card in pack) for pack in packs):
                return Deal(tuple(tuple(pack) for pack in packs))
        case {"seat": int(seat), "move": dict(move), **rest} if not rest and not isinstance(seat, bool):
            return Play(seat, move)
    raise NotARecord(f'step {n} is neither {{"deal": [packs]}} nor {{"seat": number, "move": {{…}}}}')


def _check_extras(document: Mapping[str, Any]) -> None:
    undos = document.get("undos")
    if undos is not None and (type(undos) is not int or undos < 0):
        raise NotARecord('"undos" is a count')
    for key in ("ended", "shuffle"):
        if not isinstance(document.get(key), dict | None):
            raise NotARecord(f'"{key}" is an object')


# --- replaying ----------------------------------------------------------------------------------------------------


def replay(read: Record) -> Iterator[Any]:
    """The state after each step. Raises :class:`Stopped` at a step that is refused, or, after the last one, where the
    document bears a result that the replay didn't reach (``step`` is then the number of steps)."""
    rules = read.rules
    state = rules.start(read.options)
    for n, step in enumerate(read.steps):
        try:
            state = advance(rules, state, step)
        except Refusal as refusal:
            raise Stopped(n, refusal.code, refusal.detail) from None
        yield state
    if read.result is not None and not _same(rules.result(state), read.result):
        raise Stopped(len(read.steps), "wrong_result", "The replay does not reach the result that the record bears.")


def _same(reached: object, claimed: object) -> bool:
    """Whether two JSON values are equal, with 1, 1.0 and true told apart."""
    if type(reached) is not type(claimed):
        return False
    if isinstance(reached, dict) and isinstance(claimed, dict):
        return reached.keys() == claimed.keys() and all(_same(reached[key], claimed[key]) for key in reached)
    if isinstance(reached, list) and isinstance(claimed, list):
        return len(reached) == len(claimed) and all(map(_same, reached, claimed))
    return reached == claimed


def advance[S](rules: Rules[S], state: S, step: Step) -> S:
    """The state after a step that isn't trusted. Raises a :class:`~games.engine.contract.Refusal`."""
    if isinstance(step, Deal):
        rules.check_deal(state, step.packs)
        return rules.deal(state, step.packs)
    return rules.play(state, rules.check(state, step.seat, step.move)).state


def move_text(move: Move) -> str:
    """A move's canonical JSON text, by which lists of moves are sorted."""
    return json.dumps(move, sort_keys=True, separators=(",", ":"))


def sorted_moves(moves: Sequence[Move]) -> list[Move]:
    """The moves sorted by their canonical JSON text."""
    return sorted(moves, key=move_text)


# --- verifying ----------------------------------------------------------------------------------------------------


def verify(read: Record) -> int:
    """Replay the record and make every deal again from its ``shuffle``; the number of deals that were checked.

    Raises :class:`Stopped` for a step or result that is wrong, and for ``no_shuffle``, ``unknown_algorithm``,
    ``wrong_commitment`` or ``wrong_deal``; :class:`NotARecord` for a shuffle whose values have the wrong shape.
    """
    shuffle = read.document.get("shuffle")
    if shuffle is None:
        raise Stopped(None, "no_shuffle", "The record does not say how its packs were shuffled.")
    states = [read.rules.start(read.options), *replay(read)]
    deals = 0
    try:
        dealt = _dealer(shuffle)
        for n, step in enumerate(read.steps):
            if isinstance(step, Deal):
                deals += 1
                if step.packs != dealt(read.rules.packs(states[n]), deals):
                    raise Stopped(n, "wrong_deal", "These packs are not the ones that the shuffle makes.")
    except ValueError as error:
        raise NotARecord(f"the shuffle is not one: {error}") from None
    return deals


def _dealer(shuffle: Mapping[str, Any]) -> Callable[[Packs, int], Packs]:
    """What makes the packs of a round from the unshuffled ones. Raises Stopped, or ValueError for a bad value."""
    match shuffle:
        case {"algorithm": algorithm, "number": int(number)} if algorithm == NUMBER_ALGORITHM and not isinstance(
            number, bool
        ):
            return lambda packs, _: deal_by_number(packs, number)
        case {
            "algorithm": algorithm,
            "game": str(game),
            "commitment": str(promised),
            "secret": str(secret_hex),
            "salts": list(salts),
        } if algorithm == ALGORITHM and all(isinstance(salt, str) for salt in salts):
            secret = bytes.fromhex(secret_hex)
            if promised != commitment(game, secret):
                raise Stopped(
                    None, "wrong_commitment", "The secret is not the one that was committed to before the game."
                )
            return lambda packs, round_no: shuffle_packs(
                packs, secret=secret, game=game, salts=salts, round_no=round_no
            )
        case {"algorithm": str(algorithm)} if algorithm not in {ALGORITHM, NUMBER_ALGORITHM}:
            raise Stopped(None, "unknown_algorithm", "This way to shuffle is not known here.")
    raise ValueError("its keys and values are not those of its algorithm")
