"""Files are replaced whole or not at all."""

import gzip
import io
import lzma
import os
import stat
import threading
from pathlib import Path

import pytest

from treaty import _streams
from treaty._streams import Unreadable, chunks_of, limited, open_file, replacing, writing
from treaty._threads import Clock
from treaty.cli import main
from treaty.errors import InputError, LimitError, ModelError, OutputError
from treaty.learn import load
from treaty.text import read_text


def fill(path, data):
    with replacing(path) as stream:
        stream.write(data)


def test_a_file_is_replaced_when_all_is_written(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with replacing(path) as stream:
        stream.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), replacing(path) as stream:
        stream.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_errors_of_the_code_that_computes_are_its_own(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    for error in (OSError(5, "unreadable"), ValueError("a bug"), InputError("bad input")):
        with pytest.raises(type(error), match=str(error)[-5:]), replacing(path):
            raise error
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_permissions_and_links_are_kept(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    fill(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_new_files_have_the_usual_permissions(tmp_path):
    mask = os.umask(0o027)
    try:
        fill(tmp_path / "a", b"")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_pipes_are_written_through(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    fill(pipe, b"through")
    reader.join()
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_two_writers_do_not_mix(tmp_path):
    path = tmp_path / "a"
    with replacing(path) as first, replacing(path) as second:
        for _ in range(1000):
            first.write(b"1" * 100)
            second.write(b"2" * 100)
    assert path.read_bytes() == b"1" * 100_000  # the outer one ends last


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_text_that_cannot_be_written_leaves_the_old_file(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(OutputError), writing(path) as write:
        write("fine\n")
        write("\udcff")
    assert path.read_bytes() == b"old"


def test_a_decompression_bomb_is_refused(monkeypatch):
    monkeypatch.setattr("treaty._streams.MOST_EXPANDED", 2**16)
    for pack in (gzip.compress, lzma.compress):
        with pytest.raises(Unreadable, match="TREATY_MOST_EXPANDED"):
            for _ in chunks_of(io.BytesIO(pack(bytes(2**24)))):
                pass


def test_the_limit_on_what_expands_is_an_option(monkeypatch):
    packed = gzip.compress(bytes(2**24))
    monkeypatch.setenv("TREATY_MOST_EXPANDED", "1000")
    with pytest.raises(Unreadable, match="expand"):
        list(chunks_of(io.BytesIO(packed)))
    monkeypatch.setenv("TREATY_MOST_EXPANDED", str(2**24))
    assert sum(map(len, chunks_of(io.BytesIO(packed)))) == 2**24
    monkeypatch.setenv("TREATY_MOST_EXPANDED", "many")
    with pytest.raises(Unreadable, match="number of bytes"):
        list(chunks_of(io.BytesIO(packed)))


def test_text_that_shrinks_well_is_no_bomb(monkeypatch):
    monkeypatch.setattr("treaty._streams.MOST_EXPANDED", 0)
    text = "".join(f"{n}\tword\n" for n in range(50_000)).encode()
    assert b"".join(chunks_of(io.BytesIO(lzma.compress(text)))) == text


def test_a_text_as_a_whole_has_a_limit():
    with pytest.raises(Unreadable, match="too large"):
        list(limited([b"ab", b"cd"], 3))
    assert list(limited([b"ab", b"cd"], 4)) == [b"ab", b"cd"]


def test_a_device_that_is_full_is_told(tmp_path):
    with pytest.raises(OutputError, match=r"cannot write /dev/full: No space left on device"):
        fill("/dev/full", b"x")
    fill("/dev/null", b"x")
    assert Path("/dev/null").is_char_device()


def test_links_to_nothing_are_followed_and_circles_refused(tmp_path):
    (tmp_path / "link").symlink_to("real")
    fill(tmp_path / "link", b"new")
    assert (tmp_path / "real").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(OutputError, match="Too many levels of symbolic links"):
        fill(tmp_path / "circle", b"new")
    assert (tmp_path / "circle").is_symlink()


def test_open_pipes_of_the_process_are_written_through():
    reader, writer = os.pipe()
    fill(f"/dev/fd/{writer}", b"through")
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        assert stream.read() == b"through"


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        (".", "it is a directory"),
        ("no/file", "there is no directory"),
        ("a\0b", "null byte"),
        ("x" * 300, "File name too long"),
    ],
)
def test_targets_that_cannot_be(tmp_path, name, cause):
    with pytest.raises(OutputError, match=cause):
        fill(f"{tmp_path}/{name}", b"x")
    assert list(tmp_path.iterdir()) == []


def test_long_names_are_possible(tmp_path):
    fill(tmp_path / ("x" * 255), b"new")
    assert (tmp_path / ("x" * 255)).read_bytes() == b"new"


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    """A named pipe to which nobody writes."""
    monkeypatch.setattr(_streams, "WRITER_PATIENCE", 0.2)
    os.mkfifo(tmp_path / "pipe.txt")
    return tmp_path / "pipe.txt"


def test_a_pipe_that_nobody_writes_to_is_told(pipe, capsys):
    with pytest.raises(InputError, match="a pipe that nobody writes to"):
        read_text(pipe)
    with pytest.raises(ModelError, match="a pipe that nobody writes to"):
        load(pipe)
    assert main(["tag", "Cats sleep.", "--abbreviations", str(pipe)]) == 3
    assert main(["compress", "Cats sleep.", "--rules", str(pipe)]) == 3
    assert main(["solve", str(pipe)]) == 3
    assert capsys.readouterr().err.count("a pipe that nobody writes to") == 3


def test_a_limit_ends_the_wait_for_a_pipe(pipe, monkeypatch):
    monkeypatch.setattr(_streams, "WRITER_PATIENCE", 600.0)
    with Clock(0.0), pytest.raises(LimitError):
        open_file(pipe)


def test_a_pipe_is_read_when_somebody_writes(pipe, monkeypatch):
    monkeypatch.setattr(_streams, "WRITER_PATIENCE", 60.0)
    writer = threading.Timer(0.2, pipe.write_text, ["late"])
    writer.start()
    assert read_text(pipe) == "late"
    writer.join()
