"""``treaty train parser``: a parser, with all it needs to parse text, from a treebank."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from treaty.cli._options import (
    INPUT_FORMAT,
    ORDER,
    Clusters,
    DevFile,
    Epochs,
    Info,
    Language,
    License,
    Output,
    ParserOrder,
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

__all__ = ["HELP", "train_parser"]

HELP = f"""Train a parser on a treebank, with a tagger and a tokenizer, so that it can parse text.

The files are CoNLL-U or CoNLL-X, and every sentence of them is a tree. {CHECKPOINTS}
\b
Examples:
  treaty train parser --train train.conllu --dev dev.conllu -o danish.treaty
  treaty train parser --train train.conllu -o quick.treaty --order second --epochs 5 --threads 4
  treaty train parser --train train.conllu --dev dev.conllu -o best.treaty --jackknife 10
  treaty parse --model danish.treaty "Den lille hund sover."

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


def train_parser(
    train_file: TrainFile,
    output: Output,
    dev: DevFile = None,
    clusters: Clusters = None,
    vector_clusters: VectorClusters = None,
    order: Annotated[ParserOrder, ORDER] = ParserOrder.THIRD,
    epochs: Epochs = None,
    seed: Seed = 1,
    threads: Threads = 1,
    resume: Resume = False,
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
    language: Language = None,
    license: License = None,
    info: Info = None,
    input_format: Annotated[Treebank | None, INPUT_FORMAT] = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train parser``."""
    from treaty.parse import Clusters as Paths
    from treaty.parse import Pipeline

    tables = _smaller_tables(bits)
    if vector_clusters:
        tables["tagger_options"]["vector_clusters"] = Paths.read(vector_clusters)
    train_model(
        Pipeline.train,
        lambda: read_treebank(train_file, input_format, trees=True),
        lambda: read_treebank(dev, input_format, trees=True),
        output=output,
        quiet=quiet,
        clusters=Paths.read(clusters) if clusters else None,
        order=order.value,
        seed=seed,
        threads=threads,
        resume=resume,
        folds=jackknife,
        parser_bits=bits,
        tagger=not bare,
        tokenizer=not bare,
        info=info_of(info, language=language, license=license),
        **tables,
        **({} if epochs is None else {"epochs": epochs}),
    )


def _smaller_tables(bits: int) -> dict[str, Any]:
    """Tables that usually have fewer entries than the trees' keep to that, or have fewer still."""
    from treaty.parse import Settings, _tagger, _tokenizer

    usual = Settings()
    return {
        "pruner_bits": min(bits, usual.pruner_bits),
        "label_bits": min(bits, usual.label_bits),
        "tagger_options": {"bits": min(bits, _tagger.BITS)},
        "tokenizer_options": {"bits": min(bits, _tokenizer.BITS)},
    }
