"""Documents as dictionaries for JSON, and back without loss.

A sentence has all its columns, comments and other lines. What can be derived (texts, positions,
gaps) is written for readers and found anew when read.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from treaty.errors import InputError, UsageError
from treaty.parse.documents._document_entities import entities_in_misc, placed
from treaty.parse.documents._word import confidence
from treaty.solve import Certificate, Status
from treaty.text import Entity, Sentence, text_of
from treaty.text._data import parse_json
from treaty.text._lines import Fault
from treaty.text._parse import parse_sentence
from treaty.text._records import checked, optional, shown
from treaty.text._spaces import raw_form

if TYPE_CHECKING:
    from treaty.parse.documents._document import Document

__all__ = ["document_of", "parsed", "record_of", "sentence_record"]

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
Span = tuple[int, int]


def record_of(document: Document) -> dict[str, Any]:
    """Return all that a document holds; see `Document.to_dict`."""
    sentences, done = [], 0
    for number, sentence in enumerate(document.sentences):
        spans = document.spans[done : done + len(sentence)]
        record = _sentence_record(sentence, spans, document.text)
        if document.certificates:
            record["certificate"] = _certificate_record(document.certificates[number])
        sentences.append(record)
        done += len(sentence)
    named = {"document": document.name, "source": document.source}
    record = {name: value for name, value in named.items() if value is not None}
    record |= {"text": document.text, "sentences": sentences}
    if document.entities:
        record["entities"] = [asdict(entity) for entity in document.entities]
    return record


def sentence_record(sentence: Sentence, certificate: Certificate) -> dict[str, Any]:
    """Return the record of a sentence alone; positions are those in its own text."""
    from treaty.parse.documents._document import Document

    words = " ".join(raw_form(form, misc) for form, misc in sentence.surface())
    texts = (sentence.text.strip(), text_of([sentence]).strip(), words)
    for text in texts:  # comments and MISC may be wrong, words are always right
        with suppress(UsageError):
            document = Document(text, [sentence], certificates=[certificate])
            break
    marked = list(entities_in_misc([sentence]))
    entities = placed(marked, [sentence], document.spans, document.text)
    record: dict[str, Any] = document.to_dict()["sentences"][0]
    if entities:
        record["entities"] = [asdict(entity) for entity in entities]
    return record


def _sentence_record(sentence: Sentence, spans: list[Span], text: str) -> dict[str, Any]:
    start, end = spans[0][0], spans[-1][1]
    record: dict[str, Any] = {"text": text[start:end], "start": start, "end": end}
    if comments := sentence.written_comments:
        record["comments"] = comments
    tokens = sentence.to_dict()["tokens"]
    record["tokens"] = [_placed(token, *span) for token, span in zip(tokens, spans, strict=True)]
    if sentence.other_lines:
        record["other_tokens"] = [_other(line, spans) for _, line in sentence.other_lines]
    return record


def _placed(token: dict[str, Any], start: int, end: int) -> dict[str, Any]:
    placed = {"id": token["id"], "form": token["form"], "start": start, "end": end, **token}
    for of in ("Tag", "Arc", "Label"):
        if (sure := confidence(token.get("misc", "_"), of)) is not None:
            placed[f"{of.lower()}_confidence"] = sure
    return placed


def _other(line: str, spans: list[Span]) -> dict[str, Any]:
    """Return the record of a multiword token or an empty node."""
    columns = dict(zip(COLUMNS, line.split("\t"), strict=True))
    filled = {name: x for name, x in columns.items() if x != "_" or name == "form"}
    first, dash, last = columns["id"].partition("-")
    if not dash:
        return filled
    return _placed(filled, spans[int(first) - 1][0], spans[int(last) - 1][1])


def _certificate_record(certificate: Certificate) -> dict[str, Any]:
    record = certificate.to_dict()
    for name in ("objective", "bound", "seconds"):  # exact, not rounded
        value = getattr(certificate, name)
        record[name] = value if math.isfinite(value) else None
    return record


# From JSON


def parsed(text: str) -> Any:
    """Parse JSON, and raise `InputError` if it is none."""
    try:
        return parse_json(text)
    except Fault as fault:
        raise InputError(fault.message, text=fault.text) from None


def document_of(record: Any, kind: type[Document]) -> Document:
    """Make a document from its record, or from that of a sentence; see `Document.from_dict`."""
    start = 0
    try:
        whole = checked(record, dict, "a document")
        if "tokens" in whole:
            whole = {**whole, "sentences": [whole]}
            start = checked(whole.get("start", 0), int, "the start of a sentence")
        text = checked(whole.get("text"), str, "the text of a document")
        given = checked(whole.get("sentences"), list, "the sentences of a document")
        sentences = [_sentence(sentence, f"sentence {n}") for n, sentence in enumerate(given, 1)]
        named = checked(whole.get("entities", []), list, "entities")
        entities = [_entity(entity, f"entity {n}", start) for n, entity in enumerate(named, 1)]
        name, source = (optional(dict(whole), key, key) for key in ("document", "source"))
        worth = [s["certificate"] for s in given if "certificate" in s]
        certificates = [_certificate(c) for c in worth]
        return kind(text, sentences, entities, certificates, name=name, source=source)
    except Fault as fault:
        raise InputError(fault.message, text=fault.text) from None
    except UsageError as error:
        raise InputError(f"the parts of the document do not agree: {error}") from None


def _sentence(record: Any, what: str) -> Sentence:
    """Make a sentence by way of its lines in CoNLL-U, which are checked as those of a file."""
    sentence = checked(record, dict, what)
    tokens = checked(sentence.get("tokens"), list, f"{what}: tokens")
    rows = [_row(token, f"{what}: token {n}") for n, token in enumerate(tokens, 1)]
    others = checked(sentence.get("other_tokens", []), list, f"{what}: other_tokens")
    for other in reversed(others):
        row = _row(other, f"{what}: other token")
        rows.insert(_place(row), row)
    comments = checked(sentence.get("comments", []), list, f"{what}: comments")
    for line in comments:
        if not checked(line, str, f"{what}: a comment").startswith("#") or _breaks(line):
            raise Fault(f"{what}: expected comments of one line that starts with #", shown(line))
    try:
        found = parse_sentence([*comments, *(rows or ["#"])], 1, "conllu", {})
        return found.with_typed_comments()
    except Fault as fault:
        raise Fault(f"{what}: {fault.message}", fault.text or "") from None


def _row(record: Any, what: str) -> str:
    columns = checked(record, dict, what)
    cells = []
    for name in COLUMNS:
        value = columns.get(name, "_")
        if name in ("id", "head") and type(value) is int:
            value = str(value)
        if not checked(value, str, f"{what}: {name}") or _breaks(value):
            raise Fault(f"{what}: {name}: expected text on one line, not empty", shown(value))
        cells.append(value)
    return "\t".join(cells)


def _place(row: str) -> int:
    """Return the number of tokens before a multiword token or an empty node."""
    identity = row.partition("\t")[0]
    first, dash, _ = identity.partition("-")
    node = identity.partition(".")[0]
    place = first if dash else node
    if not (place.isascii() and place.isdecimal() and len(place) < 10):
        raise Fault("expected an id such as 2-3 of a multiword token or 2.1 of an empty node", row)
    return int(place) - 1 if dash else int(place)


def _breaks(text: str) -> bool:
    return not {"\n", "\r", "\0", "\t"}.isdisjoint(text)


def _entity(record: Any, what: str, begin: int) -> Entity:
    """Make an entity of a text that begins at a place of that of the record."""
    fields = checked(record, dict, what)
    kind, text = (checked(fields.get(name), str, f"{what}: {name}") for name in ("type", "text"))
    start, end, first, last = (
        checked(fields.get(name), int, f"{what}: {name}")
        for name in ("start", "end", "first", "last")
    )
    sure = fields.get("confidence")
    confidence = None if sure is None else _number(sure, f"{what}: confidence")
    return Entity(kind, text, start - begin, end - begin, first, last, confidence)


def _certificate(record: Any) -> Certificate:
    fields = checked(record, dict, "a certificate")
    name = checked(fields.get("status"), str, "the status of a certificate")
    if name not in list(Status):
        raise Fault(f"unknown status; expected one of {', '.join(Status)}", name)
    status = Status(name)
    objective, bound = fields.get("objective"), fields.get("bound")
    none = -math.inf if status is Status.INFEASIBLE else math.inf
    return Certificate(
        status,
        -math.inf if objective is None else _number(objective, "objective"),
        none if bound is None else _number(bound, "bound"),
        checked(fields.get("iterations", 0), int, "iterations"),
        _number(fields.get("seconds", 0.0), "seconds"),
    )


def _number(value: object, what: str) -> float:
    if type(value) is int and abs(value) < 2**53:
        return float(value)
    if type(value) is not float:
        raise Fault(f"{what}: expected a number", shown(value))
    return value
