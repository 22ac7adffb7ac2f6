"""The lines of files: nothing is lost, nothing is read too early, and every fault has a line."""

import gzip
import io
import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import InputError
from treaty.text import _lines as lines_module
from treaty.text import read_conllu, read_paragraphs, read_text, read_tokens
from treaty.text._lines import Fault, Lines, sound_lines

GOOD = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n"


def lines_of(data, **options):
    return list(Lines(io.BytesIO(data), **options))


@given(
    text=st.text(st.characters(exclude_characters="\n\r", codec="utf-8")),
    ends=st.lists(st.sampled_from(["\n", "\r\n"]), max_size=6),
    last=st.booleans(),
)
def test_lines_are_what_stands_between_line_ends(text, ends, last):
    data = "".join(text + end for end in ends) + text * last
    expected = [text] * (len(ends) + (last and bool(text)))
    if expected:  # a byte order mark at the very beginning is none of the text
        expected[0] = expected[0].removeprefix("\ufeff")
    lines = Lines(io.BytesIO(data.encode()))
    assert list(lines) == [line for line in expected if line or ends]
    assert lines.ended == (not (last and bool(text)) or data == "\ufeff")


def test_a_byte_order_mark_is_left_out_once_and_only_in_front():
    mark = "\ufeff".encode()
    assert lines_of(mark + mark + b"a\n" + mark + b"b") == ["\ufeffa", "\ufeffb"]


def test_lines_across_chunks_are_put_together(monkeypatch):
    monkeypatch.setattr("treaty._streams.CHUNK", 3)
    text = "ab\ncde\r\n\nfghijk\né"
    assert lines_of(text.encode()) == ["ab", "cde", "", "fghijk", "é"]


def test_a_carriage_return_at_the_end_of_a_chunk_is_part_of_a_line_end():
    class Pieces:
        def __init__(self, *pieces):
            self.pieces = iter([*pieces, b""])

        def read(self, size):
            return next(self.pieces)

    lines = Lines(Pieces(b"a\r", b"\nb\r\nc\rd\n"))
    assert list(lines) == ["a", "b", "c\rd"]
    with pytest.raises(Fault, match="carriage return") as told:
        lines.check(["a", "b", "c\rd"], 7)
    assert (told.value.line, told.value.text) == (9, "c\rd")


@pytest.mark.parametrize(
    ("data", "cause", "text"),
    [
        (b"fine\na\0b", "a NUL byte", "a\0b"),
        (b"fine\na\rb", "a carriage return within the line", "a\rb"),
        (b"fine\n\x80", r"not UTF-8 \(byte 0x80\)", "\N{REPLACEMENT CHARACTER}"),
        (b"fine\n\xff", r"not UTF-8 \(byte 0xFF\)", "\N{REPLACEMENT CHARACTER}"),
        (b"fine\ncaf\xe9!", r"not UTF-8 \(byte 0xE9\)", "caf\N{REPLACEMENT CHARACTER}!"),
    ],
)
def test_lines_that_are_no_text(data, cause, text):
    lines = Lines(io.BytesIO(data))
    with pytest.raises(InputError, match=f"<stream>:2: {cause}") as told:
        list(sound_lines(lines, None))
    assert told.value.text == text
    errors = []
    assert list(sound_lines(Lines(io.BytesIO(data)), errors.append)) == ["fine"]
    assert [error.line for error in errors] == [2]


@pytest.mark.parametrize("data", [b"a\0b", b"\0", b"a\rb", b"\xe9"])
def test_one_line_that_is_no_text(data):
    with pytest.raises(InputError, match=r"^<stream>:1: "):
        list(sound_lines(Lines(io.BytesIO(data)), None))


def test_lines_of_any_length_up_to_the_longest(monkeypatch):
    monkeypatch.setattr("treaty._streams.CHUNK", 4)
    assert lines_of(b"a" * 20 + b"\nb", longest=20) == ["a" * 20, "b"]
    with pytest.raises(InputError, match=r"^<stream>: a line of more than 20 bytes: is this text"):
        lines_of(b"a" * 30, longest=20)
    with pytest.raises(InputError, match=r"^<stream>:3: a line of more than 20 bytes"):
        lines_of(b"x\ny\n" + b"a" * 30, longest=20)


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


@pytest.mark.parametrize(("most", "lines"), [(29, 3), (30, 4), (31, 4)])
def test_a_long_paragraph_ends_with_the_line_that_exceeds_the_limit(monkeypatch, most, lines):
    monkeypatch.setattr(lines_module, "MOST_IN_A_PARAGRAPH", most)
    line = "123456789\n"
    assert list(read_paragraphs(io.StringIO(line * 2 * lines))) == [line * lines] * 2


@pytest.mark.parametrize("read", [read_paragraphs, read_tokens])
def test_faulty_lines_are_told_or_raised(read):
    data = b"one two\n\xff\nthree\n\0\n"
    with pytest.raises(InputError, match=":2: not UTF-8"):
        list(read(io.BytesIO(data)))
    told = []
    found = list(read(io.BytesIO(data), on_error=told.append))
    assert [error.line for error in told] == [2, 4]
    assert found


def test_plain_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress("\ufeffÀ\r\n\tla \r carte\n".encode()))
    assert read_text(path) == "À\r\n\tla \r carte\n"
    for damage in (b"a\nb\xc3", b"a\nb\0"):
        path.write_bytes(damage)
        with pytest.raises(InputError, match=r"a\.txt:2: (not UTF-8|a NUL)"):
            read_text(path)
    with pytest.raises(InputError, match=r"absent: cannot be read"):
        read_text(tmp_path / "absent")


def test_bytes_that_are_not_text(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_bytes(GOOD.encode() + b"3\tcaf\xe9" + b"\t_" * 8)
    with pytest.raises(InputError, match=r"a\.conllu:3: not UTF-8 \(byte 0xE9\); convert .*caf�"):
        list(read_conllu(path))


def test_a_line_without_end(monkeypatch):
    monkeypatch.setattr("treaty.text._lines.MOST_IN_A_LINE", 2**17)
    with pytest.raises(InputError, match=r"<stream>:4: a line of more than 131072 bytes"):
        list(read_conllu(io.StringIO(GOOD + "\n" + "a" * 2**20), on_error=print))


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_damaged_compression_says_how_far_the_file_could_be_read(tmp_path, pack):
    packed = pack("".join(f"1\tword{i}" + 8 * "\t_" + "\n\n" for i in range(20_000)).encode())
    path = tmp_path / "a.conllu"
    middle = len(packed) // 2
    for damaged in (packed[:-9], packed[:middle] + b"\x00\x01" * 9 + packed[middle + 18 :]):
        path.write_bytes(damaged)
        found = []
        with pytest.raises(
            InputError, match=r"compressed data .*; download the file again"
        ) as caught:
            found.extend(read_conllu(path, on_error=found.append))  # what it yields until then
        assert caught.value.line > len(found) > 2000


def test_files_that_cannot_be_opened(tmp_path):
    for path in (tmp_path / "absent.conllu", tmp_path, str(tmp_path / "a\0b")):
        with pytest.raises(InputError, match="cannot be read"):
            list(read_conllu(path))
    stream = io.StringIO(GOOD)
    stream.close()
    with pytest.raises(InputError, match="cannot be read"):
        list(read_conllu(stream))
