"""Graphs in files: by suffix, compressed, damaged; all that may come of it is an InputError."""

import gzip
import io
import lzma
import random
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from treaty.errors import InputError, OutputError, UsageError
from treaty.graph import FactorGraph, read_graph, read_graphs, write_graph

SOUND = {
    "fg": b"""4
13
0.5
-1
2e-3
7
XOR 3 1 -2 3
OROUT 3 1 2 -4
IMPLY 2 1 2
PAIR 2 1 2 -0.5
BUDGET 3 1 2 3 2
KNAPSACK 2 1 2 0.5 3 2
DENSE 4 1 2 3 4 2 2 2 0.5 1 -inf 2
HEAD_AUTOMATON 1 1 1 2 3
GRANDPARENT_HEAD_AUTOMATON 3 1 -2 3 2 1 2 3 4 5
SEQUENCE 4 1 2 3 4 2 2 2 1 2 3 4 5 6 7 8
ARBORESCENCE 3 1 2 3 3 0 1 0 2 1 2
ATMOSTONE 1 4
ANDOUT 3 1 2 3

1
0
3
""",
    "uai": b"""MARKOV
3
2 3 1
3
1 0
2 0 1
3 1 2 0

2
0.5 2
6
1 2 3 0 5 6
6
1 1 1 1 1 1
""",
    "mrf": b"""0 2 0 3 0 2
0 1
0 0.5
0 0 1 2
0 -1.5
0 1 1 0 2 1
0 2

""",
}
FORMATS = pytest.mark.parametrize("format", SOUND)


def attempt(data, format):  # noqa: A002
    """The graphs in some bytes, or None with the error checked."""
    stream = io.BytesIO(data)
    stream.name = f"damaged.{format}"
    try:
        return list(read_graphs(stream, format))
    except InputError as error:
        assert str(error).startswith(f"damaged.{format}")
        assert error.line is None or 1 <= error.line <= data.count(b"\n") + data.count(b"\r") + 1
        return None


@FORMATS
def test_the_sound_files_are_sound(format):  # noqa: A002
    assert attempt(SOUND[format], format)


@FORMATS
@settings(deadline=None, max_examples=150)
@given(data=st.binary(max_size=300))
@example(data=b"\x00" * 100)
@example(data=b"\xff\xfe1\x00")
@example(data=b"9" * 5000)
@example(data=b"1e999999999\n")
@example(data=b"0 " * 1001)
def test_any_bytes(format, data):  # noqa: A002
    attempt(data, format)


@FORMATS
def test_a_hundred_thousand_random_bytes(format):  # noqa: A002
    rng = random.Random(0)
    assert attempt(rng.randbytes(100_000), format) is None
    words = [
        "1",
        "0",
        "-1",
        "2",
        "3.5",
        "XOR",
        "DENSE",
        "MARKOV",
        "\n",
        "\n\n",
        "99999999999",
        "nan",
    ]
    for _ in range(20):
        attempt(" ".join(rng.choices(words, k=5_000)).encode(), format)


@FORMATS
def test_every_truncation(format):  # noqa: A002
    for end in range(len(SOUND[format])):
        attempt(SOUND[format][:end], format)


TOKENS = [
    *(b"0", b"-1", b"1", b"2", b"99999999999", b"-99999999999999999999", b"1e400", b"nan", b"-inf"),
    *(b"0x10", b"1_0", b"XOR", b"\x00", b"\xc3", "٣".encode(), b"#", b"\n", b" ", b"", b"." * 50),
]


@st.composite
def mutations(draw, format):  # noqa: A002
    data = SOUND[format]
    for _ in range(draw(st.integers(1, 3))):
        begin = draw(st.integers(0, len(data)))
        end = draw(st.integers(begin, min(begin + 4, len(data))))
        data = data[:begin] + draw(st.sampled_from(TOKENS)) + data[end:]
    return data


@FORMATS
@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_mutations(format, data):  # noqa: A002
    attempt(data.draw(mutations(format)), format)


# Where the bytes come from


@FORMATS
@pytest.mark.parametrize(
    ("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)]
)
def test_files_by_suffix_and_compression(tmp_path, format, suffix, pack):  # noqa: A002
    path = tmp_path / f"problem.{format.upper()}{suffix}"
    path.write_bytes(pack(SOUND[format]))
    expected = repr(attempt(SOUND[format], format)[0])
    assert repr(read_graph(path)) == repr(FactorGraph.load(str(path))) == expected


@FORMATS
def test_standard_input_and_streams_tell_the_format_by_the_first_line(monkeypatch, format):  # noqa: A002
    text = SOUND[format].decode()
    expected = repr(attempt(SOUND[format], format)[0])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert repr(read_graph("-")) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(SOUND[format]))))
    assert repr(read_graph("-")) == expected
    assert repr(read_graph(io.StringIO("# a comment\n\n" + text))) == expected


def test_standard_input_has_a_name(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("MARKOV\nx"))
    with pytest.raises(
        InputError, match=r"<stdin>:2: expected the number of variables \(found 'x'\)"
    ):
        read_graph("-")


def test_files_that_cannot_be_opened(tmp_path):
    for path in (tmp_path / "absent.fg", tmp_path, str(tmp_path / "a\0b.fg")):
        with pytest.raises(InputError, match="cannot be read"):
            read_graph(path)


# Writing


@pytest.mark.parametrize("name", ["a.fg", "a.uai", "a.fg.gz", "a.uai.xz"])
def test_saved_files_are_read_again(tmp_path, name):
    graph = attempt(SOUND["uai"], "uai")[0]
    graph.save(tmp_path / name)
    first = (tmp_path / name).read_bytes()
    assert len(FactorGraph.load(tmp_path / name)) == len(graph)
    graph.save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


def test_standard_output(capsys):
    graph = FactorGraph()
    graph.variable(0.5)
    write_graph(graph, "-", format="fg")
    assert capsys.readouterr().out == "1\n0\n0.5\n"


def test_formats_that_are_not_known(tmp_path):
    graph = FactorGraph()
    for target in (tmp_path / "a.mrf", tmp_path / "a.txt", tmp_path / "a", "-", io.StringIO()):
        with pytest.raises(UsageError, match="cannot write"):
            write_graph(graph, target)
    with pytest.raises(OutputError, match="cannot write"):
        graph.save(tmp_path / "absent" / "a.fg")
    with pytest.raises(UsageError, match="cannot read the format 'lp'"):
        read_graph(io.StringIO("1"), format="lp")


def test_a_refused_graph_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.fg"
    graph = FactorGraph()
    graph.reward(graph.variable(), 1.0)
    path.write_text("old")
    with pytest.raises(UsageError, match="no form"):
        graph.save(path)
    assert path.read_text() == "old"
