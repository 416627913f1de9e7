"""The game record: what is one, how it replays, and what verifying its shuffle notices."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import get_rules
from games.engine.contract import DEAL, Deal, Play, Rules, Step
from games.engine.record import NotARecord, Stopped, parse_record, read_record, record, replay, verify
from games.engine.shuffle import commitment, deal_by_number, random_seating, shuffle_packs

GAME = "0b9f6f0e-0d0c-4a63-8a8e-6f7f3f7a2c11"
SECRET = bytes(range(32, 64))
SALTS = ["one", "two"]
ARIADNE = get_rules("ariadne", 1)


def played(rules: Rules[Any], shuffle: Any, moves: int = 10**6) -> list[Step]:
    """The steps of a game in which everyone plays the first move of the list, its packs shuffled by ``shuffle``."""
    state = rules.start(rules.options({}))
    steps: list[Step] = []
    deals = 0
    while len(steps) < moves and (awaits := rules.awaits(state)) is not None:
        if awaits == DEAL:
            deals += 1
            packs = shuffle(rules.packs(state), deals)
            steps.append(Deal(packs))
            state = rules.deal(state, packs)
        else:
            move = rules.legal_moves(state)[0]
            steps.append(Play(int(awaits), move))
            state = rules.play(state, move).state
    return steps


def fair(packs: Any, round_no: int) -> Any:
    return shuffle_packs(packs, secret=SECRET, game=GAME, salts=SALTS, round_no=round_no)


def document(**changes: object) -> dict[str, Any]:
    """A whole game of Ariadne's Thread with the proof of its shuffle, through JSON."""
    proof = {
        "algorithm": "clew-shuffle/1",
        "game": GAME,
        "commitment": commitment(GAME, SECRET),
        "secret": SECRET.hex(),
        "salts": SALTS,
    }
    written = record(ARIADNE, {}, played(ARIADNE, fair), shuffle=proof, undos=0)
    whole: dict[str, Any] = json.loads(json.dumps({**written, **changes}))
    return whole


def stopped(changed: dict[str, Any], *, verifying: bool = False) -> Stopped:
    read = parse_record(changed)
    with pytest.raises(Stopped) as caught:
        verify(read) if verifying else list(replay(read))
    return caught.value


# --- writing and replaying ----------------------------------------------------------------------------------------


def test_what_is_written_replays_to_its_result() -> None:
    written = document()
    assert list(written) == [
        "format", "rules", "rules_version", "options", "steps", "result", "shuffle", "undos",
    ]  # fmt: skip
    states = list(replay(parse_record(written)))
    assert len(states) == len(written["steps"])
    assert ARIADNE.result(states[-1]) == written["result"]
    assert written["result"]["winner"] in (0, 1)


def test_a_record_of_a_game_that_was_not_played_out_bears_no_result() -> None:
    written = record(ARIADNE, {}, played(ARIADNE, fair, moves=5), ended={"by": "resignation", "seat": 1})
    assert written["result"] is None
    assert len(list(replay(parse_record(json.loads(json.dumps(written)))))) == 5


def test_a_result_that_the_replay_does_not_reach_is_an_error_after_the_last_step() -> None:
    whole = document()
    for wrong in ({}, {**whole["result"], "winner": None}, {**whole["result"], "scores": [1.0, 2]}):
        error = stopped({**whole, "result": wrong})
        assert (error.step, error.code) == (len(whole["steps"]), "wrong_result")
    assert stopped({**whole, "steps": whole["steps"][:-1]}).code == "wrong_result"
    assert stopped({**whole, "steps": []}).step == 0


def test_the_first_illegal_step_stops_the_replay_with_its_code() -> None:
    steps = document()["steps"]
    assert replayed([steps[1]]) == (0, "not_your_turn"), "a move where a deal is awaited"
    assert replayed([steps[0], steps[0]]) == (1, "deal_not_awaited"), "a deal where a move is awaited"
    assert replayed([{"deal": [["AS"]]}]) == (0, "wrong_packs")
    assert replayed([{"deal": steps[0]["deal"][::-1]}]) == (0, "wrong_packs")
    assert replayed([steps[0], {**steps[1], "seat": 1}]) == (1, "not_your_turn")
    assert replayed([steps[0], {**steps[1], "seat": 7}]) == (1, "not_your_turn")
    assert replayed([steps[0], steps[1], {"seat": 1, "move": {}}]) == (2, "malformed_move")
    assert replayed([*steps, steps[0]]) == (len(steps), "deal_not_awaited"), "after the end"
    assert replayed([*steps, steps[1]]) == (len(steps), "not_your_turn")


def replayed(steps: list[Any]) -> tuple[int | None, str]:
    error = stopped(document(steps=steps, result=None))
    return error.step, error.code


# --- reading ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "clew-record/2"}, {"format": None}, {"format": ["clew-record/1"]},
        {"rules": "whist"}, {"rules": None}, {"rules": ["ariadne"]}, {"rules": {}},
        {"rules_version": 2}, {"rules_version": "1"}, {"rules_version": 1.0}, {"rules_version": True},
        {"options": None}, {"options": []}, {"options": {"target": 1}},
        {"steps": None}, {"steps": {}}, {"steps": "deal"}, {"steps": [None]}, {"steps": [1]}, {"steps": [[]]},
        {"steps": [{}]}, {"steps": [{"deal": None}]}, {"steps": [{"deal": "AS"}]}, {"steps": [{"deal": ["AS"]}]},
        {"steps": [{"deal": [[1]]}]}, {"steps": [{"deal": [], "seat": 0}]}, {"steps": [{"seat": 0}]},
        {"steps": [{"move": {}}]}, {"steps": [{"seat": "0", "move": {}}]}, {"steps": [{"seat": True, "move": {}}]},
        {"steps": [{"seat": None, "move": {}}]}, {"steps": [{"seat": 0, "move": "pass"}]},
        {"steps": [{"seat": 0, "move": {}, "at": 1}]},
        {"result": []}, {"result": 1}, {"undos": -1}, {"undos": "1"}, {"ended": 1}, {"shuffle": "no"},
    ],
    ids=str,
)  # fmt: skip
def test_a_document_with_a_wrong_value_is_no_record(changes: dict[str, object]) -> None:
    with pytest.raises(NotARecord):
        parse_record(document(**changes))


@pytest.mark.parametrize("missing", ["format", "rules", "rules_version", "options", "steps"])
def test_a_document_with_a_key_missing_is_no_record(missing: str) -> None:
    whole = document()
    del whole[missing]
    with pytest.raises(NotARecord):
        parse_record(whole)


def test_keys_that_the_format_does_not_know_and_optional_ones_that_are_empty_are_no_matter() -> None:
    whole = document(legal_counts=[], undos=None, ended=None, shuffle=None)
    del whole["result"]
    assert len(list(replay(parse_record(whole)))) == len(whole["steps"])


@pytest.mark.parametrize(
    "content",
    [
        b"", b"Dear reader,\n", b"\x00\xff\x89PNG", b"[]", b"null", b'"clew-record/1"', b"{", b"[" * 100_000,
        b'{"a":' * 100_000, b"NaN", b'{"format": Infinity}', b"9" * 5000, "소금".encode("utf-16"),
    ],
    ids=lambda content: repr(content[:12]),
)  # fmt: skip
def test_a_text_that_is_no_json_record_is_none(content: bytes) -> None:
    with pytest.raises(NotARecord):
        read_record(content)


def test_a_byte_order_mark_is_no_matter() -> None:
    assert len(read_record(b"\xef\xbb\xbf" + json.dumps(document()).encode()).steps) == 98


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["deal", "AS"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(key=st.sampled_from(sorted(document())), value=JSON)
def test_whatever_stands_in_a_document_is_read_replayed_or_refused_plainly(key: str, value: object) -> None:
    changed = {**WHOLE, key: value}
    try:
        verify(parse_record(changed))
    except (NotARecord, Stopped) as error:
        verdict = str(error)
    else:
        verdict = "verified"
    same = json.dumps(value) == json.dumps(WHOLE[key])
    count = key == "undos" and type(value) is int and value >= 0
    assert (verdict == "verified") == (same or count or (key in {"result", "undos"} and value is None))


WHOLE = document()


# --- verifying ----------------------------------------------------------------------------------------------------


def test_the_deals_of_a_fair_game_verify() -> None:
    assert verify(parse_record(document())) == 2


def test_the_deals_of_a_numbered_patience_verify() -> None:
    patience = get_rules("forty_thieves", 1)
    steps = played(patience, lambda packs, _: deal_by_number(packs, 617), moves=12)
    numbered = record(patience, patience.options({}), steps, shuffle={"algorithm": "pysolfc", "number": 617})
    assert verify(parse_record(json.loads(json.dumps(numbered)))) == 1
    other = {**numbered, "shuffle": {"algorithm": "pysolfc", "number": 618}}
    error = stopped(json.loads(json.dumps(other)), verifying=True)
    assert (error.step, error.code) == (0, "wrong_deal")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"secret": "00" * 32}, "wrong_commitment"),
        ({"commitment": "00" * 32}, "wrong_commitment"),
        ({"game": "1b9f6f0e-0d0c-4a63-8a8e-6f7f3f7a2c11"}, "wrong_commitment"),
        ({"salts": ["two", "one"]}, "wrong_deal"),
        ({"salts": []}, "wrong_deal"),
        ({"algorithm": "clew-shuffle/2"}, "unknown_algorithm"),
    ],
)
def test_a_proof_that_does_not_fit_is_noticed(changes: dict[str, object], code: str) -> None:
    whole = document()
    assert stopped({**whole, "shuffle": {**whole["shuffle"], **changes}}, verifying=True).code == code


def test_a_deal_other_than_the_committed_one_is_noticed_at_its_step() -> None:
    steps = played(ARIADNE, lambda packs, round_no: fair(packs, round_no if round_no == 1 else 3))
    whole = document()
    forged = json.loads(json.dumps({**record(ARIADNE, {}, steps), "shuffle": whole["shuffle"]}))
    error = stopped(forged, verifying=True)
    assert (error.step, error.code) == (49, "wrong_deal")


def test_verifying_also_replays() -> None:
    whole = document()
    assert stopped({**whole, "result": {}}, verifying=True).code == "wrong_result"
    del whole["shuffle"]
    assert stopped(whole, verifying=True).code == "no_shuffle"


@pytest.mark.parametrize(
    "changes",
    [
        {"secret": "00"}, {"secret": "zz" * 32}, {"secret": None}, {"game": "7"}, {"game": 7}, {"salts": None},
        {"salts": [""]}, {"salts": ["소금"]}, {"commitment": None}, {"algorithm": None}, {"algorithm": []},
    ],
    ids=str,
)  # fmt: skip
def test_a_proof_with_a_wrong_value_makes_the_document_no_record(changes: dict[str, object]) -> None:
    whole = document()
    with pytest.raises(NotARecord):
        verify(parse_record({**whole, "shuffle": {**whole["shuffle"], **changes}}))


@pytest.mark.parametrize("salts", [[1], [None], [["a"]], [True]])
def test_a_salt_that_is_no_text_makes_the_document_no_record(salts: list[object]) -> None:
    whole = document()
    with pytest.raises(NotARecord):
        verify(parse_record({**whole, "shuffle": {**whole["shuffle"], "salts": salts}}))


def test_a_seating_comes_from_the_same_secret_but_not_the_same_stream() -> None:
    orders = {random_seating(2, secret=bytes([n] * 32), game=GAME, salts=SALTS) for n in range(20)}
    assert orders == {(0, 1), (1, 0)}
