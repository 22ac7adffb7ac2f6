"""Commands that read from real pipes: results appear while the input goes on."""

import os
import select
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from tests.parse.treebank import small_pipeline

PATIENCE = 120
"""Seconds after which a result is taken to be missing; nothing depends on less."""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / "toy.treaty"
    small_pipeline(order="first").save(path)
    return path


class Command:
    """A running command, whose input the test writes and whose output it waits for."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "treaty", *map(str, arguments)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        self.seen = b""

    def write(self, data):
        self.process.stdin.write(data)

    def wait_for(self, part):
        """Read output until it has a part."""
        end = time.monotonic() + PATIENCE
        while part not in self.seen:
            ready, _, _ = select.select(
                [self.process.stdout], [], [], max(0, end - time.monotonic())
            )
            assert ready, f"{part} is missing in {self.seen}"
            chunk = os.read(self.process.stdout.fileno(), 2**16)
            assert chunk, f"{part} is missing in {self.seen}: {self.process.stderr.read()}"
            self.seen += chunk

    def end(self):
        self.process.stdin.close()
        rest, errors = self.process.stdout.read(), self.process.stderr.read()
        self.process.wait(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        return self.process.returncode, self.seen + rest, errors


@pytest.mark.parametrize("name", ["parse", "tag"])
def test_a_sentence_appears_while_the_input_goes_on(name, model):
    command = Command(name, "--model", model, "-")
    command.write(b"The cat sees a dog. Every bird")
    command.write(b" likes the garden.\n")
    command.wait_for(b"# text = Every bird likes the garden.\n")
    command.write(b"A dog finds a bird.\n")
    command.wait_for(b"# text = A dog finds a bird.\n")
    code, out, errors = command.end()
    assert (code, errors) == (0, b"") and out.count(b"# text") == 3


def test_tagged_sentences_pass_through_a_chain_of_commands(model):
    command = Command("parse", "--model", model, "-", "--format", "json")
    row = b"\t".join([b"1", b"cat", b"cat", b"NOUN", b"NN", *[b"_"] * 5])
    command.write(row + b"\n\n" + row)
    command.wait_for(b'"head": 0')
    command.write(b"\n2\t")
    command.process.stdin.write(b"\t".join([b"dog", *[b"_"] * 8]) + b"\n\n")
    command.wait_for(b'"dog"')
    assert command.end()[0] == 0


def test_a_reader_that_goes_away_is_no_error(model):
    command = Command("tag", "--model", model, "-")
    command.write(b"The cat sees a dog.\n")
    command.wait_for(b"# text")
    command.process.stdout.close()

    def write_on():
        with suppress(BrokenPipeError):
            while True:
                command.write(b"A dog finds a bird.\n\n" * 100)

    writer = threading.Thread(target=write_on)
    writer.start()
    writer.join(PATIENCE)
    assert command.process.wait(PATIENCE) == 141
    assert command.process.stderr.read() == b""
    command.process.stderr.close()
    with suppress(BrokenPipeError):
        command.process.stdin.close()


def test_a_quick_pipe_gives_what_a_file_gives(model, tmp_path):
    text = "The cat sees a dog. Every bird\nlikes the garden.\n\nA dog finds a bird." * 40
    (tmp_path / "text.txt").write_text(text)
    of_file = Command("tag", "--model", model, tmp_path / "text.txt").end()
    piped = Command("tag", "--model", model)
    piped.write(text.encode())
    assert piped.end() == of_file
