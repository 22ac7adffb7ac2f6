"""``treaty train parser``: a parser, with all it needs to parse text, from a treebank."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from treaty.cli import _options as opt
from treaty.cli._train import CHECKPOINTS, Training, read_treebank

__all__ = ["HELP", "train_parser"]

HELP = f"""Train a parser, and all it needs, on a treebank.

The files are CoNLL-U or CoNLL-X, and every sentence of them is a tree. {CHECKPOINTS}
\b
Examples:
  treaty train parser --train train.conllu --dev dev.conllu -o danish.treaty
  treaty train parser --train train.conllu -o quick.treaty --order second --epochs 5 --threads 4
  treaty train parser --train train.conllu --dev dev.conllu -o best.treaty --jackknife 10
  treaty parse --model danish.treaty "Den lille hund sover."
"""


def train_parser(
    clusters: opt.Clusters = None,
    vector_clusters: opt.VectorClusters = None,
    order: Annotated[opt.ParserOrder, opt.ORDER] = "third",
    epochs: opt.Epochs = None,
    jackknife: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="FOLDS",
            help="Learn from tags as the tagger would predict them, too; 10 is usual.",
        ),
    ] = 0,
    bits: Annotated[
        int,
        typer.Option(
            min=8,
            max=26,
            metavar="B",
            help="Weight tables have 2^B entries at most: fewer for a smaller, poorer model.",
        ),
    ] = 23,
    bare: Annotated[
        bool, typer.Option("--bare", help="The parser alone, for input that has tags.")
    ] = False,
    input_format: Annotated[opt.TreebankFormat | None, opt.INPUT_FORMAT] = None,
    abbreviations: opt.Abbreviations = None,
) -> Training:
    """Say what ``treaty train parser`` does."""
    from treaty.parse import Abbreviations, Clusters, Pipeline

    tables = _smaller_tables(bits)
    if vector_clusters:
        tables["tagger_options"]["vector_clusters"] = Clusters.read(vector_clusters)
    tables["tokenizer_options"]["abbreviations"] = Abbreviations.of_file(abbreviations)
    options = {
        "clusters": Clusters.read(clusters) if clusters else None,
        "order": order,
        "folds": jackknife,
        "tagger": not bare,
        "tokenizer": not bare,
        "lemmatizer": not bare,
    }
    read = partial(read_treebank, given=input_format, trees=True)
    return Training(Pipeline.train, read, options | tables | opt.chosen(epochs=epochs))


def _smaller_tables(bits: int) -> dict[str, Any]:
    """Tables that usually have fewer entries than the trees' keep to that, or have fewer still."""
    from treaty.parse import Settings, _column_tagger, _tokenizer

    usual = Settings()
    return {
        "parser_bits": bits,
        "pruner_bits": min(bits, usual.pruner_bits),
        "label_bits": min(bits, usual.label_bits),
        "tagger_options": {"bits": min(bits, _column_tagger.BITS)},
        "tokenizer_options": {"bits": min(bits, _tokenizer.BITS)},
    }
