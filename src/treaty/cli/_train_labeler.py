"""``treaty train labeler``: an entity labeler from column files."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from treaty.cli import _options as opt
from treaty.cli._train import CHECKPOINTS, Training

__all__ = ["HELP", "train_labeler"]

HELP = f"""Train a labeler of entities on column files.

The files have a word a line, its label in the last column; labels may be BIO, IOB1, BIESO or BILOU.
A chain labels each message by itself; a global model also rewards identical phrases, in messages
that share words, for identical labels. Word clusters (path, tab, word) and lists of names (list,
tab, phrase) make it much better; the model keeps them.

{CHECKPOINTS}
\b
Examples:
  treaty train labeler --train train.tsv --dev dev.tsv -o names.treaty
  treaty train labeler --train train.tsv -o names.treaty --clusters paths.tsv.xz \\
      --gazetteers lists.tsv.xz --order global
  treaty train labeler --train ned.train -o dutch.treaty --language-model none
  treaty label --model names.treaty "Ada Lovelace was born in London."
"""


def train_labeler(
    clusters: opt.Clusters = None,
    gazetteers: Annotated[
        str | None, typer.Option(metavar="FILE", help="Lists of names: list, tab, phrase.")
    ] = None,
    scheme: Annotated[opt.Scheme, opt.SCHEME] = "BIESO",
    order: Annotated[Literal["chain", "global"], opt.ORDER] = "global",
    learner: Annotated[
        Literal["likelihood", "mira", "perceptron"],
        typer.Option(help="likelihood: of chains. mira, perceptron: all at once, by the decoder."),
    ] = "likelihood",
    epochs: opt.Epochs = None,
    shared_words: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Messages that share more words form a group."),
    ] = 0,
    language_model: Annotated[
        str,
        typer.Option(
            metavar="MODEL", help="Tags words and finds those of texts: english, a file, or none."
        ),
    ] = "english",
) -> Training:
    """Say what ``treaty train labeler`` does."""
    from treaty.label import EntityLabeler, Gazetteers
    from treaty.parse import Clusters

    model = None if language_model == "none" else language_model
    options = {
        "clusters": Clusters.read(clusters) if clusters else None,
        "gazetteers": Gazetteers.read(gazetteers) if gazetteers else None,
        "scheme": scheme,
        "order": order,
        "threshold": shared_words,
        "language_model": model,
        "tags": model is not None,
        "learner": learner,
        "epochs": epochs,
    }
    return Training(EntityLabeler.train, EntityLabeler.read, options)
