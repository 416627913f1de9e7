"""The environment is read with types, and every complaint names the variable."""

from collections.abc import Callable

import pytest

from config import env


def test_an_absent_variable_without_a_default_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLEW_X", raising=False)
    with pytest.raises(env.EnvError, match="CLEW_X"):
        env.env_str("CLEW_X")


def test_an_empty_variable_means_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_X", " ")
    assert env.env_str("CLEW_X", "d") == "d"
    assert env.env_bool("CLEW_X", default=True) is True
    assert env.env_int("CLEW_X", 3) == 3
    assert env.env_float("CLEW_X", 0.5) == 0.5
    assert env.env_list("CLEW_X", ["a"]) == ["a"]
    assert env.env_ints("CLEW_X", [1, 2]) == [1, 2]
    assert env.env_choice("CLEW_X", "a", ["a", "b"]) == "a"


@pytest.mark.parametrize(
    ("text", "read", "value"),
    [
        ("Yes", lambda: env.env_bool("CLEW_X", default=False), True),
        ("off", lambda: env.env_bool("CLEW_X", default=True), False),
        (" 42 ", lambda: env.env_int("CLEW_X", 0), 42),
        ("-1.5", lambda: env.env_float("CLEW_X", 0), -1.5),
        ("a, b,,c ", lambda: env.env_list("CLEW_X"), ["a", "b", "c"]),
        ("60,300", lambda: env.env_ints("CLEW_X", []), [60, 300]),
        ("b", lambda: env.env_choice("CLEW_X", "a", ["a", "b"]), "b"),
    ],
)
def test_a_readable_variable_has_its_type(
    monkeypatch: pytest.MonkeyPatch, text: str, read: Callable[[], object], value: object
) -> None:
    monkeypatch.setenv("CLEW_X", text)
    assert read() == value


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("maybe", lambda: env.env_bool("CLEW_X", default=False)),
        ("four", lambda: env.env_int("CLEW_X", 0)),
        ("0", lambda: env.env_int("CLEW_X", 1, least=1)),
        ("soon", lambda: env.env_float("CLEW_X", 0)),
        ("nan", lambda: env.env_float("CLEW_X", 0)),
        ("-1", lambda: env.env_float("CLEW_X", 0, least=0)),
        ("1,x", lambda: env.env_ints("CLEW_X", [])),
        ("1,-2", lambda: env.env_ints("CLEW_X", [])),
        ("c", lambda: env.env_choice("CLEW_X", "a", ["a", "b"])),
    ],
)
def test_an_unreadable_variable_is_named_with_its_value(
    monkeypatch: pytest.MonkeyPatch, text: str, read: Callable[[], object]
) -> None:
    monkeypatch.setenv("CLEW_X", text)
    with pytest.raises(env.EnvError, match=f"CLEW_X is '{text}'"):
        read()
