"""Lines of JSON, and what is made of them."""

from __future__ import annotations

import gzip
import io

import pytest

from treaty import InputError
from treaty.corpus import read_records

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
    causes = ["not what was expected: int()", "the field 'n' is missing", "no JSON", "an object"]
    for error, cause in zip(errors, causes, strict=True):
        assert cause in error.message


def test_by_default_the_first_error_is_raised():
    with pytest.raises(InputError, match="<stream>:3: not what was expected"):
        list(read_records(io.StringIO(TEXT), number))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_records("/no/such/file.jsonl", number))
