"""``treaty train labeler``: an entity labeler from column files."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli._options import (
    ORDER,
    SCHEME,
    Clusters,
    DevFile,
    Epochs,
    Info,
    Language,
    License,
    Output,
    Quiet,
    Resume,
    SchemeName,
    Seed,
    Threads,
    info_of,
)
from treaty.cli._train import CHECKPOINTS, read_examples, train_model

if TYPE_CHECKING:
    from treaty.corpus import ColumnSentence

__all__ = ["HELP", "train_labeler"]

HELP = f"""Train a labeler of entities on column files: a word a line, its label in the last column.

Labels may be BIO, IOB1, BIESO or BILOU. A chain labels each message by itself; a global model also
rewards identical phrases, in messages that share words, for identical labels. Word clusters
(path, tab, word) and lists of names (list, tab, phrase) make it much better; the model keeps them.

{CHECKPOINTS}
\b
Examples:
  treaty train labeler --train train.tsv --dev dev.tsv -o names.treaty
  treaty train labeler --train train.tsv -o names.treaty --clusters paths.tsv.xz \\
      --gazetteers lists.tsv.xz --order global
  treaty train labeler --train ned.train -o dutch.treaty --language-model none
  treaty label --model names.treaty "Ada Lovelace was born in London."

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


class LabelerOrder(StrEnum):
    """What a labeler ties."""

    CHAIN = "chain"
    GLOBAL = "global"


class Learner(StrEnum):
    """The learners of `treaty.label.train_entities`."""

    LIKELIHOOD = "likelihood"
    MIRA = "mira"
    PERCEPTRON = "perceptron"


def train_labeler(
    train_file: Annotated[
        list[str],
        typer.Option("--train", metavar="FILE", help="Examples to learn from; may be repeated."),
    ],
    output: Output,
    dev: DevFile = None,
    clusters: Clusters = None,
    gazetteers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Lists of names: list, tab, phrase.")
    ] = None,
    scheme: Annotated[SchemeName, SCHEME] = SchemeName.BIESO,
    order: Annotated[LabelerOrder, ORDER] = LabelerOrder.GLOBAL,
    learner: Annotated[
        Learner,
        typer.Option(help="likelihood: of chains. mira, perceptron: all at once, by the decoder."),
    ] = Learner.LIKELIHOOD,
    epochs: Epochs = None,
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
    threads: Threads = 1,
    resume: Resume = False,
    language: Language = None,
    license: License = None,
    info: Info = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train labeler``."""
    from treaty.label import EntityLabeler, Gazetteers
    from treaty.parse import Clusters as Paths

    model = None if language_model == "none" else language_model
    train_model(
        EntityLabeler.train,
        lambda: _read(train_file),
        lambda: _read([dev] if dev else []),
        output=output,
        quiet=quiet,
        clusters=Paths.read(clusters) if clusters else None,
        gazetteers=Gazetteers.read(gazetteers) if gazetteers else None,
        scheme=scheme.value,
        order=order.value,
        threshold=threshold,
        language_model=model,
        tags=model is not None,
        learner=learner.value,
        epochs=epochs,
        seed=seed,
        threads=threads,
        resume=resume,
        info=info_of(info, language=language, license=license),
    )


def _read(paths: Sequence[str]) -> list[ColumnSentence]:
    from treaty.corpus import read_columns

    found = [sentence for path in paths for sentence in read_examples(path, read_columns)]
    return [sentence for sentence in found if len(sentence)]
