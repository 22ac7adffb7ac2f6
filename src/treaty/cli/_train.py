"""``treaty train``: models from data of your own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._output import check_writable, note
from treaty.cli._progress import status_line
from treaty.cli._sentences import Quiet
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import Sentence

__all__ = ["InputFormat", "read_treebank", "reporter", "train"]

TAGGER_HELP = """Train a tagger, and a tokenizer with it, on a treebank.

After each epoch the state is kept beside the model (FILE.checkpoint...): --resume goes on from
there, to the same model as if nothing had happened.

\b
Examples:
  treaty train tagger --train train.conllu --dev dev.conllu --out english.treaty
  treaty train tagger --train train.conllu --out fine.treaty --column upos --column xpos

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""

train = typer.Typer(help="Train a model on data of your own.", rich_markup_mode=None)


@train.callback()
def _group() -> None:
    """Keep the name of the command, also while there is only one."""


class Column(StrEnum):
    """The columns of tags."""

    UPOS = "upos"
    XPOS = "xpos"
    FEATS = "feats"


class InputFormat(StrEnum):
    """The formats that `treaty.corpus.read_conllu` knows."""

    CONLLU = "conllu"
    CONLLX = "conllx"


# What all trainings may be told.
Out = Annotated[str, typer.Option(metavar="FILE", help="Where the model goes.")]
ClusterFile = Annotated[
    str | None, typer.Option("--clusters", metavar="FILE", help="Word clusters: path, tab, word.")
]
KinFile = Annotated[
    str | None, typer.Option("--kin", metavar="FILE", help="A second set, for the tagger.")
]
Seed = Annotated[int, typer.Option(min=0, help="What the order of the data depends on.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with a training that was broken off.")
]
Language = Annotated[str | None, typer.Option(help="Kept in the model file.")]
License = Annotated[str | None, typer.Option(help="Of the data; kept in the file.")]
Format = Annotated[InputFormat, typer.Option(help="What the files are.")]


@train.command("tagger", help=TAGGER_HELP)
def train_tagger(
    train_file: Annotated[
        str, typer.Option("--train", metavar="FILE", help="Tagged sentences to learn from.")
    ],
    out: Out,
    dev: Annotated[
        str | None, typer.Option(metavar="FILE", help="Tagged sentences to score on.")
    ] = None,
    column: Annotated[
        list[Column] | None, typer.Option(help="What to learn; may be given several times.")
    ] = None,
    clusters: ClusterFile = None,
    kin: KinFile = None,
    tokenizer: Annotated[
        bool, typer.Option("--tokenizer/--no-tokenizer", help="Learn to find words in text, too.")
    ] = True,
    epochs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How often the data are seen.")
    ] = None,
    seed: Seed = 1,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="For scoring.")] = 1,
    resume: Resume = False,
    language: Language = None,
    license: License = None,
    input_format: Format = InputFormat.CONLLU,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train tagger``."""
    from treaty.parse import Clusters, Tagger, Tokenizer

    check_writable(out)
    sentences = read_treebank(train_file, input_format)
    held_out = read_treebank(dev, input_format) if dev else []
    named = {"language": language, "license": license}
    info = {name: value for name, value in named.items() if value is not None}
    columns = [c.value for c in column or [Column.UPOS]]
    checkpoint = Path(f"{out}.checkpoint")
    own: dict[str, Any] = {} if epochs is None else {"epochs": epochs}
    common: dict[str, Any] = {"seed": seed, "resume": resume, "info": info, **own}
    with status_line("training", quiet=quiet) as update:
        tagger = Tagger.train(
            sentences,
            columns=columns,
            dev=held_out,
            clusters=Clusters.read(clusters) if clusters else None,
            kin=Clusters.read(kin) if kin else None,
            threads=threads,
            checkpoint=checkpoint,
            report=reporter(update, quiet),
            **common,
        )
        if tokenizer:
            tell = reporter(update, True)
            tagger.tokenizer = Tokenizer.train(
                sentences,
                checkpoint=checkpoint.with_name(f"{checkpoint.name}.tokenizer"),
                report=lambda *told: tell("tokenizer", *told),
                **common,
            )
        tagger.save(out)
    for name in (*columns, "tokenizer"):
        Path(f"{checkpoint}.{name}").unlink(missing_ok=True)


def read_treebank(path: str, input_format: InputFormat, *, trees: bool = False) -> list[Sentence]:
    """Read all sentences of a treebank, of which there must be some; whether all must be trees."""
    from treaty.corpus import read_conllu

    sentences = list(read_conllu(path, format=input_format.value, trees=trees))
    if not sentences:
        raise InputError("there are no sentences", path="<stdin>" if path == "-" else path)
    return sentences


def reporter(
    update: Callable[[str], None] | None, quiet: bool
) -> Callable[[str, int, int, int, Mapping[str, float] | None], None]:
    """Make what tells of progress: the line on a terminal, and a note of scores for each epoch."""

    def report(
        what: str, epoch: int, seen: int, examples: int, scores: Mapping[str, float] | None
    ) -> None:
        if update is not None:
            done = 20 * seen // max(examples, 1)
            update(f"{what}, epoch {epoch} [{'#' * done:.<20}] {seen} of {examples}")
        if scores and not quiet:
            told = ", ".join(f"{name} {100 * score:.2f}%" for name, score in scores.items())
            note(f"{what}, epoch {epoch}: {told} on dev")

    return report
