"""The application that the commands belong to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from treaty import __version__
from treaty.cli import (
    _compress,
    _evaluate,
    _induce,
    _info,
    _label,
    _link,
    _parse,
    _predict,
    _solve,
    _summarize,
    _tag,
    _train,
    _train_labeler,
    _train_linker,
    _train_parser,
    _train_summarizer,
    _train_tagger,
)

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


COMMANDS: dict[str, tuple[Callable[..., Any], str]] = {
    "parse": (_parse.parse, _parse.HELP),
    "tag": (_tag.tag, _tag.HELP),
    "label": (_label.label, _label.HELP),
    "link": (_link.link, _link.HELP),
    "summarize": (_summarize.summarize, _summarize.HELP),
    "compress": (_compress.compress, _compress.HELP),
    "induce": (_induce.induce, _induce.HELP),
    "solve": (_solve.solve, _solve.HELP),
    "predict": (_predict.predict, _predict.HELP),
    "evaluate": (_evaluate.evaluate, _evaluate.HELP),
    "info": (_info.info, _info.HELP),
}
for name, (command, description) in COMMANDS.items():
    app.command(name, help=description)(command)

TRAININGS: dict[str, tuple[Callable[..., _train.Training], str]] = {
    "parser": (_train_parser.train_parser, _train_parser.HELP),
    "tagger": (_train_tagger.train_tagger, _train_tagger.HELP),
    "labeler": (_train_labeler.train_labeler, _train_labeler.HELP),
    "linker": (_train_linker.train_linker, _train_linker.HELP),
    "summarizer": (_train_summarizer.train_summarizer, _train_summarizer.HELP),
}
for name, (asked, description) in TRAININGS.items():
    _train.add_training(_train.train, name, description, asked)
app.add_typer(_train.train, name="train")
