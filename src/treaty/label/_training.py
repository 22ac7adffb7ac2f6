"""Training of CRFs: averaged perceptron, cost-augmented MIRA, maximum likelihood."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty.errors import UsageError, check_threads
from treaty.graph import FactorGraph
from treaty.label._instances import Instances
from treaty.learn import TrainOptions, WeightsLearner, restored_count
from treaty.solve import solve_many

if TYPE_CHECKING:
    from treaty.label._crf import PatternCrf

__all__ = ["LEARNERS", "Gold", "TrainingOptions", "train"]

Ints = npt.NDArray[np.int32]

LEARNERS = ("perceptron", "mira", "likelihood")
SETTINGS = (
    "learner", "decoder", "batch", "aggressiveness", "costs", "dropout", "warm_up", "rate",
    "regularization", "least_count", "limits",
)  # fmt: skip
"""The options that the result depends on, besides epochs, which a resumed training may change."""


class Gold(NamedTuple):
    """The gold label of every vertex, and sets of labels that larger numbers stand for."""

    labels: Ints
    sets: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class TrainingOptions:
    """Training options of a CRF.

    Attributes
    ----------
    learner, decoder, epochs, seed, threads, batch
        See `PatternCrf.train`.
    aggressiveness
        Maximum step size of MIRA.
    costs
        For MIRA: the cost of missing each label (one number per label), or of predicting one label
        for another (a row per gold label); 1 for every mistake by default.
    dropout
        The share of features of single vertices that are left out of an example, drawn again in
        every epoch.
    warm_up
        Number of initial epochs left out of the average of the weights.
    rate, regularization
        For likelihood: the initial step size, and the weight of half the squared norm against the
        log-likelihood of all examples (twice the ``c2`` of CRFsuite).
    least_count
        Minimum count of a feature; rarer ones have no weights.
    limits
        Options of the solver for instances that are neither chains nor trees.
    """

    learner: str = "perceptron"
    decoder: str = "auto"
    epochs: int = 10
    seed: int = 1
    threads: int = 1
    batch: int = 1
    aggressiveness: float = 0.1
    costs: npt.ArrayLike | None = None
    dropout: float = 0.0
    warm_up: int = 0
    rate: float = 0.1
    regularization: float = 1.0
    least_count: int = 1
    limits: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            raise UsageError(
                f"there is no learner {self.learner!r}: choose one of {', '.join(LEARNERS)}"
            )
        check_threads(self.threads)
        for name in ("epochs", "batch", "least_count"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout must be from 0 to 1, not {self.dropout}")
        for name in ("aggressiveness", "rate"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} must be positive, not {getattr(self, name)}")
        if not self.regularization >= 0:
            raise UsageError(f"regularization must be at least 0, not {self.regularization}")


def train(
    crf: PatternCrf,
    instances: Instances,
    gold: Gold,
    options: TrainingOptions,
    *,
    run: TrainOptions,
    stage: str,
    dev_score: Callable[[PatternCrf], Mapping[str, float]] | None,
) -> list[dict[str, float]]:
    """Train the weights; see `PatternCrf.train` for the parameters."""
    from treaty.label._crf import check_method

    check_method(options.decoder)
    if len(instances) == 0:
        raise UsageError("there are no instances to train on")
    try:
        crf.native.index(instances.native, options.least_count)
    except ValueError as error:
        raise UsageError(str(error)) from error
    examples = _Examples(crf, instances, gold, options)
    step = examples.climb if options.learner == "likelihood" else examples.learn
    warm_up = min(options.warm_up, options.epochs - 1) * len(instances)
    learner = _CrfLearner(crf.native, step, warm_up=warm_up)
    evaluate = None if dev_score is None else learner.scoring(partial(dev_score, crf))
    try:
        scores = run.fit(
            learner,
            len(instances),
            stage,
            evaluate=evaluate,
            made_from={
                **{name: getattr(options, name) for name in SETTINGS},
                "data": [instances.digest, *(part for part in gold if len(part))],
                "labels": crf.labels,
                "kinds": crf.kinds,
            },
        )
    except ValueError as error:
        raise UsageError(str(error)) from error
    learner.finish()
    return scores


class _Examples:
    """The training data, with an update step for each learner."""

    def __init__(
        self, crf: PatternCrf, instances: Instances, gold: Gold, options: TrainingOptions
    ) -> None:
        self.crf, self.options, self.gold, self.sets = crf, options, gold.labels, gold.sets
        self.bound = crf.bind(instances, options.threads)
        self.sizes = instances.sizes
        aggressiveness = options.aggressiveness if options.learner == "mira" else 0.0
        cost = _cost_table(options.costs, len(crf.labels))
        self._settings = (aggressiveness, options.dropout, cost)
        self.simple = np.zeros(len(instances), bool)
        if options.decoder == "auto":
            crf.native.weights.values[:] = 1.0  # larger patterns of weight 0 would be ignored
            self.simple[:] = native.decode(crf.native, self.bound, options.threads)[2] != 0
            crf.native.weights.values[:] = 0.0

    def climb(self, ids: Ints) -> None:
        """Take a gradient step on the likelihood."""
        o = self.options
        regularization = o.regularization / len(self.sizes)
        native.sgd(
            self.crf.native, self.bound, self.gold, self.sets.ravel(), ids, o.rate,
            regularization, o.dropout, o.batch, o.threads,
        )  # fmt: skip

    def learn(self, ids: Ints) -> None:
        """Decode examples and update on mistakes; natively if they are chains or trees."""
        change = np.flatnonzero(np.diff(self.simple[ids])) + 1
        for run in np.split(ids, change):
            if self.simple[run[0]]:
                native.train(
                    self.crf.native, self.bound, self.gold, run, *self._settings,
                    self.options.batch, self.options.threads,
                )  # fmt: skip
            else:
                for begin in range(0, len(run), self.options.batch):
                    self._learn_by_solver(run[begin : begin + self.options.batch])

    def _learn_by_solver(self, ids: Ints) -> None:
        from treaty.label._crf import GENERAL

        options, model = self.options, self.crf.native
        method = GENERAL if options.decoder == "auto" else options.decoder
        graphs = [
            native.training_graph(model, self.bound, self.gold, i, *self._settings)
            for i in ids.tolist()
        ]
        solutions = solve_many(
            map(FactorGraph._of, graphs),
            method,
            threads=min(options.threads, len(graphs)),
            **(options.limits or {}),
        )
        solved = [s for s in range(len(ids)) if np.isfinite(solutions[s].objective)]
        answers = [self.crf.labels_of(solutions[s], self.sizes[ids[s]]) for s in solved]
        flat = np.concatenate([np.zeros(0, np.int32), *answers])
        native.learn_from(model, self.bound, self.gold, ids[solved], flat, *self._settings)


class _CrfLearner(WeightsLearner):
    """Adds to the state what the rate of likelihood's steps and the noise depend on."""

    def __init__(
        self, model: native.Model, step: Callable[[Ints], object], *, warm_up: int = 0
    ) -> None:
        super().__init__(model.weights, step, warm_up=warm_up)
        self._model = model

    def state(self) -> dict[str, npt.NDArray[Any]]:
        return {**super().state(), "examples": np.array([self._model.seen], np.int64)}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        super().restore(state)
        self._model.seen = restored_count(state, "examples")

    def finish(self) -> None:
        self.weights.keep_average()


def _cost_table(costs: npt.ArrayLike | None, labels: int) -> npt.NDArray[np.float64]:
    """Return the cost of predicting b for the gold label a, at a * labels + b."""
    table = 1.0 - np.eye(labels)
    if costs is not None:
        given = np.asarray(costs, np.float64)
        if given.shape not in ((labels,), (labels, labels)) or not np.isfinite(given).all():
            raise UsageError(
                f"costs: expected {labels} finite numbers, or {labels} rows of {labels}"
            )
        table = table * (given[:, None] if given.ndim == 1 else given)
    return table.ravel()
