"""JSON and TOML: what is wrong is an error with a place, however odd it is."""

import io

import pytest

from treaty.errors import InputError
from treaty.text._data import MOST_NESTED, parse_json, read_toml
from treaty.text._lines import Fault


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, ", "not valid JSON"),
        ("NaN", "NaN is not a valid JSON number"),
        ("1e999", "'1e999' is too large"),
        ("9" * 5000, "Exceeds the limit"),
        ("[" * 100_000, "nested deeper"),
        ('{"a":' * 500 + "1" + "}" * 500, "nested deeper"),
        ("[" * (MOST_NESTED + 1) + "]" * (MOST_NESTED + 1), "nested deeper"),
        (r'"\ud800"', "lone surrogate"),
    ],
)
def test_what_is_no_json(text, message):
    with pytest.raises(Fault, match=message):
        parse_json(text)


def test_nested_as_deeply_as_may_be():
    value = parse_json("[" * MOST_NESTED + "]" * MOST_NESTED)
    assert parse_json(f"[{', '.join(['[1]'] * 500)}]") == [[1]] * 500
    for _ in range(MOST_NESTED - 1):
        (value,) = value
    assert value == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a = 1\nb = \n", 2, "not valid TOML"),
        ("a = 1\nb = " + "[" * 5000, 2, "nested too deeply"),
        ("a = 1\n\nb = " + "9" * 5000, 3, "Exceeds the limit"),
        ("a = 1\nb" + ".b" * 300 + " = 1", 2, "too many parts"),
        ("a = 1\n['b'" + ".'b'" * 300 + "]", 2, "too many parts"),
        ("a = 2021-02-30", 1, "TOML"),
        ("a = '\x00'", 1, "NUL"),
    ],
)
def test_what_is_no_toml(text, line, message):
    with pytest.raises(InputError, match=message) as error:
        read_toml(io.StringIO(text), "rules")
    assert error.value.line == line


def test_a_toml_file_has_a_limit(tmp_path):
    (tmp_path / "a.toml").write_text("#" * 2**19)
    with pytest.raises(InputError, match="too large"):
        read_toml(tmp_path / "a.toml", "rules")


def test_text_with_many_dots_is_no_key():
    text = "a = '" + "So. " * 100 + "'\nb = '" + "x" * 1000 + "'"
    assert len(read_toml(io.StringIO(text), "rules")[0]["a"]) == 400
