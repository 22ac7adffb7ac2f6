"""Corpora so small that all their parses can be listed, and the model counted word by word."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

from treaty.induce.relaxation._layout import Layout


@cache
def trees(words: int) -> tuple[tuple[int, ...], ...]:
    """All projective trees with one child of the root: heads of words 1 to n, 0 for the root."""
    choices = itertools.product(range(words + 1), repeat=words)
    return tuple(heads for heads in choices if is_tree(heads) and is_projective(heads))


def is_tree(heads: tuple[int, ...]) -> bool:
    if heads.count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        seen = set()
        while word and word not in seen:
            seen.add(word)
            word = heads[word - 1]
        if word:
            return False
    return True


def is_projective(heads: tuple[int, ...]) -> bool:
    spans = [tuple(sorted((head, word))) for word, head in enumerate(heads, 1)]
    return not any(a < c < b < d for (a, b), (c, d) in itertools.permutations(spans, 2))


def count(layout: Layout, sentence: np.ndarray, heads: tuple[int, ...]) -> np.ndarray:
    """Generate the tree as the model does, and count what happens."""
    counts = np.zeros(layout.count)
    for word, head in enumerate(heads, 1):
        if head == 0:
            counts[layout.root(sentence[word - 1])] += 1
    for head, tag in enumerate(sentence, 1):
        children = [word for word in range(1, len(heads) + 1) if heads[word - 1] == head]
        for direction in (0, 1):
            own = [word for word in children if (word > head) == bool(direction)]
            for number, word in enumerate(own):
                counts[layout.decision(tag, direction, min(number, 1), 1)] += 1
                counts[layout.child(tag, direction, sentence[word - 1])] += 1
            counts[layout.decision(tag, direction, min(len(own), 1), 0)] += 1
    return counts


def likelihood(layout: Layout, counts: np.ndarray) -> float:
    """The log-likelihood of counts under their own relative frequencies."""
    totals = np.bincount(layout.distribution, counts)[layout.distribution]
    on = counts > 0
    return float(np.sum(counts[on] * np.log(counts[on] / totals[on])))


def frequencies(layout: Layout, counts: np.ndarray) -> np.ndarray:
    totals = np.bincount(layout.distribution, counts)[layout.distribution]
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)


def corpora(layout: Layout, sentences: list[np.ndarray]):
    """All parses of a corpus, with their counts."""
    options = [
        [(heads, count(layout, sentence, heads)) for heads in trees(len(sentence))]
        for sentence in sentences
    ]
    for choice in itertools.product(*options):
        yield [heads for heads, _ in choice], sum(counts for _, counts in choice)


def optimum(layout: Layout, sentences: list[np.ndarray], is_allowed=lambda counts: True):
    """The best log-likelihood there is, or -inf."""
    values = [
        likelihood(layout, counts) for _, counts in corpora(layout, sentences) if is_allowed(counts)
    ]
    return max(values, default=-np.inf)


def random_sentences(random: np.random.Generator, lengths, tags: int = 3) -> list[np.ndarray]:
    return [random.integers(0, tags, length) for length in lengths]
