"""The magics, in a shell of IPython."""

import sys

import pytest

pytest.importorskip("IPython")

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from treaty.parse import Document


@pytest.fixture(scope="module")
def shell():
    made = InteractiveShell()
    made.run_line_magic("load_ext", "treaty")
    return made


def test_parse_draws_the_trees_of_a_cell(shell):
    document = shell.run_cell_magic("parse", "found --entities", "Ada saw Rome.\n")
    assert isinstance(document, Document)
    assert shell.user_ns["found"] is document
    assert [entity.type for entity in document.entities] == ["PER", "LOC"]
    drawn, _ = shell.display_formatter.format(document)
    assert "<svg" in drawn["text/html"]
    assert "<mark>" in drawn["text/html"]


def test_confidences_and_models_are_options(shell):
    document = shell.run_cell_magic("parse", "--confidences", "Cats sleep.")
    assert all(word.arc_confidence is not None for word in document)
    with pytest.raises(UsageError, match="got one for 'threads'"):
        shell.run_cell_magic("parse", "--model threads", "Cats sleep.")
    with pytest.raises(UsageError, match="there is no model 'nonsense'"):
        shell.run_cell_magic("parse", "--model nonsense", "Cats sleep.")
    with pytest.raises(UsageError, match="not the name of a variable"):
        shell.run_cell_magic("parse", "1x", "Cats sleep.")


def test_commands_print_or_draw(shell, capsys):
    assert shell.run_line_magic("treaty", "--version") is None
    assert capsys.readouterr().out == "treaty 0.1.0\n"
    graph = "2\n1\n1.0\n1.5\nATMOSTONE 2 1 2\n"
    shell.run_cell_magic("treaty", "solve - --format json", graph)
    assert '"status": "OPTIMAL"' in capsys.readouterr().out
    drawing = shell.run_cell_magic("treaty", "parse --format svg", "Cats sleep.\n")
    assert "<svg" in drawing.data
    assert capsys.readouterr().out == ""


def test_errors_are_told(shell, capsys):
    shell.run_line_magic("treaty", "solve no-such-file.fg")
    told = capsys.readouterr()
    assert told.out == ""
    assert "treaty: error: no-such-file.fg" in told.err


def test_treaty_is_imported_without_ipython():
    assert "treaty" in sys.modules
    assert not hasattr(sys.modules["treaty"], "TreatyMagics")
