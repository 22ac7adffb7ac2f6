"""What the tests of the command line share."""

import io
import sys

import pytest

from treaty.cli import main


@pytest.fixture
def run(capfd):
    """Run the command; returns the exit code, stdout and stderr."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def stdin(monkeypatch):
    """Hand some bytes to the command on standard input."""

    def stdin(content):
        data = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return stdin
