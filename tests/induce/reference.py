"""The model by its definition: all projective trees, their features, and the best of all parses."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from treaty.induce import Corpus, Counts


def is_projective_tree(heads: Sequence[int]) -> bool:
    n = len(heads)
    if heads.count(0) != 1:
        return False

    def above(i: int) -> list[int]:
        chain = [i]
        while heads[chain[-1] - 1] and len(chain) <= n:
            chain.append(heads[chain[-1] - 1])
        return chain

    if any(len(above(i)) > n for i in range(1, n + 1)):
        return False
    return all(
        head in above(k)
        for child, head in enumerate(heads, 1)
        if head
        for k in range(min(head, child) + 1, max(head, child))
    )


@cache
def trees(n: int) -> list[tuple[int, ...]]:
    """All projective trees with one root."""
    return [h for h in itertools.product(range(n + 1), repeat=n) if is_projective_tree(h)]


def count_tree(tags: Sequence[int], heads: Sequence[int], n_tags: int) -> Counts:
    """Features from how a tree is made, step by step."""
    root = np.zeros(n_tags)
    child = np.zeros((n_tags, 2, n_tags))
    decision = np.zeros((n_tags, 2, 2, 2))
    for i, tag in enumerate(tags, 1):
        if heads[i - 1] == 0:
            root[tag] += 1
        for d in (0, 1):
            own = [j for j in range(1, len(tags) + 1) if heads[j - 1] == i and (j > i) == bool(d)]
            for number, j in enumerate(own):
                decision[tag, d, min(number, 1), 1] += 1
                child[tag, d, tags[j - 1]] += 1
            decision[tag, d, min(len(own), 1), 0] += 1
    return Counts(root, child, decision)


def flat_counts(corpus: Corpus) -> list[list[np.ndarray]]:
    """The counts of every tree of every sentence."""
    n = len(corpus.tags)
    return [[count_tree(s.tolist(), heads, n).flat for heads in trees(len(s))] for s in corpus]


def all_counts(corpus: Corpus) -> np.ndarray:
    """The counts of every parse of the corpus, in rows."""
    total = np.zeros((1, len(flat_counts(corpus)[0][0])))
    for counts in flat_counts(corpus):
        total = (total[:, None] + np.array(counts)).reshape(-1, total.shape[1])
    return total


def likelihoods(counts: np.ndarray, smoothing: float = 0.0) -> np.ndarray:
    """The objective of rows of counts, by its definition."""
    n = next(t for t in range(1, 9) if t + 2 * t * t + 8 * t == counts.shape[1])
    tables = np.split(counts + smoothing, [n, n + 2 * n * n], axis=1)
    total = np.zeros(len(counts))
    for table, size in zip(tables, (n, n, 2), strict=True):
        f = table.reshape(len(counts), -1, size)
        shares = f / np.maximum(f.sum(axis=2, keepdims=True), 1e-300)
        total += (f * np.log(np.where(f > 0, shares, 1.0))).sum(axis=(1, 2))
    return total


def best_likelihood(corpus: Corpus, smoothing: float = 0.0) -> float:
    """The optimum of Viterbi EM, by enumeration."""
    return float(likelihoods(all_counts(corpus), smoothing).max())


def random_corpus(seed: int, sizes: Sequence[int], n_tags: int = 3) -> Corpus:
    rng = np.random.default_rng(seed)
    tags = tuple("ANV"[:n_tags])
    tokens = rng.integers(0, n_tags, sum(sizes)).astype(np.int32)
    return Corpus(tags, tokens, np.cumsum([0, *sizes]))


def frequencies(counts: np.ndarray) -> np.ndarray:
    """Relative frequencies of one row of counts, 0 where nothing was counted."""
    n = next(t for t in range(1, 9) if t + 2 * t * t + 8 * t == len(counts))
    parts = []
    for table, size in zip(np.split(counts, [n, n + 2 * n * n]), (n, n, 2), strict=True):
        f = table.reshape(-1, size)
        parts.append((f / np.maximum(f.sum(axis=1, keepdims=True), 1e-300)).ravel())
    return np.concatenate(parts)


def parses(
    n_tags: int, sentences: Sequence[np.ndarray]
) -> Iterator[tuple[list[tuple[int, ...]], np.ndarray]]:
    """All parses of some sentences, with their counts."""
    options = [
        [
            (heads, count_tree(sentence.tolist(), heads, n_tags).flat)
            for heads in trees(len(sentence))
        ]
        for sentence in sentences
    ]
    for choice in itertools.product(*options):
        yield [heads for heads, _ in choice], sum(counts for _, counts in choice)


def random_tree(words: int, rng: np.random.Generator) -> tuple[int, ...]:
    return trees(words)[rng.integers(len(trees(words)))]


def random_sentences(rng: np.random.Generator, lengths: Iterable[int], n_tags: int = 3):
    return [rng.integers(0, n_tags, length) for length in lengths]
