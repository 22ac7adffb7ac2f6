"""Examples and inputs of summarizers: collections, compressions, texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from treaty.errors import UsageError, check_several, check_text
from treaty.learn import Sample
from treaty.text import (
    Article,
    Collection,
    Compression,
    Sentence,
    read_articles,
    read_summary_examples,
)

__all__ = [
    "Example",
    "Texts",
    "as_collection",
    "parted",
    "read_examples",
    "sample",
    "words_of_references",
]

Example = Collection | Compression
Texts = Collection | Article | str | Sequence[Article] | Sequence[str]

JSONL = (".jsonl", ".jsonl.gz", ".jsonl.xz")

TOWNS = ("Lisbon", "Porto", "Faro")
SELLERS = ("Ada", "Bo", "Cy", "Di")
LABELS = ("nsubj", "root", "amod", "obj", "advmod", "punct")
TAGS = ("PROPN", "VERB", "ADJ", "NOUN", "ADV", "PUNCT")


def read_examples(origin: str | Path | IO[Any]) -> Iterator[Example]:
    """Read JSON Lines from a ``.jsonl`` file or a stream, and articles from anything else."""
    if isinstance(origin, str | Path) and not str(origin).endswith(JSONL):
        return iter([read_articles(origin)])
    return read_summary_examples(origin)


def as_collection(texts: Texts) -> Collection:
    """Make a collection from one or more texts or articles."""
    if isinstance(texts, Collection):
        return texts
    several = [texts] if isinstance(texts, str | Article) else texts
    check_several(several, "texts")
    given: list[Article | str] = [*several]
    if not given:
        raise UsageError("expected at least one text to summarize")
    return Collection([t if isinstance(t, Article) else Article(check_text(t)) for t in given])


def parted(examples: Iterable[Example]) -> tuple[list[Collection], list[Compression]]:
    """Separate collections and compressions."""
    collections, compressions = list[Collection](), list[Compression]()
    for example in examples:
        if isinstance(example, Collection):
            collections.append(example)
        elif isinstance(example, Compression):
            compressions.append(example)
        else:
            found = type(example).__name__
            raise UsageError(f"expected collections or compressions, found {found}")
    return collections, compressions


def words_of_references(collection: Collection) -> int:
    """Return the mean number of words of the references of a collection.

    Examples
    --------
    >>> words_of_references(Collection([], ["It rained.", "It rained on Monday."]))
    3
    """
    if not collection.references:
        raise UsageError(f"the collection {collection.id} has no references: leave it out")
    lengths = [len(reference.split()) for reference in collection.references]
    return round(sum(lengths) / len(lengths))


def sample() -> Sample:
    """Return a few short texts: extracts to train on, and compressions of parsed sentences."""
    collections = [_collection(town) for town in TOWNS]
    texts = [article.text for article in collections[0].articles]
    return Sample(
        [*collections, *(_compression(seller) for seller in SELLERS)],
        [collections[0], texts[0], texts],
        {"parser": None, "bits": 10, "epochs": 2, "parts": 3, "part_sentences": 3},
    )


def _collection(town: str) -> Collection:
    texts = [
        f"Ada sells big boats in {town}. It rained there all day on Monday.",
        f"Big boats sank in {town} today. Nobody at all was hurt, they say.",
    ]
    return Collection([Article(text) for text in texts], [f"Big boats sank in {town}."], town)


def _compression(seller: str) -> Compression:
    """Make a sentence whose adverb is deleted."""
    words = Sentence.from_words([seller, "sells", "big", "boats", "gladly", "."])
    sentence = words.with_tree([2, 0, 4, 2, 2, 2], LABELS)
    for token, tag in zip(sentence, TAGS, strict=True):
        token.upos = tag
    return Compression(sentence, [label != "advmod" for label in LABELS])
