"""``treaty train summarizer``: a summarizer from collections with human summaries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from treaty.cli._output import check_writable
from treaty.cli._progress import status_line
from treaty.cli._sentences import Quiet
from treaty.cli._train import Language, License, Out, Resume, Seed, reporter, train
from treaty.errors import InputError

__all__ = ["train_summarizer"]

HELP = """Train a summarizer on collections with human summaries (JSONL).

A line of --train has 'documents' and 'references', as 'treaty summarize' reads them; a line of
--compressions has 'source_tokens' and 'keep', a 1 or 0 for each. Three tasks that share weights are
learned at once: compressive and extractive summaries, and compressions. After each epoch the state
is kept beside the model (FILE.checkpoint): --resume goes on from there, to the same model as if
nothing had happened.

\b
Examples:
  treaty train summarizer --train topics.jsonl --compressions short.jsonl --out news.treaty
  treaty train summarizer --train sujets.jsonl --language fr --out french.treaty

Exit codes: 0 done, 2 usage, 3 bad input, 5 checkpoint refused.
"""


@train.command("summarizer", help=HELP)
def train_summarizer(
    train_file: Annotated[
        str, typer.Option("--train", metavar="FILE", help="Collections with references.")
    ],
    out: Out,
    compressions: Annotated[
        str | None, typer.Option(metavar="FILE", help="Sentences and what is kept of them.")
    ] = None,
    words: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Of summaries; by default as the references have."),
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A parser's model; by default the language's, if any."),
    ] = None,
    parts: Annotated[
        int, typer.Option(min=1, metavar="N", help="Small problems to draw from each collection.")
    ] = 25,
    epochs: Annotated[
        int, typer.Option(min=1, metavar="N", help="How often the examples are seen.")
    ] = 3,
    seed: Seed = 1,
    resume: Resume = False,
    language: Language = None,
    license: License = None,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty train summarizer``."""
    from treaty.corpus import read_collections, read_compressions
    from treaty.summarize import LearningSettings, Summarizer, save_summarizer
    from treaty.summarize import train_summarizer as learn

    check_writable(out)
    collections = [c for c in read_collections(train_file) if c.references]
    if not collections:
        raise InputError(
            "there are no collections with references",
            path="<stdin>" if train_file == "-" else train_file,
        )
    sentences = list(read_compressions(compressions)) if compressions else []
    spoken = language or next((c.language for c in collections if c.language), None) or "en"
    summarizer = Summarizer(language=spoken, concepts="all bigrams")
    if parser is not None:
        summarizer = replace(summarizer, parser=parser)
    checkpoint = Path(f"{out}.checkpoint")
    with status_line("training", quiet=quiet) as update:
        tell = reporter(update, quiet)
        found = learn(
            collections,
            sentences,
            summarizer=summarizer,
            words=words,
            settings=LearningSettings(parts=parts, epochs=epochs, seed=seed),
            checkpoint=checkpoint,
            resume=resume,
            report=lambda *told: tell("summaries", *told),
            info={} if license is None else {"license": license},
        )
        save_summarizer(found, out)
    checkpoint.unlink(missing_ok=True)
