"""``treaty train parser``: a parser, with all it needs to parse text, from a treebank."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from treaty.cli import _options as opt
from treaty.cli._train import CHECKPOINTS, Training, read_treebank
from treaty.errors import UsageError

__all__ = ["HELP", "train_parser"]

HELP = f"""Train a parser, and all it needs, on a treebank.

The files are CoNLL-U or CoNLL-X, and every sentence of them is a tree. --from goes on training a
model with your data: its features and settings stay, labels, tags and words are added.
{CHECKPOINTS}
\b
Examples:
  treaty train parser --train train.conllu --dev dev.conllu -o danish.treaty
  treaty train parser --train train.conllu -o quick.treaty --order second --epochs 5 --threads 4
  treaty train parser --train train.conllu --dev dev.conllu -o best.treaty --jackknife 10
  treaty train parser --from english --train mine.conllu --dev dev.conllu -o mine.treaty
  treaty parse --model danish.treaty "Den lille hund sover."
"""


def train_parser(
    clusters: opt.Clusters = None,
    vector_clusters: opt.VectorClusters = None,
    from_model: opt.FromModel = None,
    order: Annotated[opt.ParserOrder | None, opt.ORDER] = None,
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
        int | None,
        typer.Option(
            min=8,
            max=26,
            metavar="B",
            help="Weight tables have 2^B entries at most (23): fewer for a smaller, poorer model.",
        ),
    ] = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="The parser alone, for input that has tags.")
    ] = False,
    input_format: Annotated[opt.TreebankFormat | None, opt.INPUT_FORMAT] = None,
    abbreviations: opt.Abbreviations = None,
) -> Training:
    """Say what ``treaty train parser`` does."""
    from treaty.parse import Abbreviations, Clusters, Pipeline

    base = None if from_model is None else Pipeline.load(from_model)
    if base is not None:
        _check_options(clusters=clusters, vector_clusters=vector_clusters, bits=bits, order=order)
    tables = _smaller_tables(23 if bits is None else bits) if base is None else _usual_tables()
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
        "from_model": base,
    }
    read = partial(read_treebank, given=input_format, trees=True)
    return Training(Pipeline.train, read, options | tables | opt.chosen(epochs=epochs))


def _usual_tables() -> dict[str, Any]:
    return {"tagger_options": {}, "tokenizer_options": {}}


def _check_options(**given: object) -> None:
    """Refuse options that the model to go on from has settled."""
    for name, value in given.items():
        if value is not None:
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag} does not go with --from: the model has its own")


def _smaller_tables(bits: int) -> dict[str, Any]:
    """Tables that usually have fewer entries than the trees' keep to that, or have fewer still."""
    from treaty.parse import Settings
    from treaty.parse.tags import _column_tagger
    from treaty.parse.tokens import _tokenizer

    usual = Settings()
    return {
        "parser_bits": bits,
        "pruner_bits": min(bits, usual.pruner_bits),
        "label_bits": min(bits, usual.label_bits),
        "tagger_options": {"bits": min(bits, _column_tagger.BITS)},
        "tokenizer_options": {"bits": min(bits, _tokenizer.BITS)},
    }
