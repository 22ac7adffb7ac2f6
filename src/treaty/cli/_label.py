"""``treaty label``: names in texts and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import tee
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._job import Job
from treaty.cli._options import (
    FORMAT,
    INPUT_FORMAT,
    METHOD,
    SCHEME,
    DecodingMethod,
    Iterations,
    Model,
    Output,
    Quiet,
    SchemeName,
    Sources,
    Threads,
    TimeLimit,
)
from treaty.cli._output import json_line, on_terminal, rendered
from treaty.cli._sources import is_file, texts_of, unexpected
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty._streams import Origin
    from treaty.corpus import ColumnSentence
    from treaty.label import EntityLabeler, LabeledMessage

__all__ = ["HELP", "label"]

HELP = """Find names in texts: persons, places, organizations, with confidences and a certificate.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, or columns with a word a line;
--input-format messages takes every line for a message, tokens for one that is cut into words. Names
are colored on a terminal; elsewhere results are columns (word, tab, label), unless you give
--format.

The model ties names in messages about the same things: messages are grouped by the words they
share, the sentences of a text by their neighborhood. Every group comes with its status (OPTIMAL:
proved to be the model's best) and its gap (how far from the best it can be). Limits are for each
group.

\b
Examples:
  treaty label "Ada Lovelace was born in London."
  treaty label tweets.txt --input-format messages --format json
  treaty label letter.txt --format html > letter.html
  treaty label test.tsv --model mine.treaty -o found.tsv && treaty evaluate test.tsv found.tsv
  treaty label test.tsv --chain-only --threads 4 -o found.tsv

Exit codes: 0 done, 2 usage, 3 bad input (the rest is labeled), 4 stopped at a limit, 5 model file
refused.
"""


class InputFormat(StrEnum):
    """What is read."""

    TEXT = "text"
    HTML = "html"
    MESSAGES = "messages"
    TOKENS = "tokens"
    COLUMNS = "columns"


class Format(StrEnum):
    """How entities are written."""

    COLUMNS = "columns"
    JSON = "json"
    TEXT = "text"
    HTML = "html"


OnError = Callable[[InputError], object]


def label(
    sources: Sources = None,
    model: Model = "entities",
    input_format: Annotated[InputFormat | None, INPUT_FORMAT] = None,
    format: Annotated[Format | None, FORMAT] = None,  # noqa: A002 - what users call it
    output: Output = "-",
    scheme: Annotated[SchemeName, SCHEME] = SchemeName.BIO,
    chain_only: Annotated[
        bool,
        typer.Option("--chain-only", help="Each message by itself: faster, and less accurate."),
    ] = False,
    method: Annotated[DecodingMethod, METHOD] = DecodingMethod.AUTO,
    iterations: Iterations = None,
    time_limit: TimeLimit = None,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> int:
    """Run ``treaty label``; returns the exit code."""
    job = Job("label", "labeling", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    from treaty.label import EntityLabeler

    labeler = EntityLabeler.load(model)
    limits = {"iterations": iterations, "time_limit": time_limit}
    options: dict[str, Any] = {name: v for name, v in limits.items() if v is not None}
    limited = bool(options)
    options |= {"method": method.value, "threads": threads}
    if chain_only:
        options["order"] = "chain"
    usual = Format.TEXT if on_terminal(output) else Format.COLUMNS
    found = _labeled(labeler, given, input_format, options, job.fault)
    job.write(_texts(job, found, format or usual, labeler.types, scheme))
    return job.end(limited=limited)


Found = tuple["LabeledMessage", "ColumnSentence | None"]


def _labeled(
    labeler: EntityLabeler,
    sources: Iterable[str],
    given: InputFormat | None,
    options: dict[str, Any],
    on_error: OnError,
) -> Iterator[Found]:
    for source in sources:
        try:
            kind, origin = _kind_of(source, given)
            if kind is InputFormat.COLUMNS:
                from treaty.corpus import read_columns

                rows, kept = tee(s for s in read_columns(origin, on_error=on_error) if len(s))
                yield from zip(labeler.predict(rows, **options), kept, strict=True)
            else:
                messages, together = _messages(labeler, origin, kind, on_error)
                for found in labeler.predict(messages, document=together, **options):
                    yield found, None
        except InputError as error:
            on_error(error)


def _kind_of(source: str, given: InputFormat | None) -> tuple[InputFormat, Origin]:
    from treaty.corpus import FileKind, recognize

    if not is_file(source):
        if given is InputFormat.COLUMNS:
            raise InputError("there is no such file, and --input-format is columns", path=source)
        return given or InputFormat.TEXT, source
    if given is not None:
        return given, source
    found = recognize(source)
    formats = {
        FileKind.COLUMNS: InputFormat.COLUMNS,
        FileKind.HTML: InputFormat.HTML,
        FileKind.TEXT: InputFormat.TEXT,
        FileKind.EMPTY: InputFormat.TEXT,
    }
    if found.kind not in formats:
        raise unexpected(source, found, "text or columns")
    return formats[found.kind], found.origin


def _messages(
    labeler: EntityLabeler, origin: Origin, kind: InputFormat, on_error: OnError
) -> tuple[Iterable[Any], bool]:
    """Read messages, and tell whether neighbors belong together as the sentences of a text do."""
    from treaty.corpus import read_lines
    from treaty.label import sentences_of_text

    if kind in (InputFormat.TEXT, InputFormat.HTML):
        pieces = texts_of(origin, on_error, html=kind is InputFormat.HTML)
        tokenizer = labeler.tokenizer
        return (s for piece in pieces for s in sentences_of_text(piece, tokenizer)), True
    is_text = isinstance(origin, str) and not is_file(origin)
    lines: Iterable[Any] = [origin] if is_text else read_lines(origin, on_error=on_error)
    return (map(str.split, lines) if kind is InputFormat.TOKENS else lines), False


def _texts(
    job: Job, found: Iterator[Found], shown: Format, types: list[str], scheme: SchemeName
) -> Iterator[str]:
    from treaty.show import entities_columns, entities_html, entities_terminal

    if shown is Format.COLUMNS:
        for message, source in found:
            (watched,) = job.watched([message])
            yield entities_columns(watched, source, scheme.value).to_text()
        return
    messages = job.watched(message for message, _ in found)
    if shown is Format.HTML:
        yield entities_html(messages, types)
    elif shown is Format.JSON:
        yield from map(json_line, messages)
    else:
        yield from (rendered(entities_terminal(message, types)) for message in messages)
