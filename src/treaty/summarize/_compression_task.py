"""Sentence compression as a learning task: section 4, task 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from treaty._native import summarize as native
from treaty.learn import SparseVector, TaskWeights, Violation
from treaty.summarize._arc_features import ArcTable
from treaty.summarize._nodes import Floats
from treaty.summarize._source import Bools
from treaty.summarize._ties import Ints
from treaty.text import Compression

__all__ = ["CompressionTask", "Costs", "compress_arcs", "events_of", "gold_of", "project"]


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of mistakes in cost-augmented decoding.

    Attributes
    ----------
    wrong_cut
        Cost of an arc that is wrongly cut: alone, this is the paper's precision of deletions.
    wrong_keep
        Cost of a word that is wrongly kept.
    wrong_loss
        Cost of a word that is wrongly deleted, whichever arc is cut.
    """

    wrong_cut: float = 1.0
    wrong_keep: float = 0.0
    wrong_loss: float = 0.0


def events_of(head: Ints, kept: Bools) -> dict[str, Bools]:
    """Return the words to which each event happens, given those that stay."""
    above = np.where(head < 0, True, kept[head])
    return {"cut": above & ~kept, "lift": kept & ~above, "keep": kept}


def gold_of(examples: Iterable[Compression]) -> Bools:
    """Return which words stay, for all sentences in sequence."""
    return np.concatenate([np.zeros(0, bool), *(np.array(e.keep, bool) for e in examples)])


def compress_arcs(
    arcs: ArcTable, scores: dict[str, Floats], cuttable: Bools | None = None
) -> tuple[Bools, Floats]:
    """Find the best compressions; events without scores are impossible or score 0.

    Returns
    -------
    kept, scores
        Which words stay, and the score of each sentence.
    """
    size = len(arcs.head)
    cut = scores["cut"] if cuttable is None else np.where(cuttable, scores["cut"], -np.inf)
    keep = scores.get("keep", np.zeros(size))
    lift = scores.get("lift", np.full(size, -np.inf))
    kept, worth = native.compress_trees(arcs.begin, arcs.head, keep, cut, lift)
    return kept.astype(bool), worth


def project(
    arcs: ArcTable, gold: Bools, cuttable: Bools | None = None, *, lift: bool = False
) -> Bools:
    """Find the allowed compressions that differ from given ones in the fewest words."""
    scores = {"keep": np.where(gold, 1.0, -1.0), "cut": np.zeros(len(gold))}
    if lift:
        scores["lift"] = np.zeros(len(gold))
    return compress_arcs(arcs, scores, cuttable)[0]


class CompressionTask:
    """Training examples of sentence compression, in groups that are processed together.

    The loss is the mean over the sentences of a group. Groups bring the number of examples close to
    that of the other tasks, and reduce the variance of the subgradients.

    Parameters
    ----------
    arcs
        The sentences.
    gold
        Which words stay; projected to what the constraints allow.
    cuttable
        Arcs that may be cut, by default all.
    events
        Events that have features: only ``cut`` as in the paper, or ``lift`` and ``keep`` too.
    costs
        Costs of mistakes.
    group
        Number of sentences per example.
    seed
        The seed of the grouping.
    """

    def __init__(
        self,
        arcs: ArcTable,
        gold: Bools,
        cuttable: Bools | None = None,
        *,
        events: tuple[str, ...] = ("cut",),
        costs: Costs = Costs(),
        group: int = 32,
        seed: int = 0,
    ) -> None:
        self.events, self.costs = events, costs
        right = project(arcs, gold, cuttable, lift="lift" in events)
        order = np.random.default_rng(seed).permutation(len(arcs))
        self._groups = []
        for start in range(0, len(order), group):
            numbers = np.sort(order[start : start + group])
            words, _ = arcs.words_of(numbers)
            may = None if cuttable is None else cuttable[words]
            self._groups.append((arcs.sentences(numbers), right[words], may))

    def __len__(self) -> int:
        return len(self._groups)

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        """Decode the sentences of a group by dynamic programming, including costs."""
        arcs, gold, cuttable = self._groups[example]
        right = events_of(arcs.head, gold)
        scores = {event: arcs.scores(weights, event) for event in self.events}
        scores["keep"] = scores.get("keep", 0.0) + np.where(
            gold, -self.costs.wrong_loss, self.costs.wrong_keep
        )
        scores["cut"] = scores["cut"] + self.costs.wrong_cut * ~right["cut"]
        kept, _ = compress_arcs(arcs, scores, cuttable)
        found = events_of(arcs.head, kept)
        cost = (
            self.costs.wrong_cut * (found["cut"] & ~right["cut"]).sum()
            + self.costs.wrong_keep * (kept & ~gold).sum()
            + self.costs.wrong_loss * (gold & ~kept).sum()
        )
        return Violation(
            float(cost) / len(arcs),
            self._vector(arcs, {e: found[e] & ~right[e] for e in self.events}),
            self._vector(arcs, {e: right[e] & ~found[e] for e in self.events}),
        )

    def _vector(self, arcs: ArcTable, happens: dict[str, Bools]) -> SparseVector:
        """Sum the features of events; those common to both structures are left out of both."""
        places = [arcs.of_event(event, words).ravel() for event, words in happens.items()]
        everything = np.concatenate(places).astype(np.int64)
        return SparseVector(everything, np.full(len(everything), 1.0 / len(arcs)))
