"""``treaty summarize``: documents in, a short text out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._job import Job
from treaty.cli._options import (
    FORMAT,
    INPUT_FORMAT,
    METHOD,
    Gap,
    Iterations,
    Language,
    Model,
    Output,
    Parser,
    Quiet,
    Rules,
    Sources,
    Threads,
    TimeLimit,
)
from treaty.cli._output import json_line, note, on_terminal, rendered
from treaty.cli._sources import is_file, unexpected
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import Collection
    from treaty.summarize import Digest, Summarizer

__all__ = ["HELP", "summarize", "summarizer_of"]

HELP = """Summarize documents: sentences chosen and compressed, and nothing made up.

SOURCES are files of text or HTML (also as .gz or .xz), folders of them, texts of more than one
word, or - for standard input, which is read when nothing is given: together they are the documents
of one topic. A file of JSON lines holds a collection a line, and each gets a summary.

Every word of the summary stands in the documents; --show-cuts, json and html tell where. The
summary comes with its certificate: how much better the best one within the limits could be. The
methods ilp and exact prove the optimum. The model 'simple' scores by counts alone.

\b
Examples:
  treaty summarize articles/
  treaty summarize a.txt b.html --words 50 --show-cuts
  treaty summarize articles/ --format html > summary.html
  treaty summarize topics.jsonl --words 250 --format json -o found.jsonl
  treaty summarize nouvelles.txt --language fr

Exit codes: 0 done, 2 usage, 3 bad input (the rest is summarized), 4 stopped at a limit, 5 model
file refused.
"""
SIMPLE = "simple"


class Mode(StrEnum):
    """What is done to sentences."""

    COMPRESSIVE = "compressive"
    EXTRACTIVE = "extractive"


class SummaryMethod(StrEnum):
    """The methods of `treaty.summarize.decode`."""

    AD3 = "ad3"
    ILP = "ilp"
    LP = "lp"
    EXACT = "exact"


class Format(StrEnum):
    """How summaries are written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


class InputFormat(StrEnum):
    """What is read."""

    TEXT = "text"
    HTML = "html"
    JSON = "json"


def summarize(
    sources: Sources = None,
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
    method: Annotated[SummaryMethod, METHOD] = SummaryMethod.AD3,
    iterations: Iterations = None,
    time_limit: TimeLimit = None,
    gap: Gap = None,
    format: Annotated[Format, FORMAT] = Format.TEXT,  # noqa: A002 - what users call it
    show_cuts: Annotated[
        bool, typer.Option("--show-cuts", help="Show what was cut, and where sentences stand.")
    ] = False,
    output: Output = "-",
    input_format: Annotated[InputFormat | None, INPUT_FORMAT] = None,
    language: Language = None,
    model: Model = "summarizer",
    parser: Parser = None,
    rules: Rules = None,
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
    job = Job("summarize", "summarizing", output, quiet)
    if not (given := job.sources(sources, folders=True)):
        return job.end()
    summarizer = summarizer_of(model, parser, rules)
    limits = {"iterations": iterations, "time_limit": time_limit, "gap": gap}
    options: dict[str, Any] = {name: v for name, v in limits.items() if v is not None}
    limited = bool(options)
    options |= {"words": words, "method": method.value, "threads": threads}
    options["mode"] = mode and mode.value
    options["sentences"] = "auto" if sentences is None else sentences

    def digests() -> Iterator[Digest]:
        for collection in _collections(given, input_format, job.fault):
            try:
                digest = _fitting(summarizer, collection, language, concepts).summarize(
                    collection, **options
                )
            except InputError as error:
                job.fault(error)
                continue
            if not digest.sentences and not quiet:
                note(f"no sentence fits within {words} words: the summary is empty")
            yield digest

    job.write(_texts(job.watched(digests()), format, show_cuts, on_terminal(output)))
    return job.end(limited=limited)


def summarizer_of(model: str, parser: str | None, rules: str | None) -> Summarizer:
    """Load a summarizer, with another parser and other rules if they are given."""
    from treaty.summarize import Rules, SimpleScorer, Summarizer

    found = Summarizer(SimpleScorer()) if model == SIMPLE else Summarizer.load(model)
    if parser is not None:
        found = replace(found, parser=parser)
    return found if rules is None else replace(found, rules=Rules.load(rules))


def _fitting(
    summarizer: Summarizer, collection: Collection, language: str | None, concepts: str | None
) -> Summarizer:
    """Give a summarizer for the language of a collection, with the user's own concepts."""
    spoken = language or collection.language or "en"
    kind = _concepts(concepts, spoken) if concepts else summarizer.concepts
    return replace(summarizer, language=spoken, concepts=kind)


def _collections(
    sources: Iterable[str],
    given: InputFormat | None,
    on_error: Callable[[InputError], object],
) -> Iterator[Collection]:
    """Read documents as those of one topic, and each line of JSON as one of its own."""
    from treaty.corpus import Article, Collection, FileKind, read_articles, read_collections

    articles: list[Article] = []
    for source in sources:
        try:
            if not is_file(source):
                articles.append(Article(source))
                continue
            found = _recognized(source, given)
            if found.kind is FileKind.COLLECTIONS:
                yield from read_collections(found.origin, on_error=on_error)
            else:
                kind = {FileKind.HTML: "html", FileKind.TEXT: "text"}.get(found.kind)
                chosen: Any = kind if given is not None else None
                articles += read_articles(found.origin, format=chosen).articles
        except InputError as error:
            on_error(error)
    if articles:
        yield Collection(articles)


def _recognized(source: str, given: InputFormat | None) -> Any:
    from pathlib import Path

    from treaty.corpus import FileKind, KnownFile, recognize

    if given is not None:
        kinds = {InputFormat.JSON: FileKind.COLLECTIONS}
        return KnownFile(kinds.get(given) or FileKind[given.name], source)
    if source != "-" and Path(source).is_dir():
        return KnownFile(FileKind.EMPTY, source)
    found = recognize(source)
    texts = (FileKind.TEXT, FileKind.HTML, FileKind.COLLECTIONS, FileKind.EMPTY)
    if found.kind not in texts:
        raise unexpected(source, found, "text, HTML or collections of documents")
    return found


def _concepts(given: str, language: str) -> Any:
    """Make concepts of what the user says: a name, a number, or a file of phrases."""
    from treaty.corpus import read_lines, stemmer
    from treaty.summarize import phrases

    if given.isdecimal():
        return int(given)
    if given in ("unigrams", "bigrams", "trigrams"):
        return given
    lines = list(read_lines(given))
    if not lines:
        raise InputError("the file is empty: expected a phrase a line", path=given)
    return phrases(lines, stemmer(language))


def _texts(
    digests: Iterator[Digest], shown: Format, show_cuts: bool, is_terminal: bool
) -> Iterator[str]:
    from treaty.show import cuts_terminal, cuts_text, summary_html, summary_note

    if shown is Format.HTML:
        every = list(digests)
        yield summary_html(every) if every else ""
        return
    for number, digest in enumerate(digests):
        between = "\n" if number and shown is Format.TEXT else ""
        if shown is Format.JSON:
            yield json_line(digest)
        elif not show_cuts:
            yield f"{between}{digest.text}\n"
        elif is_terminal:
            cuts = rendered(cuts_terminal(digest.sentences))
            yield f"{between}{cuts}{summary_note(digest)}\n"
        else:
            lines = [cuts_text(sentence) for sentence in digest.sentences]
            yield between + "\n".join([*lines, "", summary_note(digest), ""])
