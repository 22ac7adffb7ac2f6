"""``treaty label``: names in texts and messages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._output import check_writable, fault, note
from treaty.cli._progress import progress
from treaty.cli._sentences import write_texts
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.corpus import ColumnSentence
    from treaty.label import EntityLabeler, LabeledMessage

__all__ = ["HELP", "label"]

STOPPED, BAD_INPUT = 4, 3
COLUMN_FILES = (".tsv", ".bio", ".iob", ".iob2", ".bioes", ".bilou", ".col", ".columns")
HELP = """Find names in texts: persons, places, organizations, with confidences and a certificate.

SOURCES are files (also as .gz or .xz), texts of more than one word, or - for standard input, which
is read when nothing is given. Files named .tsv, .bio or .iob are columns, others plain text, unless
you say --input. Names are colored on a terminal; elsewhere results are columns (word, tab, label),
unless you say --output.

The model ties names that stand in messages about the same things: messages are grouped by the words
they share, the sentences of a text by their neighborhood. Every group comes with its status
(OPTIMAL: proved to be the model's best) and its gap (how far from the best it can be).

\b
Examples:
  treaty label "Ada Lovelace was born in London."
  treaty label tweets.txt --input messages --output json
  treaty label letter.txt --output html > letter.html
  treaty label test.tsv --model mine.treaty > found.tsv && treaty evaluate test.tsv found.tsv
  treaty label test.tsv --chain-only --threads 4 -o found.tsv

Exit codes: 0 done, 2 usage, 3 bad input (the rest is labeled), 4 stopped at a limit, 5 model file
refused.
"""


class Input(StrEnum):
    """What is read."""

    TEXT = "text"
    MESSAGES = "messages"
    TOKENS = "tokens"
    COLUMNS = "columns"


class Output(StrEnum):
    """How entities are written."""

    COLUMNS = "columns"
    JSON = "json"
    TERMINAL = "terminal"
    HTML = "html"


class SchemeName(StrEnum):
    """The names of `treaty.corpus.SCHEMES`."""

    BIO = "BIO"
    BIESO = "BIESO"
    BILOU = "BILOU"


def label(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCES]...", help="Files, texts or -.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(metavar="MODEL", help="entities, or a file from 'treaty train labeler'."),
    ] = "entities",
    input: Annotated[  # noqa: A002 - what users call it
        Input | None,
        typer.Option(
            help="messages: a message a line. tokens: the same, with spaces between words."
        ),
    ] = None,
    output: Annotated[
        Output | None, typer.Option(help="json: an object a line. html: a page of all messages.")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", "-o", metavar="FILE", help="Where results go; - is stdout.")
    ] = "-",
    scheme: Annotated[
        SchemeName, typer.Option(help="How labels are written in columns.")
    ] = SchemeName.BIO,
    chain_only: Annotated[
        bool,
        typer.Option("--chain-only", help="Each message by itself: faster, and less accurate."),
    ] = False,
    method: Annotated[
        str,
        typer.Option(metavar="METHOD", help="How groups are solved: auto, two-slave, ad3, ilp..."),
    ] = "auto",
    time_limit: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="For each group of messages.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="Groups labeled at a time.")] = 1,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")
    ] = False,
) -> int:
    """Run ``treaty label``; returns the exit code."""
    from treaty.label import EntityLabeler

    if not sources and sys.stdin.isatty():
        raise UsageError("nothing to label: give texts or files, or - for the terminal")
    if to != "-":
        check_writable(to)
    shown = output or (Output.TERMINAL if to == "-" and sys.stdout.isatty() else Output.COLUMNS)
    labeler = EntityLabeler.load(model)
    options: dict[str, Any] = {"method": method, "threads": threads}
    if chain_only:
        options["order"] = "chain"
    if time_limit is not None:
        options["time_limit"] = time_limit
    watch = _Watch()
    with progress("labeling", quiet=quiet or to == "-"):
        found = _label_all(labeler, sources or ["-"], input, options, watch.fault)
        write_texts(_texts(watch.over(found), shown, labeler.types, scheme), to)
    if not quiet:
        watch.tell()
    return BAD_INPUT if watch.faults else STOPPED if watch.stopped and time_limit is not None else 0


Found = tuple["LabeledMessage", "ColumnSentence | None"]


class _Watch:
    """Counts what is worth a note."""

    def __init__(self) -> None:
        self.faults = 0
        self.stopped: set[int] = set()
        self.gap = 0.0

    def fault(self, error: InputError) -> None:
        self.faults += 1
        fault(error)

    def over(self, found: Iterable[Found]) -> Iterator[Found]:
        for message, source in found:
            if message.status == "FEASIBLE":
                self.stopped.add(message.group)
                self.gap = max(self.gap, message.gap)
            yield message, source

    def tell(self) -> None:
        if self.faults:
            parts = "part" if self.faults == 1 else "parts"
            note(f"{self.faults} faulty {parts} of the input skipped")
        if self.stopped:
            note(
                f"{len(self.stopped)} groups of messages stopped at a limit: "
                f"the best may be better by {self.gap:.4g}"
            )


def _label_all(
    labeler: EntityLabeler,
    sources: list[str],
    kind: Input | None,
    options: dict[str, Any],
    on_error: Callable[[InputError], object],
) -> Iterator[Found]:
    for source in sources:
        try:
            yield from _label_source(labeler, source, kind, options, on_error)
        except InputError as error:
            on_error(error)


def _label_source(
    labeler: EntityLabeler,
    source: str,
    kind: Input | None,
    options: dict[str, Any],
    on_error: Callable[[InputError], object],
) -> Iterator[Found]:
    from treaty.corpus import read_columns, read_paragraphs, read_tokens
    from treaty.label import sentences_of_text

    if source != "-" and not _is_file(source):
        yield from ((found, None) for found in _label_argument(labeler, source, kind, options))
        return
    kind = kind or _kind_of(source)
    if kind is Input.COLUMNS:
        rows, kept = tee(s for s in read_columns(source, on_error=on_error) if len(s))
        yield from zip(labeler.label(rows, **options), kept, strict=True)
    elif kind is Input.TOKENS:
        rows_of_words = (sentence.words for sentence in read_tokens(source, on_error=on_error))
        yield from ((found, None) for found in labeler.label(rows_of_words, **options))
    elif kind is Input.MESSAGES:
        lines = _lines(source, on_error)
        yield from ((found, None) for found in labeler.label(lines, **options))
    else:
        pieces = read_paragraphs(source, on_error=on_error)
        tokenizer = labeler.tokenizer
        sentences = (s for piece in pieces for s in sentences_of_text(piece, tokenizer))
        yield from ((f, None) for f in labeler.label(sentences, document=True, **options))


def _label_argument(
    labeler: EntityLabeler, text: str, kind: Input | None, options: dict[str, Any]
) -> Iterable[LabeledMessage]:
    if len(text.split()) < 2 or kind is Input.COLUMNS:
        raise InputError(
            "there is no such file; a text of one word is read from standard input", path=text
        )
    if kind is Input.TOKENS:
        return labeler.label([text.split()], **options)
    return labeler.label([text], **options) if kind else labeler.label_text(text, **options)


def _lines(source: str, on_error: Callable[[InputError], object]) -> Iterator[str]:
    from treaty.corpus._lines import Lines, sound_lines

    return (line for line in sound_lines(Lines(source), on_error) if line.strip())


def _is_file(source: str) -> bool:
    try:
        return Path(source).exists()
    except (OSError, ValueError):  # a text that is too long for a path, or has a NUL
        return False


def _kind_of(path: str) -> Input:
    name = path.removesuffix(".gz").removesuffix(".xz")
    return Input.COLUMNS if name.endswith(COLUMN_FILES) else Input.TEXT


def _texts(
    found: Iterable[Found], output: Output, types: list[str], scheme: SchemeName
) -> Iterator[str]:
    from treaty.show import entities_columns, entities_html, entities_json

    if output is Output.HTML:
        yield entities_html((message for message, _ in found), types)
    elif output is Output.TERMINAL:
        yield from _colored((message for message, _ in found), types)
    else:
        for message, source in found:
            if output is Output.JSON:
                yield entities_json(message)
            else:
                yield entities_columns(message, source, scheme.value).to_text()


def _colored(messages: Iterable[LabeledMessage], types: list[str]) -> Iterator[str]:
    from rich.console import Console

    from treaty.show import entities_terminal

    console = Console(highlight=False, soft_wrap=True)
    for message in messages:
        with console.capture() as capture:
            console.print(entities_terminal(message, types))
        yield capture.get()
