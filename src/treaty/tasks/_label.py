"""Labeling: names in texts and messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, tee
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from treaty._json import json_line
from treaty._streams import is_live
from treaty.tasks._by_document import AnnotatedDocument, about, heading, sentence_id
from treaty.tasks._documents import InputDocument, Wanted, hinting
from treaty.tasks._options import (
    Abbreviations,
    Encoding,
    Field,
    IdField,
    Iterations,
    Lines,
    Method,
    Model,
    Threads,
    TimeLimit,
    input_format,
)
from treaty.tasks._request import Option, Request
from treaty.tasks._run import Run
from treaty.tasks._sources import (
    DOCUMENT_NAMES,
    DOCUMENT_TITLES,
    TEXTS,
    Source,
    file_format,
    fitted,
    grouped,
    live_or,
    read_each,
    recoded,
    texts_of,
    watched_one_by_one,
    with_lines,
)
from treaty.tasks._task import Task
from treaty.tasks._wishes import NameRule, name_rules
from treaty.text import ColumnSentence, Entity, read_columns, read_lines, read_paragraphs
from treaty.text.formats import format_named

if TYPE_CHECKING:
    from treaty._streams import Origin
    from treaty.label import EntityLabeler, LabeledMessage, Message

__all__ = ["LabelRequest", "Labeling", "renumbered"]

HELP = f"""Find names in texts: persons, places, organizations, others.

SOURCES are texts of more than one word, files (also .gz or .xz), folders, archives (.zip, .tar),
mailboxes, tables (--field), or - for standard input, which is read when nothing is given. With
-o folder/ each document gets a file. A file may be {DOCUMENT_TITLES},
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
INPUT_FORMATS = (*DOCUMENT_NAMES, "messages", "tokens", "columns")
if TYPE_CHECKING:
    InputFormat = str
else:
    InputFormat = Literal[INPUT_FORMATS]
FORMATS = {**TEXTS, format_named("columns"): "columns"}
GROUP = re.compile(
    r"""^(# group = |\{.*"group": )(\d+)(?=$|, "certificate": \{[^{}]*\}\}$)""", re.MULTILINE
)
"""The number of a group in the results: a comment of columns, or the last but one key of JSON."""
WORD = re.compile(r"\S+")
MESSAGES = 4096
"""Number of messages between two looks at the clock."""
ALONE = 512
"""Messages of a part of a cluster run, if each is labeled by itself."""


@dataclass(frozen=True, kw_only=True)
class LabelRequest(Request):
    """Names in texts and messages."""

    examples: ClassVar = (
        {"text": "Ada Lovelace was born in London."},
        {
            "text": "Apple opens in May.",
            "phrases": [{"phrase": "May", "type": "O"}, {"phrase": "Apple", "type": "ORG"}],
        },
    )
    model: Model = "entities"
    input_format: Annotated[InputFormat | None, input_format(INPUT_FORMATS)] = None
    lines: Lines = "auto"
    abbreviations: Abbreviations = None
    encoding: Encoding = None
    field: Field = None
    id_field: IdField = None
    scheme: Annotated[
        Literal["BIO", "BIESO", "BILOU"], Option("The scheme of labels.", of=("command",))
    ] = "BIO"
    chain_only: Annotated[bool, Option("Each message by itself: faster, and less accurate.")] = (
        False
    )
    rules: Annotated[
        str | None,
        Option("Known names and patterns, as TOML or JSON lines.", metavar="FILE", of=("command",)),
    ] = None
    phrases: Annotated[
        tuple[NameRule, ...],
        Option("Phrases whose types are known.", longest=1000, of=("http",)),
    ] = ()
    threshold: Annotated[
        float, Option("Leave out names of less confidence.", least=0, most=1, metavar="P")
    ] = 0.0
    method: Method = None
    iterations: Iterations = None
    time_limit: TimeLimit = None
    threads: Threads = 1


class Batch(NamedTuple):
    """Messages that are labeled in one go: those of a source, or up to a pause."""

    messages: Iterable[Any]
    together: bool
    """Whether neighbors belong together as the sentences of a text do."""
    has_rows: bool


@dataclass(frozen=True)
class Labeled:
    """A labeled message, with the rows of columns that it was read from."""

    message: LabeledMessage
    rows: ColumnSentence | None = None

    @property
    def certificate(self) -> Any:
        """That of the message."""
        return self.message.certificate

    def to_dict(self) -> dict[str, Any]:
        """Return the message for JSON."""
        return self.message.to_dict()


class Labeling(Task[LabelRequest]):
    """Labels messages."""

    name = "label"
    doing = "labeling"
    asks = LabelRequest
    help = HELP
    formats = ("columns", "json", "text", "html")
    streamed = ("columns", "json")
    documents = True
    on_terminal = "text"

    def __init__(self, request: LabelRequest, run: Run) -> None:
        from treaty.label import EntityLabeler, EntityRules

        super().__init__(request, run)
        rules = None if request.rules is None else EntityRules.read(request.rules)
        self.rules = rules or name_rules(request.phrases)
        self.labeler: EntityLabeler = run.models.load(EntityLabeler, request.model)
        if self.rules is not None:
            self.rules.check(self.labeler.types)

    def read(self, sources: Iterable[Source]) -> Iterator[Batch]:
        """Read the messages of each source."""
        return read_each(sources, self._batches, hinting(self.run.fault))

    def annotated(self, documents: Iterator[InputDocument]) -> Iterator[AnnotatedDocument]:
        """Label documents, each by itself."""
        return read_each(documents, self._annotated, self.run.fault)

    def _annotated(self, given: InputDocument) -> Iterator[AnnotatedDocument]:
        from treaty.parse import Document

        text, messages = self._placed(given)
        batch = Batch(messages, given.article is not None, False)
        if given.kind == "columns":
            rows = [row for row in read_columns(given.stream(), on_error=self.run.fault) if row]
            text = "\n".join(" ".join(row.words) for row in rows)
            batch = Batch(rows, False, True)
        results, start = [], 0
        for labeled in self._labeled(batch):
            if batch.has_rows:
                size = len(labeled.message.message.text) + 1
                labeled = replace(labeled, message=_moved(labeled.message, text, start))
                start += size
            results.append(labeled)
        every = [one.message for one in results if len(one.message.message)]
        document = Document.from_spans(text, [message.message.places for message in every])
        document.name, document.source = given.id, given.source
        document.certificates = [message.certificate for message in every]
        document.entity_certificates = list(document.certificates)
        document.entities = _entities(every)
        yield AnnotatedDocument(given, results, document)

    def _placed(self, given: InputDocument) -> tuple[str, list[Message]]:
        """Return the text of a document, and its sentences or lines with their places in it."""
        from treaty.label import Message
        from treaty.label.entities import message_of_text, sentences_of_text

        if given.kind == "columns":
            return "", []
        if given.article is not None:
            tokenizer = self._tokenizer()
            text, pieces = given.article.text, given.pieces()
            parts = [(start, sentences_of_text(piece, tokenizer)) for start, piece in pieces]
        else:
            text = "".join(read_paragraphs(given.stream()))
            parts, start = [], 0
            for line in text.split("\n"):
                if line.strip() and given.kind == "tokens":
                    parts.append((start, [_cut(line)]))
                elif line.strip():
                    parts.append((start, [message_of_text(line, self.labeler.tokenizer)]))
                start += len(line) + 1
        return text, [
            Message(text, tuple((a + start, b + start) for a, b in message.places))
            for start, messages in parts
            for message in messages
        ]

    def document_texts(self, annotated: AnnotatedDocument, format: str) -> Iterator[str]:  # noqa: A002
        """Write the labels of a document, and where sentences are in it."""
        given = annotated.input
        if format not in self.streamed:
            yield from super().document_texts(annotated, format)
            return
        from treaty.show import entities_columns

        for number, labeled in enumerate(annotated.results, 1):
            message = labeled.message
            if format == "json":
                record = {**about(given), **message.to_dict()}
                record["end"] = message.end
                yield json_line(record)
                continue
            columns = entities_columns(message, labeled.rows, self.request.scheme)
            columns.comments[:0] = [
                *([heading(given).rstrip("\n")] if number == 1 else []),
                sentence_id(given, number),
                f"# text = {' '.join(message.text.split())}",
                f"# start_char = {message.start}",
                f"# end_char = {message.end}",
            ]
            yield columns.to_text()

    def _batches(self, source: Source) -> Iterable[Batch]:
        origin = recoded(lambda: live_or(source), self.request.encoding)
        kind, origin = file_format(origin, self.request.input_format, FORMATS)
        if kind == "columns":
            messages: Iterable[Any] = read_columns(origin, on_error=self.run.fault)
        elif kind in DOCUMENT_NAMES:
            messages = self._sentences(origin, kind)
        else:
            lines = read_lines(origin, on_error=self.run.fault)
            messages = map(str.split, lines) if kind == "tokens" else lines
        messages = self.run.admitted(messages)
        parts: Iterable[Iterable[Any]] = grouped(messages) if is_live(origin) else [messages]
        return (Batch(some, kind in DOCUMENT_NAMES, kind == "columns") for some in parts)

    def _sentences(self, origin: Origin, kind: InputFormat) -> Iterator[Any]:
        """Read the sentences of a text; a message without words is a pause."""
        from treaty.label import Message, sentences_of_text

        tokenizer = self._tokenizer()
        for piece in texts_of(origin, kind, self.run.fault, tokenizer.sentences):
            yield from sentences_of_text(piece, tokenizer) if piece else [Message("", ())]

    def _tokenizer(self) -> Any:
        """Return the tokenizer, loaded only for texts, as the request describes lines."""
        tokenizer: Any = fitted(self.labeler.tokenizer, self.request.abbreviations)
        return with_lines(tokenizer, self.request.lines)

    def results(self, items: Iterator[Batch]) -> Iterator[Labeled]:
        """Label messages."""
        from treaty.parse._language import LanguageCheck

        check = LanguageCheck(None if self.run.quiet else self.labeler.vocabulary)
        labeled = read_each(items, self._labeled, self.run.fault)
        return watched_one_by_one(
            check, labeled, self.run.note, lambda one: one.message.message.words
        )

    def _labeled(self, batch: Batch) -> Iterator[Labeled]:
        first = 0
        for messages in self.run.batches(batch.messages, MESSAGES):
            last = first
            for labeled in self._predicted(messages, batch):
                message = labeled.message
                last = first + message.group + 1
                if first:
                    labeled = replace(labeled, message=replace(message, group=last - 1))
                yield labeled
            first = last

    def _predicted(self, messages: Iterable[Any], batch: Batch) -> Iterator[Labeled]:
        request = self.request
        options: dict[str, Any] = {
            "method": request.method or "auto",
            "order": "chain" if request.chain_only else None,
            "threshold": request.threshold,
            "threads": request.threads,
            "rules": self.rules,
            **request.given("iterations", "time_limit"),
            **self.run.limits(),
        }
        if not batch.has_rows:
            every = self.labeler.predict(messages, document=batch.together, **options)
            return map(Labeled, every)
        rows, kept = tee(sentence for sentence in messages if len(sentence))
        return map(Labeled, self.labeler.predict(rows, **options), kept)

    def texts(self, results: Iterator[Labeled], format: str) -> Iterator[str]:  # noqa: A002
        """Write columns or JSON, or color names."""
        from treaty.show import entities_columns, entities_html, entities_terminal, rendered

        types = self.labeler.types
        if format == "columns":
            for labeled in results:
                columns = entities_columns(labeled.message, labeled.rows, self.request.scheme)
                yield columns.to_text()
        elif format == "html":
            yield entities_html((labeled.message for labeled in results), types)
        elif format == "json":
            yield from map(json_line, results)
        else:
            for labeled in results:
                yield rendered(entities_terminal(labeled.message, types))

    @classmethod
    def wanted(cls, request: LabelRequest) -> Wanted:
        """Return how documents are read."""
        return Wanted(
            FORMATS, request.input_format, request.encoding, request.field, request.id_field
        )

    def parts(self, sources: Iterable[Source]) -> Iterator[tuple[str, list[Any]]]:
        """Divide the messages of each source as `EntityLabeler.predict` does."""
        from treaty.label.entities._labeler import BATCH

        most = ALONE if self.request.chain_only else BATCH
        for number, batch in enumerate(self.read(sources)):
            messages = (m for m in batch.messages if not batch.has_rows or len(m))
            while some := list(islice(messages, most)):
                yield str(number), [Batch(some, batch.together, batch.has_rows)]


def _cut(line: str) -> Message:
    """Make a message of a line that is cut into words."""
    from treaty.label import Message

    return Message(line, tuple(match.span() for match in WORD.finditer(line)))


def _moved(labeled: LabeledMessage, text: str, start: int) -> LabeledMessage:
    """Return a message as a part of a text, where it begins at `start`."""
    from treaty.label import Message

    places = tuple((a + start, b + start) for a, b in labeled.message.places)
    entities = tuple(
        replace(one, start=one.start + start, end=one.end + start) for one in labeled.entities
    )
    return replace(labeled, message=Message(text, places), entities=entities)


def _entities(messages: Iterable[LabeledMessage]) -> list[Entity]:
    """List the entities of a document; `first` and `last` are indexes of its words."""
    entities, done = [], 0
    for message in messages:
        for one in message.entities:
            entities.append(replace(one, first=one.first + done, last=one.last + done))
        done += len(message.labels)
    return entities


def renumbered(text: str, first: int) -> tuple[str, int]:
    r"""Count the groups in written results from another number; returns that of the next one.

    Examples
    --------
    >>> renumbered("# group = 0\nAnn\tB-PER\n", 7)
    ('# group = 7\nAnn\tB-PER\n', 8)
    """
    last = -1

    def moved(match: re.Match[str]) -> str:
        nonlocal last
        last = max(last, int(match[2]))
        return f"{match[1]}{int(match[2]) + first}"

    return GROUP.sub(moved, text), first + last + 1
