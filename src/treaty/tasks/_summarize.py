"""Summaries: documents in, a short text out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from treaty import languages
from treaty._json import json_line
from treaty.errors import InputError, UsageError
from treaty.tasks._by_document import AnnotatedDocument, about
from treaty.tasks._compress import models_of, summarizer_of
from treaty.tasks._documents import Documents, InputDocument, Wanted, hinting, is_collection
from treaty.tasks._options import (
    Abbreviations,
    Encoding,
    Field,
    Gap,
    IdField,
    Iterations,
    Language,
    Lines,
    Model,
    Parser,
    Rules,
    Short,
    ShowCuts,
    Threads,
    TimeLimit,
    input_format,
)
from treaty.tasks._request import Http, Option, Record, Request
from treaty.tasks._run import Run
from treaty.tasks._sources import (
    DOCUMENT_NAMES,
    DOCUMENT_TITLES,
    TEXTS,
    Source,
    Text,
    file_format,
    instruct,
    read_each,
    recoded,
    shallow,
    watched_one_by_one,
    with_lines,
)
from treaty.tasks._task import Task
from treaty.tasks._wishes import SummaryWish, summary_wishes
from treaty.text import (
    Article,
    Collection,
    read_article,
    read_collections,
    read_lines,
    stemmer,
)
from treaty.text.formats import format_named

if TYPE_CHECKING:
    from treaty.summarize import Digest, Summarizer

__all__ = ["ArticleRecord", "SummarizeRequest", "Summarizing"]

HELP = f"""Summarize documents: sentences chosen and compressed.

SOURCES are files ({DOCUMENT_TITLES}; also as .gz or .xz),
folders of them, archives (.zip, .tar), mailboxes, tables (--field), texts of more than one word, or
- for standard input, which is read when nothing is given: together they are the documents of one
topic, unless --each gives every document its summary. A file of JSON lines holds a collection a
line, and each gets a summary. Headlines, bylines, captions, tables, quoted e-mail and the like are
no sentences.

Every word of the summary stands in the documents, in this order; --show-cuts, json and html tell
where, and what was cut. Only names are given in full, as in their document, where the summary
mentions them first (in braces with --show-cuts; --no-full-names leaves them). Conditions,
exceptions, what is negated, what a verb needs and other phrases that carry the meaning are not cut;
--short cuts more than what is safe. The summary comes with its certificate: how much better the
best one within the limits could be. The methods ilp and exact prove the optimum. The model 'simple'
scores by counts alone.

\b
Examples:
  treaty summarize articles/
  treaty summarize a.txt b.html --words 50 --show-cuts
  treaty summarize articles/ --format html > summary.html
  treaty summarize in.mbox --each -o summaries/
  treaty summarize topics.jsonl --words 250 --format json -o found.jsonl
  treaty summarize nouvelles.txt --language fr
  treaty summarize year.jsonl --cluster tcp://10.0.0.5:8786 --run year.run -o year.txt

Exit codes: 0 done, 2 usage, 3 bad input (the rest is summarized), 4 stopped at a limit or no
sentence fits, 5 model file refused.
"""
ENGLISH = "en"
CONCEPTS = ("unigrams", "bigrams", "trigrams")
INPUT_FORMATS = (*DOCUMENT_NAMES, "json")
if TYPE_CHECKING:
    InputFormat = str
else:
    InputFormat = Literal[INPUT_FORMATS]
FORMATS = {**TEXTS, format_named("collections"): "json"}


@dataclass(frozen=True, kw_only=True)
class ArticleRecord(Record):
    """A document."""

    text: Annotated[str, Option("The text.")]
    title: Annotated[str | None, Option("The title.")] = None
    date: Annotated[str | None, Option("The date.")] = None
    id: Annotated[str | int | None, Option("A name for the results.")] = None


@dataclass(frozen=True, kw_only=True)
class SummarizeRequest(Request):
    """A summary of documents about one topic."""

    examples: ClassVar = (
        {
            "articles": [
                {"text": "Lightning struck the old clock tower of Aldermere on Monday evening."},
                {"text": "The clock tower of Aldermere, which burned on Monday, can be repaired."},
            ],
            "words": 15,
        },
    )
    articles: Annotated[
        tuple[ArticleRecord, ...], Option("Several documents.", longest=1000, of=("http",))
    ] = ()
    words: Annotated[
        int, Option("Greatest number of words.", least=0, most=100_000, metavar="N")
    ] = 100
    sentences: Annotated[
        int | None,
        Option("Greatest number of sentences; by default 6 or more.", least=0, metavar="K"),
    ] = None
    mode: Annotated[
        Literal["compressive", "extractive"] | None,
        Option("Whether phrases are cut off; by default so, if there is a parser."),
    ] = None
    short: Short = False
    method: Annotated[
        Literal["ad3", "ilp", "lp", "exact"], Option("The method that finds the answer.")
    ] = "ad3"
    iterations: Iterations = None
    time_limit: TimeLimit = None
    gap: Gap = None
    show_cuts: ShowCuts = False
    full_names: Annotated[
        bool,
        Option("Whether people are named in full at first mention.", off="no-full-names"),
    ] = True
    input_format: Annotated[InputFormat | None, input_format(INPUT_FORMATS)] = None
    each: Annotated[
        bool, Option("Summarize each document by itself, not all together.", of=("command",))
    ] = False
    lines: Lines = "auto"
    abbreviations: Abbreviations = None
    encoding: Encoding = None
    field: Field = None
    id_field: IdField = None
    language: Language = None
    model: Model = "summarizer"
    parser: Parser = None
    rules: Rules = None
    concepts: Annotated[
        str | None,
        Option(
            "unigrams, bigrams, trigrams, k, or a file with a phrase a line; by default the "
            "model's.",
            metavar="KIND",
            longest=4096,
            http=Http(help="unigrams, bigrams, trigrams, or k; by default the model's."),
        ),
    ] = None
    sources: Annotated[
        bool,
        Option(
            "Whether to add the sentences of all documents, and where they stand.", of=("http",)
        ),
    ] = False
    constraints: Annotated[
        tuple[SummaryWish, ...],
        Option("Sentences and words that must stay, or go.", longest=1000, of=("http",)),
    ] = ()
    threads: Threads = 1


class Summarized(NamedTuple):
    """A result, with the words of its sentences if a model of a language read the texts."""

    result: Any
    words: list[str]


class Summarizing(Task[SummarizeRequest]):
    """Summarizes collections."""

    name = "summarize"
    doing = "summarizing"
    asks = SummarizeRequest
    help = HELP
    formats = ("text", "json", "html")
    streamed = ("text", "json")
    between: ClassVar = {"text": "\n"}
    records = "articles"
    documents = True

    def __init__(self, request: SummarizeRequest, run: Run) -> None:
        super().__init__(request, run)
        concepts = request.concepts
        if concepts and not run.models.reads_files and not _is_kind(concepts):
            raise UsageError(f"concepts must be one of {', '.join(CONCEPTS)} or a number")
        self.summarizer = summarizer_of(run.models, request.model, request.parser, request.rules)
        if (pipeline := self.summarizer.pipeline) is None:
            return
        if run.models.reads_files:
            instruct(pipeline.tokenizer, request.lines, request.abbreviations)
        elif pipeline.tokenizer is not None and request.lines != "auto":
            pipeline = shallow(pipeline)  # others share the model
            pipeline.tokenizer = with_lines(pipeline.tokenizer, request.lines)
            self.summarizer = replace(self.summarizer, parser=pipeline)

    def read(self, sources: Iterable[Source]) -> Iterator[Collection]:
        """Read documents as those of one topic, and each line of JSON as one of its own."""
        articles = [Article(a.text, a.title, a.date, a.id) for a in self.request.articles]

        def opened(document: InputDocument) -> Iterable[Collection]:
            if document.article is None:
                return read_collections(document.stream(), on_error=self.run.fault)
            articles.append(_article(document))
            return ()

        def read(source: Source) -> Iterable[Collection]:
            if is_collection(source, self.request.field):
                documents = Documents([source], self.wanted(self.request), self.run.fault)
                yield from read_each(documents.read(documents), opened, self.run.fault)
                if note := documents.note():
                    self.run.note(note)
                return
            origin = recoded(lambda: source, self.request.encoding)
            kind, origin = file_format(origin, self.request.input_format, FORMATS)
            if kind == "json":
                yield from read_collections(origin, on_error=self.run.fault)
                return
            if isinstance(source, Text) and kind == "text":
                articles.append(Article(source.getvalue()))
            else:
                article = read_article(origin, format=kind)
                is_text = isinstance(source, Text)
                articles.append(replace(article, id=None, source=None) if is_text else article)

        def every() -> Iterator[Collection]:
            yield from read_each(sources, read, hinting(self.run.fault))
            if articles:
                yield Collection(articles)

        return iter(self.run.admitted(every()))

    def annotated(self, documents: Iterator[InputDocument]) -> Iterator[AnnotatedDocument]:
        """Summarize documents one by one."""
        return read_each(documents, self._annotated, self.run.fault)

    def _annotated(self, given: InputDocument) -> Iterator[AnnotatedDocument]:
        from treaty.parse import Document

        collections = [Collection([_article(given)], id=given.id)] if given.article else []
        if given.article is None:
            collections = list(read_collections(given.stream(), on_error=self.run.fault))
        digests = list(self.results(iter(collections)))
        text = given.text or ""
        document = Document(text, self.summarizer.split(text))
        document.name, document.source = given.id, given.source
        document.summary = digests[0] if digests else None
        yield AnnotatedDocument(given, digests, document)

    def document_texts(self, annotated: AnnotatedDocument, format: str) -> Iterator[str]:  # noqa: A002
        """Write the summaries of a document."""
        if format != "json":
            yield from super().document_texts(annotated, format)
            return
        for digest in annotated.results:
            yield json_line({**about(annotated.input), **digest.to_dict()})

    def results(self, items: Iterator[Collection]) -> Iterator[Any]:
        """Summarize collections."""
        from treaty.parse._language import LanguageCheck

        pipeline = None if self.run.quiet else self.summarizer.pipeline
        check = LanguageCheck(None if pipeline is None else pipeline.vocabulary)
        every = self._digests(items)
        watched = watched_one_by_one(check, every, self.run.note, lambda one: one.words)
        return (summarized.result for summarized in watched)

    def _digests(self, items: Iterator[Collection]) -> Iterator[Summarized]:
        request = self.request
        options: dict[str, Any] = {
            "words": request.words,
            "sentences": "auto" if request.sentences is None else request.sentences,
            "mode": request.mode,
            "cuts": "short" if request.short else "safe",
            "names": request.full_names,
            "method": request.method,
            "threads": request.threads,
            "constraints": summary_wishes(request.constraints),
            **request.given("iterations", "time_limit", "gap"),
        }
        for collection in (c for batch in self.run.batches(items) for c in batch):
            fitting = self._fitting(collection)
            try:
                digest = fitting.summarize(collection, **{**options, **self.run.limits()})
            except InputError as error:
                self.run.fault(error)
                continue
            if not digest.sentences:
                self.run.tally["empty"] += 1
                self.run.note(
                    f"no sentence fits within {request.words} words: the summary is empty"
                )
            tokens = [token for sentence in digest.sentences for token in sentence.tokens]
            result = _with_sources(digest, fitting, collection) if request.sources else digest
            yield Summarized(result, [] if fitting.pipeline is None else tokens)

    def _fitting(self, collection: Collection) -> Summarizer:
        """Return a summarizer for the language of a collection, with the requested concepts."""
        request = self.request
        language = request.language or collection.language or ENGLISH
        concepts = self.summarizer.concepts
        if request.concepts:
            concepts = _concepts(request.concepts, language)
        fitting = replace(self.summarizer, language=language, concepts=concepts)
        if language != ENGLISH and request.parser is None and not self.run.models.reads_files:
            return replace(fitting, parser=None)  # that of the server is for English
        return fitting

    def texts(self, results: Iterator[Digest], format: str) -> Iterator[str]:  # noqa: A002
        """Write summaries, with their cuts or as a page."""
        from treaty.show import cuts_terminal, cuts_text, rendered, summary_html, summary_note

        if format == "html":
            every = list(results)
            yield summary_html(every) if every else ""
            return
        for number, digest in enumerate(results):
            between = "\n" if number else ""
            if format == "json":
                yield json_line(digest)
            elif not self.request.show_cuts:
                yield f"{between}{digest.text}\n"
            elif self.run.on_terminal:
                cuts = rendered(cuts_terminal(digest.sentences))
                yield f"{between}{cuts}{summary_note(digest)}\n"
            else:
                lines = [cuts_text(sentence) for sentence in digest.sentences]
                yield between + "\n".join([*lines, "", summary_note(digest), ""])

    @classmethod
    def wanted(cls, request: SummarizeRequest) -> Wanted:
        """Return how documents are read."""
        return Wanted(
            FORMATS, request.input_format, request.encoding, request.field, request.id_field
        )

    @classmethod
    def keeps_documents(cls, request: SummarizeRequest, sources: Sequence[Source]) -> bool:
        """Return whether each document gets a summary."""
        return request.each

    @classmethod
    def check_apart(cls, request: SummarizeRequest) -> None:
        """Refuse a folder of results if there is one summary of all documents."""
        if not request.each:
            raise UsageError("-o folder/ gets a file for each document: give --each")

    @classmethod
    def check(cls, request: SummarizeRequest, format: str) -> None:  # noqa: A002
        """Refuse a format for articles, which are plain texts."""
        super().check(request, format)
        if request.articles and request.input_format not in (None, "text"):
            raise UsageError("articles are plain texts: leave out input_format")

    @classmethod
    def models(cls, request: SummarizeRequest) -> list[str]:
        """List the models of the summarizer."""
        return models_of(request.model, request.parser)

    @classmethod
    def at_once(cls, request: SummarizeRequest) -> int | None:
        """Make a part of each collection."""
        return 1

    @classmethod
    def falls_short(cls, run: Run) -> bool:
        """Return whether a summary is empty."""
        return bool(run.tally["empty"])


def _article(document: InputDocument) -> Article:
    """Return the article of a document, with its name."""
    article = document.article
    if article is None or not article.text.strip():
        raise InputError("the file has no words: expected an article", path=document.id)
    return replace(article, id=document.id, source=document.source)


def _is_kind(concepts: str) -> bool:
    return concepts in CONCEPTS or (concepts.isascii() and concepts.isdecimal())


def _concepts(given: str, language: str) -> Any:
    """Make concepts of a name, a number, or a file of phrases."""
    from treaty.summarize import phrases

    if _is_kind(given):
        return given if given in CONCEPTS else int(given)
    lines = list(read_lines(given))
    if not lines:
        raise InputError("the file is empty: expected a phrase a line", path=given)
    return phrases(lines, stemmer(language))


def _with_sources(digest: Digest, summarizer: Summarizer, collection: Collection) -> dict[str, Any]:
    """Add the sentences that could be chosen, with the numbers by which constraints name them."""
    from treaty.summarize.sentences._reading import read_sources

    sources = read_sources(
        collection.articles,
        summarizer.split,
        headline=True,
        language=languages.get(summarizer.language),
    )
    listed = [
        {"document": s.document + 1, "sentence": s.number + 1, "span": s.span} for s in sources
    ]
    return digest.to_dict() | {"sources": listed}
