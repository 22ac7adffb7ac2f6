"""Training of a `GraphModel`: averaged perceptron, MIRA, structured SVM."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native.features import Weights
from treaty._native.learn import learn_from
from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.learn._graph_file import MOST_BITS
from treaty.learn._loop import fit
from treaty.learn._multi_task import MultiTaskSvm, SparseVector, TaskWeights, Violation
from treaty.learn._part_problem import PartProblem, PartScores
from treaty.learn._weights import WeightsLearner
from treaty.progress import OnProgress
from treaty.solve import Solution, solve, solve_many

__all__ = ["LEARNERS", "Gold", "LearningOptions", "learn_weights", "solve_all"]

Ints = npt.NDArray[np.int32]
Table = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Scorer = Callable[[Table], Mapping[str, float]]

LEARNERS = ("perceptron", "mira", "svm")
ITERATIONS = 200
"""Iterations of AD3 in training: a rounded answer is good enough to learn from."""


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """Options of the training besides examples, epochs and seed; see `GraphModel.train`."""

    learner: str
    bits: int
    aggressiveness: float
    regularization: float
    batch: int
    method: str
    iterations: int | None

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            raise UsageError(
                f"there is no learner {self.learner!r}: choose one of {', '.join(LEARNERS)}"
            )
        if not 1 <= self.bits <= MOST_BITS:
            raise UsageError(f"bits must be from 1 to {MOST_BITS}, not {self.bits}")
        if self.batch < 1:
            raise UsageError(f"batch must be at least 1, not {self.batch}")
        for name in ("aggressiveness", "regularization"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be positive, not {getattr(self, name)}")

    @property
    def limits(self) -> dict[str, Any]:
        """Limits of the solver in training."""
        if self.iterations is not None:
            return {"iterations": self.iterations}
        return {"iterations": ITERATIONS} if self.method == "ad3" else {}


class Gold(NamedTuple):
    """The gold parts of an example, and their score by the user's factors."""

    chosen: Mask
    fixed_score: float

    @property
    def allowed(self) -> bool:
        """Whether the factors allow them."""
        return math.isfinite(self.fixed_score)


def solve_all(
    graphs: Sequence[FactorGraph], method: str, threads: int, options: Mapping[str, Any]
) -> list[Solution]:
    """Solve graphs, in parallel threads only if that is faster."""
    if threads == 1 or len(graphs) == 1:
        return [solve(graph, method, **options) for graph in graphs]
    return solve_many(graphs, method, threads=min(threads, len(graphs)), **options)


def learn_weights(
    problems: Sequence[PartProblem],
    gold: Sequence[Gold],
    options: LearningOptions,
    *,
    epochs: int,
    seed: int,
    threads: int,
    score: Scorer | None,
    checkpoint: Path | None,
    resume: bool,
    progress: OnProgress | None,
    made_from: Mapping[str, Any],
) -> tuple[Table, dict[str, float]]:
    """Learn the weights; see `GraphModel.train`.

    Parameters
    ----------
    score
        Function that scores weights on dev data; None if there are none.

    Returns
    -------
    array, dict
        The weights, and their scores on dev data.
    """
    examples = _Examples(problems, gold, options, threads)
    learner = _Svm(examples) if options.learner == "svm" else _Online(examples)
    scores = fit(
        learner,
        len(problems),
        epochs=epochs,
        seed=seed,
        stage=options.learner,
        evaluate=None if score is None else lambda: score(learner.mean()),
        checkpoint=checkpoint,
        resume=resume,
        progress=progress,
        made_from={**asdict(options), **made_from},
    )
    return learner.mean(), scores[-1] if score is not None else {}


class _Answer(NamedTuple):
    """The result of decoding an example.

    `cost` is the number of its mistakes plus the difference of the user's factors between it and
    gold: added to the difference of learned scores, it is the margin violation.
    """

    chosen: Mask
    cost: float


class _Examples:
    """The training data, and their decoding under any weights."""

    def __init__(
        self,
        problems: Sequence[PartProblem],
        gold: Sequence[Gold],
        options: LearningOptions,
        threads: int,
    ) -> None:
        self.problems, self.gold, self.options, self.threads = problems, gold, options, threads
        # Hamming cost: each scored candidate costs 1 if it is wrongly chosen or wrongly left out.
        # The perceptron decodes without it.
        self.costs: list[Floats] = [
            np.where(right.chosen, -1.0, 1.0) * problem.scored().astype(np.float64)
            for problem, right in zip(problems, gold, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.problems)

    def answers(self, ids: Sequence[int], weights: Any) -> list[_Answer]:
        """Decode examples, by score plus cost if the learner is cost-augmented."""
        costly = self.options.learner != "perceptron"
        scores = [self.problems[i].scores(weights, self.costs[i] if costly else None) for i in ids]
        graphs = [self.problems[i].graph(own) for i, own in zip(ids, scores, strict=True)]
        found = solve_all(graphs, self.options.method, self.threads, self.options.limits)
        return [self._answer(*one) for one in zip(ids, scores, found, strict=True)]

    def _answer(self, example: int, scores: PartScores, solution: Solution) -> _Answer:
        problem, gold = self.problems[example], self.gold[example]
        chosen = problem.chosen(solution)
        if chosen is None:  # nothing to learn from
            return _Answer(gold.chosen, 0.0)
        cost = float(np.abs(self.costs[example]) @ (chosen != gold.chosen))
        if gold.allowed:
            fixed = solution.objective - problem.learned_score(chosen, scores)
            cost += fixed - gold.fixed_score
        return _Answer(chosen, cost)

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        """Find the structure that maximizes score plus cost, for a structured SVM."""
        problem, gold = self.problems[example], self.gold[example].chosen
        (answer,) = self.answers([example], weights)
        nothing = np.zeros_like(gold)
        found, right = (
            SparseVector(*problem.difference(chosen, nothing)) for chosen in (answer.chosen, gold)
        )
        return Violation(answer.cost, found, right)


class _Online(WeightsLearner):
    """Averaged perceptron and cost-augmented MIRA (Crammer et al. 2006), a batch at a time."""

    def __init__(self, examples: _Examples) -> None:
        self.examples, self.table = examples, Weights(examples.options.bits)
        self.table.values[:] = 0.0
        super().__init__(self.table, self._learn_all)

    def _learn_all(self, ids: Ints) -> None:
        batch = self.examples.options.batch
        for begin in range(0, len(ids), batch):
            self._learn(ids[begin : begin + batch].tolist())

    def _learn(self, ids: Sequence[int]) -> None:
        examples, options = self.examples, self.examples.options
        begin, cost = [0], []
        places: list[npt.NDArray[np.int32]] = []
        values: list[npt.NDArray[np.float64]] = []
        answers = examples.answers(ids, self.weights.values)
        for i, answer in zip(ids, answers, strict=True):
            gold = examples.gold[i].chosen
            where, how_much = examples.problems[i].difference(gold, answer.chosen)
            places.append(where)
            values.append(how_much)
            begin.append(begin[-1] + len(where))
            cost.append(answer.cost)
        learn_from(
            self.table,
            np.array(begin, np.int64),
            np.concatenate(places),
            np.concatenate(values).astype(np.float32),
            np.array(cost),
            options.aggressiveness if options.learner == "mira" else 0.0,
        )

    def mean(self) -> Table:
        """Return the averaged weights."""
        return self.weights.average()


class _Svm(MultiTaskSvm):
    """A structured SVM by stochastic subgradient."""

    def __init__(self, examples: _Examples) -> None:
        options = examples.options
        super().__init__(
            {"svm": examples},
            2**options.bits,
            regularization=options.regularization,
            shared=False,
            first_step=min(0.1, 0.5 / options.regularization),
            warm_up=len(examples),
        )

    def mean(self) -> Table:
        """Return the averaged weights."""
        return self.weights("svm").astype(np.float32)
