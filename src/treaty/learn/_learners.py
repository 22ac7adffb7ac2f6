"""Learners: perceptron, MIRA and structured SVM, for any structure under any scorer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native.features import Weights
from treaty._native.learn import AveragedDoubles, learn_from
from treaty.errors import UsageError
from treaty.learn._loop import ScoringLearner, TrainOptions
from treaty.learn._multi_task import (
    MultiTaskSvm,
    SparseVector,
    TaskWeights,
    Vector,
    Violation,
    add_vector,
)
from treaty.learn._scorers import HashedLinear, Scorer
from treaty.learn._structure import Decoding, PartList, Structure
from treaty.learn._weights import WeightsLearner

__all__ = [
    "LEARNERS",
    "Examples",
    "LearnerOptions",
    "Prepared",
    "TrainedScorer",
    "train_scorer",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

LEARNERS = ("perceptron", "mira", "svm")


@dataclass(frozen=True, slots=True)
class LearnerOptions:
    """Which learner, and its settings.

    Attributes
    ----------
    learner
        ``"perceptron"`` (averaged), ``"mira"`` (cost-augmented, averaged; Crammer et al. 2006) or
        ``"svm"`` (structured, by stochastic subgradient).
    aggressiveness
        Maximum step size of MIRA.
    regularization
        lambda of the SVM, in ``lambda/2 |w|^2`` plus the mean of the losses.
    batch
        Number of examples decoded with the same weights before an update, for perceptron and MIRA.
        The result depends on it, but not on the threads.
    limits
        Options of `Structure.decode` for training examples.
    """

    learner: str = "mira"
    aggressiveness: float = 0.1
    regularization: float = 0.01
    batch: int = 4
    limits: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            raise UsageError(
                f"there is no learner {self.learner!r}: choose one of {', '.join(LEARNERS)}"
            )
        if self.batch < 1:
            raise UsageError(f"batch must be at least 1, not {self.batch}")
        for name in ("aggressiveness", "regularization"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be positive, not {getattr(self, name)}")


class TrainedScorer(NamedTuple):
    """A scorer, its weights, and the scores on dev data after the last epoch."""

    scorer: Scorer
    weights: npt.NDArray[np.floating[Any]]
    dev: dict[str, float]

    def scores(self, parts: PartList) -> Floats:
        """Score the parts of an input."""
        return self.scorer.scores(parts, self.weights)


class Prepared(NamedTuple):
    """The parts of examples and the amounts of their right answers."""

    lists: list[Any]
    gold: list[Floats]

    @classmethod
    def of(cls, structure: Structure[Any], examples: Iterable[Any]) -> Prepared:
        """List the parts of examples."""
        prepared = cls([], [])
        for example in examples:
            prepared.lists.append(structure.training_parts(example))
            prepared.gold.append(structure.gold(prepared.lists[-1], example))
        return prepared


def train_scorer(
    structure: Structure[Any],
    scorer: Scorer,
    examples: Sequence[Any],
    learner: LearnerOptions = LearnerOptions(),
    options: TrainOptions = TrainOptions(),  # noqa: B008 - frozen
    *,
    prepared: Prepared | None = None,
    stage: str | None = None,
    evaluate: Callable[[npt.NDArray[np.floating[Any]]], Mapping[str, float]] | None = None,
    made_from: Mapping[str, Any] | None = None,
) -> TrainedScorer:
    """Train a scorer over a structure.

    Where the structure has a native learner of the scorer, that is used.

    Parameters
    ----------
    structure, scorer
        What is decoded, and what scores its parts.
    examples
        The examples, as the model of the structure takes them.
    learner, options
        The learner; epochs, seed, threads, checkpoint, progress.
    prepared
        The parts of the examples, if they are listed already.
    stage
        What is learned, for progress; by default the name of the learner.
    evaluate
        Called with the averaged weights after each epoch, for scores on dev data.
    made_from
        The data and settings that the result depends on, for checkpoints; see `fit`. By default the
        examples.

    Examples
    --------
    Any model's structure under another scorer:

    >>> from treaty.label import SequenceModel
    >>> from treaty.learn import Dense
    >>> examples = SequenceModel.sample().examples
    >>> structure = SequenceModel.train(examples, epochs=1).structures()["labels"]
    >>> trained = train_scorer(structure, Dense(16, hidden=4), examples)
    >>> parts = structure.training_parts(examples[0])
    >>> structure.read(parts, structure.decode(parts, trained.scores(parts))).labels
    ('O', 'O', 'THING')
    """
    if not len(examples):
        raise UsageError("there are no examples to learn from")
    chosen: ScoringLearner | None = None
    if prepared is None:
        chosen = structure.fused_learner(scorer, examples, learner, options.threads)
    if chosen is None:
        ready = prepared or Prepared.of(structure, examples)
        data = Examples(structure, scorer, ready, learner, options.threads)
        chosen = (Svm if learner.learner == "svm" else Online)(data, options.seed)
    mean = chosen.mean
    dev = options.fit(
        chosen,
        len(examples),
        stage or learner.learner,
        evaluate=None if evaluate is None else lambda: evaluate(mean()),
        made_from={
            **asdict(learner),
            **scorer.to_header(),
            **({"data": examples} if made_from is None else made_from),
        },
    )
    return TrainedScorer(scorer, mean(), dev[-1] if dev else {})


class Answered(NamedTuple):
    """An answer to an example.

    `cost` is what its parts cost plus the difference of fixed scores between it and gold: added to
    the difference of the scores of parts, it is the margin violation.
    """

    amounts: Floats
    cost: float


class Examples:
    """Training data, and their decoding under any weights."""

    def __init__(
        self,
        structure: Structure[Any],
        scorer: Scorer,
        prepared: Prepared,
        options: LearnerOptions,
        threads: int = 1,
    ) -> None:
        self.structure, self.scorer, self.options = structure, scorer, options
        self.lists, self.gold = prepared
        self.threads = threads
        pairs = list(zip(*prepared, strict=True))
        self.costs = [structure.costs(parts, right) for parts, right in pairs]
        self.fixed = [structure.fixed_score(parts, right) for parts, right in pairs]

    def __len__(self) -> int:
        return len(self.lists)

    def answers(self, ids: Sequence[int], weights: Any) -> list[Answered]:
        """Decode examples, by score plus cost if the learner is cost-augmented."""
        costly = self.options.learner != "perceptron"
        lists = [self.lists[i] for i in ids]
        scores = [self.scorer.scores(parts, weights) for parts in lists]
        if costly:
            scores = [some + self.costs[i] for i, some in zip(ids, scores, strict=True)]
        decodings = self.structure.decode_all(
            lists, scores, threads=self.threads, **self.options.limits
        )
        return [self._answered(*one) for one in zip(ids, decodings, strict=True)]

    def _answered(self, example: int, decoding: Decoding) -> Answered:
        gold = self.gold[example]
        if not decoding.is_answer:  # nothing to learn from
            return Answered(gold, 0.0)
        cost = float(self.costs[example] @ (decoding.amounts - gold))
        if math.isfinite(self.fixed[example]):
            cost += decoding.fixed - self.fixed[example]
        return Answered(decoding.amounts, cost)

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        """Find the answer that maximizes score plus cost, for a structured SVM."""
        parts, gold = self.lists[example], self.gold[example]
        (answer,) = self.answers([example], weights)
        vectors = (
            self.scorer.backward(parts, weights, amounts)
            for amounts in self.structure.contrast(gold, answer.amounts)
        )
        wrong, right = (
            vector if parts.weight == 1.0 else _times(vector, parts.weight) for vector in vectors
        )
        return Violation(answer.cost * parts.weight, wrong, right)


class Online(WeightsLearner):
    """Averaged perceptron and cost-augmented MIRA (Crammer et al. 2006), a batch at a time.

    The table of a hashed scorer has single precision and is updated by a native kernel; that of any
    other scorer has double precision. Where the scorer is not linear, the step of MIRA is that of
    the tangent of the score.
    """

    def __init__(self, examples: Examples, seed: int = 0) -> None:
        self.examples = examples
        scorer, options = examples.scorer, examples.options
        self._limit = options.aggressiveness if options.learner == "mira" else 0.0
        self._hashed = Weights(scorer.bits) if isinstance(scorer, HashedLinear) else None
        self._table = AveragedDoubles(0 if self._hashed is not None else scorer.size)
        table = self._table if self._hashed is None else self._hashed
        table.values[:] = scorer.initial(seed)
        super().__init__(table, self._learn_all)

    def mean(self) -> npt.NDArray[np.floating[Any]]:
        """Return the averaged weights."""
        return self.weights.average()

    def _learn_all(self, ids: Ints) -> None:
        batch = self.examples.options.batch
        for begin in range(0, len(ids), batch):
            self._learn(ids[begin : begin + batch].tolist())

    def _learn(self, ids: Sequence[int]) -> None:
        examples, weights = self.examples, self.weights.values
        answers = examples.answers(ids, weights)
        away = [examples.gold[i] - one.amounts for i, one in zip(ids, answers, strict=True)]
        lists = [examples.lists[i] for i in ids]
        steps = [
            examples.scorer.backward(parts, weights, difference)
            for parts, difference in zip(lists, away, strict=True)
        ]
        costs = [answer.cost for answer in answers]
        if self._hashed is not None:
            _learn_hashed(self._hashed, steps, costs, self._limit)
            return
        margins = [
            float(examples.scorer.scores(parts, weights) @ difference)
            for parts, difference in zip(lists, away, strict=True)
        ]
        rates = [
            _rate(step, cost - margin, self._limit)
            for step, cost, margin in zip(steps, costs, margins, strict=True)
        ]
        for step, rate in zip(steps, rates, strict=True):
            add_vector(self._table, step, rate)
            self._table.next_step()


def _learn_hashed(
    table: Weights, steps: Sequence[Any], costs: Sequence[float], limit: float
) -> None:
    learn_from(
        table,
        np.cumsum([0, *(len(step.places) for step in steps)]).astype(np.int64),
        np.concatenate([step.places for step in steps]).astype(np.int32, copy=False),
        np.concatenate([step.values for step in steps]).astype(np.float32),
        np.array(costs),
        limit,
    )


def _rate(step: Vector, violation: float, limit: float) -> float:
    """Return the size of a step: 1 of the perceptron, whose limit is 0; or that of MIRA."""
    if not limit:
        return 1.0
    norm = float(_merged(step) @ _merged(step))
    return min(limit, violation / norm) if violation > 0 and norm > 0 else 0.0


def _times(vector: Vector, factor: float) -> Vector:
    if factor == 1.0:
        return vector
    if isinstance(vector, SparseVector):
        return SparseVector(vector.places, vector.values * factor)
    return vector * factor


def _merged(vector: Vector) -> Floats:
    """Return the numbers of a vector, those of one place added up."""
    if not isinstance(vector, SparseVector):
        return vector
    _, where = np.unique(vector.places, return_inverse=True)
    return np.bincount(where, vector.values).astype(np.float64)


class Svm(MultiTaskSvm):
    """A structured SVM by stochastic subgradient."""

    def __init__(self, examples: Examples, seed: int = 0) -> None:
        options, scorer = examples.options, examples.scorer
        super().__init__(
            {"svm": examples},
            scorer.size,
            regularization=options.regularization,
            shared=False,
            first_step=min(0.1, 0.5 / options.regularization),
            warm_up=len(examples),
        )
        self._dtype = scorer.initial(seed).dtype
        self._own["svm"].values[:] = scorer.initial(seed)

    def mean(self) -> npt.NDArray[np.floating[Any]]:
        """Return the averaged weights."""
        return self.weights("svm").astype(self._dtype)
