"""Objects of JSON: what they are taken apart into, and every fault with its cause."""

import gzip
import io

import pytest

from treaty.errors import InputError
from treaty.text import read_records
from treaty.text._lines import Fault, Lines
from treaty.text._records import checked, identity, object_of, optional, records_of, shown


def test_an_object_is_read_and_is_the_callers():
    assert object_of('{"a": [1, 2.5, null, true, "ü"]}') == {"a": [1, 2.5, None, True, "ü"]}
    assert object_of("{}") == {}


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("[1]", "a line: expected an object"),
        ('"x"', "a line: expected an object"),
        ("{", "not valid JSON: .* at column 2"),
        ('{"a": 1} x', "not valid JSON: Extra data at column 10"),
        ('{"a": NaN}', "cannot be read as JSON: NaN is not a valid JSON number"),
        ('{"a": -Infinity}', "cannot be read as JSON: -Infinity is not a valid JSON number"),
        ('{"a": ' + "9" * 5000 + "}", "cannot be read as JSON: "),
        ("[" * 100_000, "nested deeper than 100"),
        (r'{"a": "\ud800"}', "a lone surrogate"),
        (r'{"\uDC00": 1}', "a lone surrogate"),
    ],
)
def test_what_is_no_object(line, cause):
    with pytest.raises(Fault, match=cause):
        object_of(line)


def test_whole_surrogate_pairs_are_characters():
    assert object_of(r'{"a": "\uD83D\uDE00 \\ud"}') == {"a": "\U0001f600 \\ud"}


def test_identities_are_texts_or_whole_numbers():
    record = {"id": 3, "name": "x", "other": 1.5, "flag": True, "rest": []}
    assert identity(record, "the id") == 3
    assert identity(record, "the name", "name") == "x"
    assert identity(record, "the id") is None
    for name in ("other", "flag"):
        with pytest.raises(Fault, match="the id: expected a string"):
            identity(record, "the id", name)
    assert record == {"rest": []}  # what was asked for has been taken out


def test_optional_texts():
    record = {"a": "x", "b": None, "c": 1}
    assert (optional(record, "a", "A"), optional(record, "b", "B")) == ("x", None)
    assert optional(record, "missing", "M") is None
    with pytest.raises(Fault, match="C: expected a string") as told:
        optional(record, "c", "C")
    assert (told.value.text, record) == ("1", {})


@pytest.mark.parametrize(
    ("value", "kind", "name"),
    [(1, str, "a string"), (True, int, "an integer"), ((), list, "a list"), ([], dict, "an obj")],
)
def test_other_kinds_are_refused(value, kind, name):
    with pytest.raises(Fault, match=f"x: expected {name}"):
        checked(value, kind, "x")
    assert checked(5, int, "x") == 5


def test_values_are_shown_as_they_stand_in_the_file():
    assert shown({"ü": [None, True]}) == '{"ü": [null, true]}'


def read_number(line):
    if not line.isdecimal():
        raise Fault("no number", line)
    return int(line)


def test_records_are_read_line_by_line():
    data = b"1\n\n  \nx\n3\n\xff\n4"
    errors = []
    found = list(records_of(Lines(io.BytesIO(data)), read_number, errors.append))
    assert found == [1, 3, 4]
    assert [(error.line, error.text) for error in errors] == [(4, "x"), (6, "\ufffd")]
    with pytest.raises(InputError, match=r"^<stream>:4: no number") as told:
        list(records_of(Lines(io.BytesIO(data)), read_number, None))
    assert told.value.__cause__ is None


TEXT = '{"n": 1}\n\n{"n": [2]}\n{"m": 3}\nno JSON\n[4]\n{"n": 5}\n'


def number(record):
    return int(record["n"])


def test_lines_become_what_is_made_of_them(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'\xef\xbb\xbf{"n": 1}\r\n{"n": 2}'))
    assert list(read_records(path, number)) == [1, 2]
    assert list(read_records(path, dict)) == [{"n": 1}, {"n": 2}]


def test_faulty_lines_are_told_and_the_rest_goes_on():
    errors: list[InputError] = []
    assert list(read_records(io.StringIO(TEXT), number, on_error=errors.append)) == [1, 5]
    assert [error.line for error in errors] == [3, 4, 5, 6]
    causes = [
        "not a valid record: int()",
        "the field 'n' is missing",
        "not valid JSON",
        "an object",
    ]
    for error, cause in zip(errors, causes, strict=True):
        assert cause in error.message


def test_by_default_the_first_error_is_raised():
    with pytest.raises(InputError, match="<stream>:3: not a valid record"):
        list(read_records(io.StringIO(TEXT), number))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_records("/no/such/file.jsonl", number))
