"""``treaty train parser``: a parser, with all it needs to parse text, from a treebank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._output import check_writable, note
from treaty.cli._parse import Order
from treaty.cli._progress import status_line
from treaty.cli._sentences import Quiet
from treaty.cli._train import (
    ClusterFile,
    Format,
    InputFormat,
    KinFile,
    Language,
    License,
    Out,
    Resume,
    Seed,
    read_treebank,
    reporter,
    train,
)

if TYPE_CHECKING:
    from treaty.parse import Pipeline

__all__ = ["train", "train_parser"]

HELP = """Train a parser on a treebank, with a tagger and a tokenizer, so that it can parse text.

After each epoch the state is kept beside the model (FILE.checkpoint...): --resume goes on from
there, to the same model as if nothing had happened.

\b
Examples:
  treaty train parser --train train.conllu --dev dev.conllu --out danish.treaty
  treaty train parser --train train.conllu --out quick.treaty --order second --epochs 5 --threads 4
  treaty train parser --train train.conllu --dev dev.conllu --out best.treaty --jackknife 10
  treaty parse --model danish.treaty "Den lille hund sover."

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


@train.command("parser", help=HELP)
def train_parser(
    train_file: Annotated[
        str, typer.Option("--train", metavar="FILE", help="Trees to learn from.")
    ],
    out: Out,
    dev: Annotated[str | None, typer.Option(metavar="FILE", help="Trees to score on.")] = None,
    clusters: ClusterFile = None,
    kin: KinFile = None,
    order: Annotated[
        Order, typer.Option(help="Higher orders are slower and more accurate.")
    ] = Order.THIRD,
    epochs: Annotated[
        int, typer.Option(min=1, metavar="N", help="How often the trees are seen.")
    ] = 10,
    seed: Seed = 1,
    threads: Annotated[
        int, typer.Option(min=1, metavar="N", help="The model does not depend on it.")
    ] = 1,
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
    input_format: Format = InputFormat.CONLLU,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train parser``."""
    from treaty.parse import Clusters, Pipeline

    check_writable(out)
    sentences = read_treebank(train_file, input_format, trees=True)
    held_out = read_treebank(dev, input_format, trees=True) if dev else []
    named = {"language": language, "license": license}
    checkpoint = Path(f"{out}.checkpoint")
    options: dict[str, Any] = {
        "clusters": Clusters.read(clusters) if clusters else None,
        "order": order.value,
        "epochs": epochs,
        "seed": seed,
        "threads": threads,
        "resume": resume,
        "folds": jackknife,
        "parser_bits": bits,
        **_smaller_tables(bits),
        "tagger": not bare,
        "tokenizer": not bare,
        "info": {name: value for name, value in named.items() if value is not None},
    }
    if kin:
        options["tagger_options"]["kin"] = Clusters.read(kin)
    with status_line("training", quiet=quiet) as update:
        report = reporter(update, quiet)
        made = Pipeline.train(sentences, held_out, checkpoint=checkpoint, report=report, **options)
        made.save(out)
    for path in list(checkpoint.parent.iterdir()):
        if path.name.startswith(f"{checkpoint.name}."):
            path.unlink()
    _tell(made, quiet)


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


def _tell(made: Pipeline, quiet: bool) -> None:
    scores = {**made.parser.info.get("dev", {}), **made.info.get("dev", {})}
    if scores and not quiet:
        for name, score in scores.items():
            note(f"{name}: {score:.4f}")
