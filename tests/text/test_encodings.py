"""Texts in other encodings, and what says that a text has another one."""

import gzip
import io

import pytest

from treaty.errors import InputError, UsageError
from treaty.text import read_text
from treaty.text._encodings import Recoded, check_encoding


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-8", "cp437"])
def test_a_text_is_read_in_its_encoding(encoding):
    text = "Müßig,\r\nça va?\n" * 20_000
    assert read_text(Recoded(io.BytesIO(text.encode(encoding)), encoding)) == text


def test_compressed_files_are_unpacked_first(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("café".encode("latin-1")))
    stream = Recoded(path, "latin-1")
    assert (read_text(stream), stream.name) == ("café", str(path))


def test_a_byte_order_mark_of_utf_8_is_believed():
    assert Recoded(io.BytesIO(b"\xef\xbb\xbfcaf\xc3\xa9"), "latin-1").read() == "café"


@pytest.mark.parametrize(
    ("data", "encoding"), [(b"caf\xe9", "ascii"), (b"a\x00b", "utf-16"), (b"\xff\xff", "utf-8")]
)
def test_other_bytes_are_an_error_that_names_the_option(data, encoding):
    stream = io.BytesIO(data)
    stream.name = "letter.txt"
    with pytest.raises(InputError, match=rf"letter.txt: is not {encoding} .*--encoding"):
        read_text(Recoded(stream, encoding))


@pytest.mark.parametrize("name", ["latin-99", "", "hex", "rot13", "zlib", "a\0b"])
def test_names_that_are_no_text_encoding(name):
    with pytest.raises(UsageError, match="there is no encoding"):
        check_encoding(name)
