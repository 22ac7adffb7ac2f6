"""``treaty train``: models from data of your own, whatever their task."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import typer
from typer.core import TyperGroup

from treaty.cli import _options as opt
from treaty.cli._output import check_output, note
from treaty.cli._progress import Display
from treaty.errors import InputError, UsageError
from treaty.tasks._predict import using
from treaty.text import Sentence, read_conllu, recognize

if TYPE_CHECKING:
    from treaty.learn import Model as AnyModel

__all__ = ["CHECKPOINTS", "Training", "add_training", "read_examples", "read_treebank", "train"]

OWN_COMMANDS = {"pipeline": "parser", "entities": "labeler", "threads": "linker"}
"""Tasks whose models are trained by a command of another name."""
CHECKPOINTS = """After each epoch the state is kept beside the model (FILE.checkpoint): --resume
continues from there, to the same model as an uninterrupted run.
"""
EXIT_CODES = "Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused."
HELP = """Train a model on data of your own.

parser, tagger, labeler, linker and summarizer have options of their own. Any other task that an
installed package registers is trained by the options they share, and --set for those of its model.

\b
Examples:
  treaty train parser --train train.conllu --dev dev.conllu -o danish.treaty
  treaty train tokenizer --train train.conllu -o words.treaty --set epochs=5
  treaty train labeler --help
"""
TASK_HELP = f"""Train a model for the task {{task}}.

The files are as such a model reads them. {CHECKPOINTS}
\b
Examples:
  treaty train {{task}} --train FILE --dev FILE -o mine.treaty
  treaty train {{task}} --train FILE -o mine.treaty --seed 2 --info license=CC0 --set epochs=5
  treaty predict FILE --model mine.treaty
  treaty evaluate FILE --model mine.treaty
"""


class TrainGroup(TyperGroup):
    """The commands of ``treaty train``: those of their own, and one for every other task."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Name all of them."""
        return sorted({*super().list_commands(ctx), *_other_tasks()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find a command by its name."""
        command = super().get_command(ctx, cmd_name)
        return command or (_command_for(cmd_name) if cmd_name in _other_tasks() else None)

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
    group = typer.Typer(rich_markup_mode=None, add_completion=False)

    def training_of(settings: opt.Setting = None) -> Training:
        from treaty.learn import model_class

        kind = model_class(task)
        return Training(kind.train, kind.read, opt.settings_of(settings))

    add_training(task, TASK_HELP.format(task=task), training_of, group)
    return typer.main.get_command(group)


class Training(NamedTuple):
    """The training that the options of one command request.

    Attributes
    ----------
    fit
        What trains the model, as `treaty.learn.Model.train` does.
    read
        What reads examples from a file.
    options
        Of the training, beyond those that all trainings share.
    """

    fit: Callable[..., AnyModel]
    read: Callable[[str], Iterable[Any]]
    options: dict[str, Any]


@dataclass(frozen=True)
class Shared:
    """The options that all trainings share."""

    train_file: opt.TrainFile
    output: opt.Output
    dev: opt.DevFile = None
    seed: opt.Seed = 1
    threads: opt.Threads = 1
    resume: opt.Resume = False
    language: opt.Language = None
    license: opt.License = None
    info: opt.Info = None
    quiet: opt.Quiet = False


def add_training(
    name: str,
    description: str,
    training_of: Callable[..., Training],
    group: typer.Typer | None = None,
) -> None:
    """Add a command that trains one kind of model.

    Parameters
    ----------
    name, description
        Its name and its help.
    training_of
        What takes the options of this kind of model, and says what they ask for. The command has
        those that all trainings share, too; the function may take some of them as well.
    group
        What the command belongs to; by default ``treaty train``.
    """
    wanted, shared = inspect.signature(training_of).parameters, inspect.signature(Shared).parameters

    def command(**given: Any) -> None:
        training = training_of(**{key: given[key] for key in wanted})
        _run(training, Shared(**{key: given[key] for key in shared}))

    first, rest = list(shared.values())[:3], list(shared.values())[3:]
    between = [wanted[key] for key in wanted if key not in shared]
    hints = {**_hints(training_of), **_hints(Shared)}
    command.__annotations__ = hints
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            p.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[p.name])
            for p in (*first, *between, *rest)
        ]
    )
    (group or train).command(name, help=f"{description}\n{EXIT_CODES}\n")(command)


def _hints(source: Any) -> dict[str, Any]:
    return get_type_hints(source, include_extras=True)


def _run(training: Training, shared: Shared) -> None:
    """Train a model, save it, remove its checkpoints and tell its scores."""
    from treaty.learn import remove_checkpoints
    from treaty.show import scores_line

    if shared.output == "-":
        raise UsageError("a model must be written to a file: give --output FILE")
    check_output(shared.output)
    is_device = Path(shared.output).exists() and not Path(shared.output).is_file()
    checkpoint = None if is_device else Path(f"{shared.output}.checkpoint")
    about = opt.info_of(shared.info, language=shared.language, license=shared.license)
    with Display("training", quiet=shared.quiet) as display, using(training.options) as options:
        model = training.fit(
            [e for path in shared.train_file for e in read_examples(path, training.read)],
            read_examples(shared.dev, training.read) if shared.dev else [],
            **options,
            seed=shared.seed,
            threads=shared.threads,
            checkpoint=checkpoint,
            resume=shared.resume,
            progress=display,
            info=about,
        )
        model.save(shared.output)
    if checkpoint is not None:
        remove_checkpoints(checkpoint)
    if (scores := model.info.get("scores")) and not shared.quiet:
        note(f"{shared.output}: {scores_line(scores)}")


def read_examples(path: str, read: Callable[[str], Iterable[Any]]) -> list[Any]:
    """Read all examples of a file, of which there must be some."""
    examples = list(read(path))
    if not examples:
        raise InputError("there are no examples in it", path="<stdin>" if path == "-" else path)
    return examples


def read_treebank(
    path: str, given: opt.TreebankFormat | None, *, trees: bool
) -> Iterable[Sentence]:
    """Read the sentences of a treebank; whether all must be trees."""
    if given is not None:
        return read_conllu(path, format=given, trees=trees)
    kind, origin = recognize(path)
    return read_conllu(origin, format="conllx" if kind.name == "conllx" else "conllu", trees=trees)
