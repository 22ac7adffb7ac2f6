"""Tagging: tags and lemmas for the words of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from treaty._json import json_line
from treaty.tasks._by_document import (
    AnnotatedDocument,
    by_document,
    conllu_of,
    document_from,
    lines_of,
)
from treaty.tasks._documents import InputDocument, Wanted, hinting, with_sentences
from treaty.tasks._options import (
    Abbreviations,
    Confidences,
    Encoding,
    Field,
    IdField,
    Lines,
    Model,
    SentenceInput,
    Threads,
)
from treaty.tasks._request import Request
from treaty.tasks._run import Run
from treaty.tasks._sources import (
    DOCUMENT_TITLES,
    SENTENCES,
    Source,
    fitted,
    read_sentences,
    watched,
)
from treaty.tasks._task import Task

if TYPE_CHECKING:
    from treaty.text import Sentence

__all__ = ["TagRequest", "Tagging"]


HELP = f"""Tag words: parts of speech, features, lemmas.

SOURCES are texts of more than one word, files (also .gz or .xz), folders, archives (.zip, .tar),
mailboxes, tables (--field), or - for standard input, which is read when nothing is given. With
-o folder/ each document gets a file. A file may be {DOCUMENT_TITLES},
or CoNLL-U; text that is cut into words, a sentence a line, is read by --input-format tokens.

\b
Examples:
  treaty tag "Cats sleep. Dogs don't."
  treaty tag letter.txt --format json
  treaty tag --model danish.treaty test.conllu -o tagged.conllu
  treaty evaluate test.conllu tagged.conllu
  treaty tag crawl.txt --cluster local:4 -o crawl.conllu

Exit codes: 0 done, 2 usage, 3 bad input (the rest is tagged), 5 model file refused.
"""


@dataclass(frozen=True, kw_only=True)
class TagRequest(Request):
    """Tags and lemmas of sentences."""

    examples: ClassVar = ({"text": "Cats sleep. Dogs don't.", "confidences": True},)
    model: Model = "english"
    input_format: SentenceInput = None
    lines: Lines = "auto"
    abbreviations: Abbreviations = None
    encoding: Encoding = None
    field: Field = None
    id_field: IdField = None
    confidences: Confidences = False
    threads: Threads = 1


class Tagging(Task[TagRequest]):
    """Tags words."""

    name = "tag"
    doing = "tagging"
    asks = TagRequest
    help = HELP
    formats = ("conllu", "json")
    streamed = formats
    documents = True

    def __init__(self, request: TagRequest, run: Run) -> None:
        from treaty.parse import Tagger

        super().__init__(request, run)
        self.tagger: Tagger = run.models.load(Tagger, request.model)
        self.tokenizer = fitted(self.tagger.tokenizer, request.abbreviations)

    def read(self, sources: Iterable[Source]) -> Iterator[Sentence]:
        """Read sentences."""
        request = self.request
        sentences = read_sentences(
            sources, request.input_format, self.tokenizer, hinting(self.run.fault),
            lines=request.lines, encoding=request.encoding,
        )  # fmt: skip
        return iter(self.run.admitted(sentences))

    def annotated(self, documents: Iterator[InputDocument]) -> Iterator[AnnotatedDocument]:
        """Tag documents."""
        every = with_sentences(documents, self.tokenizer, self.run.fault, lines=self.request.lines)
        for given, _, tagged in by_document(every, self.results):
            yield AnnotatedDocument(given, tagged, document_from(given, tagged))

    def document_texts(self, annotated: AnnotatedDocument, format: str) -> Iterator[str]:  # noqa: A002
        """Write the tagged sentences of a document."""
        return (lines_of if format == "json" else conllu_of)(annotated.input, annotated.document)

    @classmethod
    def wanted(cls, request: TagRequest) -> Wanted:
        """Return how documents are read."""
        return Wanted(
            SENTENCES, request.input_format, request.encoding, request.field, request.id_field
        )

    def results(self, items: Iterator[Sentence]) -> Iterator[Sentence]:
        """Tag sentences."""
        from treaty.parse._language import LanguageCheck, vocabulary_of

        check = LanguageCheck(None if self.run.quiet else vocabulary_of(self.tagger))
        options = self.request.given("confidences", "threads")
        for group in watched(check, self.run.groups(items), self.run.note):
            yield from self.tagger.predict(group, **options)

    def texts(self, results: Iterator[Sentence], format: str) -> Iterator[str]:  # noqa: A002
        """Write tagged sentences."""
        return (json_line(s) if format == "json" else s.to_conllu() for s in results)
