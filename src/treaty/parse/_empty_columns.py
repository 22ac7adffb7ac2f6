"""Columns of sentences that a pipeline fills, and those it empties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from treaty.text import Sentence

__all__ = ["BATCH", "filled", "has_none", "without_enhanced_graph"]

BATCH = 512
"""Number of sentences in memory at a time."""


def filled(
    sentences: Iterable[Sentence],
    bare: Callable[[Sentence], bool],
    fill: Callable[[list[Sentence]], Iterator[Sentence]],
) -> Iterator[Sentence]:
    """Fill columns of those sentences that are bare."""
    rest = iter(sentences)
    while batch := list(islice(rest, BATCH)):
        wanting = [bare(sentence) for sentence in batch]
        found = fill([s for s, wants in zip(batch, wanting, strict=True) if wants])
        for sentence, wants in zip(batch, wanting, strict=True):
            yield next(found) if wants else sentence


def has_none(columns: Sequence[str], sentence: Sentence) -> bool:
    """Tell whether columns of a sentence are empty."""
    return all(getattr(token, column) == "_" for token in sentence.tokens for column in columns)


def without_enhanced_graph(sentence: Sentence) -> Sentence:
    """Leave out enhanced dependencies and empty nodes, which would contradict a new tree."""
    lines = [(place, line) for place, line in sentence.other_lines if _is_multiword(line)]
    if len(lines) == len(sentence.other_lines) and all(t.deps == "_" for t in sentence.tokens):
        return sentence
    tokens = [replace(token, deps="_") for token in sentence.tokens]
    return Sentence(tokens, sentence.comments, lines)


def _is_multiword(line: str) -> bool:
    return "-" in line.partition("\t")[0]
