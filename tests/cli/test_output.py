"""Where results go, and what is told beside them."""

import io
import os
import sys

import pytest
import typer

from treaty.cli import main
from treaty.cli._output import (
    check_apart,
    check_output,
    fault,
    json_line,
    note,
    on_terminal,
    write_texts,
)
from treaty.errors import InputError, OutputError, UsageError
from treaty.text import Sentence, Token


def test_notes_and_faults_are_lines_on_standard_error(capfd):
    note("a")
    fault(InputError("b\nc", path="x", line=2))
    assert capfd.readouterr() == ("", "treaty: note: a\ntreaty: error: x:2: b c\n")


def test_results_and_dictionaries_are_lines_of_json():
    hush = Sentence([Token("Hüsh", head=0)])
    assert json_line(hush) == json_line(hush.to_dict())
    assert json_line(hush).startswith('{"text": "Hüsh", ')
    with pytest.raises(ValueError, match="Out of range"):
        json_line({"gap": float("inf")})


def test_outputs_are_checked(tmp_path):
    for fine in (None, "-", str(tmp_path / "new"), "/dev/null"):
        check_output(fine)
    for path, cause in ((tmp_path, "directory"), (tmp_path / "no" / "x", "there is no directory")):
        with pytest.raises(OutputError, match=cause):
            check_output(str(path))
    for name in ("json", "svg", "tree"):
        with pytest.raises(UsageError, match=f"did you mean --format {name}"):
            check_output(name)


def test_a_person_reads_a_terminal_only(monkeypatch):
    assert not on_terminal("-")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert on_terminal("-")
    assert not on_terminal("file")


class Stdout(io.StringIO):
    """Notes how much was written at a time."""

    def __init__(self, terminal):
        super().__init__()
        self.terminal, self.flushed = terminal, []

    def isatty(self):
        return self.terminal

    def flush(self):
        self.flushed.append(self.tell())


@pytest.mark.parametrize(("terminal", "flushed"), [(True, [1, 2, 3]), (False, [3])])
def test_a_terminal_gets_results_as_they_come(monkeypatch, terminal, flushed):
    stdout = Stdout(terminal)
    monkeypatch.setattr(sys, "stdout", stdout)
    write_texts("abc", "-")
    assert (stdout.getvalue(), stdout.flushed) == ("abc", flushed)


def test_a_reader_that_has_gone_ends_the_command(monkeypatch):
    class Gone(io.StringIO):
        def write(self, _text):
            raise BrokenPipeError(32, "Broken pipe")

        def fileno(self):
            return self.handle

    with open("/dev/null", "w") as null:  # noqa: PTH123
        gone = Gone()
        gone.handle = null.fileno()
        monkeypatch.setattr(sys, "stdout", gone)
        with pytest.raises(typer.Exit) as stopped:
            write_texts(["a"], "-")
    assert stopped.value.exit_code == 141


def test_an_output_is_no_input(tmp_path, monkeypatch):
    path, link, other = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "c.txt"
    path.write_text("Cats sleep.")
    other.write_text("Dogs bark.")
    link.symlink_to(path)
    for output in (path, link):
        for given in (path, link, tmp_path):
            with pytest.raises(UsageError, match="which it would replace"):
                check_apart(str(output), str(other), str(given))
    check_apart(str(path), str(other), None, "a text", "x" * 5000, "-")
    check_apart(os.devnull, os.devnull)
    check_apart("-", str(path))
    with path.open() as file, monkeypatch.context() as patch:
        patch.setattr(os, "fstat", lambda _, real=os.fstat: real(file.fileno()))
        with pytest.raises(UsageError, match="is the input standard input"):
            check_apart(str(path), "-")


@pytest.mark.parametrize(
    "command",
    [
        ["parse", "FILE"],
        ["tag", "FILE"],
        ["tag", "Cats sleep.", "--abbreviations", "FILE"],
        ["label", "FILE"],
        ["label", "Ann sleeps.", "--rules", "FILE"],
        ["label", "Ann sleeps.", "--model", "FILE"],
        ["link", "FILE"],
        ["summarize", "FILE"],
        ["compress", "FILE", "--rules", "FILE"],
        ["solve", "FILE"],
        ["solve", "x.uai", "--evidence", "FILE"],
        ["induce", "FILE"],
        ["predict", "FILE", "--model", "english"],
        ["evaluate", "FILE", "x.conllu"],
        ["evaluate", "x.conllu", "FILE"],
    ],
)
def test_commands_do_not_replace_what_they_read(command, tmp_path, capsys):
    file = tmp_path / "a.txt"
    file.write_text("Cats sleep.")
    given = [str(file) if word == "FILE" else word for word in command]
    assert main([*given, "-o", str(file)]) == 2
    assert "which it would replace: write to another file" in capsys.readouterr().err
    assert file.read_text() == "Cats sleep."
