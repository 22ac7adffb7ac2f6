"""``treaty label``: names in texts and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import tee
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from treaty._streams import is_live
from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import json_line, on_terminal, rendered
from treaty.cli._sources import (
    file_format,
    grouped,
    instruct,
    live_or,
    read_each,
    stream_of,
    texts_of,
)
from treaty.corpus import ColumnSentence, FileKind, read_columns, read_lines
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty._streams import Origin
    from treaty.label import EntityLabeler, LabeledMessage

__all__ = ["HELP", "label"]

HELP = """Find names in texts: persons, places, organizations, others.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, or columns with a word a line;
--input-format messages takes every line for a message, tokens for one that is cut into words. Names
are colored on a terminal; elsewhere results are columns (word, tab, label), unless you give
--format.

The model ties names in messages about the same things: messages are grouped by the words they
share, the sentences of a text by their neighborhood. Every group comes with its status (OPTIMAL:
proved to be the model's best) and its gap (how far from the best it can be). Limits are for each
group.

A file of --rules has tables [[rule]] with a phrase or a pattern and a type (O is no name), and a
weight if it need not hold in any case. --threshold 0.8 leaves out names that are less sure.

\b
Examples:
  treaty label "Ada Lovelace was born in London."
  treaty label tweets.txt --input-format messages --format json
  treaty label letter.txt --format html > letter.html
  treaty label letter.txt --rules names.toml --threshold 0.7
  treaty label test.tsv --model mine.treaty -o found.tsv && treaty evaluate test.tsv found.tsv
  treaty label test.tsv --chain-only --threads 4 -o found.tsv

Exit codes: 0 done, 2 usage, 3 bad input (the rest is labeled), 4 stopped at a limit, 5 model file
refused.
"""


OnError = Callable[[InputError], object]
Format = Literal["columns", "json", "text", "html"]
InputFormat = Literal["text", "html", "messages", "tokens", "columns"]
FORMATS: dict[FileKind, InputFormat] = {
    FileKind.TEXT: "text",
    FileKind.HTML: "html",
    FileKind.COLUMNS: "columns",
}


def label(
    sources: opt.Sources = None,
    model: opt.Model = "entities",
    input_format: Annotated[InputFormat | None, opt.INPUT_FORMAT] = None,
    lines: opt.Lines = "auto",
    abbreviations: opt.Abbreviations = None,
    format: Annotated[Format | None, opt.FORMAT] = None,
    output: opt.Output = "-",
    scheme: Annotated[opt.Scheme, opt.SCHEME] = "BIO",
    chain_only: Annotated[
        bool,
        typer.Option("--chain-only", help="Each message by itself: faster, and less accurate."),
    ] = False,
    rules: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Names and patterns of your own, as TOML or JSON lines."),
    ] = None,
    threshold: Annotated[
        float,
        typer.Option(min=0, max=1, metavar="P", help="Leave out names of less confidence."),
    ] = 0.0,
    method: Annotated[opt.Method | None, opt.METHOD] = None,
    iterations: opt.Iterations = None,
    time_limit: opt.TimeLimit = None,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty label``; returns the exit code."""
    job = Job("label", "labeling", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    from treaty.label import EntityLabeler, EntityRules

    known = None if rules is None else EntityRules.read(rules)
    labeler = EntityLabeler.load(model)
    if known is not None:
        known.check(labeler.types)
    if abbreviations is not None or lines != "auto":  # words need no tokenizer
        instruct(labeler.tokenizer, lines, abbreviations)
    limits = opt.chosen(iterations=iterations, time_limit=time_limit)
    options = {
        "method": method or "auto",
        "order": "chain" if chain_only else None,
        "rules": known,
        "threshold": threshold,
        "threads": threads,
        **limits,
    }
    shown = format or ("text" if on_terminal(output) else "columns")
    found = _labeled(labeler, given, input_format, options, job.fault)
    job.write(_texts(job, found, shown, labeler.types, scheme))
    return job.end(limited=bool(limits))


Found = tuple["LabeledMessage", ColumnSentence | None]


def _labeled(
    labeler: EntityLabeler,
    sources: Iterable[str],
    given: InputFormat | None,
    options: dict[str, Any],
    on_error: OnError,
) -> Iterator[Found]:
    def read(source: str) -> Iterable[Found]:
        kind, origin = file_format(live_or(source), given, FORMATS)
        if isinstance(origin, str) and kind not in ("text", "html"):
            origin = stream_of(origin)
        if kind == "columns":
            columns = read_columns(origin, on_error=on_error)
            return (pair for some in parts(origin, columns) for pair in with_rows(some))
        messages, together = _messages(labeler, origin, kind, on_error)
        return (
            (message, None)
            for some in parts(origin, messages)
            for message in labeler.predict(some, document=together, **options)
        )

    def parts(origin: Origin, items: Iterable[Any]) -> Iterable[Iterable[Any]]:
        return grouped(items) if is_live(origin) else [items]

    def with_rows(sentences: Iterable[ColumnSentence]) -> Iterator[Found]:
        rows, kept = tee(sentence for sentence in sentences if len(sentence))
        return zip(labeler.predict(rows, **options), kept, strict=True)

    return read_each(sources, read, on_error)


def _messages(
    labeler: EntityLabeler, origin: Origin, kind: InputFormat, on_error: OnError
) -> tuple[Iterable[Any], bool]:
    """Read messages, and tell whether neighbors belong together as the sentences of a text do."""
    from treaty.label import Message, sentences_of_text

    if kind in ("text", "html"):
        tokenizer = labeler.tokenizer
        pieces = texts_of(origin, kind, on_error, tokenizer.sentences)
        pause = Message("", ())
        found = (sentences_of_text(piece, tokenizer) if piece else [pause] for piece in pieces)
        return (sentence for sentences in found for sentence in sentences), True
    lines = read_lines(origin, on_error=on_error)
    return (map(str.split, lines) if kind == "tokens" else lines), False


def _texts(
    job: Job, found: Iterator[Found], shown: Format, types: list[str], scheme: str
) -> Iterator[str]:
    from treaty.show import entities_columns, entities_html, entities_terminal

    if shown == "columns":
        for message, source in found:
            (watched,) = job.watched([message])
            yield entities_columns(watched, source, scheme).to_text()
        return
    messages = job.watched(message for message, _ in found)
    if shown == "html":
        yield entities_html(messages, types)
    elif shown == "json":
        yield from map(json_line, messages)
    else:
        yield from (rendered(entities_terminal(message, types)) for message in messages)
