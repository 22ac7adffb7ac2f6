"""``treaty train tagger``: a tagger, and a tokenizer with it, from a treebank."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from treaty.cli._options import (
    INPUT_FORMAT,
    Clusters,
    DevFile,
    Epochs,
    Info,
    Language,
    License,
    Output,
    Quiet,
    Resume,
    Seed,
    Threads,
    TrainFile,
    Treebank,
    VectorClusters,
    info_of,
)
from treaty.cli._train import CHECKPOINTS, read_treebank, train_model

__all__ = ["HELP", "train_tagger"]

HELP = f"""Train a tagger, and a tokenizer with it, on a treebank (CoNLL-U or CoNLL-X).

{CHECKPOINTS}
\b
Examples:
  treaty train tagger --train train.conllu --dev dev.conllu -o danish.treaty
  treaty train tagger --train train.conllu -o fine.treaty --column upos --column xpos
  treaty tag --model fine.treaty "Cats sleep. Dogs don't."

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


class Column(StrEnum):
    """The columns of tags."""

    UPOS = "upos"
    XPOS = "xpos"
    FEATS = "feats"


def train_tagger(
    train_file: TrainFile,
    output: Output,
    dev: DevFile = None,
    column: Annotated[
        list[Column] | None, typer.Option(help="What to learn, upos by default; may be repeated.")
    ] = None,
    clusters: Clusters = None,
    vector_clusters: VectorClusters = None,
    tokenizer: Annotated[
        bool, typer.Option("--tokenizer/--no-tokenizer", help="Learn to find words in text, too.")
    ] = True,
    epochs: Epochs = None,
    seed: Seed = 1,
    threads: Threads = 1,
    resume: Resume = False,
    language: Language = None,
    license: License = None,
    info: Info = None,
    input_format: Annotated[Treebank | None, INPUT_FORMAT] = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train tagger``."""
    from treaty.learn import checkpoint_of
    from treaty.parse import Clusters as Paths
    from treaty.parse import Tagger, Tokenizer

    own: dict[str, Any] = {
        "columns": [c.value for c in column or [Column.UPOS]],
        "clusters": Paths.read(clusters) if clusters else None,
        "vector_clusters": Paths.read(vector_clusters) if vector_clusters else None,
    }

    def fit(*data: Any, checkpoint: Path, **options: Any) -> Tagger:
        tagger = Tagger.train(*data, checkpoint=checkpoint, **own, **options)
        if tokenizer:
            kept = checkpoint_of(checkpoint, Tokenizer.task)
            tagger.tokenizer = Tokenizer.train(*data, checkpoint=kept, **options)
        return tagger

    train_model(
        fit,
        lambda: read_treebank(train_file, input_format),
        lambda: read_treebank(dev, input_format),
        output=output,
        quiet=quiet,
        seed=seed,
        threads=threads,
        resume=resume,
        info=info_of(info, language=language, license=license),
        **({} if epochs is None else {"epochs": epochs}),
    )
