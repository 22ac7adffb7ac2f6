"""``treaty compress``: sentences in, shorter sentences out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import json_line, on_terminal, rendered
from treaty.cli._sources import SentenceFormat, grouped, instruct, read_sentences
from treaty.cli._summarize import summarizer_of

if TYPE_CHECKING:
    from treaty.corpus import Sentence
    from treaty.summarize import CompressedSentence, Summarizer

__all__ = ["HELP", "compress"]

USUAL_RATE = 0.7
AT_A_TIME = 512
"""Sentences that are parsed together."""
HELP = """Compress sentences: phrases that matter little are cut off.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, CoNLL-U, whose trees are kept, or
JSON lines of compressions; text that is cut into words, a sentence a line, is read by
--input-format tokens. A sentence a line is written.

\b
Examples:
  treaty compress "The old man, who was tired, slept in his chair by the fire."
  treaty compress letter.txt --rate 0.6 --show-cuts
  treaty compress letter.txt --words 12 --format json
  treaty compress gold.jsonl --format json -o found.jsonl && treaty evaluate gold.jsonl found.jsonl

Exit codes: 0 done, 2 usage, 3 bad input (the rest is compressed), 5 model file refused.
"""


def compress(
    sources: opt.Sources = None,
    words: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="So many are left of each, if possible.")
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, metavar="SHARE", help="The same as a share of its words; by default 0.7."
        ),
    ] = None,
    format: Annotated[opt.Format, opt.FORMAT] = "text",
    show_cuts: Annotated[bool, typer.Option("--show-cuts", help="Show what was cut.")] = False,
    output: opt.Output = "-",
    input_format: Annotated[SentenceFormat | None, opt.INPUT_FORMAT] = None,
    lines: opt.Lines = "auto",
    abbreviations: opt.Abbreviations = None,
    model: opt.Model = "summarizer",
    parser: opt.Parser = None,
    rules: opt.Rules = None,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty compress``; returns the exit code."""
    job = Job("compress", "compressing", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    summarizer = summarizer_of(model, parser, rules)
    pipeline = summarizer.pipeline
    tokenizer = None if pipeline is None else pipeline.tokenizer
    instruct(tokenizer, lines, abbreviations)
    sentences = read_sentences(given, input_format, tokenizer, job.fault)
    share = USUAL_RATE if words is None and rate is None else rate
    found = job.watched(_compressed(summarizer, sentences, words, share, threads))
    job.write(_texts(found, format, show_cuts, on_terminal(output)))
    return job.end()


def _compressed(
    summarizer: Summarizer,
    sentences: Iterator[Sentence],
    words: int | None,
    rate: float | None,
    threads: int,
) -> Iterator[CompressedSentence]:
    for some in grouped(sentences, AT_A_TIME):
        yield from summarizer.compress(some, words=words, rate=rate, threads=threads)


def _texts(
    found: Iterator[CompressedSentence], shown: opt.Format, show_cuts: bool, is_terminal: bool
) -> Iterator[str]:
    from treaty.show import cuts_terminal, cuts_text

    for sentence in found:
        if shown == "json":
            yield json_line(sentence)
        elif not show_cuts:
            yield f"{sentence.text}\n"
        elif is_terminal:
            yield rendered(cuts_terminal([sentence], origins=False)).removesuffix("\n")
        else:
            yield f"{cuts_text(sentence)}\n"
