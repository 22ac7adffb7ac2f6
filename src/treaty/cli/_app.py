"""The application that the commands belong to."""

from __future__ import annotations

from typing import Annotated

import typer

from treaty import __version__
from treaty.cli._compress import HELP as COMPRESS_HELP
from treaty.cli._compress import compress
from treaty.cli._evaluate import HELP as EVALUATE_HELP
from treaty.cli._evaluate import evaluate
from treaty.cli._induce import HELP as INDUCE_HELP
from treaty.cli._induce import induce
from treaty.cli._info import HELP as INFO_HELP
from treaty.cli._info import info
from treaty.cli._label import HELP as LABEL_HELP
from treaty.cli._label import label
from treaty.cli._parse import HELP as PARSE_HELP
from treaty.cli._parse import parse
from treaty.cli._solve import HELP as SOLVE_HELP
from treaty.cli._solve import solve
from treaty.cli._summarize import HELP as SUMMARIZE_HELP
from treaty.cli._summarize import summarize
from treaty.cli._tag import HELP as TAG_HELP
from treaty.cli._tag import tag
from treaty.cli._threads import HELP as THREADS_HELP
from treaty.cli._threads import threads
from treaty.cli._train_labeler import train_labeler as _train_labeler  # noqa: F401 - registers
from treaty.cli._train_parser import train
from treaty.cli._train_summarizer import train_summarizer as _train_summarizer  # noqa: F401
from treaty.cli._train_threads import train_threads as _train_threads  # noqa: F401 - registers

__all__ = ["app"]

HELP = """Find the best structure when many small parts must agree, and say how good it is.

Every answer comes with a certificate: a bound that no assignment can beat.

\b
Examples:
  treaty parse "Cats sleep. Dogs don't."
  treaty label "Ada Lovelace was born in London."
  treaty summarize articles/ --words 100
  treaty solve weather.fg
  treaty solve problem.uai --method exact --time-limit 60 --format json
  treaty solve --help
"""

app = typer.Typer(
    help=HELP,
    rich_markup_mode=None,  # plain help: quicker to start, and at home in any terminal or pipe
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"treaty {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that come before a command; without a command, help."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command("parse", help=PARSE_HELP)(parse)
app.command("label", help=LABEL_HELP)(label)
app.command("induce", help=INDUCE_HELP)(induce)
app.command("solve", help=SOLVE_HELP)(solve)
app.command("tag", help=TAG_HELP)(tag)
app.command("summarize", help=SUMMARIZE_HELP)(summarize)
app.command("compress", help=COMPRESS_HELP)(compress)
app.command("threads", help=THREADS_HELP)(threads)
app.add_typer(train, name="train")
app.command("evaluate", help=EVALUATE_HELP)(evaluate)
app.command("info", help=INFO_HELP)(info)
