"""Structures: the parts of an input, what ties them, decoding under any scores, the result.

A model is a *structure* under a *scorer*, trained by a *learner*. The structure knows what
an answer is made of and how to find the best one for given scores, wherever the scores come from.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.solve import Certificate, Certified, Solution

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.learn._learners import LearnerOptions
    from treaty.learn._loop import ScoringLearner
    from treaty.learn._scorers import Scorer

__all__ = ["Decoding", "FeatureRows", "PartList", "Structure"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
P = TypeVar("P", bound="PartList")


@dataclass(frozen=True, eq=False)
class Decoding(Certified):
    """The answer of a decoder.

    Attributes
    ----------
    amounts
        One number per part: 1 if the answer has it and 0 if not. The answer of a relaxation, which
        some learners use, has numbers in between.
    certificate
        The certificate. Its objective is the scores of the chosen parts plus `fixed`.
    fixed
        The score that belongs to no part, such as that of a user's own factors.
    answer
        What the decoder returns, where the parts do not tell all of it; for `Structure.read`.
    """

    amounts: Floats
    certificate: Certificate
    fixed: float = 0.0
    answer: Any = None

    @property
    def is_answer(self) -> bool:
        """Whether there is an answer at all."""
        return math.isfinite(self.fixed) and bool(np.isfinite(self.amounts).all())

    def with_fixed(self, scores: Floats) -> Decoding:
        """Return the same where all of the objective that is no part's score is fixed."""
        if not self.is_answer:
            return self
        on = np.flatnonzero(self.amounts)
        return replace(self, fixed=self.objective - float(scores[on] @ self.amounts[on]))

    @classmethod
    def none(cls, parts: int, certificate: Certificate) -> Decoding:
        """Say that no answer was reached."""
        return cls(np.zeros(parts), certificate, -math.inf)


class FeatureRows(Protocol):
    """Hashed features of parts, such as `treaty.features.PartFeatures` and `RaggedFeatures`."""

    def __len__(self) -> int:
        """Return the number of parts."""

    def scores(self, weights: Any) -> Floats:
        """Score the parts by a table of weights."""

    def total(self, amounts: Floats) -> tuple[Ints, Floats]:
        """Sum the features of parts, times an amount for each; return indices and values."""

    def entries(self) -> tuple[Ints, Ints, Floats]:
        """Return the part, the index and the value of every feature."""


class PartList(ABC):
    """The candidate parts of one input, in the order of their scores.

    Attributes
    ----------
    kinds
        The parts of each kind: consecutive slices that cover all parts, in order.
    scale
        Features are divided by this, so that inputs of different sizes count the same.
    weight
        How much an example counts in the loss of an SVM.
    """

    kinds: Mapping[str, slice]
    scale: float = 1.0
    weight: float = 1.0

    @property
    @abstractmethod
    def features(self) -> Sequence[tuple[slice, FeatureRows]]:
        """The hashed features of consecutive slices of the parts; parts in no slice have none.

        A part without features scores 0 under every scorer.
        """

    def __len__(self) -> int:
        return max((part.stop for part in self.kinds.values()), default=0)

    def dense(self, width: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Return a row of `width` numbers for each part, and which parts have features at all.

        By default, the hashed features are projected to these few columns (with random signs, so
        that collisions cancel out on average). A list of parts that has numbers of its own
        overrides `projected`.
        """
        key = f"_dense_{width}"
        if key not in self.__dict__:
            rows, has = self.projected(width)
            self.__dict__[key] = (rows / self.scale, has)
        dense: tuple[Floats, npt.NDArray[np.bool_]] = self.__dict__[key]
        return dense

    def projected(self, width: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Project the hashed features to a few columns; rows have at most the length 1."""
        rows, has = np.zeros((len(self), width)), np.zeros(len(self), bool)
        for part, features in self.features:
            row, place, value = features.entries()
            sign = 1.0 - 2.0 * ((place // width) & 1)
            np.add.at(rows, (row + part.start, place % width), sign * value)
            has[part.start + np.unique(row)] = True
        size = np.sqrt((rows**2).sum(axis=1, keepdims=True))
        return rows / np.maximum(size, 1.0), has


class Structure(ABC, Generic[P]):
    """Structure of answers: their parts, and the best answer under scores of parts.

    A structure lists the parts of an input and decodes them under any scores, given as an array of
    one number per part. `treaty.learn.train_scorer` trains any scorer over it, and
    `treaty.testing.check_model` checks it.

    Attributes
    ----------
    bits
        Logarithm of the number of hashed features.
    reads_all
        Whether `read` returns what `predict` of the model does. If not, `predict` does more.
    """

    bits: int
    reads_all: bool = True

    @abstractmethod
    def parts(self, given: Any) -> P:
        """List the candidate parts of an input."""

    @abstractmethod
    def gold(self, parts: P, example: Any) -> Floats:
        """Return the amounts of the right answer to an example whose parts are listed."""

    @abstractmethod
    def decode(self, parts: P, scores: Floats, **limits: Any) -> Decoding:
        """Find the best answer under scores of the parts, with a certificate."""

    @abstractmethod
    def read(self, parts: P, decoding: Decoding) -> Any:
        """Return the result that a decoding stands for."""

    # What has a default

    def training_parts(self, example: Any) -> P:
        """List the parts of an example to learn from, all those of the right answer among them."""
        return self.parts(example)

    def takes(self, given: Any) -> bool:
        """Return whether the structure is for an input: some models have one for each kind."""
        return True

    def decode_all(
        self, lists: Sequence[P], scores: Sequence[Floats], *, threads: int = 1, **limits: Any
    ) -> list[Decoding]:
        """Decode several inputs; the results do not depend on the threads."""
        return [self.decode(parts, one, **limits) for parts, one in zip(lists, scores, strict=True)]

    def costs(self, parts: P, gold: Floats) -> Floats:
        """Return what each part costs an answer that has it, besides a constant.

        By default, a wrong part costs 1, and a right one that is missed, too.
        """
        return np.where(gold > 0, -1.0, 1.0)

    def contrast(self, gold: Floats, amounts: Floats) -> tuple[Floats, Floats]:
        """Return the amounts that a step of an SVM takes back, and those that it adds.

        These are the answer's and gold's; a structure may leave out what both have.
        """
        return amounts, gold

    def fixed_score(self, parts: P, amounts: Floats) -> float:
        """Return the score of an answer that belongs to no part; ``-inf`` if it is not allowed."""
        return 0.0

    def graph(self, parts: P, scores: Floats) -> FactorGraph:
        """Return the factors over the parts as a graph, to add constraints to it and solve it."""
        raise UsageError(f"{type(self).__name__}: this structure is not decoded by a factor graph")

    def of_solution(self, parts: P, solution: Solution) -> Decoding:
        """Return the decoding that a solution of the graph stands for."""
        raise UsageError(f"{type(self).__name__}: this structure is not decoded by a factor graph")

    def decode_with(
        self,
        parts: P,
        scores: Floats,
        constrain: Callable[[FactorGraph], object],
        method: str = "exact",
        **options: Any,
    ) -> Decoding:
        """Find the best answer that obeys constraints.

        Parameters
        ----------
        parts, scores
            As in `decode`.
        constrain
            Called with the graph (`graph`), to which it adds factors.
        method, **options
            As in `treaty.solve.solve`.
        """
        graph = self.graph(parts, scores)
        constrain(graph)
        decoding = self.of_solution(parts, graph.solve(method, **options))
        return decoding.with_fixed(scores)

    def k_best(self, parts: P, scores: Floats, k: int, **options: Any) -> list[Decoding]:
        """Find the k best answers, the best first; fewer if there are no more.

        By default by the graph, see `treaty.solve.k_best`.
        """
        from treaty.solve import k_best

        solutions = k_best(self.graph(parts, scores), k, **options)
        return [self.of_solution(parts, solution).with_fixed(scores) for solution in solutions]

    def marginals(self, parts: P, scores: Floats) -> Floats:
        """Return the expected amounts if the probability of an answer is proportional to e^score.

        Raises
        ------
        UsageError
            If there is no algorithm for it.
        """
        raise UsageError(f"{type(self).__name__}: there are no marginals of this structure")

    # The fast path

    def fused(self, parts: P) -> Decoding | None:
        """Decode an input by the model's own weights, by the fast path; None if there is none.

        Features, scores and decoding are one native pass there. The answer is that of `decode`
        under the scores of the model.
        """
        return None

    def fused_learner(
        self, scorer: Scorer, examples: Sequence[Any], options: LearnerOptions, threads: int
    ) -> ScoringLearner | None:
        """Return a native learner of this scorer that learns the same; None if there is none."""
        return None


def check_scores(parts: PartList, scores: npt.ArrayLike) -> Floats:
    """Return scores as an array; raise `UsageError` unless there is a number for each part.

    ``-inf`` forbids a part.
    """
    given = np.ascontiguousarray(scores, np.float64)
    if given.shape != (len(parts),):
        raise UsageError(f"expected {len(parts)} scores, one for each part, not {given.shape}")
    if not (given < math.inf).all():
        raise UsageError("scores of parts must be finite, or -inf for a part that is forbidden")
    return given
