"""Compression: shorter sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from treaty._json import json_line
from treaty.tasks._by_document import AnnotatedDocument, about, by_document, document_from
from treaty.tasks._documents import InputDocument, Wanted, hinting, with_sentences
from treaty.tasks._options import (
    Abbreviations,
    Encoding,
    Field,
    IdField,
    Lines,
    Model,
    Parser,
    Rules,
    SentenceInput,
    Short,
    ShowCuts,
    Threads,
)
from treaty.tasks._request import Option, Request
from treaty.tasks._run import Models, Run
from treaty.tasks._sources import (
    AT_ONCE,
    DOCUMENT_TITLES,
    SENTENCES,
    Source,
    fitted,
    read_sentences,
    watched,
)
from treaty.tasks._task import Task

if TYPE_CHECKING:
    from treaty.summarize import CompressedSentence, Summarizer
    from treaty.text import Sentence

__all__ = ["SIMPLE", "CompressRequest", "Compressing", "models_of", "summarizer_of"]

SIMPLE = "simple"
"""The name of the summarizer that scores by counts alone."""
USUAL_RATE = 0.7
"""Share of words that bold cuts leave; fewer do not count as a limit that the user has set."""
HELP = f"""Compress sentences: phrases that can be spared are cut off.

Only cuts are made that leave what the source says: connectives, comments, appositions, relative
clauses that are set off, times and places of what has happened, and so on. What carries the meaning
stays, such as conditions, exceptions, what is negated, and what a verb needs. --short cuts more.
Every compressed sentence is parsed again, and cuts that change its structure are taken back.

SOURCES are texts of more than one word, files (also .gz or .xz), folders, archives (.zip, .tar),
mailboxes, tables (--field), or - for standard input, which is read when nothing is given. With
-o folder/ each document gets a file. A file may be {DOCUMENT_TITLES},
CoNLL-U, whose trees are kept, or JSON lines of compressions; text that is cut into words, a
sentence a line, is read by --input-format tokens. A sentence a line is written.

\b
Examples:
  treaty compress "The old man, who was tired, slept in his chair by the fire."
  treaty compress letter.txt --rate 0.6 --show-cuts
  treaty compress letter.txt --words 12 --short --format json
  treaty compress gold.jsonl --format json -o found.jsonl && treaty evaluate gold.jsonl found.jsonl

Exit codes: 0 done, 2 usage, 3 bad input (the rest is compressed), 4 some sentences are longer than
asked for, 5 model file refused.
"""


@dataclass(frozen=True, kw_only=True)
class CompressRequest(Request):
    """Shorter sentences."""

    examples: ClassVar = ({"text": "Engineers said on Wednesday that the walls are safe."},)
    words: Annotated[
        int | None,
        Option(
            "Number of words that are left of each sentence, if cuts allow it.",
            least=0, most=100_000, metavar="N",
        ),
    ] = None  # fmt: skip
    rate: Annotated[
        float | None,
        Option(
            "The same as a share; by default all that is safe is cut, with --short to 0.7.",
            least=0, most=1, metavar="SHARE",
        ),
    ] = None  # fmt: skip
    short: Short = False
    show_cuts: ShowCuts = False
    input_format: SentenceInput = None
    lines: Lines = "auto"
    abbreviations: Abbreviations = None
    encoding: Encoding = None
    field: Field = None
    id_field: IdField = None
    model: Model = "summarizer"
    parser: Parser = None
    rules: Rules = None
    threads: Threads = 1


class Compressing(Task[CompressRequest]):
    """Compresses sentences."""

    name = "compress"
    doing = "compressing"
    asks = CompressRequest
    help = HELP
    formats = ("text", "json")
    streamed = formats
    documents = True

    def __init__(self, request: CompressRequest, run: Run) -> None:
        super().__init__(request, run)
        self.summarizer = summarizer_of(run.models, request.model, request.parser, request.rules)
        pipeline = self.summarizer.pipeline
        tokenizer = None if pipeline is None else pipeline.tokenizer
        self.tokenizer = fitted(tokenizer, request.abbreviations)

    def read(self, sources: Iterable[Source]) -> Iterator[Sentence]:
        """Read sentences."""
        request = self.request
        sentences = read_sentences(
            sources, request.input_format, self.tokenizer, hinting(self.run.fault),
            lines=request.lines, encoding=request.encoding,
        )  # fmt: skip
        return iter(self.run.admitted(sentences))

    def annotated(self, documents: Iterator[InputDocument]) -> Iterator[AnnotatedDocument]:
        """Compress the sentences of documents."""
        every = with_sentences(documents, self.tokenizer, self.run.fault, lines=self.request.lines)
        for given, sentences, compressions in by_document(every, self.results):
            compressions = [
                replace(one, number=number) for number, one in enumerate(compressions, 1)
            ]
            document = document_from(given, sentences)
            document.compressions = compressions
            yield AnnotatedDocument(given, compressions, document)

    def document_texts(self, annotated: AnnotatedDocument, format: str) -> Iterator[str]:  # noqa: A002
        """Write the compressed sentences of a document."""
        if format != "json":
            yield from super().document_texts(annotated, format)
            return
        document = annotated.document
        for compression, (start, end) in zip(
            annotated.results, document.sentence_spans, strict=True
        ):
            record = compression.to_dict() | about(annotated.input)
            yield json_line({**about(annotated.input), "start": start, "end": end, **record})

    @classmethod
    def wanted(cls, request: CompressRequest) -> Wanted:
        """Return how documents are read."""
        return Wanted(
            SENTENCES, request.input_format, request.encoding, request.field, request.id_field
        )

    def results(self, items: Iterator[Sentence]) -> Iterator[CompressedSentence]:
        """Compress sentences, and count those that are longer than requested."""
        from treaty.parse._language import LanguageCheck

        request = self.request
        is_free = request.words is None and request.rate is None
        options: dict[str, Any] = {
            "words": request.words,
            "rate": USUAL_RATE if is_free and request.short else request.rate,
            "cuts": "short" if request.short else "safe",
            "threads": request.threads,
        }
        pipeline = self.summarizer.pipeline
        check = LanguageCheck(None if self.run.quiet or pipeline is None else pipeline.vocabulary)
        for group in watched(check, self.run.groups(items, weight=len), self.run.note):
            for sentence in self.summarizer.compress(group, **options):
                limits = [request.words] if request.words is not None else []
                if request.rate is not None:
                    limits.append(round(request.rate * sentence.source_words))
                self.run.tally["longer"] += any(sentence.words > limit for limit in limits)
                yield sentence

    def texts(self, results: Iterator[CompressedSentence], format: str) -> Iterator[str]:  # noqa: A002
        """Write a sentence a line."""
        from treaty.show import cuts_terminal, cuts_text, rendered

        for sentence in results:
            if format == "json":
                yield json_line(sentence)
            elif not self.request.show_cuts:
                yield f"{sentence.text}\n"
            elif self.run.on_terminal:
                yield rendered(cuts_terminal([sentence], origins=False)).removesuffix("\n")
            else:
                yield f"{cuts_text(sentence)}\n"

    @classmethod
    def models(cls, request: CompressRequest) -> list[str]:
        """List the models of the summarizer."""
        return models_of(request.model, request.parser)

    @classmethod
    def at_once(cls, request: CompressRequest) -> int | None:
        """Parse many sentences together."""
        return AT_ONCE

    @classmethod
    def ending(cls, request: CompressRequest, run: Run) -> Iterator[str]:
        """Note the sentences that are longer than requested."""
        if longer := run.tally["longer"]:
            more = "the rules forbid more"
            if not request.short:
                more = "more would not be safe (--short cuts more)"
            yield f"{longer:,} of {run.results:,} are longer than requested: {more}"

    @classmethod
    def falls_short(cls, run: Run) -> bool:
        """Return whether some sentences are longer than requested."""
        return bool(run.tally["longer"])


def models_of(model: str, parser: str | None) -> list[str]:
    """List the models by whose names a summarizer refers to files."""
    from treaty.learn import is_installed

    named = [name for name in (model, parser) if name is not None and name != SIMPLE]
    english = ["english"] if parser is None and is_installed("english") else []
    return [*named, *english]


def summarizer_of(models: Models, model: str, parser: str | None, rules: str | None) -> Summarizer:
    """Load a summarizer, with another parser and other rules if they are given."""
    from treaty.summarize import Rules as CompressionRules
    from treaty.summarize import SimpleScorer, Summarizer

    plain = Summarizer(SimpleScorer()) if model == SIMPLE else models.load(Summarizer, model)
    summarizer: Summarizer = models.with_parser(plain, parser)
    if rules is None:
        return summarizer
    return replace(summarizer, rules=CompressionRules.load(rules))
