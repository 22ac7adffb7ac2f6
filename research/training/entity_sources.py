"""Corpora of English names, brought to the same conventions: those of newswire (CoNLL-2003).

Persons have no titles, nationalities and languages are MISC, of "Portland, Oregon" both parts are
places. What a corpus leaves open is left open: ``?MISC`` is a word that may be outside or MISC, and
``B-MISC|ORG`` begins a name of one of the two (see `treaty.label.train_entities`).
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from treaty.text import (
    OUTSIDE,
    ColumnSentence,
    Span,
    labels_of_spans,
    read_columns,
    spans_of_labels,
)

HERE = Path(__file__).parent / "entities"
TYPES = frozenset({"PER", "LOC", "ORG"})
OPEN, ANYTHING = "?MISC", "?"
Rows = list[tuple[str, str]]

FINE_TYPES = {
    fine: kind
    for kind, names in (
        ("PER", "politician writer scientist researcher musicalartist person"),
        ("LOC", "country location"),
        ("ORG", "organisation politicalparty university band"),
        ("MISC", "misc election award event book poem song album product programlang"),
        ("MISC|ORG", "magazine academicjournal conference"),
        ("LOC|MISC", "astronomicalobject"),
    )
    for fine in names.split()
}
"""Types of CrossNER; those that are not here are kinds of things, and names only now and then."""


def read_lists(path: Path = HERE / "lists.txt") -> dict[str, list[str]]:
    """Read the lists of names that come with this script, with words as tokens."""
    lists: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            lists[name] = []
        elif line and not line.startswith("#"):
            phrases = [phrase.strip() for phrase in line.split(",") if phrase.strip()]
            lists[name] += [re.sub(r"(?<=\w)'s\b", " 's", phrase) for phrase in phrases]
    return lists


LISTS = read_lists()
DEMONYMS = frozenset(LISTS["demonym"])
TITLES = frozenset(word.lower() for word in LISTS["title"] if " " not in word)
LANDS = frozenset(land.lower() for land in LISTS["land"])


# Twitter


def read_messages(folder: Path, corpus: str, part: str) -> list[ColumnSentence]:
    """Read messages with ``@`` and ``#`` joined to what follows; users are no names here."""
    made = []
    for message in read_columns(folder / corpus / f"{part}.tsv"):
        rows = joined(list(zip(message.words, message.labels, strict=True)))
        if rows:
            labels = [OUTSIDE if word.startswith("@") else label for word, label in rows]
            made.append(_sentence([word for word, _ in rows], labels))
    return made


def joined(rows: Rows) -> Rows:
    """Put ``@`` and ``#`` before the word that follows, whose label counts."""
    made: Rows = []
    for word, label in rows:
        if made and made[-1][0] in ("@", "#") and re.fullmatch(r"\w+", word):
            sign, _ = made.pop()
            word = sign + word
        made.append((word, label))
    return made


# Edited text


def read_edited(path: Path) -> list[ColumnSentence]:
    """Read a column file as it is."""
    return [sentence for sentence in read_columns(path) if len(sentence)]


def read_cross(paths: Iterable[Path]) -> list[ColumnSentence]:
    """Read CrossNER with its types mapped to ours."""
    made = []
    for sentence in (one for path in paths for one in read_edited(path)):
        words, labels, spans = sentence.words, [OUTSIDE] * len(sentence), list[Span]()
        for start, end, fine in spans_of_labels(sentence.labels):
            kind = FINE_TYPES.get(fine)
            first, last = _capitalized(start, end, words)
            mixed = any(not is_part_of_name(word) for word in words[first:last])
            if first == last:
                continue
            if kind is None or mixed:
                labels[first:last] = [OPEN if kind is None else ANYTHING] * (last - first)
            elif kind == "PER":
                spans += without_title(first, last, words)
            else:
                spans.append(Span(first, last, kind))
        made.append(_sentence(words, _over(labels, spans)))
    return made


def is_about_things(sentence: ColumnSentence) -> bool:
    """Return whether half of the names or more are MISC, as in lists of albums or awards.

    Most names of CrossNER are; in news few are, so a model would take too many names for MISC.
    """
    kinds = [span.type for span in spans_of_labels(known([sentence])[0].labels)]
    return 2 * kinds.count("MISC") >= len(kinds) > 0


def _capitalized(start: int, end: int, words: list[str]) -> tuple[int, int]:
    """Cut off what is not a part of a name at both ends: small letters, years before events."""
    while start < end and not words[start][0].isupper():
        start += 1
    while start < end and not (words[end - 1][0].isupper() or words[end - 1][0].isdigit()):
        end -= 1
    return start, end


def is_part_of_name(word: str) -> bool:
    """Return whether a word may be inside of a name: no common noun."""
    return not word[0].islower() or len(word) < 5


def without_title(start: int, end: int, words: list[str]) -> list[Span]:
    """Cut titles off the name of a person; nothing is left of a title alone."""
    while start < end and (words[start].lower() in TITLES or words[start] in ("the", "The")):
        start += 1
    named = start < end and words[start][0].isupper() and words[start] not in ("of", "for")
    return [Span(start, end, "PER")] if named else []


def with_open_misc(sentences: Iterable[ColumnSentence]) -> list[ColumnSentence]:
    """Leave open whether capitalized words outside of names are MISC; nationalities are."""
    made = []
    for sentence in sentences:
        words, labels = sentence.words, list(sentence.labels)
        for i, word in enumerate(words):
            if labels[i] != OUTSIDE:
                continue
            if word in DEMONYMS:
                labels[i] = "B-MISC"
            elif may_be_name(words, i):
                labels[i] = OPEN
        made.append(_sentence(words, labels))
    return made


def may_be_name(words: list[str], i: int) -> bool:
    """Return whether a word is capitalized for another reason than that a sentence begins."""
    if words[i][0] == "#":
        return True
    if not words[i][0].isupper() or words[i] == "I":
        return False
    inside = i > 0 and words[i - 1] not in (".", "!", "?", '"', "``", "“", ":", "…", "...")
    return inside or (i + 1 < len(words) and words[i + 1][0].isupper())


# GUM's entities, from its treebank

_BRACKET = re.compile(r"\((?P<open>[^()]+)|(?P<close>[^()]*)\)")


def read_gum(path: Path) -> list[ColumnSentence]:
    """Read names from the brackets of GUM's column MISC (``Entity=``)."""
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode()
    blocks = (block for block in text.split("\n\n") if block.strip())
    return [sentence for block in blocks if (sentence := _gum_sentence(block)) is not None]


def _gum_sentence(block: str) -> ColumnSentence | None:
    rows = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
    rows = [row for row in rows if row[0].isdigit()]
    if not rows:
        return None
    words, proper = [row[1] for row in rows], [row[4].startswith("NNP") for row in rows]
    labels = [ANYTHING if name else OUTSIDE for name in proper]
    spans: list[Span] = []
    for start, end, kind, head, titled in _mentions([row[9] for row in rows]):
        if kind == "time":
            labels[start:end] = [OUTSIDE] * (end - start)
        if proper[head]:
            spans += _name(start, end, kind, head, words, proper, titled)
    labels = [
        "B-MISC" if word in DEMONYMS and (label != OUTSIDE or word[0].isupper()) else label
        for word, label in zip(words, labels, strict=True)
    ]
    return _sentence(words, _over(labels, spans))


def _mentions(column: list[str]) -> Iterator[tuple[int, int, str, int, bool]]:
    """Iterate over mentions: start, end, type, head, and whether Wikipedia has a page."""
    waiting: list[tuple[str, int, list[str]]] = []
    for i, cell in enumerate(column):
        found = re.search(r"(?:^|\|)Entity=([^|]*)", cell)
        for match in _BRACKET.finditer(found[1] if found else ""):
            if match["open"]:
                fields = match["open"].split("-", 7)
                waiting.append((fields[0], i, fields))
                continue
            at = [n for n, (name, _, _) in enumerate(waiting) if name == match["close"]]
            if not match["close"] and waiting:
                at = [len(waiting) - 1]
            if at:
                _, start, fields = waiting.pop(at[-1])
                if len(fields) > 6 and re.match(r"\d+", fields[5]):
                    head = start + int(re.match(r"\d+", fields[5])[0]) - 1
                    yield start, i + 1, fields[1], min(head, i), len(fields) > 7


def _name(
    start: int, end: int, kind: str, head: int, words: list[str], proper: list[bool], titled: bool
) -> list[Span]:
    """Trim a mention to its name: the proper nouns around the head, and what joins them."""
    joins = frozenset({"of", "the", "and", "&", "for", "'s", "’s", "-", "in"})
    joins = joins if titled or kind == "organization" else frozenset({"-", "&", "'s"})

    def inside(i: int) -> bool:
        return proper[i] or (words[i][0].isupper() and words[i] not in ("The", "A", "An"))

    first, last = head, head + 1
    while first > start and (inside(first - 1) or words[first - 1] in joins):
        first -= 1
    while last < end and (inside(last) or words[last] in joins or words[last].isdigit()):
        last += 1
    while first < head and not inside(first):
        first += 1
    while last > head + 1 and not inside(last - 1):
        last -= 1
    text = " ".join(words[first:last])
    if text in DEMONYMS:
        return [Span(first, last, "MISC")]
    if text.lower() in LANDS:
        return [Span(first, last, "LOC")]
    if kind == "person":
        return without_title(first, last, words)
    types = {"place": "LOC", "organization": "ORG", "event": "MISC"}
    if kind in types:
        return [Span(first, last, types[kind])]
    return [Span(first, last, "MISC")] if titled and kind in ("object", "abstract") else []


# News of our own


def read_news(path: Path) -> list[ColumnSentence]:
    """Read sentences with names in brackets: ``[PER Ada Lovelace] left [LOC London] .``"""
    made = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("# "):
            continue
        rows: Rows = []
        for kind, name, other in re.findall(r"\[([A-Z]+) ([^\]]+)\]|(\S+)", line):
            words = name.split() if kind else [other]
            marks = [f"{'I' if i else 'B'}-{kind}" if kind else OUTSIDE for i in range(len(words))]
            rows += zip(words, marks, strict=True)
        made.append(ColumnSentence(rows))
    return made


def known(sentences: Iterable[ColumnSentence]) -> list[ColumnSentence]:
    """Take what is left open for outside of names, to score on."""
    return [
        _sentence(s.words, [OUTSIDE if label.startswith(ANYTHING) else label for label in s.labels])
        for s in sentences
    ]


def only(sentences: Iterable[ColumnSentence], types: Iterable[str]) -> list[ColumnSentence]:
    """Leave out names of other types."""
    kept = frozenset(types)
    return [
        _sentence(
            s.words,
            labels_of_spans(
                [x for x in spans_of_labels(s.labels) if x.type in kept], len(s), "BIO"
            ),
        )
        for s in sentences
    ]


def _over(labels: list[str], spans: Iterable[Span]) -> list[str]:
    """Write names over labels, the longest first; a name that overlaps another is left out."""
    taken: set[int] = set()
    for start, end, kind in sorted(spans, key=lambda span: span.start - span.end):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            labels[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    return labels


def _sentence(words: Iterable[str], labels: Iterable[str]) -> ColumnSentence:
    return ColumnSentence(list(zip(words, labels, strict=True)))
