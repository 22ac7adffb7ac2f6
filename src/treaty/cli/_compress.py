"""``treaty compress``: sentences in, shorter sentences out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import STOPPED, json_line, note, on_terminal, rendered
from treaty.cli._sources import SentenceFormat, grouped, instruct, read_sentences
from treaty.cli._summarize import summarizer_of

if TYPE_CHECKING:
    from treaty.corpus import Sentence
    from treaty.summarize import CompressedSentence, Summarizer

__all__ = ["HELP", "compress"]

USUAL_RATE = 0.7
"""Share of words that bold cuts leave; fewer do not count as a limit that the user has set."""
AT_A_TIME = 512
"""Sentences that are parsed together."""
HELP = """Compress sentences: phrases that can be spared are cut off.

Only cuts are made that leave what the source says: connectives, comments, appositions, relative
clauses that are set off, times and places of what has happened, and so on. What carries the meaning
stays, such as conditions, exceptions, what is negated, and what a verb needs. --short cuts more.
Every compressed sentence is parsed again, and cuts that change its structure are taken back.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, CoNLL-U, whose trees are kept, or
JSON lines of compressions; text that is cut into words, a sentence a line, is read by
--input-format tokens. A sentence a line is written.

\b
Examples:
  treaty compress "The old man, who was tired, slept in his chair by the fire."
  treaty compress letter.txt --rate 0.6 --show-cuts
  treaty compress letter.txt --words 12 --short --format json
  treaty compress gold.jsonl --format json -o found.jsonl && treaty evaluate gold.jsonl found.jsonl

Exit codes: 0 done, 2 usage, 3 bad input (the rest is compressed), 4 some sentences are longer than
asked for, 5 model file refused.
"""


def compress(
    sources: opt.Sources = None,
    words: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="So many are left of each, if cuts allow it."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="The same as a share; by default all that is safe is cut, with --short to 0.7.",
        ),
    ] = None,
    short: opt.Short = False,
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
    usual = USUAL_RATE if words is None and rate is None and short else rate
    options = {"words": words, "rate": usual, "cuts": "short" if short else "safe"}
    found = _Counted(_compressed(summarizer, sentences, threads, options), words, rate)
    job.write(_texts(job.watched(found), format, show_cuts, on_terminal(output)))
    code = job.end()
    if found.longer and not quiet:
        more = "the rules forbid more" if short else "more would not be safe (--short cuts more)"
        note(f"{found.longer:,} of {found.total:,} are longer than asked for: {more}")
    return code or (STOPPED if found.longer else 0)


class _Counted:
    """Sentences as they come, of which those that are longer than asked for are counted."""

    def __init__(
        self, found: Iterator[CompressedSentence], words: int | None, rate: float | None
    ) -> None:
        self.found, self.words, self.rate = found, words, rate
        self.longer = self.total = 0

    def __iter__(self) -> Iterator[CompressedSentence]:
        for sentence in self.found:
            limits = [self.words] if self.words is not None else []
            limits += [] if self.rate is None else [round(self.rate * sentence.source_words)]
            self.total += 1
            self.longer += any(sentence.words > limit for limit in limits)
            yield sentence


def _compressed(
    summarizer: Summarizer,
    sentences: Iterator[Sentence],
    threads: int,
    options: dict[str, Any],
) -> Iterator[CompressedSentence]:
    for some in grouped(sentences, AT_A_TIME):
        yield from summarizer.compress(some, threads=threads, **options)


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
