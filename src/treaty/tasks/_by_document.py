"""Results by document: regrouped, and written with names and places in the text."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from treaty._json import json_line
from treaty.errors import UsageError
from treaty.tasks._documents import InputDocument
from treaty.text import Sentence, text_of
from treaty.text._spaces import raw_form

if TYPE_CHECKING:
    from treaty.parse import Document
    from treaty.solve import Certificate

__all__ = [
    "AnnotatedDocument",
    "about",
    "by_document",
    "conllu_of",
    "document_from",
    "heading",
    "lines_of",
    "sentence_id",
]

RANGE = "TokenRange"
"""The attribute of MISC with the place of a token in the document, as UDPipe writes it."""
Span = tuple[int, int]


@dataclass(frozen=True)
class AnnotatedDocument:
    """A document, and the results of a task for it.

    Attributes
    ----------
    input
        The document.
    results
        The results, such as a tree for each sentence.
    document
        The document as `treaty.annotate` gives it.
    """

    input: InputDocument
    results: list[Any]
    document: Document


def by_document(
    documents: Iterable[tuple[InputDocument, list[Any]]],
    work: Callable[[Iterator[Any]], Iterator[Any]],
) -> Iterator[tuple[InputDocument, list[Any], list[Any]]]:
    """Work on the items of many documents at once, and give each document its results.

    Parameters
    ----------
    documents
        The documents with their items.
    work
        Gives a result for each item, in order; it may read ahead.

    Yields
    ------
    document, items, results
        As soon as the last result is there.
    """
    waiting: deque[tuple[InputDocument, list[Any]]] = deque()

    def items() -> Iterator[Any]:
        for document, document_items in documents:
            waiting.append((document, document_items))
            yield from document_items

    results: list[Any] = []
    for result in work(items()):
        while not waiting[0][1]:
            yield *waiting.popleft(), []
        results.append(result)
        if len(results) == len(waiting[0][1]):
            yield *waiting.popleft(), results
            results = []
    while waiting and not waiting[0][1]:
        yield *waiting.popleft(), []


def document_from(
    given: InputDocument,
    sentences: Sequence[Sentence],
    certificates: Iterable[Certificate] = (),
) -> Document:
    """Make the document that has the sentences of an input, with their places in its text."""
    from treaty.parse import Document
    from treaty.parse.documents._document_entities import entities_in_misc, placed

    words = (" ".join(raw_form(*pair) for pair in s.surface()) for s in sentences)
    texts: list[Callable[[], str]] = [lambda: text_of(sentences), lambda: "\n".join(words)]
    if given.text is not None:
        texts.insert(0, lambda: given.text or "")
    for text in texts[:-1]:  # of CoNLL-U, MISC may be wrong; words are always right
        try:
            document = Document(text(), list(sentences), certificates=list(certificates))
            break
        except UsageError:
            continue
    else:
        document = Document(texts[-1](), list(sentences), certificates=list(certificates))
    document.name, document.source = given.id, given.source
    document.entities = placed(
        entities_in_misc(sentences), sentences, document.spans, document.text
    )
    return document


def about(given: InputDocument) -> dict[str, str]:
    """Return where results come from, for JSON."""
    return {"source": given.source, "document": given.id}


def heading(given: InputDocument) -> str:
    """Return the line with which a document begins."""
    return f"# newdoc id = {given.id}\n"


def sentence_id(given: InputDocument, number: int) -> str:
    """Return the id of a sentence of a document, counted from 1."""
    return f"# sent_id = {given.key}-{number}"


def conllu_of(
    given: InputDocument, document: Document, sentences: Iterable[Sentence] | None = None
) -> Iterator[str]:
    """Write sentences with the document they are of, their id, and the places of tokens.

    Those of CoNLL-U keep the ids that they have.
    """
    spans = iter(document.spans)
    for number, sentence in enumerate(document.sentences if sentences is None else sentences, 1):
        comments = list(sentence.comments)
        if number == 1 and not any(line.startswith("# newdoc") for line in comments):
            comments.insert(0, heading(given).rstrip("\n"))
        if sentence.comment("sent_id") is None:
            begins = (line.startswith(("# newdoc", "# newpar")) for line in comments)
            comments.insert(sum(takewhile(bool, begins)), sentence_id(given, number))
        yield _with_ranges(sentence, comments, [next(spans) for _ in sentence.tokens]).to_conllu()


def _with_ranges(sentence: Sentence, comments: list[str], spans: list[Span]) -> Sentence:
    """Write the place of every token into MISC; of a multiword token it is that of its line."""
    from treaty.parse.documents._misc import with_misc

    inside = {n for word in sentence.multiword_tokens for n in range(word.first, word.last + 1)}
    tokens = []
    for number, (token, (start, end)) in enumerate(zip(sentence.tokens, spans, strict=True), 1):
        token = token.copy()
        place = None if number in inside else f"{start}:{end}"
        token.misc = with_misc(token.misc, {RANGE: place})
        tokens.append(token)
    lines = []
    for place_, line in sentence.other_lines:
        *columns, misc = line.split("\t")
        first, dash, last = columns[0].partition("-")
        if dash:
            start, end = spans[int(first) - 1][0], spans[int(last) - 1][1]
            misc = with_misc(misc, {RANGE: f"{start}:{end}"})
        lines.append((place_, "\t".join([*columns, misc])))
    return Sentence(tokens, comments, lines)


def lines_of(given: InputDocument, document: Document) -> Iterator[str]:
    """Write a line of JSON for each sentence, with its places in the document."""
    from treaty.parse.documents._document_record import record_of

    names = document.entities_of_sentences()
    for record, entities in zip(record_of(document)["sentences"], names, strict=True):
        if entities:
            record["entities"] = [asdict(entity) for entity in entities]
        yield json_line(about(given) | record)
