"""``treaty compress``: sentences in, shorter sentences out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli._output import check_writable, fault, note
from treaty.cli._progress import progress
from treaty.cli._sentences import (
    InputKind,
    Quiet,
    Sources,
    Threads,
    To,
    read_sentences,
    write_texts,
)
from treaty.cli._summarize import Model, Parser, RulesFile, summarizer_of
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.summarize import CompressedSentence

__all__ = ["HELP", "compress"]

BAD_INPUT = 3
USUAL_RATE = 0.7
HELP = """Compress sentences: phrases that matter little are cut off, and nothing is made up.

SOURCES are files (also as .gz or .xz), texts of more than one word, or - for standard input, which
is read when nothing is given. Files named .conllu are CoNLL-U, whose trees are kept; others are
plain text, unless you say --input. A sentence a line is written.

\b
Examples:
  treaty compress "The old man, who was tired, slept in his chair by the fire."
  treaty compress letter.txt --rate 0.6 --show-cuts
  treaty compress letter.txt --words 12 --format json

Exit codes: 0 done, 2 usage, 3 bad input (the rest is compressed), 5 model file refused.
"""


class Format(StrEnum):
    """How sentences are written."""

    TEXT = "text"
    JSON = "json"


def compress(
    sources: Sources = None,
    words: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="So many are left of each, if possible.")
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, metavar="SHARE", help="The same as a share of its words; by default 0.7."
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="json: an object a line.")] = Format.TEXT,  # noqa: A002
    show_cuts: Annotated[bool, typer.Option("--show-cuts", help="Show what was cut.")] = False,
    to: To = "-",
    input: InputKind = None,  # noqa: A002 - what users call it
    model: Model = "summarizer",
    parser: Parser = None,
    rules: RulesFile = None,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> int:
    """Run ``treaty compress``; returns the exit code."""
    if not sources and sys.stdin.isatty():
        raise UsageError("nothing to compress: give texts or files, or - for the terminal")
    if to != "-":
        check_writable(to)
    summarizer = summarizer_of(model, parser, rules)
    faults = 0

    def report(error: InputError) -> None:
        nonlocal faults
        faults += 1
        fault(error)

    with progress("compressing", quiet=quiet or to == "-"):
        pipeline = summarizer.pipeline
        tokenizer = None if pipeline is None else pipeline.tokenizer
        sentences = [s for s in read_sentences(sources or [], input, tokenizer, report) if len(s)]
        share = USUAL_RATE if words is None and rate is None else rate
        found = summarizer.compress(sentences, words=words, rate=share, threads=threads)
        write_texts(_texts(found, format, show_cuts, is_terminal=to == "-"), to)
    if faults and not quiet:
        note(f"{faults} faulty {'part' if faults == 1 else 'parts'} of the input skipped")
    return BAD_INPUT if faults else 0


def _texts(
    found: list[CompressedSentence], shown: Format, show_cuts: bool, *, is_terminal: bool
) -> Iterator[str]:
    from treaty.show import compressed_json, cuts_terminal, cuts_text

    if shown is Format.JSON:
        yield from map(compressed_json, found)
    elif show_cuts and is_terminal and sys.stdout.isatty():
        from rich.console import Console

        console = Console(highlight=False, soft_wrap=True)
        with console.capture() as capture:
            console.print(cuts_terminal(found, origins=False), end="")
        yield capture.get()
    else:
        yield from ((cuts_text(s) if show_cuts else s.text) + "\n" for s in found)
