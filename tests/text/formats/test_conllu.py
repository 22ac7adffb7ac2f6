"""What is read is written again byte for byte, from and to every kind of file."""

import gzip
import io
import itertools
import lzma
import os
import sys
import threading
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.files import FILES, sentences_as_text

from treaty.errors import InputError, OutputError, UsageError
from treaty.text import Sentence, Token, read_conllu, read_tokens, write_conllu


def test_tokens_have_the_columns_of_their_line(read, sample):
    know = read(sample)[0].tokens[3]
    assert know == Token(
        "know", "know", "VERB", "VB", "_", 0, "root", "0:root", misc="SpaceAfter=No"
    )
    assert read("1\ta" + 8 * "\t_")[0].tokens == [Token("a")]
    assert read("1\ta" + 8 * "\t_")[0].heads == [-1]


def test_only_syntactic_words_are_tokens(read, sample):
    first, second = read(sample)
    assert first.words == ["I", "do", "n't", "know", ";", "she", "does", "."]
    assert first.heads == [4, 4, 4, 0, 4, 7, 4, 4]
    assert first.comments == ["# sent_id = 1", "# text = I don't know; she does."]
    assert [tuple(word) for word in first.multiword_tokens] == [(2, 3, "don't", "_")]
    assert [node.after for node in first.empty_nodes] == [4]
    assert second.empty_nodes[0].columns[:2] == ("0.1", "It")
    assert (len(first), len(second)) == (8, 1)


def test_the_sample_survives(read, written, sample):
    assert written(read(sample)) == sample
    assert "".join(sentence.to_conllu() for sentence in read(sample)) == sample


@settings(deadline=None, max_examples=100)
@given(text=FILES)
def test_any_file_survives(read, written, text):
    assert written(read(text)) == text


@settings(deadline=None, max_examples=50)
@given(text=st.lists(sentences_as_text(other_lines=False), max_size=3).map("".join))
def test_any_file_in_conllx_survives_but_for_what_is_no_projective_head(read, written, text):
    once = written(read(text, format="conllx"), format="conllx")
    assert written(read(once, format="conllx"), format="conllx") == once
    kept = [line.split("\t")[:8] for line in text.split("\n")]
    assert [line.split("\t")[:8] for line in once.split("\n")] == kept


def test_conllx_keeps_projective_heads_and_drops_the_rest(read, written, sample):
    text = "1\tEl\tel\td\tda\tnum=s\t2\tESP\t2\tESP\n2\tsol\tsol\tn\tnc\t_\t0\tROOT\t_\t_\n\n"
    assert written(read(text, format="conllx"), format="conllx") == text
    lines = written(read(sample), format="conllx").split("\n")
    assert lines[1] == "2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_"
    assert len(lines) == 8 + 1 + 1 + 1 + 1


def test_the_habits_that_are_not_kept(read, written, sample):
    crlf = "\ufeff\n  \n" + sample.replace("\n\n", "\n\n\t\n\n").replace("\n", "\r\n")
    assert written(read(crlf)) == sample
    assert written(read(sample.rstrip("\n"))) == sample
    assert written(read(crlf.rstrip("\n"))) == sample


@pytest.mark.parametrize("text", ["", "\n", "\n\n \n", "\ufeff", "\r\n"])
def test_a_file_without_sentences(read, text):
    assert read(text) == []


# Where the bytes come from and go to


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_files_by_suffix(tmp_path, sample, suffix):
    path = tmp_path / f"a.conllu{suffix}"
    write_conllu(read_conllu(io.StringIO(sample)), path)
    first = path.read_bytes()
    unpack = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[suffix]
    assert unpack(first).decode() == sample
    write_conllu(read_conllu(str(path)), str(path))  # in its own place, while it is being read
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


def test_compression_is_told_by_content_and_may_come_in_several_parts(tmp_path, read, sample):
    for pack in (gzip.compress, lzma.compress):
        packed = pack(sample.encode()) + pack(sample.encode())
        assert read(packed) == read(sample) * 2


def test_compressed_data_of_many_chunks(read, sample):
    text = sample * 2000
    for pack in (gzip.compress, lzma.compress):
        assert len(read(pack(text.encode()))) == 4000


def test_standard_input_and_output(monkeypatch, capsys, sample):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sample.encode()), "ascii"))
    write_conllu(read_conllu("-"), "-")
    assert capsys.readouterr().out == sample


def test_sentences_of_a_pipe_come_before_its_end(sample):
    parts = [sample.encode()[:700], sample.encode()[700:]]

    class Pipe(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            part = parts.pop(0)
            buffer[: len(part)] = part
            return len(part)

    sentences = read_conllu(io.BufferedReader(Pipe()))
    assert len(next(sentences)) == 8  # a third read would fail


def test_a_failure_leaves_the_old_file(tmp_path, sample):
    path = tmp_path / "a.conllu"
    path.write_text(sample, encoding="utf-8")
    with pytest.raises(UsageError, match="without tokens"):
        write_conllu([Sentence.from_words(["a"]), Sentence()], path)
    with pytest.raises(OutputError, match="surrogates"):
        write_conllu([Sentence.from_words(["\ud800"])], path)
    assert path.read_text(encoding="utf-8") == sample
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written(tmp_path):
    for path in (tmp_path / "absent" / "a", tmp_path, str(tmp_path / "a\0b")):
        with pytest.raises(OutputError, match="cannot write"):
            write_conllu([], path)


def test_pipes_are_written_through(tmp_path, sample, read):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arrived = []
    reader = threading.Thread(target=lambda: arrived.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_conllu(read(sample), pipe)
    reader.join(timeout=60)
    assert arrived == [sample]
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


def test_formats_that_are_not_known():
    with pytest.raises(
        UsageError, match="unknown format 'conll09'; expected one of conllu, conllx"
    ):
        read_conllu("a", format="conll09")
    with pytest.raises(UsageError, match="unknown format"):
        write_conllu([], "a", format="conll09")


# Faults (all of them are in test_parse.py): where they are told


FAULTY = "# a\n1\tx" + 8 * "\t_" + "\n\n\n# b\n1\tx" + 8 * "\t_" + "\n3\ty" + 8 * "\t_"


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n\n1\tz" + 8 * "\t_"])
def test_a_fault_is_told_with_its_line_and_the_rest_is_read(read, end):
    with pytest.raises(InputError, match=r"a\.conllu:7: expected the id 2") as told:
        read(FAULTY + end)
    assert told.value.text == "3"
    errors = []
    found = read(FAULTY + end, on_error=errors.append)
    assert [sentence.words for sentence in found] == [["x"], ["z"]][: 1 + ("z" in end)]
    assert [error.line for error in errors] == [7]


def test_trees_are_checked_where_they_are_asked_for(read):
    text = (
        "# c\n1-2\tab"
        + 8 * "\t_"
        + "\n1\ta\t_\t_\t_\t_\t2\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n"
    )
    assert read(text)[0].heads == [2, 1]
    with pytest.raises(InputError, match=r"a\.conllu:3: no token has the head 0"):
        read(text, trees=True)


def test_lines_that_are_no_text_are_told(read):
    with pytest.raises(InputError, match=r"a\.conllu:1: not UTF-8"):
        read(b"1\tcaf\xe9" + 8 * b"\t_")


# Memory


class Endless(io.RawIOBase):
    """A file of many short sentences, of which no two are the same, made as it is read."""

    def __init__(self, sentences):
        self.rows = (
            b"1\tword%d\t_\t_\t_\tA=%d\t0\troot\t_\t_\n\n" % (n, n) for n in range(sentences)
        )

    def read(self, size=-1):
        return b"".join(itertools.islice(self.rows, size // 40))


def test_memory_is_flat(tmp_path, monkeypatch):
    monkeypatch.setattr("treaty.text.formats._conllu.MOST_SHARED", 1000)
    count = 0

    def counted(sentences):
        nonlocal count
        for sentence in sentences:
            count += 1
            yield sentence

    tracemalloc.start()
    try:
        write_conllu(counted(read_conllu(Endless(50_000))), tmp_path / "a.conllu.gz")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 50_000
    assert peak < 2_000_000  # the sentences together are thirty times as large


# Other text


def test_tokenized_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"Cats  sleep .\r\n\n \nDogs\tdo n't")
    assert [s.words for s in read_tokens(path)] == [["Cats", "sleep", "."], ["Dogs", "do", "n't"]]
    path.write_bytes(b"Cats\n\xff sleep")
    with pytest.raises(InputError, match=r"a\.txt:2: not UTF-8 \(byte 0xFF\)"):
        list(read_tokens(path))
