"""``treaty train labeler``: an entity labeler from column files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli._label import SchemeName
from treaty.cli._output import check_writable
from treaty.cli._progress import status_line
from treaty.cli._sentences import Quiet
from treaty.cli._train import (
    ClusterFile,
    Language,
    License,
    Out,
    Resume,
    Seed,
    reporter,
    train,
)
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import ColumnSentence

__all__ = ["train_labeler"]

HELP = """Train a labeler of entities on column files: a word a line, its label in the last column.

Labels may be BIO, IOB1, BIESO or BILOU. A chain labels each message by itself; a global model also
rewards identical phrases, in messages that share words, for identical labels. Word clusters
(path, tab, word) and lists of names (list, tab, phrase) make it much better; the model keeps them.

After each epoch the state is kept beside the model (FILE.checkpoint): --resume goes on from there,
to the same model as if nothing had happened.

\b
Examples:
  treaty train labeler --train train.tsv --dev dev.tsv --out names.treaty
  treaty train labeler --train train.tsv --out names.treaty --clusters paths.tsv.xz \\
      --gazetteers lists.tsv.xz --order global
  treaty train labeler --train ned.train --out dutch.treaty --language-model none
  treaty label --model names.treaty "Ada Lovelace was born in London."

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


class Order(StrEnum):
    """The orders of `treaty.label.ORDERS`, which is costly to import."""

    CHAIN = "chain"
    GLOBAL = "global"


class Learner(StrEnum):
    """How weights are learned."""

    LIKELIHOOD = "likelihood"
    MIRA = "mira"
    PERCEPTRON = "perceptron"


@train.command("labeler", help=HELP)
def train_labeler(
    train_file: Annotated[
        list[str], typer.Option("--train", metavar="FILE", help="Labels to learn from; repeatable.")
    ],
    out: Out,
    dev: Annotated[str | None, typer.Option(metavar="FILE", help="Labels to score on.")] = None,
    clusters: ClusterFile = None,
    gazetteers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Lists of names: list, tab, phrase.")
    ] = None,
    scheme: Annotated[
        SchemeName, typer.Option(help="The labels the model has inside.")
    ] = SchemeName.BIESO,
    order: Annotated[Order, typer.Option(help="What is tied.")] = Order.GLOBAL,
    learner: Annotated[
        Learner,
        typer.Option(help="likelihood: of chains. mira, perceptron: all at once, by the decoder."),
    ] = Learner.LIKELIHOOD,
    epochs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How often the data are seen.")
    ] = None,
    threshold: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Messages that share more words form a group."),
    ] = 0,
    language_model: Annotated[
        str,
        typer.Option(
            metavar="MODEL", help="Tags words and finds those of texts: english, a file, or none."
        ),
    ] = "english",
    seed: Seed = 1,
    threads: Annotated[
        int, typer.Option(min=1, metavar="N", help="The model does not depend on it.")
    ] = 1,
    resume: Resume = False,
    language: Language = None,
    license: License = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train labeler``."""
    from treaty.label import EntityLabeler, Gazetteers
    from treaty.parse import Clusters

    check_writable(out)
    sentences = [sentence for path in train_file for sentence in _read(path)]
    held_out = _read(dev) if dev else []
    model = None if language_model == "none" else language_model
    named = {"language": language, "license": license}
    checkpoint = Path(f"{out}.checkpoint")
    with status_line("training", quiet=quiet) as update:
        tell = reporter(update, quiet)
        labeler = EntityLabeler.train(
            sentences,
            held_out,
            clusters=Clusters.read(clusters) if clusters else None,
            gazetteers=Gazetteers.read(gazetteers) if gazetteers else None,
            scheme=scheme.value,
            order=order.value,
            threshold=threshold,
            language_model=model,
            tags=model is not None,
            seed=seed,
            threads=threads,
            checkpoint=checkpoint,
            resume=resume,
            report=lambda *told: tell("labeler", *told),
            info={name: value for name, value in named.items() if value is not None},
            learner=learner.value,
            epochs=epochs,
        )
        labeler.save(out)
    checkpoint.unlink(missing_ok=True)


def _read(path: str) -> list[ColumnSentence]:
    from treaty.corpus import read_columns

    sentences = [sentence for sentence in read_columns(path) if len(sentence)]
    if not sentences:
        raise InputError("there are no sentences", path="<stdin>" if path == "-" else path)
    return sentences
