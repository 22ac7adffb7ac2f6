"""The application that the commands belong to."""

from __future__ import annotations

from typing import Annotated

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
    _train_labeler,
    _train_linker,
    _train_parser,
    _train_summarizer,
    _train_tagger,
)
from treaty.cli._train import train

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


app.command("parse", help=_parse.HELP)(_parse.parse)
app.command("tag", help=_tag.HELP)(_tag.tag)
app.command("label", help=_label.HELP)(_label.label)
app.command("link", help=_link.HELP)(_link.link)
app.command("summarize", help=_summarize.HELP)(_summarize.summarize)
app.command("compress", help=_compress.HELP)(_compress.compress)
app.command("induce", help=_induce.HELP)(_induce.induce)
app.command("solve", help=_solve.HELP)(_solve.solve)
train.command("parser", help=_train_parser.HELP)(_train_parser.train_parser)
train.command("tagger", help=_train_tagger.HELP)(_train_tagger.train_tagger)
train.command("labeler", help=_train_labeler.HELP)(_train_labeler.train_labeler)
train.command("linker", help=_train_linker.HELP)(_train_linker.train_linker)
train.command("summarizer", help=_train_summarizer.HELP)(_train_summarizer.train_summarizer)
app.add_typer(train, name="train")
app.command("predict", help=_predict.HELP)(_predict.predict)
app.command("evaluate", help=_evaluate.HELP)(_evaluate.evaluate)
app.command("info", help=_info.HELP)(_info.info)
