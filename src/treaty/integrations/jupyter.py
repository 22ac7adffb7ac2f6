"""Magics of IPython and Jupyter: ``%load_ext treaty``, then ``%%parse`` and ``%treaty``."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import HTML, SVG

from treaty.errors import TreatyError
from treaty.integrations._models import model_of
from treaty.parse import Document, Pipeline

__all__ = ["TreatyMagics", "load_ipython_extension"]


@magics_class
class TreatyMagics(Magics):
    """``%%parse`` draws the trees of a cell's text; ``%treaty`` runs a command.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> shell = InteractiveShell()
    >>> shell.run_line_magic("load_ext", "treaty")
    >>> document = shell.run_cell_magic("parse", "", "Cats sleep.")
    >>> [word.deprel for word in document]
    ['nsubj', 'root', 'punct']
    """

    @magic_arguments()
    @argument("variable", nargs="?", help="a variable that gets the document")
    @argument("--model", default="english", help="the name or file of a pipeline")
    @argument("--entities", action="store_true", help="find named entities, too")
    @argument("--confidences", action="store_true", help="compute confidences, too")
    @cell_magic
    def parse(self, line: str, cell: str) -> Document | None:
        """Parse the text of the cell, and draw its trees."""
        given = parse_argstring(self.parse, line)
        if given.variable and not given.variable.isidentifier():
            raise UsageError(f"%%parse: {given.variable!r} is not the name of a variable")
        try:
            pipeline = model_of(given.model, Pipeline)
            document = pipeline(cell, entities=given.entities, confidences=given.confidences)
        except TreatyError as error:
            raise UsageError(f"%%parse: {error}") from None
        if given.variable:
            self.shell.user_ns[given.variable] = document
        return document

    @line_cell_magic
    def treaty(self, line: str, cell: str | None = None) -> Any:
        """Run a command of Treaty; the text of a cell is its standard input.

        Pictures are shown (``--format svg`` or ``html``), other results printed.
        """
        words = shlex.split(line)
        command = [sys.executable, "-m", "treaty", *words]
        done = subprocess.run(command, input=cell or "", capture_output=True, encoding="utf-8")
        sys.stderr.write(done.stderr)
        if done.stdout.startswith("<svg"):
            return SVG(done.stdout)
        if done.stdout.lower().startswith(("<!doctype html", "<div", "<html")):
            return HTML(done.stdout)
        sys.stdout.write(done.stdout)
        return None


def load_ipython_extension(shell: Any) -> None:
    """Register the magics: IPython calls it for ``%load_ext treaty``."""
    shell.register_magics(TreatyMagics)
