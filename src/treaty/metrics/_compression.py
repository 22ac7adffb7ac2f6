"""Scores of sentence compression by word deletion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from treaty.errors import InputError
from treaty.metrics._counts import Accuracy, Retrieval, f1_sums
from treaty.metrics._significance import Comparison, Interval, compare, confidence_interval

__all__ = ["CompressionScores", "compression_scores"]

Keep = Sequence[int]


@dataclass(frozen=True, slots=True)
class CompressionScores:
    """The result of `compression_scores`.

    Parameters
    ----------
    kept
        Kept words, over all sentences.
    words
        Words that are correctly kept or deleted.
    sentences
        Compressions that equal the gold one.
    arcs
        Kept arcs: those whose words are both kept; counts of 0 if no trees were given.
    arc_decisions
        Arcs that are correctly kept or deleted.
    by_sentence
        The kept words of each sentence.
    """

    kept: Retrieval
    words: Accuracy
    sentences: Accuracy
    arcs: Retrieval
    arc_decisions: Accuracy
    by_sentence: tuple[Retrieval, ...]

    @property
    def mean_f1(self) -> float:
        """Mean over sentences of the F1 of kept words; 1 if neither side keeps any."""
        if not self.by_sentence:
            return math.nan
        shares = [count.f1 if count.gold + count.system else 1.0 for count in self.by_sentence]
        return sum(shares) / len(shares)

    @property
    def rate(self) -> float:
        """The compression rate: the share of words that the system keeps."""
        return Accuracy(self.kept.system, self.words.total).value

    @property
    def gold_rate(self) -> float:
        """The compression rate of the gold compressions."""
        return Accuracy(self.kept.gold, self.words.total).value

    def interval(self, *, level: float = 0.95, samples: int = 2000, seed: int = 0) -> Interval:
        """Compute a confidence interval of the F1 of kept words by bootstrap over sentences.

        See `confidence_interval` for the parameters.
        """
        doubled, total = f1_sums(self.by_sentence)
        return confidence_interval(doubled, total, level=level, samples=samples, seed=seed)

    def compare(
        self, other: CompressionScores, *, level: float = 0.95, samples: int = 2000, seed: int = 0
    ) -> Comparison:
        """Compare the F1 of kept words with that of another system on the same sentences."""
        ours, total = f1_sums(self.by_sentence)
        theirs, other_total = f1_sums(other.by_sentence)
        return compare(
            ours, theirs, total, second_total=other_total, level=level, samples=samples, seed=seed
        )


def compression_scores(
    gold: Iterable[Keep], system: Iterable[Keep], heads: Iterable[Sequence[int]] | None = None
) -> CompressionScores:
    """Score compressions of sentences, which delete some of their words.

    Parameters
    ----------
    gold, system
        For each word of each sentence, whether it is kept: 1 or 0, true or false.
    heads
        The trees of the sentences, to score arcs: the head of each word, counted from 1, with 0 for
        the root. An arc is kept if both its words are, that from the root if the word is.

    Returns
    -------
    CompressionScores
        F1 of the words kept, compression rates, arcs.

    Raises
    ------
    InputError
        When the numbers of sentences, or of words in a sentence, differ.

    Examples
    --------
    >>> scores = compression_scores([[1, 1, 0, 0]], [[1, 1, 1, 0]], [[2, 0, 2, 3]])
    >>> round(scores.kept.f1, 3), scores.gold_rate, scores.rate
    (0.8, 0.5, 0.75)
    >>> scores.arcs, scores.arc_decisions.value
    (Retrieval(correct=2, gold=2, system=3), 0.75)
    """
    by_sentence, words, arcs = [], [], []
    for ours, theirs, tree in _sentences(gold, system, heads):
        words.append(_agreement(ours, theirs))
        by_sentence.append(_retrieval(ours, theirs))
        if tree is not None:
            arcs.append((_arcs(ours, tree), _arcs(theirs, tree)))
    exact = sum(found.correct == found.total for found in words)
    return CompressionScores(
        _sum(by_sentence),
        _total(words),
        Accuracy(exact, len(words)),
        _sum([_retrieval(*both) for both in arcs]),
        _total([_agreement(*both) for both in arcs]),
        tuple(by_sentence),
    )


def _sentences(
    gold: Iterable[Keep], system: Iterable[Keep], heads: Iterable[Sequence[int]] | None
) -> Iterator[tuple[list[bool], list[bool], Sequence[int] | None]]:
    trees = None if heads is None else iter(heads)
    for number, (ours, theirs) in enumerate(zip_longest(gold, system), 1):
        tree = None if trees is None else next(trees, None)
        given = {"gold": ours, "system": theirs} | ({} if trees is None else {"the tree": tree})
        sizes = {
            name: "no sentence" if x is None else f"{len(x)} words" for name, x in given.items()
        }
        if ours is None or theirs is None or len(set(sizes.values())) > 1:
            said = ", ".join(f"{name} has {size}" for name, size in sizes.items())
            raise InputError(f"sentence {number}: {said}: all must have the same words")
        yield [bool(k) for k in ours], [bool(k) for k in theirs], tree


def _arcs(kept: list[bool], heads: Sequence[int]) -> list[bool]:
    return [own and (head == 0 or kept[head - 1]) for own, head in zip(kept, heads, strict=True)]


def _retrieval(gold: list[bool], system: list[bool]) -> Retrieval:
    both = sum(a and b for a, b in zip(gold, system, strict=True))
    return Retrieval(both, sum(gold), sum(system))


def _agreement(gold: list[bool], system: list[bool]) -> Accuracy:
    return Accuracy(sum(a == b for a, b in zip(gold, system, strict=True)), len(gold))


def _sum(counts: Sequence[Retrieval]) -> Retrieval:
    return Retrieval(
        sum(count.correct for count in counts),
        sum(count.gold for count in counts),
        sum(count.system for count in counts),
    )


def _total(counts: Sequence[Accuracy]) -> Accuracy:
    return Accuracy(sum(count.correct for count in counts), sum(count.total for count in counts))
