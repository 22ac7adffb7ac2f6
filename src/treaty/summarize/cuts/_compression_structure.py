"""The structure of compressed sentences: events of words as parts (section 4, task 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treaty._native import summarize as native
from treaty.errors import UsageError
from treaty.features import PartFeatures
from treaty.learn import Decoding, HashedLinear, LearnerOptions, PartList, Structure
from treaty.learn._learners import Examples, Prepared
from treaty.learn._structure import check_scores
from treaty.solve import Certificate, Status
from treaty.summarize.cuts._arc_features import ArcTable
from treaty.summarize.cuts._nodes import Floats
from treaty.summarize.cuts._ties import Ints
from treaty.summarize.sentences._source import Bools
from treaty.text import Compression

__all__ = [
    "CompressionParts",
    "CompressionStructure",
    "Costs",
    "Group",
    "compress_arcs",
    "compression_examples",
    "events_of",
    "gold_of",
    "project",
]


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
    kept, values = native.compress_trees(arcs.begin, arcs.head, keep, cut, lift)
    return kept.astype(bool), values


def project(
    arcs: ArcTable, gold: Bools, cuttable: Bools | None = None, *, lift: bool = False
) -> Bools:
    """Find the allowed compressions that differ from given ones in the fewest words."""
    scores = {"keep": np.where(gold, 1.0, -1.0), "cut": np.zeros(len(gold))}
    if lift:
        scores["lift"] = np.zeros(len(gold))
    return compress_arcs(arcs, scores, cuttable)[0]


class Group(NamedTuple):
    """Sentences that are compressed together.

    Attributes
    ----------
    arcs
        The sentences.
    gold
        Which words stay in the right compressions; None if these are not known.
    cuttable
        Arcs that may be cut, by default all.
    """

    arcs: ArcTable
    gold: Bools | None = None
    cuttable: Bools | None = None


class CompressionParts(PartList):
    """The events of the words of some sentences: all that may be cut, then all lifted, all kept."""

    def __init__(self, group: Group, events: Sequence[str]) -> None:
        self.group, self.events = group, tuple(events)
        words = len(group.arcs.head)
        names = dict.fromkeys([*events, "keep"])  # what is kept may cost something
        self.kinds = {name: slice(n * words, (n + 1) * words) for n, name in enumerate(names)}
        self.weight = 1.0 / max(len(group.arcs), 1)

    @cached_property
    def features(self) -> Sequence[tuple[slice, PartFeatures]]:
        """The features of the events that have them."""
        return [
            (self.kinds[event], PartFeatures(self.group.arcs.of_event(event).astype(np.int32)))
            for event in self.events
        ]

    def amounts(self, kept: Bools) -> Floats:
        """Return the amounts of the words that stay."""
        events = events_of(self.group.arcs.head, kept)
        return np.concatenate([events[name] for name in self.kinds]).astype(np.float64)


class CompressionStructure(Structure[CompressionParts]):
    """The structure of compressed sentences, by exact dynamic programming over their trees (eq. 8).

    Parameters
    ----------
    bits
        Logarithm of the number of features.
    events
        Events that have features: only ``cut`` as in the paper, or ``lift`` and ``keep`` too.
    costs
        Costs of mistakes.
    group_of
        Makes a group of an input of another kind.
    """

    reads_all = False

    def __init__(
        self,
        bits: int,
        *,
        events: Sequence[str] = ("cut",),
        costs: Costs = Costs(),
        group_of: Callable[[Any], Group] | None = None,
    ) -> None:
        self.bits, self.events, self.mistakes = bits, tuple(events), costs
        self._group_of = group_of

    def takes(self, given: Any) -> bool:
        """Return whether an input is a compression or a group."""
        return isinstance(given, Group | Compression)

    def parts(self, given: Any) -> CompressionParts:
        """List the events of a group, or of an input."""
        is_group = isinstance(given, Group) or self._group_of is None
        group = given if is_group else self._group_of(given)  # type: ignore[misc]
        return CompressionParts(group, self.events)

    def gold(self, parts: CompressionParts, example: Any) -> Floats:
        """Return the amounts of the right compressions, projected to what is allowed."""
        arcs, gold, cuttable = parts.group
        if gold is None:
            raise UsageError("expected examples: sentences with the words that stay")
        return parts.amounts(project(arcs, gold, cuttable, lift="lift" in self.events))

    def costs(self, parts: CompressionParts, gold: Floats) -> Floats:
        """Charge wrong cuts, and words that are wrongly kept or deleted."""
        costs, wrong = np.zeros(len(parts)), self.mistakes
        keep, cut = (gold[parts.kinds[name]] > 0 for name in ("keep", "cut"))
        costs[parts.kinds["keep"]] = np.where(keep, -wrong.wrong_loss, wrong.wrong_keep)
        costs[parts.kinds["cut"]] = wrong.wrong_cut * ~cut
        return costs

    def contrast(self, gold: Floats, amounts: Floats) -> tuple[Floats, Floats]:
        """Leave out the events that both have."""
        return np.maximum(amounts - gold, 0.0), np.maximum(gold - amounts, 0.0)

    def decode(self, parts: CompressionParts, scores: Floats, **limits: Any) -> Decoding:
        """Find the best compressions."""
        given = check_scores(parts, scores)
        every = {name: given[part] for name, part in parts.kinds.items()}
        kept, totals = compress_arcs(parts.group.arcs, every, parts.group.cuttable)
        certificate = Certificate.exact(float(totals.sum()))
        if certificate.status is Status.INFEASIBLE:
            return Decoding.none(len(parts), certificate)
        return Decoding(parts.amounts(kept), certificate)

    def read(self, parts: CompressionParts, decoding: Decoding) -> list[list[bool]]:
        """Return for each word of each sentence whether it stays."""
        kept = decoding.amounts[parts.kinds["keep"]] > 0
        return [part.tolist() for part in np.split(kept, parts.group.arcs.begin[1:-1])]


def compression_examples(
    arcs: ArcTable,
    gold: Bools,
    cuttable: Bools | None = None,
    *,
    events: Sequence[str] = ("cut",),
    costs: Costs = Costs(),
    group: int = 32,
    seed: int = 0,
) -> Examples:
    """Make the training examples of sentence compression, for `MultiTaskSvm`.

    The loss is the mean over the sentences of a group. Groups bring the number of examples close to
    that of the other tasks, and reduce the variance of the subgradients.

    Parameters
    ----------
    arcs, gold, cuttable
        As in `Group`, of all sentences.
    events, costs
        As in `CompressionStructure`.
    group
        Number of sentences per example.
    seed
        The seed of the grouping.
    """
    order = np.random.default_rng(seed).permutation(len(arcs))
    groups = []
    for start in range(0, len(order), group):
        numbers = np.sort(order[start : start + group])
        words, _ = arcs.words_of(numbers)
        may = None if cuttable is None else cuttable[words]
        groups.append(Group(arcs.sentences(numbers), gold[words], may))
    structure = CompressionStructure(arcs.bits, events=events, costs=costs)
    prepared = Prepared.of(structure, groups)
    return Examples(structure, HashedLinear(arcs.bits), prepared, LearnerOptions("svm"))
