"""``treaty train``: models from data of your own, whatever their task."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperGroup

from treaty.cli._options import (
    DevFile,
    Info,
    Output,
    Quiet,
    Resume,
    Seed,
    Setting,
    Threads,
    TrainFile,
    Treebank,
    info_of,
    settings_of,
    using,
)
from treaty.cli._output import check_output, note
from treaty.cli._progress import Display, scores_text
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.corpus import Sentence
    from treaty.learn import Model as AnyModel

__all__ = ["CHECKPOINTS", "read_examples", "read_treebank", "train", "train_model"]

Example = TypeVar("Example")
OWN_COMMANDS = {"pipeline": "parser", "entities": "labeler", "threads": "linker"}
"""Tasks whose models are trained by a command of another name."""
CHECKPOINTS = """After each epoch the state is kept beside the model (FILE.checkpoint): --resume
continues from there, to the same model as an uninterrupted run.
"""
HELP = """Train a model on data of your own.

parser, tagger, labeler, linker and summarizer have options of their own. Any other task that an
installed package registers is trained by the same options for all, and --set for those of its
model.

\b
Examples:
  treaty train parser --train train.conllu --dev dev.conllu -o danish.treaty
  treaty train tokenizer --train train.conllu -o words.treaty --set epochs=5
  treaty train labeler --help
"""
TASK_HELP = f"""Train a model for the task {{task}}.

The files are what such a model reads. {CHECKPOINTS}
\b
Examples:
  treaty train {{task}} --train FILE --dev FILE -o mine.treaty
  treaty train {{task}} --train FILE -o mine.treaty --seed 2 --info license=CC0 --set epochs=5
  treaty predict FILE --model mine.treaty
  treaty evaluate FILE --model mine.treaty

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


class TrainGroup(TyperGroup):
    """The commands of ``treaty train``: those of their own, and one for every other task."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name all of them."""
        return sorted({*super().list_commands(ctx), *_other_tasks()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find a command by its name."""
        own = super().get_command(ctx, cmd_name)
        return own or (_command_for(cmd_name) if cmd_name in _other_tasks() else None)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that arguments begin with."""
        if args and args[0] in OWN_COMMANDS:
            raise UsageError(f"'treaty train {OWN_COMMANDS[args[0]]}' trains models for {args[0]}")
        return super().resolve_command(ctx, args)


train = typer.Typer(help=HELP, rich_markup_mode=None, cls=TrainGroup)


def _other_tasks() -> list[str]:
    from treaty.learn import tasks

    return [task for task in tasks() if task not in OWN_COMMANDS]


@cache
def _command_for(task: str) -> Any:
    made = typer.Typer(rich_markup_mode=None, add_completion=False)
    made.command(task, help=TASK_HELP.format(task=task))(train_any)
    return typer.main.get_command(made)


def train_any(
    context: typer.Context,
    train_file: TrainFile,
    output: Output,
    dev: DevFile = None,
    seed: Seed = 1,
    threads: Threads = 1,
    resume: Resume = False,
    info: Info = None,
    settings: Setting = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train TASK``."""
    from treaty.learn import model_class

    kind = model_class(str(context.info_name))
    own = {"seed": seed, "threads": threads, "resume": resume, "info": info_of(info)}
    with using(settings_of(settings)) as options:
        train_model(
            kind.train,
            lambda: read_examples(train_file, kind.read),
            lambda: read_examples(dev, kind.read),
            output=output,
            quiet=quiet,
            **{**options, **own},
        )


def train_model(
    fit: Callable[..., AnyModel],
    examples: Callable[[], list[Any]],
    dev: Callable[[], list[Any]],
    *,
    output: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Train a model, save it, remove its checkpoints and tell its scores.

    Parameters
    ----------
    fit
        What trains it, as `treaty.learn.Model.train` does.
    examples, dev
        What read the data, once it is known that the model can be written.
    output
        Where the model goes; checkpoints stand beside it.
    quiet
        Whether to tell of errors only.
    **options
        Of the training.
    """
    from treaty.learn import remove_checkpoints

    if output == "-":
        raise UsageError("a model goes to a file: give --output FILE")
    check_output(output)
    checkpoint = Path(f"{output}.checkpoint")
    with Display("training", quiet=quiet) as display:
        model = fit(examples(), dev(), checkpoint=checkpoint, progress=display, **options)
        model.save(output)
    remove_checkpoints(checkpoint)
    scores = model.info.get("scores")
    if scores and not quiet:
        note(f"{output}: {scores_text(scores)}")


def read_examples(path: str | None, read: Callable[[str], Iterable[Example]]) -> list[Example]:
    """Read all examples of a file, of which there must be some; none without a file."""
    if path is None:
        return []
    examples = list(read(path))
    if not examples:
        raise InputError("there is nothing to learn from", path="<stdin>" if path == "-" else path)
    return examples


def read_treebank(
    path: str | None, given: Treebank | None, *, trees: bool = False
) -> list[Sentence]:
    """Read all sentences of a treebank; whether all must be trees."""
    from treaty.corpus import FileKind, read_conllu, recognize

    def read(path: str) -> Iterable[Sentence]:
        if given is not None:
            return read_conllu(path, format=given.value, trees=trees)
        kind, origin = recognize(path)
        return read_conllu(
            origin, format="conllx" if kind is FileKind.CONLLX else "conllu", trees=trees
        )

    return read_examples(path, read)
