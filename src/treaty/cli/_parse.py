"""``treaty parse``: trees for the sentences of texts."""

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
    as_json,
    read_sentences,
    write_texts,
)
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.parse import Parse

__all__ = ["HELP", "parse"]

BAD_INPUT = 3
HELP = """Parse texts: words, tags, and a dependency tree for every sentence, with a certificate.

SOURCES are files (also as .gz or .xz), texts of more than one word, or - for standard input, which
is read when nothing is given. Files named .conllu are CoNLL-U, others plain text, unless you say
--input. The tree is drawn on a terminal; elsewhere results are CoNLL-U, unless you say --output.

Every tree comes with its status (OPTIMAL: proved to be the model's best) and its gap (how far from
the best it can be). The new tree takes the place of one in the input, and so an enhanced graph
(DEPS, empty nodes) is left out. A faulty sentence is reported and skipped.

\b
Examples:
  treaty parse "Cats sleep. Dogs don't."
  treaty parse letter.txt --output svg > letter.svg
  treaty parse letter.txt -o letter.conllu --threads 4
  treaty parse test.conllu --model danish.treaty | treaty evaluate test.conllu -
  echo "Cats sleep ." | treaty parse --input tokens --output json

Exit codes: 0 done, 2 usage, 3 bad input (the rest is parsed), 5 model file refused.
"""


class Output(StrEnum):
    """How trees are written."""

    CONLLU = "conllu"
    JSON = "json"
    SVG = "svg"
    TREE = "tree"


class Order(StrEnum):
    """The orders of `treaty.parse.ORDERS`, which is costly to import."""

    FIRST = "first"
    SECOND = "second"
    SECOND_PLUS = "second+"
    THIRD = "third"


class Tags(StrEnum):
    """What happens to tags that are there."""

    KEEP = "keep"
    PREDICT = "predict"


def parse(
    sources: Sources = None,
    model: Annotated[
        str,
        typer.Option(metavar="MODEL", help="english, or a file from 'treaty train parser'."),
    ] = "english",
    input: InputKind = None,  # noqa: A002 - what users call it
    output: Annotated[
        Output | None,
        typer.Option(help="json: an object a line. svg: one drawing of all trees."),
    ] = None,
    to: To = "-",
    order: Annotated[
        Order | None,
        typer.Option(help="A lower order than the model's is faster and less accurate."),
    ] = None,
    projective: Annotated[
        bool, typer.Option("--projective", help="No crossing arcs (with --order first).")
    ] = False,
    tags: Annotated[
        Tags,
        typer.Option(help="Whether sentences that have tags keep them; others get some anyway."),
    ] = Tags.KEEP,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> int:
    """Run ``treaty parse``; returns the exit code."""
    from treaty.parse import Pipeline

    if not sources and sys.stdin.isatty():
        raise UsageError("nothing to parse: give texts or files, or - for the terminal")
    if to != "-":
        check_writable(to)
    shown = output or (Output.TREE if to == "-" and sys.stdout.isatty() else Output.CONLLU)
    pipeline = Pipeline.load(model)
    if pipeline.tagger is None and not quiet:
        note("the model has no tagger: words keep the tags of the input, or have none")
    faults = 0

    def report(error: InputError) -> None:
        nonlocal faults
        faults += 1
        fault(error)

    with progress("parsing", quiet=quiet or to == "-"):
        sentences = read_sentences(sources or [], input, pipeline.tokenizer, report)
        parses = pipeline.parse_sentences(
            (sentence for sentence in sentences if len(sentence)),
            tags=tags.value,
            order=order and order.value,
            projective=projective,
            threads=threads,
        )
        write_texts(_texts(parses, shown), to)
    if faults and not quiet:
        note(f"{faults} faulty {'part' if faults == 1 else 'parts'} of the input skipped")
    return BAD_INPUT if faults else 0


def _texts(parses: Iterator[Parse], output: Output) -> Iterator[str]:
    from treaty.parse import certified
    from treaty.show import tree_svg, tree_text

    if output is Output.SVG:
        every = list(parses)
        if every:
            yield tree_svg([parse.sentence for parse in every], certificates=every)
        return
    encoding = sys.stdout.encoding or "utf-8"
    for parse in parses:
        if output is Output.TREE:
            yield tree_text(parse.sentence, encoding=encoding, certificate=parse) + "\n"
        elif output is Output.JSON:
            yield as_json(
                parse.sentence,
                status=parse.status,
                gap=round(parse.gap, 6),
                objective=round(parse.objective, 6),
                bound=round(parse.bound, 6),
            )
        else:
            yield certified(parse).to_conllu()
