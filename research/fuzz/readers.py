"""A harness for every reader of text, and for what is done with a text before any model."""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import islice
from typing import Any

from research.fuzz import _sample_documents as _documents_of
from research.fuzz import _samples
from research.fuzz._run import Harness
from treaty import FactorGraph
from treaty import text as texts
from treaty._live import LiveInput
from treaty._streams import Unreadable, chunks_of
from treaty.errors import InputError, TreatyError, UsageError
from treaty.features import TemplateSet
from treaty.graph import read_evidence, read_graphs
from treaty.induce import EdgeConstraint, Grammar, Tagset
from treaty.label import EntityRules, Gazetteers
from treaty.parse import Clusters, Document, Parse
from treaty.parse._abbreviations import Abbreviations
from treaty.parse._arriving_text import arriving_texts
from treaty.show import document_html, thread_svg, thread_text, tree_svg, tree_text
from treaty.solve import Certificate
from treaty.summarize import Rules
from treaty.summarize._reading import read_sources
from treaty.summarize._split import split_text
from treaty.text.formats._office import PARTS

__all__ = ["HARNESSES"]

MOST_DRAWN = 20


def _each(read: Callable[..., Iterable[Any]], **options: Any) -> Callable[[bytes], None]:
    """Read with errors handed over, then check that a reader that raises gives the same first."""

    def run(data: bytes) -> None:
        errors: list[InputError] = []
        count = sum(1 for _ in read(io.BytesIO(data), on_error=errors.append, **options))
        for error in errors:
            str(error).encode()  # what cannot be printed is no message
        try:
            whole = sum(1 for _ in read(io.BytesIO(data), **options))
        except InputError:
            if not errors:
                raise
        else:
            if errors or whole != count:
                raise AssertionError(f"{count} read and {len(errors)} errors, but {whole} in all")

    return run


def _one(read: Callable[[Any], object]) -> Callable[[bytes], None]:
    return lambda data: (read(io.BytesIO(data)), None)[1]


def _trees(data: bytes) -> None:
    """Read CoNLL-U; what was read is written, read again, and restored as text."""
    found = list(texts.read_conllu(io.BytesIO(data), on_error=_printed))
    text = "".join(sentence.to_conllu() for sentence in found)
    again = list(texts.read_conllu(io.StringIO(text)))
    if again != found:
        raise AssertionError("what was written is not what was read")
    texts.text_of(found)
    for sentence in found:
        sentence.to_conllx()
        record = Parse(sentence, Certificate.exact(0.0)).to_dict()
        document = Document.from_dict(record)
        if document.sentences != [sentence] or document.to_dict()["sentences"] != [record]:
            raise AssertionError("JSON is not what was read")
    _each(texts.read_conllu, trees=True)(data)


def _printed(error: InputError) -> None:
    str(error).encode()


def _drawn_trees(data: bytes) -> None:
    sentences = texts.read_conllu(io.BytesIO(data), trees=True, on_error=_printed)
    for sentence in islice(sentences, MOST_DRAWN):
        tree_text(sentence)
        tree_svg([sentence])


def _drawn_threads(data: bytes) -> None:
    for thread in islice(texts.read_threads(io.BytesIO(data), on_error=_printed), MOST_DRAWN):
        thread_text(thread)
        thread_svg(thread)


def _text(data: bytes) -> None:
    """Split a text by rules; the pieces of the text and of its sentences are the text."""
    text = texts.read_text(io.BytesIO(data))
    plain = text.replace("\r\n", "\n").removesuffix("\r")
    pieces = "".join(texts.read_paragraphs(io.BytesIO(data), on_error=_printed))
    if "\r" not in plain and "\0" not in plain and pieces != plain:
        raise AssertionError("the paragraphs are not the text")
    split_text(text)


class _Arriving(LiveInput):
    """Input that arrives in pieces, with pauses among them; both depend on the data."""

    def __init__(self, data: bytes) -> None:
        super().__init__(-1, ready=self._comes, clock=lambda: 0.0)
        self._data, self._at, self._dice = data, 0, zlib.crc32(data)

    def _next(self) -> int:
        self._dice = (self._dice * 1103515245 + 12345) % 2**31
        return self._dice >> 8

    def _comes(self, _handle: int, _seconds: float) -> bool:
        return self._next() % 3 > 0

    def _read(self) -> bytes:
        begin = self._at
        self._at += 1 + self._next() % (8 if self._next() % 2 else 2000)
        return self._data[begin : self._at]


def _live(data: bytes) -> None:
    """Read a text that arrives bit by bit: its pieces are the text, whenever it pauses."""
    faults: list[InputError] = []
    whole = "".join(texts.read_paragraphs(io.BytesIO(data), on_error=faults.append))
    pieces = arriving_texts(_Arriving(data), split_text, _printed)
    if "".join(pieces) != whole:
        raise AssertionError("the pieces are not the text")


def _email(data: bytes) -> None:
    article = texts.read_article(io.BytesIO(data), format="email")
    f"{article.title} {article.date} {article.text}".encode()


def _subtitles(data: bytes) -> None:
    texts.read_article(io.BytesIO(data), format="subtitles").text.encode()


def _office(data: bytes) -> None:
    """Read the text of a word processor's file of either kind."""
    for part in PARTS:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(part, data)
        texts.read_article(io.BytesIO(file.getvalue()), format="office").text.encode()


def _pdf(data: bytes) -> None:
    texts.read_article(io.BytesIO(data), format="pdf").text.encode()


def _bodies(data: bytes) -> None:
    """Take a document apart: what is left are spans of it."""
    article = texts.read_article(io.BytesIO(data), format="text")
    for source in read_sources([article]):
        source.sentence.text.encode()
        if source.span is not None and not 0 <= source.span[0] < source.span[1]:
            raise AssertionError(f"the span of a sentence is {source.span}")


@cache
def _observed() -> FactorGraph:
    graph = FactorGraph()
    graph.categorical([0.0, 1.0, 2.0])
    graph.variable(1.0)
    graph.categorical([0.0] * 5)
    return graph


def _evidence(data: bytes) -> None:
    graph = _observed().copy()
    graph.observe(read_evidence(io.BytesIO(data), graph))
    graph.solve("exhaustive")


def _compressed(data: bytes) -> None:
    for _ in chunks_of(io.BytesIO(data)):
        pass


def _tokenized(data: bytes) -> None:
    text = data.decode(errors="replace").replace("\0", " ")
    found = _samples.tokenizer().sentences(text)
    if found and texts.text_of(found).strip() != text.strip():
        raise AssertionError("the text is not restored")


def _documents(data: bytes) -> None:
    document = Document.from_json(data.decode(errors="replace"))
    if Document.from_json(document.to_json()) != document:
        raise AssertionError("JSON is not the document")
    document.noun_chunks  # noqa: B018
    document_html(document, most=2)


def _templates(data: bytes) -> None:
    from treaty.parse import Tokenizer

    sets = TemplateSet.of(data.decode(errors="replace"))
    Tokenizer(templates=[sets] * 3, bits=4)


def _names(data: bytes) -> None:
    from treaty.metrics._rouge_units import metric_named
    from treaty.papers.relaxations._filters import Choice

    name = data.decode(errors="replace")
    for read in (metric_named, Choice.named):
        with suppress(UsageError):
            read(name)


def _graphs(format: str) -> Callable[[bytes], None]:  # noqa: A002
    def run(data: bytes) -> None:
        for _ in read_graphs(io.BytesIO(data), format):
            pass

    return run


def _packed() -> Sequence[bytes]:
    plain = b"".join(_samples.conllu())
    zipped = gzip.compress(plain, mtime=0)
    return [
        zipped,
        zipped * 2,
        gzip.compress(b"", mtime=0),
        lzma.compress(plain),
        lzma.compress(b""),
    ]


JSON = _samples.JSON_WORDS
HARNESSES = [
    Harness("conllu", _samples.conllu, _trees, _samples.CONLLU_WORDS),
    Harness("conllx", _samples.conllx, _each(texts.read_conllu, format="conllx"),
            _samples.CONLLU_WORDS),
    Harness("columns", _samples.columns, _each(texts.read_columns), _samples.COLUMN_WORDS),
    Harness("tokens", _samples.texts, _each(texts.read_tokens), _samples.TEXT_WORDS),
    Harness("threads", _samples.threads, _each(texts.read_threads), JSON),
    Harness("collections", _samples.collections, _each(texts.read_collections), JSON),
    Harness("summaries", _samples.summaries, _each(texts.read_summaries), JSON),
    Harness("compressions", _samples.compressions, _each(texts.read_compressions), JSON),
    Harness("examples", lambda: [*_samples.collections(), *_samples.compressions()],
            _each(texts.read_summary_examples), JSON),
    Harness("text", _samples.texts, _text, _samples.TEXT_WORDS),
    Harness("html", _samples.pages,
            _one(lambda file: texts.read_article(file, format="html")), _samples.HTML_WORDS),
    Harness("email", _documents_of.emails, _email, _documents_of.EMAIL_WORDS),
    Harness("subtitles", _documents_of.subtitles, _subtitles, _documents_of.SUBTITLE_WORDS),
    Harness("office", _documents_of.offices, _office, _documents_of.OFFICE_WORDS),
    Harness("live", _samples.texts, _live, _samples.TEXT_WORDS),
    Harness("bodies", _documents_of.articles, _bodies, _documents_of.BODY_WORDS),
    Harness("evidence", _documents_of.evidence, _evidence, _documents_of.EVIDENCE_WORDS),
    Harness("abbreviations", _documents_of.abbreviations, _one(Abbreviations.of_file),
            _documents_of.ABBREVIATION_WORDS),
    Harness("kinds", _samples.everything, _one(texts.recognize), JSON),
    Harness("rules", _samples.rules, _one(Rules.load), _samples.TOML_WORDS),
    Harness("entity-rules", _samples.entity_rules, _one(EntityRules.read), _samples.TOML_WORDS),
    Harness("tagsets", _samples.tagsets, _one(Tagset.named), _samples.TOML_WORDS),
    Harness("constraints", _samples.constraints, _one(EdgeConstraint.read), _samples.TOML_WORDS),
    Harness("clusters", _samples.clusters,
            _one(lambda file: Clusters.read(file, least=2)), _samples.COLUMN_WORDS),
    Harness("gazetteers", _samples.gazetteers, _one(Gazetteers.read), _samples.COLUMN_WORDS),
    Harness("grammars", _samples.grammars, _one(Grammar.from_text), _samples.GRAMMAR_WORDS),
    Harness("fg", _samples.fg, _graphs("fg"), _samples.GRAPH_WORDS),
    Harness("uai", _samples.uai, _graphs("uai"), _samples.GRAPH_WORDS),
    Harness("mrf", _samples.mrf, _graphs("mrf"), _samples.GRAPH_WORDS),
    Harness("compressed", _packed, _compressed, (b"\x1f\x8b\x08\x00", b"\xfd7zXZ\x00"),
            allowed=(TreatyError, Unreadable)),
    Harness("tokenizer", _samples.texts, _tokenized, _samples.TEXT_WORDS),
    Harness("documents", _samples.documents, _documents, JSON),
    Harness("templates", _samples.templates, _templates, _samples.TEMPLATE_WORDS),
    Harness("names", _samples.names, _names, _samples.NAME_WORDS),
    Harness("drawn-trees", _samples.conllu, _drawn_trees, _samples.CONLLU_WORDS),
    Harness("drawn-threads", _samples.threads, _drawn_threads, JSON),
]  # fmt: skip
if find_spec("pypdf"):
    HARNESSES.append(Harness("pdf", _documents_of.pdfs, _pdf, _documents_of.PDF_WORDS))
