"""The structure of pattern CRFs: label patterns of factors as parts, decoded under any scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty.errors import UsageError
from treaty.features import RaggedFeatures
from treaty.graph import FactorGraph
from treaty.label._crf import PatternCrf
from treaty.label._instances import Instances
from treaty.label._labeling import Labeling
from treaty.learn import Decoding, HashedLinear, ModelScores, PartList, Structure
from treaty.learn._structure import check_scores
from treaty.solve import Certificate, Solution

__all__ = ["InstancesStructure", "PatternParts", "PatternStructure"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


class PatternParts(PartList):
    """The patterns of all factors of some instances.

    The parts of a kind of factors follow each other; among them, those of one factor do, in the
    order of the kind's patterns.

    Attributes
    ----------
    instances
        The instances: one, or the pieces of a large input.
    given
        What they were made from.
    """

    def __init__(self, crf: PatternCrf, instances: Instances, given: Any = None) -> None:
        self.crf, self.instances, self.given = crf, instances, given
        self.bound = crf.bind(instances)
        begin = native.part_begins(crf.native, self.bound).tolist()
        self.kinds = {
            kind.name: slice(*ends) for kind, ends in zip(crf.kinds, pairwise(begin), strict=True)
        }

    @cached_property
    def features(self) -> Sequence[tuple[slice, RaggedFeatures]]:
        """The features of each pattern: its column in the rows of its factor's features."""
        begin, places, values = native.part_features(self.crf.native, self.bound)
        rows = RaggedFeatures(begin, places, values if len(values) else None)
        return [(slice(0, len(rows)), rows)]

    def amounts(self, labels: npt.ArrayLike) -> Floats:
        """Return the amounts of a labeling of all vertices."""
        flat = np.ascontiguousarray(labels, np.int32)
        return native.parts_of(self.crf.native, self.bound, flat).astype(np.float64)

    def labels(self, amounts: Floats) -> Ints:
        """Return the labels that amounts tell; 0 of a vertex that no part tells."""
        on = (amounts > 0).astype(np.uint8)
        return np.maximum(native.labels_of(self.crf.native, self.bound, on), 0)

    def fixed(self, labels: Ints) -> float:
        """Return the score of a labeling that belongs to no part: that of evidence."""
        nothing = np.zeros(len(self))
        return float(native.score(self.crf.native, self.bound, labels, nothing).sum())


class PatternStructure(Structure[PatternParts]):
    """The structure of a model that is decoded by a pattern CRF.

    Parameters
    ----------
    crf
        The factors, and the features that they know.
    **decoding
        The usual method and limits of `PatternCrf.decode`.
    """

    def __init__(self, crf: PatternCrf, **decoding: Any) -> None:
        self.crf, self.decoding = crf, decoding
        self.bits = max(1, int(np.ceil(np.log2(max(1, len(crf.native.weights.values))))))

    @abstractmethod
    def instances(self, given: Any) -> Instances:
        """Make the factors of an input."""

    @abstractmethod
    def gold_labels(self, parts: PatternParts, example: Any) -> npt.ArrayLike:
        """Return the number of the right label of every vertex."""

    def parts(self, given: Any) -> PatternParts:
        """List the patterns of an input's factors."""
        return PatternParts(self.crf, self.instances(given), given)

    def gold(self, parts: PatternParts, example: Any) -> Floats:
        """Return the amounts of the right labels."""
        return parts.amounts(self.gold_labels(parts, example))

    def costs(self, parts: PatternParts, gold: Floats) -> Floats:
        """Charge 1 for each vertex with a wrong label, at the first kind of single vertices."""
        costs = np.zeros(len(parts))
        for kind in self.crf.kinds:
            if kind.size == 1:
                part = parts.kinds[kind.name]
                costs[part] = np.where(gold[part] > 0, 0.0, 1.0)
                if len(kind.patterns) < len(self.crf.labels):  # no part says that it is missed
                    costs[part] -= gold[part]
                break
        return costs

    def fixed_score(self, parts: PatternParts, amounts: Floats) -> float:
        """Return the score of evidence; ``-inf`` if a pattern of the labels is forbidden."""
        return parts.fixed(parts.labels(amounts))

    def decode(self, parts: PatternParts, scores: Floats, **limits: Any) -> Decoding:
        """Find the best labels; the method and its limits are those of `PatternCrf.decode`."""
        given = check_scores(parts, scores)
        options = {**self.decoding, **limits}
        return self._of_labelings(parts, self.crf.decode(parts.instances, scores=given, **options))

    def fused(self, parts: PatternParts) -> Decoding:
        """Decode by the model's own weights, of which only the sums are kept."""
        return self._of_labelings(parts, self.crf.decode(parts.instances, **self.decoding))

    def graph(self, parts: PatternParts, scores: Floats) -> FactorGraph:
        """Return the graph of an input that is one instance."""
        if len(parts.instances) != 1:
            raise UsageError(f"the input has {len(parts.instances)} pieces; expected one")
        given = check_scores(parts, scores)
        return FactorGraph._of(native.make_graph(self.crf.native, parts.bound, 0, given))

    def of_solution(self, parts: PatternParts, solution: Solution) -> Decoding:
        """Return the decoding of a solution of the graph."""
        if not np.isfinite(solution.objective):
            return Decoding.none(len(parts), solution.certificate)
        labels = self.crf.labels_of(solution, int(parts.instances.sizes.sum()))
        return Decoding(parts.amounts(labels), solution.certificate, parts.fixed(labels))

    def marginals(self, parts: PatternParts, scores: Floats) -> Floats:
        """Return the probability of each pattern (forward-backward); for chains and trees."""
        try:
            amounts, _ = native.part_marginals(
                self.crf.native, parts.bound, check_scores(parts, scores)
            )
        except ValueError as error:
            raise UsageError(str(error)) from error
        return np.asarray(amounts, np.float64)

    def log_partition(self, parts: PatternParts, scores: Floats) -> float:
        """Return the logarithm of the sum of e^score over all labelings; for chains and trees."""
        _, sums = native.part_marginals(self.crf.native, parts.bound, check_scores(parts, scores))
        return float(sums.sum())

    def model_scores(self) -> ModelScores:
        """Return the scorer of the CRF's weights: a table as large as a power of two."""
        weights = np.zeros(2**self.bits, np.float32)
        learned = self.crf.native.weights.values
        weights[: len(learned)] = learned
        return ModelScores(HashedLinear(self.bits), weights)

    def labels_of(self, parts: PatternParts, decoding: Decoding) -> list[Labeling]:
        """Return the labelings of all instances, with the certificate of the whole."""
        rows = parts.instances.split(parts.labels(decoding.amounts))
        return [Labeling(row, decoding.certificate) for row in rows]

    def _of_labelings(self, parts: PatternParts, labelings: Sequence[Labeling]) -> Decoding:
        certificate = Certificate.of_parts(one.certificate for one in labelings)
        if not np.isfinite(certificate.objective):
            return Decoding.none(len(parts), certificate)
        labels = np.concatenate([np.zeros(0, np.int32), *(one.labels for one in labelings)])
        return Decoding(parts.amounts(labels), certificate, parts.fixed(labels))


class InstancesStructure(PatternStructure):
    """The structure of a pattern CRF alone; see `PatternCrf.structure`.

    Inputs are `Instances`, examples are pairs of instances and the label numbers of all vertices.
    """

    def instances(self, given: Instances) -> Instances:
        """Return the instances."""
        return given

    def training_parts(self, example: tuple[Instances, npt.ArrayLike]) -> PatternParts:
        """List the patterns of the instances of an example."""
        return self.parts(example[0])

    def gold_labels(
        self, parts: PatternParts, example: tuple[Instances, npt.ArrayLike]
    ) -> npt.ArrayLike:
        """Return the label numbers."""
        return example[1]

    def read(self, parts: PatternParts, decoding: Decoding) -> list[Labeling]:
        """Return a labeling of each instance, with the certificate of all together."""
        return self.labels_of(parts, decoding)
