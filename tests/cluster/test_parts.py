"""Parts of files, read one after the other, give what the whole file gives."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.cluster import _parts
from treaty.cluster._parts import (
    Source,
    content_of,
    is_url,
    item_pieces,
    parts_of,
    parts_of_items,
    pieces_of,
)
from treaty.errors import InputError
from treaty.text import read_columns, read_lines, read_paragraphs

LINE = st.sampled_from(
    [
        "",
        "",
        " ",
        "\t",
        "a b",
        "Ä\u2003ö",
        "\u2003",
        "x" * 40,
        "\x00",
        "a\rb",
        "{}",
        "# c",
        "\udcff",
    ]
)


def encoded(lines: list[str], end: str) -> bytes:
    return end.join(lines).encode("utf-8", "surrogateescape")


def read_with(reader, data: bytes, first: int = 0) -> list:
    """What a reader gives, and the lines of its errors in the whole file."""
    found, wrong = [], []
    try:
        for one in reader(io.BytesIO(data), on_error=wrong.append):
            found.append(one)
    except InputError as error:
        wrong.append(error)
    return found, [None if error.line is None else error.line + first for error in wrong]


READERS = {
    "lines": read_lines,
    "blocks": lambda stream, on_error: read_columns(stream, on_error=on_error, separator="tab"),
    "paragraphs": read_paragraphs,
}


@pytest.mark.parametrize("cut", READERS)
@settings(max_examples=150, deadline=None)
@given(st.lists(LINE, max_size=30), st.sampled_from(["\n", "\r\n"]), st.integers(1, 90))
def test_parts_are_read_as_the_whole_is(cut, lines, end, size):
    data = encoded(lines, end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_parts, "MOST_IN_A_PARAGRAPH", 50)
        patch.setattr("treaty.text._lines.MOST_IN_A_PARAGRAPH", 50)
        parts = list(parts_of([Source("x", cut, data)], size))
        assert b"".join(content for _, content in parts) == data
        found, wrong = [], []
        for part, content in parts:
            assert data[part.begin : part.end] == content
            assert data[: part.begin].count(b"\n") == part.line
            some, faults = read_with(READERS[cut], content, part.line)
            found, wrong = found + some, wrong + faults
        assert (found, wrong) == read_with(READERS[cut], data)


@pytest.mark.parametrize("cut", [*READERS, "whole"])
@settings(max_examples=60, deadline=None)
@given(lines=st.lists(LINE, max_size=40), size=st.integers(1, 60), window=st.integers(1, 100))
def test_a_file_is_cut_alike_however_much_of_it_is_looked_at(
    tmp_path_factory, cut, lines, size, window
):
    path = tmp_path_factory.mktemp("x") / "file.txt"
    path.write_bytes(data := encoded(lines, "\n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_parts, "WINDOW", window)
        found = list(parts_of([Source(str(path), cut)], size))
    wanted = list(parts_of([Source(str(path), cut, data)], size))
    assert [(p.begin, p.end, p.line, c) for p, c in found] == [
        (p.begin, p.end, p.line, c) for p, c in wanted
    ]
    assert all(content_of(part) == content for part, content in found)


def test_no_part_begins_with_a_byte_order_mark():
    data = b"a\n\xef\xbb\xbfb\nc\n"
    assert [c for _, c in parts_of([Source("x", "lines", data)], 1)] == [data[:7], b"c\n"]


def test_compressed_files_are_sent(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"a\nb\n"))
    ((part, content),) = parts_of([Source(str(tmp_path / "a.gz"), "lines")])
    assert content == b"a\nb\n"
    assert part.shipped


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        list(parts_of([Source(str(tmp_path / "none"), "lines")]))


def test_a_file_that_was_changed_is_refused(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\nb\n")
    ((part, _),) = parts_of([Source(str(path), "lines")])
    path.write_bytes(b"a\nc\n")
    with pytest.raises(InputError, match="changed during the run"):
        content_of(part)


def test_files_are_read_by_url(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\nb\nc\n")
    assert is_url(path.as_uri())
    parts = list(parts_of([Source(path.as_uri(), "lines")], 2))
    assert [content_of(part) for part, _ in parts] == [b"a\n", b"b\n", b"c\n"]


def test_pieces_of_a_part_stand_in_the_same_places(tmp_path):
    data = "".join(f"line {n}\n" for n in range(50)).encode()
    parts = list(parts_of([Source("x", "lines", data, "tokens")], 150))
    assert len(parts) > 2
    for part, content in parts:
        pieces = pieces_of(part, content)
        assert len(pieces) > 2
        for piece, some in pieces:
            assert data[piece.begin : piece.end] == some
            assert data[: piece.begin].count(b"\n") == piece.line
            assert piece.name.startswith(f"{part.name}-")
            assert piece.kind == "tokens"
    assert len(pieces_of(*next(iter(parts_of([Source("x", "whole", data)]))))) == 1


def test_items_are_grouped_and_divided():
    import pickle

    parts = list(parts_of_items(range(10), 4))
    assert [pickle.loads(c) for _, c in parts] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    pieces = item_pieces(*parts[1])
    assert [(p.begin, p.end, pickle.loads(c)) for p, c in pieces] == [
        (n, n + 1, [n]) for n in range(4, 8)
    ]


def test_paths_are_absolute_enough_for_workers():
    assert not is_url("C:/x") and not is_url("a b") and Path("x")
