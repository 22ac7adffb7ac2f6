"""Formats, and the beginnings of files by which they are told apart."""

import io

import pytest

from treaty.errors import InputError
from treaty.text.formats import DOCUMENTS, FORMATS, Beginning
from treaty.text.formats._format import never, some_text


def test_lines_of_a_beginning():
    found = Beginning("\ufeff# a\r\n\r\n#b\tc\r\nd\r\ncut o".encode())
    assert found.filled == ["# a", "#b\tc", "d"]
    assert found.rows == ["#b\tc", "d"]
    assert Beginning(b"alone").filled == ["alone"]


@pytest.mark.parametrize(
    ("line", "record", "is_object"),
    [
        (b' {"a": 1}', {"a": 1}, True),
        (b"{broken", {}, True),
        (b"[1]", {}, False),
        (b"", {}, False),
    ],
)
def test_objects_of_json(line, record, is_object):
    found = Beginning(line + b"\n")
    assert (found.record, found.is_object) == (record, is_object)


def test_bytes_that_are_no_text_are_no_error():
    assert Beginning(b"\xff\xfe\0").text.endswith("\0")
    assert not never(Beginning(b"x"))


def test_some_text():
    assert some_text(io.StringIO("a\r\nb")) == "a\r\nb"
    with pytest.raises(InputError, match="the file is empty"):
        some_text(io.StringIO(""))


def test_names_and_suffixes_belong_to_one_format():
    names = [one.name for one in FORMATS]
    suffixes = [suffix for one in FORMATS for suffix in one.suffixes]
    types = [name for one in FORMATS for name in one.media_types]
    for listed in (names, suffixes, types):
        assert len(listed) == len(set(listed))
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)


def test_documents_say_how_they_are_called():
    for one in DOCUMENTS:
        assert one.suffixes
        assert one.media_types
        assert str(one) == one.title
        assert one.is_text == (not one.magic)
