"""``treaty train tagger``: a tagger, with tokenizer and lemmatizer, from a treebank."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from treaty.cli import _options as opt
from treaty.cli._train import CHECKPOINTS, Training, read_treebank

__all__ = ["HELP", "train_tagger"]

HELP = f"""Train a tagger, a tokenizer and a lemmatizer.

The files are CoNLL-U or CoNLL-X. --from goes on training a model with your data: its features stay,
tags and words are added. {CHECKPOINTS}
\b
Examples:
  treaty train tagger --train train.conllu --dev dev.conllu -o danish.treaty
  treaty train tagger --train train.conllu -o fine.treaty --column upos --column xpos
  treaty train tagger --from english --train mine.conllu -o mine.treaty
  treaty tag --model fine.treaty "Cats sleep. Dogs don't."
"""


class Column(StrEnum):
    """The columns of tags."""

    UPOS = "upos"
    XPOS = "xpos"
    FEATS = "feats"


def train_tagger(
    column: Annotated[
        list[Column] | None, typer.Option(help="What to learn, upos by default; may be repeated.")
    ] = None,
    from_model: opt.FromModel = None,
    clusters: opt.Clusters = None,
    vector_clusters: opt.VectorClusters = None,
    tokenizer: Annotated[
        bool, typer.Option("--tokenizer/--no-tokenizer", help="Learn to find words in text, too.")
    ] = True,
    lemmatizer: Annotated[
        bool,
        typer.Option(
            "--lemmatizer/--no-lemmatizer", help="Learn lemmas, too, if the treebank has them."
        ),
    ] = True,
    epochs: opt.Epochs = None,
    input_format: Annotated[opt.TreebankFormat | None, opt.INPUT_FORMAT] = None,
    abbreviations: opt.Abbreviations = None,
) -> Training:
    """Say what ``treaty train tagger`` does."""
    from treaty.learn import checkpoint_of
    from treaty.parse import Abbreviations, Clusters, Lemmatizer, Tagger, Tokenizer
    from treaty.parse.tags._lemmatizer import has_lemmas
    from treaty.parse.tokens._spacing import tells_spaces

    base = None if from_model is None else Tagger.load(from_model)
    tagger_options: dict[str, Any] = {
        "from_model": base,
        "columns": [c.value for c in column] if column else None,
        "clusters": Clusters.read(clusters) if clusters else None,
        "vector_clusters": Clusters.read(vector_clusters) if vector_clusters else None,
    }

    known = Abbreviations.of_file(abbreviations)

    def fit(examples: Any, dev: Any, checkpoint: Path, **options: Any) -> Tagger:
        tagger = Tagger.train(examples, dev, checkpoint=checkpoint, **tagger_options, **options)
        more: dict[str, Any]
        if tokenizer and (base is None or tells_spaces(examples)):
            kept = checkpoint_of(checkpoint, Tokenizer.task)
            more = {"from_model": base and base.tokenizer, "abbreviations": known}
            tagger.tokenizer = Tokenizer.train(examples, dev, checkpoint=kept, **more, **options)
        if lemmatizer and has_lemmas(examples):
            kept = checkpoint_of(checkpoint, Lemmatizer.task)
            more = {"from_model": base and base.lemmatizer}
            tagger.lemmatizer = Lemmatizer.train(examples, checkpoint=kept, **more, **options)
        return tagger

    read = partial(read_treebank, given=input_format, trees=False)
    return Training(fit, read, opt.chosen(epochs=epochs))
