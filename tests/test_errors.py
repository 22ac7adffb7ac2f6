"""Errors: what they say, their exit codes, and that they survive a pickle."""

import pickle

import pytest

import treaty
from treaty.errors import (
    InputError,
    ModelError,
    OutputError,
    SolverError,
    TreatyError,
    UsageError,
    shortened,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TreatyError("x"), 1),
        (UsageError("x"), 2),
        (InputError("x"), 3),
        (OutputError("p", "x"), 3),
        (ModelError("x"), 5),
        (SolverError("x"), 1),
    ],
)
def test_every_error_has_a_message_and_an_exit_code(error, code):
    assert isinstance(error, TreatyError)
    assert error.exit_code == code
    assert error.message == str(error) and error.message.endswith("x")
    assert getattr(treaty, type(error).__name__) is type(error)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({}, "no good"),
        ({"path": "a.fg"}, "a.fg: no good"),
        ({"path": "a.fg", "line": 3}, "a.fg:3: no good"),
        ({"line": 3}, "no good"),
        ({"path": "a.fg", "line": 3, "text": "x"}, "a.fg:3: no good (found 'x')"),
        ({"text": ""}, "no good (found '')"),
    ],
)
def test_input_errors_say_where(where, message):
    error = InputError("no good", **where)
    assert str(error) == message
    assert (error.path, error.line, error.text) == tuple(
        where.get(key) for key in ("path", "line", "text")
    )


def test_output_errors_say_what_the_system_said():
    assert str(OutputError("a", OSError(28, "No space left"))) == "cannot write a: No space left"
    assert str(OutputError("a", ValueError("odd"))) == "cannot write a: odd"
    assert OutputError("a", "x").path == "a"


@pytest.mark.parametrize(
    "error",
    [
        UsageError("x"),
        InputError("x", path="a", line=3, text="t"),
        OutputError("a", "b: c"),
        ModelError("x"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_back_from_other_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_long_texts_are_shortened():
    assert shortened("x" * 60) == repr("x" * 60)
    assert shortened("x" * 61) == repr("x" * 60) + "…"
    assert shortened("a\nb") == r"'a\nb'"
