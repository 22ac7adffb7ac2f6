"""Raw text read piece by piece: nothing is lost, and nothing is read too early."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.corpus import read_paragraphs, read_tokens
from treaty.errors import InputError


@settings(deadline=None, max_examples=100)
@given(st.text(st.sampled_from("ab. \n\t"), max_size=40))
def test_pieces_put_together_are_the_text(text):
    pieces = list(read_paragraphs(io.StringIO(text)))
    assert "".join(pieces) == text
    assert all("\n\n" not in piece.strip() for piece in pieces)


def test_text_without_blank_lines_is_cut_at_lines():
    line = 99 * "x" + "\n"
    pieces = list(read_paragraphs(io.BytesIO(line.encode() * 10_000)))
    assert len(pieces) > 2
    assert all(len(piece) % 100 == 0 for piece in pieces)
    assert sum(map(len, pieces)) == 1_000_000


def test_reading_is_lazy():
    def lines():
        yield b"Cats sleep.\n\nDogs bark.\n\n"
        raise AssertionError("more was read than was asked for")

    class Stream:
        def __init__(self):
            self.lines = lines()

        def read(self, size):
            return next(self.lines)

    assert next(read_paragraphs(Stream())) == "Cats sleep.\n\n"


@pytest.mark.parametrize("read", [read_paragraphs, read_tokens])
def test_faulty_lines_are_told_or_raised(read):
    data = b"one two\n\xff\nthree\n\0\n"
    with pytest.raises(InputError, match=":2: not UTF-8"):
        list(read(io.BytesIO(data)))
    told = []
    found = list(read(io.BytesIO(data), on_error=told.append))
    assert [error.line for error in told] == [2, 4]
    assert found
