"""A graph file being read: its lines, its numbers, and where an error stands."""

import gzip
import io
import lzma
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty._streams import Unreadable
from treaty.errors import InputError
from treaty.graph import read_graph, read_graphs
from treaty.graph._source import Source, cells, count, integer, integers, number, score

SOUND = b"2\n1\n0.5\n-1\nXOR 2 1 -2\n\n1\n0\n3\n"


def test_comments_and_line_ends_are_no_part_of_lines():
    source = Source(io.StringIO("a b # c\r\n# d\r\re\n f", newline=""))
    assert source.lines == ["a b ", "", "", "e", " f"]
    assert source.text.split() == ["a", "b", "e", "f"]
    assert [source.line_at(source.text.index(c)) for c in "abef"] == [1, 1, 4, 5]
    assert source.line_at(len(source.text)) == 5
    assert source.name == "<stream>"


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("1\n2 1_000", 2, "invalid character in a graph file"),
        ("1\n_x", 2, "invalid character in a graph file"),
        ("1\n\n٣", 3, "invalid character in a graph file"),
        ("", None, "the file is empty"),
        (" \n# only a comment\n", None, "the file is empty"),
    ],
)
def test_what_is_no_graph_file(text, line, cause):
    with pytest.raises(InputError, match=cause) as told:
        Source(io.StringIO(text))
    assert told.value.line == line


def test_names_of_factors_may_have_underscores_and_comments_anything():
    assert Source(io.StringIO("HEAD_AUTOMATON 1 # é 1_0")).lines == ["HEAD_AUTOMATON 1 "]


def test_errors_name_file_line_and_text():
    with pytest.raises(InputError, match=r"<stream>:3: no good \(found 'x'\)"):
        Source(io.StringIO("1")).fail(3, "no good", "x")


# Numbers


@given(value=st.integers())
def test_integers(value):
    assert integer(str(value)) == value
    assert integers([str(value), "0"]) == [value, 0]
    if value >= 0:
        assert count(str(value)) == value


@pytest.mark.parametrize("token", ["1.0", "x", "", "1e3"])
def test_what_is_no_integer(token):
    for read in (integer, lambda token: integers(["1", token])):
        with pytest.raises(Unreadable, match="expected an integer") as told:
            read(token)
        assert told.value.text == token
    for wrong in (token, "-1", "+1"):
        with pytest.raises(Unreadable, match="expected a count"):
            count(wrong)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_numbers(value):
    assert number(repr(value)) == score(repr(value)) == value
    assert number(repr(value), most=abs(value)) == value
    if value:
        with pytest.raises(Unreadable, match="absolute value"):
            number(repr(value), most=abs(value) * 0.5 if abs(value) > 1e-300 else 0.0)


@pytest.mark.parametrize("token", ["nan", "inf", "-inf", "1e400"])
def test_numbers_are_finite(token):
    with pytest.raises(Unreadable, match="expected a finite number"):
        number(token)
    with pytest.raises(Unreadable, match="expected a number"):
        number("x")


def test_what_is_forbidden_is_minus_infinity():
    assert score("-inf") == score("-Infinity") == -math.inf
    with pytest.raises(Unreadable, match="finite"):
        score("inf")


def test_tables_are_not_larger_than_the_file():
    assert cells([2, 3, 4], 24) == 24
    assert cells([], 1) == 1 and cells([0, 5], 0 + 5) == 0
    for sizes, most in (([2, 3, 4], 23), ([10**9] * 10**6, 10**6)):
        with pytest.raises(Unreadable, match=f"more entries than the {most} numbers that follow"):
            cells(sizes, most)


# Bytes


def test_bytes_that_are_not_text_name_their_line(tmp_path):
    path = tmp_path / "a.fg"
    path.write_bytes(b"1\n0\n\xff\n")
    with pytest.raises(InputError, match=r"a\.fg:3: not a text file"):
        read_graph(path)
    path.write_bytes(b"1\n0\n5 \x00\n")
    with pytest.raises(InputError, match=r"a\.fg:3: invalid character"):
        read_graph(path)
    path.write_bytes(b"\xef\xbb\xbf1 # \xc3\xa9t\xc3\xa9\r\n0\r\n5\r\n")
    assert read_graph(path).scores.tolist() == [5.0]


def test_a_decompression_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("treaty.graph._source.MOST_BYTES", 2**20)
    path = tmp_path / "a.fg"
    for data in (gzip.compress(b"0" * 2**22), b"0" * (2**20 + 1)):
        path.write_bytes(data)
        with pytest.raises(InputError, match="large"):
            read_graph(path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_damaged_compression(tmp_path, pack):
    packed = pack(SOUND * 3)
    path = tmp_path / "a.fg"
    for damaged in (packed[:-5], packed[:40] + b"\x00\x01\x02" + packed[43:], packed + b"junk"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="compressed data"):
            read_graph(path)
    path.write_bytes(pack(SOUND) + pack(b"\n" + SOUND))
    assert len(list(read_graphs(path))) == 4
