"""The application that the commands belong to."""

from __future__ import annotations

from typing import Annotated

import typer

import treaty
from treaty.cli import (
    _cluster,
    _evaluate,
    _induce,
    _info,
    _serve,
    _solve,
    _train,
    _train_labeler,
    _train_linker,
    _train_parser,
    _train_summarizer,
    _train_tagger,
)
from treaty.cli._task import command_of
from treaty.tasks import TASKS

__all__ = ["app"]

HELP = """Structured prediction by dual decomposition: parse, label, link, summarize, induce, solve.

Every answer has a certificate: an upper bound on the score of every answer.

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
        typer.echo(f"treaty {treaty.__version__}")
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


OF_TASKS = {"induce": _induce.induce, "solve": _solve.solve, "evaluate": _evaluate.evaluate}
"""Commands of tasks that do more than to read sources and write results."""
COMMANDS = (_serve, _info)
TRAININGS = (_train_parser, _train_tagger, _train_labeler, _train_linker, _train_summarizer)
for task in TASKS.values():
    app.command(task.name, help=task.help)(OF_TASKS.get(task.name) or command_of(task))
for module in COMMANDS:
    name = module.__name__.rpartition("._")[2]
    app.command(name, help=module.HELP)(getattr(module, name))
for module in TRAININGS:
    name = module.__name__.rpartition("._")[2]
    _train.add_training(name.removeprefix("train_"), module.HELP, getattr(module, name))
app.add_typer(_train.train, name="train")
app.add_typer(_cluster.cluster, name="cluster")
