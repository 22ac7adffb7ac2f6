"""Branch and bound by chords, in native code."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator

import numpy as np

from treaty._native import induce as native
from treaty.induce._constraints import native_form
from treaty.induce._corpus import Corpus
from treaty.induce._features import Heads
from treaty.induce._search import Descent, Settings

__all__ = ["ChordSearch", "sentence_bound"]


class ChordSearch:
    """Boxes of ratios of counts, bounded by the best trees under chords; see `Search`."""

    def __init__(self, corpus: Corpus, settings: Settings) -> None:
        self._corpus, self.ceiling = corpus, sentence_bound(corpus)
        self._search = native.Search(
            corpus.compiled_distinct, *native_form(settings.constraint, corpus), settings.smoothing,
            settings.relative_gap, settings.seed, settings.restarts, settings.memory,
        )  # fmt: skip
        self.save, self.load = self._search.save, self._search.load

    @property
    def native(self) -> native.Search:
        """The native search, for those who share its nodes."""
        return self._search

    @property
    def objective(self) -> float:
        """See `Search`."""
        return self._search.objective

    @property
    def heads(self) -> Heads:
        """See `Search`; identical sentences have identical trees."""
        heads = self._search.heads
        return self._corpus.spread(heads) if len(heads) else np.asarray(heads)

    @property
    def bound(self) -> float:
        """See `Search`."""
        return min(self._search.bound, self.ceiling)

    @property
    def nodes(self) -> int:
        """See `Search`."""
        return self._search.nodes

    @property
    def open_nodes(self) -> int:
        """See `Search`."""
        return self._search.open

    @property
    def memory(self) -> int:
        """See `Search`."""
        return self._search.memory

    @property
    def done(self) -> bool:
        """See `Search`."""
        return self._search.done

    @property
    def feasible(self) -> bool:
        """See `Search`."""
        return self._search.feasible

    def advance(self, seconds: float, left: float, nodes: int, threads: int) -> None:
        """Continue by rounds of nodes, each of which takes little time."""
        self._search.run(min(seconds, left), nodes, threads)

    def descents(self, seed: int) -> Iterator[Descent]:
        """Descend after the restarts of local search: nodes are pruned by the best trees."""
        self._search.run(math.inf, 1, 1)
        for number in itertools.count():
            started = time.perf_counter()
            nodes, depth = self._search.descend(seed, number)
            spent = time.perf_counter() - started
            yield Descent(nodes, nodes * spent / depth, depth, spent)


def sentence_bound(corpus: Corpus) -> float:
    """Bound the likelihood by that of the best distribution over whole sentences.

    Examples
    --------
    >>> round(sentence_bound(Corpus.from_tags([["N"], ["V"]])), 4)
    -1.3863
    """
    counts = corpus.counts
    return float((counts * np.log(counts / counts.sum())).sum())
