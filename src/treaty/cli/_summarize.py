"""``treaty summarize``: documents in, a short text out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._output import check_writable, fault, note
from treaty.cli._progress import progress
from treaty.cli._sentences import Quiet, Threads, To, write_texts
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.corpus import Collection
    from treaty.summarize import Digest, Summarizer

__all__ = ["HELP", "Language", "Model", "Parser", "RulesFile", "summarize", "summarizer_of"]

STOPPED, BAD_INPUT = 4, 3
HELP = """Summarize documents: sentences chosen and compressed, and nothing made up.

FILES are texts or pages of HTML (also as .gz or .xz), folders of them, or - for standard input,
which is read when nothing is given: together they are the documents of one topic. Files named
.jsonl hold a collection a line, and each gets a summary.

Every word of the summary stands in the documents, and --show-cuts, json and html say where. The
summary comes with its certificate: how much better the best one within the limits could be.

\b
Examples:
  treaty summarize articles/
  treaty summarize a.txt b.html --words 50 --show-cuts
  treaty summarize articles/ --format html > summary.html
  treaty summarize topics.jsonl --words 250 --format json -o found.jsonl
  treaty summarize nouvelles.txt --language fr

Exit codes: 0 done, 2 usage, 3 bad input (other collections are summarized), 4 stopped at a limit, 5
model file refused.
"""


class Mode(StrEnum):
    """What is done to sentences."""

    COMPRESSIVE = "compressive"
    EXTRACTIVE = "extractive"


class Solver(StrEnum):
    """The solvers of `treaty.summarize.decode`."""

    AD3 = "ad3"
    ILP = "ilp"
    LP = "lp"
    EXACT = "exact"


class Format(StrEnum):
    """How summaries are written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


class InputKind(StrEnum):
    """What is read."""

    TEXT = "text"
    HTML = "html"
    JSONL = "jsonl"


Model = Annotated[
    str,
    typer.Option(
        metavar="MODEL",
        help="summarizer, a file from 'treaty train summarizer', or simple: counts, and no model.",
    ),
]
Parser = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="What parses sentences; needed for other languages."),
]
Language = Annotated[
    str | None, typer.Option(metavar="CODE", help="Of the documents, such as fr; by default en.")
]
RulesFile = Annotated[
    str | None, typer.Option(metavar="FILE", help="What is never cut, as TOML; see the reference.")
]


def summarize(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILES]...", help="Documents, folders or -.")
    ] = None,
    words: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many words there may be.")
    ] = 100,
    sentences: Annotated[
        int | None,
        typer.Option(min=0, metavar="K", help="How many sentences; by default 6, or words / 18."),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(help="Whether phrases are cut off; by default so, if there is a parser."),
    ] = None,
    solver: Annotated[Solver, typer.Option(help="ilp and exact prove the optimum.")] = Solver.AD3,
    iterations: Annotated[int, typer.Option(min=0, metavar="N", help="Of ad3, at most.")] = 1000,
    time_limit: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="For the solver.")
    ] = None,
    format: Annotated[  # noqa: A002 - what users call it
        Format, typer.Option(help="json: an object a line. html: a page that shows the cuts.")
    ] = Format.TEXT,
    show_cuts: Annotated[
        bool, typer.Option("--show-cuts", help="Show what was cut, and where sentences stand.")
    ] = False,
    to: To = "-",
    input: Annotated[  # noqa: A002 - what users call it
        InputKind | None, typer.Option(help="What files hold, if not what their names say.")
    ] = None,
    language: Language = None,
    model: Model = "summarizer",
    parser: Parser = None,
    rules: RulesFile = None,
    concepts: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="unigrams, bigrams, trigrams, k, or a file with a phrase a line; by default the "
            "model's.",
        ),
    ] = None,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> int:
    """Run ``treaty summarize``; returns the exit code."""
    if not files and sys.stdin.isatty():
        raise UsageError("nothing to summarize: give files or folders, or - for the terminal")
    if to != "-":
        check_writable(to)
    summarizer = summarizer_of(model, parser, rules)
    options: dict[str, Any] = {
        "words": words,
        "sentences": "auto" if sentences is None else sentences,
        "mode": mode and mode.value,
        "solver": solver.value,
        "iterations": iterations,
        "time_limit": time_limit,
        "threads": threads,
    }
    stopped, faults = False, 0

    def report(error: InputError) -> None:
        nonlocal faults
        faults += 1
        fault(error)

    def digests() -> Iterator[Digest]:
        nonlocal stopped
        for collection in _collections(files or ["-"], input, report):
            spoken = language or collection.language or "en"
            kind = _concepts(concepts, spoken) if concepts else summarizer.concepts
            own = replace(summarizer, language=spoken, concepts=kind)
            try:
                digest = own.summarize(collection, **options)
            except InputError as error:
                report(error)
                continue
            stopped = stopped or (time_limit is not None and digest.status.value == "FEASIBLE")
            if not digest.sentences and not quiet:
                note(f"no sentence fits within {words} words: the summary is empty")
            yield digest

    with progress("summarizing", quiet=quiet or to == "-"):
        write_texts(_texts(digests(), format, show_cuts, is_terminal=to == "-"), to)
    return BAD_INPUT if faults else STOPPED if stopped else 0


def summarizer_of(model: str, parser: str | None, rules: str | None) -> Summarizer:
    """Load a summarizer, with another parser and other rules if they are given."""
    from treaty.summarize import Rules, SimpleScorer, Summarizer, load_summarizer

    found = Summarizer(SimpleScorer()) if model == "simple" else load_summarizer(model)
    if parser is not None:
        found = replace(found, parser=parser)
    return found if rules is None else replace(found, rules=Rules.load(rules))


def _collections(
    files: list[str], kind: InputKind | None, on_error: Callable[[InputError], object]
) -> Iterator[Collection]:
    """Read files as the documents of one topic, and each line of JSONL as one of its own."""
    from treaty.corpus import read_articles, read_collections

    lines = [f for f in files if kind is InputKind.JSONL or (kind is None and _is_jsonl(f))]
    for path in lines:
        with_content = False
        for collection in read_collections(path, on_error=on_error):
            with_content = True
            yield collection
        if not with_content:
            on_error(InputError("there is no collection: expected one a line", path=path))
    others = [file for file in files if file not in lines]
    if others:
        is_html = kind is InputKind.HTML
        yield read_articles(others, format="html" if is_html else "text" if kind else None)


def _is_jsonl(path: str) -> bool:
    return path.removesuffix(".gz").removesuffix(".xz").endswith(".jsonl")


def _concepts(given: str, language: str) -> Any:
    """Make concepts of what the user says: a name, a number, or a file of phrases."""
    from treaty.corpus import stemmer
    from treaty.corpus._lines import Lines
    from treaty.summarize import phrases

    if given.isdecimal():
        return int(given)
    if given in ("unigrams", "bigrams", "trigrams"):
        return given
    lines = [line for line in Lines(given) if line.strip()]
    if not lines:
        raise InputError("the file is empty: expected a phrase a line", path=given)
    return phrases(lines, stemmer(language))


def _texts(
    digests: Iterator[Digest], shown: Format, show_cuts: bool, *, is_terminal: bool
) -> Iterator[str]:
    from treaty.show import cuts_text, summary_html, summary_json, summary_note

    if shown is Format.HTML:
        every = list(digests)
        yield summary_html(every) if every else ""
        return
    for number, digest in enumerate(digests):
        gap = "\n" if number and shown is Format.TEXT else ""
        if shown is Format.JSON:
            yield summary_json(digest)
        elif not show_cuts:
            yield f"{gap}{digest.text}\n"
        elif is_terminal and sys.stdout.isatty():
            yield gap + _dimmed(digest)
        else:
            lines = [cuts_text(sentence) for sentence in digest.sentences]
            yield gap + "\n".join([*lines, "", summary_note(digest), ""])


def _dimmed(digest: Digest) -> str:
    from rich.console import Console

    from treaty.show import cuts_terminal, summary_note

    console = Console(highlight=False, soft_wrap=True)
    with console.capture() as capture:
        console.print(cuts_terminal(digest.sentences))
        console.print(summary_note(digest))
    return capture.get()
