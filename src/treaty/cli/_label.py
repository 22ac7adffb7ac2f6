"""``treaty label``: names in texts and messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, tee
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from treaty._streams import is_live
from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import json_line, on_terminal, rendered
from treaty.cli._work import Work
from treaty.corpus import ColumnSentence, FileKind, read_columns, read_lines
from treaty.errors import InputError
from treaty.tasks._sources import (
    TEXTS,
    Source,
    file_format,
    grouped,
    instruct,
    live_or,
    read_each,
    texts_of,
)

if TYPE_CHECKING:
    from treaty._streams import Origin
    from treaty.cluster._folder import Finished
    from treaty.cluster._parts import Part
    from treaty.label import EntityLabeler, LabeledMessage

__all__ = ["HELP", "label"]

HELP = """Find names in texts: persons, places, organizations, others.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, subtitles, .eml, .docx, .odt, .pdf,
or columns with a word a line; --input-format messages takes every line for a message, tokens for
one that is cut into words. Names are colored on a terminal; elsewhere results are columns (word,
tab, label), unless you give --format.

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
  treaty label year.txt --input-format messages --cluster local:4 -o year.tsv

Exit codes: 0 done, 2 usage, 3 bad input (the rest is labeled), 4 stopped at a limit, 5 model file
refused.
"""


OnError = Callable[[InputError], object]
Format = Literal["columns", "json", "text", "html"]
InputFormat = Literal[
    "text", "html", "subtitles", "email", "office", "pdf", "messages", "tokens", "columns"
]
GROUP = re.compile(
    r"""^(# group = |\{.*"group": )(\d+)(?=$|, "certificate": \{[^{}]*\}\}$)""", re.M
)
"""The number of a group in the results: a comment of columns, or the last but one key of JSON."""
ALONE = 512
"""Messages of a part, if each is labeled by itself."""
FORMATS: dict[FileKind, InputFormat] = {**TEXTS, FileKind.COLUMNS: "columns"}


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
    cluster: opt.Cluster = None,
    run: opt.RunDir = None,
    part_limit: opt.PartLimit = None,
    resume: opt.Resume = False,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty label``; returns the exit code."""
    far = ClusterChoices(cluster, run, part_limit, resume)
    job = Job("label", "labeling", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    limits = opt.chosen(iterations=iterations, time_limit=time_limit)
    options = {
        "method": method or "auto",
        "order": "chain" if chain_only else None,
        "threshold": threshold,
        "threads": threads,
        **limits,
    }
    shown = format or ("text" if on_terminal(output) else "columns")
    settings: dict[str, Any] = {
        "model": model, "rules": rules, "lines": lines, "abbreviations": abbreviations,
        "shown": shown, "scheme": scheme, "options": options,
    }  # fmt: skip
    if cluster is not None:
        far.check_format(shown, ("columns", "json"))
        parts = _parts(Labeling(**settings), given, input_format, job, chain_only)
        far.run_parts(job, Labeling, settings, [model], parts, chain_only, adjust=_Numbers())
    else:
        work = Labeling(**settings)
        job.write(work.texts(work.read(given, input_format, job), job))
    return job.end(limited=bool(limits))


class Labeling(Work):
    """Labels messages, with the options of the command."""

    command = "label"

    def __init__(
        self,
        model: str,
        rules: str | None,
        lines: opt.LineMeaning,
        abbreviations: str | None,
        shown: Format,
        scheme: opt.Scheme,
        options: dict[str, Any],
    ) -> None:
        from treaty.label import EntityLabeler, EntityRules

        known = None if rules is None else EntityRules.read(rules)
        self.labeler = EntityLabeler.load(model)
        if known is not None:
            known.check(self.labeler.types)
        if abbreviations is not None or lines != "auto":  # words need no tokenizer
            instruct(self.labeler.tokenizer, lines, abbreviations)
        self.shown, self.scheme, self.options = shown, scheme, {**options, "rules": known}

    def read(self, sources: Iterable[Source], given: Any, job: Job) -> Iterator[Batch]:
        """Read the messages of each source."""
        return _batches(self.labeler, sources, given, job.fault)

    def texts(self, items: Iterator[Batch], job: Job) -> Iterator[str]:
        """Label messages, and write them."""
        found = read_each(items, self._labeled, job.fault)
        return _texts(job, found, self.shown, self.labeler.types, self.scheme)

    def _labeled(self, batch: Batch) -> Iterable[Found]:
        if batch.has_rows:
            rows, kept = tee(sentence for sentence in batch.messages if len(sentence))
            return zip(self.labeler.predict(rows, **self.options), kept, strict=True)
        found = self.labeler.predict(batch.messages, document=batch.together, **self.options)
        return ((message, None) for message in found)


class Batch(NamedTuple):
    """Messages that are labeled in one go: those of a source, or up to a pause."""

    messages: Iterable[Any]
    together: bool
    """Whether neighbors belong together as the sentences of a text do."""
    has_rows: bool


def _batches(
    labeler: EntityLabeler, sources: Iterable[Source], given: InputFormat | None, on_error: OnError
) -> Iterator[Batch]:
    def read(source: Source) -> Iterable[Batch]:
        kind, origin = file_format(live_or(source), given, FORMATS)
        if kind == "columns":
            columns = read_columns(origin, on_error=on_error)
            return (Batch(some, False, True) for some in parts(origin, columns))
        messages, together = _messages(labeler, origin, kind, on_error)
        return (Batch(some, together, False) for some in parts(origin, messages))

    def parts(origin: Origin, items: Iterable[Any]) -> Iterable[Iterable[Any]]:
        return grouped(items) if is_live(origin) else [items]

    return read_each(sources, read, on_error)


def _parts(
    work: Labeling, given: Iterable[Source], input_format: Any, job: Job, chain_only: bool
) -> Iterator[tuple[Part, bytes]]:
    """Divide the messages of each source as `EntityLabeler.predict` does."""
    from treaty.cluster._parts import parts_of_items
    from treaty.label.entities._labeler import BATCH

    number = 0
    for source, batch in enumerate(work.read(given, input_format, job)):
        messages = (m for m in batch.messages if not batch.has_rows or len(m))
        while some := list(islice(messages, ALONE if chain_only else BATCH)):
            item = Batch(some, batch.together, batch.has_rows)
            yield next(iter(parts_of_items([item], 1, kind=str(source), first=number)))
            number += 1


class _Numbers:
    """Numbers the groups of all parts of a source, as without a cluster."""

    def __init__(self) -> None:
        self.source, self.first = "", 0

    def __call__(self, finished: Finished, text: str) -> str:
        """Renumber the groups in lines of JSON, or in the comments of columns."""
        first = self.first if finished.part.kind == self.source else 0
        last = -1

        def moved(found: re.Match[str]) -> str:
            nonlocal last
            last = max(last, int(found[2]))
            return f"{found[1]}{int(found[2]) + first}"

        made = GROUP.sub(moved, text)
        self.source, self.first = finished.part.kind, first + last + 1
        return made


Found = tuple["LabeledMessage", ColumnSentence | None]


def _messages(
    labeler: EntityLabeler, origin: Origin, kind: InputFormat, on_error: OnError
) -> tuple[Iterable[Any], bool]:
    """Read messages, and tell whether neighbors belong together as the sentences of a text do."""
    from treaty.label import Message, sentences_of_text

    if kind in TEXTS.values():
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
