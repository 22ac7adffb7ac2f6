"""How a `GraphModel` learns its weights: averaged perceptron, MIRA, structured SVM."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native.features import Weights, text_hash
from treaty._native.learn import learn_from
from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.learn._graph_file import MOST_BITS
from treaty.learn._loop import Learner, fit
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
"""Of AD3 in training: a rounded answer is good enough to learn from."""


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """What the weights depend on, besides examples, epochs and seed; see `GraphModel.train`."""

    learner: str
    bits: int
    aggressiveness: float
    regularization: float
    batch: int
    method: str
    iterations: int | None

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            raise UsageError(f"there is no learner {self.learner!r}: {', '.join(LEARNERS)}")
        if not 1 <= self.bits <= MOST_BITS:
            raise UsageError(f"expected 1 to {MOST_BITS} bits, not {self.bits}")
        if self.batch < 1:
            raise UsageError(f"batch must be 1 or more, not {self.batch}")
        for name in ("aggressiveness", "regularization"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be positive, not {getattr(self, name)}")

    @property
    def limits(self) -> dict[str, Any]:
        """Limits of the solver in training."""
        if self.iterations is not None:
            return {"iterations": self.iterations}
        return {"iterations": ITERATIONS} if self.method == "ad3" else {}

    @property
    def fingerprint(self) -> npt.NDArray[np.uint64]:
        """A checkpoint of other options is refused by it."""
        return np.array([text_hash(json.dumps(asdict(self)))], np.uint64)


class Gold(NamedTuple):
    """The right parts of an example, and what the user's own factors say of them."""

    chosen: Mask
    fixed_score: float

    @property
    def allowed(self) -> bool:
        """Whether the factors allow them."""
        return math.isfinite(self.fixed_score)


def solve_all(
    graphs: Sequence[FactorGraph], method: str, threads: int, options: Mapping[str, Any]
) -> list[Solution]:
    """Solve graphs, without a pool of threads where that would gain nothing."""
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
) -> tuple[Table, dict[str, float]]:
    """Learn as `GraphModel.train` says.

    Parameters
    ----------
    score
        Scores weights on dev data; None if there are none.

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
    )
    return learner.mean(), scores[-1] if score is not None else {}


class _Answer(NamedTuple):
    """What decoding found of an example.

    `cost` counts its mistakes, and adds by how much the user's own factors like it better than
    gold: with the weights it makes the violation of the margin.
    """

    chosen: Mask
    cost: float


class _Examples:
    """The training data, and their decoding by any weights."""

    def __init__(
        self,
        problems: Sequence[PartProblem],
        gold: Sequence[Gold],
        options: LearningOptions,
        threads: int,
    ) -> None:
        self.problems, self.gold, self.options, self.threads = problems, gold, options, threads
        # Hamming cost: each candidate that counts costs 1 where it is chosen wrongly, or wrongly
        # left out. The perceptron decodes without it.
        self.costs: list[Floats] = [
            np.where(right.chosen, -1.0, 1.0) * problem.scored().astype(np.float64)
            for problem, right in zip(problems, gold, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.problems)

    def answers(self, ids: Sequence[int], weights: Any) -> list[_Answer]:
        """Decode examples, by score plus cost if the learner asks for it."""
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


class _Checked:
    """A learner whose checkpoints know what they were trained with."""

    def __init__(self, learner: Learner, options: LearningOptions) -> None:
        self._learner, self._options = learner, options

    def learn(self, ids: Ints) -> None:
        self._learner.learn(ids)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        return {**self._learner.state(), "options": self._options.fingerprint}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        if not np.array_equal(state["options"], self._options.fingerprint):
            raise ValueError("it was trained with other options")
        self._learner.restore(state)


class _Online(_Checked):
    """Averaged perceptron and cost-augmented MIRA (Crammer et al. 2006), a batch at a time."""

    def __init__(self, examples: _Examples) -> None:
        self.examples, self.weights = examples, Weights(examples.options.bits)
        self.weights.values[:] = 0.0
        super().__init__(WeightsLearner(self.weights, self._step), examples.options)

    def _step(self, ids: Ints) -> None:
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
            self.weights,
            np.array(begin, np.int64),
            np.concatenate(places),
            np.concatenate(values).astype(np.float32),
            np.array(cost),
            options.aggressiveness if options.learner == "mira" else 0.0,
        )

    def mean(self) -> Table:
        """Give the averaged weights."""
        return self.weights.average()


class _Svm(_Checked):
    """A structured SVM by stochastic subgradient."""

    def __init__(self, examples: _Examples) -> None:
        options = examples.options
        self.svm = MultiTaskSvm(
            {"svm": examples},
            2**options.bits,
            regularization=options.regularization,
            shared=False,
            first_step=min(0.1, 0.5 / options.regularization),
            warm_up=len(examples),
        )
        super().__init__(self.svm, options)

    def mean(self) -> Table:
        """Give the averaged weights."""
        return self.svm.weights("svm").astype(np.float32)
