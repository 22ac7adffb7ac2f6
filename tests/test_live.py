"""Pauses of live input, in time that the test tells; and which input is live."""

import io
import os
import sys

import pytest
from tests.live import Script

from treaty._live import LiveInput, live_input
from treaty._streams import chunks_of, is_live, peek
from treaty.text import recognize
from treaty.text._lines import PAUSE, Lines


def test_a_pause_is_told_once():
    live = Script((0, b"one\n"), (9.0, b"two\n"), (0.1, b"three\n")).live()
    assert list(live.chunks()) == [b"one\n", b"", b"two\n", b"three\n"]
    assert live.silent


def test_steady_but_slow_input_is_told_of_too():
    script = Script(*[(0.125, b"x")] * 6)
    live = script.live()
    found = [(chunk, live.silent) for chunk in live.chunks()]
    assert [chunk for chunk, _ in found] == [b"x"] * 3 + [b""] + [b"x"] * 3
    assert not any(silent for _, silent in found)


def test_input_without_pauses_has_none():
    live = Script(*[(0, b"abc\n")] * 5).live()
    assert b"" not in list(live.chunks())


def test_the_kind_is_recognized_and_nothing_is_lost():
    live = Script(
        (0, b"# te"), (1, b"xt = Hush\n"), (1, b"1\tHush"), (1, b"\t_" * 8 + b"\n")
    ).live()
    kind, origin = recognize(live)
    assert kind.name == "conllu" and is_live(origin)
    assert b"".join(chunks_of(origin)) == b"# text = Hush\n1\tHush" + b"\t_" * 8 + b"\n"


def test_compressed_input_has_no_pauses(tmp_path):
    import gzip

    packed = gzip.compress(b"Cats sleep.\n" * 9)
    live = Script((0, packed[:1]), (1, packed[1:9]), (1, packed[9:])).live()
    assert b"".join(chunks_of(live)) == b"Cats sleep.\n" * 9


def test_lines_have_pauses_in_their_places():
    lines = Lines(Script((0, b"a pause\nb"), (1, b"c\n"), (1, b"d")).live())
    found = []
    for line in lines:
        found.append(("pause", lines.is_within) if line is PAUSE else line)
    assert found == ["a pause", ("pause", True), "bc", ("pause", False), "d"]


def test_blocks_are_numbered_without_pauses():
    lines = Lines(Script((0, b"a\n"), (1, b"b\n\n"), (1, b"c\n")).live())
    assert list(lines.blocks()) == [(1, []), (1, ["a", "b"]), (3, []), (4, ["c"])]


def test_other_origins_are_not_live(tmp_path):
    (tmp_path / "file").write_text("x")
    assert not is_live(tmp_path / "file") and not is_live(io.StringIO("x"))
    head, stream = peek(io.BytesIO(b"abc"), lambda head: True)
    assert head == b"abc" and not is_live(stream)


@pytest.mark.parametrize("kind", ["file", "memory", "pipe"])
def test_standard_input_is_live_if_it_is_a_pipe(kind, tmp_path, monkeypatch):
    reader, writer = os.pipe()
    (tmp_path / "file").write_text("x")
    with os.fdopen(reader) as pipe, (tmp_path / "file").open() as file:
        given = {"file": file, "memory": io.StringIO("x"), "pipe": pipe}[kind]
        monkeypatch.setattr(sys, "stdin", given)
        assert isinstance(live_input(), LiveInput) == (kind == "pipe")
        monkeypatch.undo()
    os.close(writer)
