"""``treaty train summarizer``: a summarizer from collections with human summaries."""

from __future__ import annotations

from typing import Annotated

import typer

from treaty.cli import _options as opt
from treaty.cli._train import CHECKPOINTS, Training

__all__ = ["HELP", "train_summarizer"]

HELP = f"""Train a summarizer on collections with human summaries.

The files are JSON lines. A line has 'documents' and 'references', as 'treaty summarize' reads them;
or it is a sentence and what is left of it, 'source_tokens' and 'keep', a 1 or 0 for each. Three
tasks that share weights are learned at once: compressive and extractive summaries, and
compressions.

{CHECKPOINTS}
\b
Examples:
  treaty train summarizer --train topics.jsonl --train short.jsonl -o news.treaty
  treaty train summarizer --train sujets.jsonl --language fr -o french.treaty
  treaty summarize articles/ --model news.treaty
"""


def train_summarizer(
    words: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Of summaries; by default as the references have."),
    ] = None,
    parser: opt.Parser = None,
    parts: Annotated[
        int, typer.Option(min=1, metavar="N", help="Small problems to draw from each collection.")
    ] = 25,
    epochs: opt.Epochs = None,
    language: opt.Language = None,
) -> Training:
    """Say what ``treaty train summarizer`` does."""
    from treaty.summarize import Summarizer

    options = opt.chosen(words=words, parser=parser, parts=parts, epochs=epochs, language=language)
    return Training(Summarizer.train, Summarizer.read, options)
