"""The training loop of all learners: shuffling, scoring, checkpoints, resuming."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty._native.learn import AveragedFloats
from treaty.errors import ModelError, check_threads
from treaty.learn._identity import differences, identity
from treaty.learn._model_file import ModelFile
from treaty.learn._ranges import Real
from treaty.learn._weights import WeightsLearner
from treaty.progress import OnProgress, Progress

__all__ = [
    "Company",
    "Learner",
    "TrainOptions",
    "checkpoint_of",
    "fit",
    "in_company",
    "remove_checkpoints",
]

CHUNK = 1024
"""Number of examples between two progress events."""
TASK = "checkpoint"
_STAGED: set[Path] = set()
"""Checkpoints that `checkpoint_of` has named."""


class Company(Protocol):
    """Others who train the same model on other examples, see `treaty.cluster.train_mixed`."""

    is_first: bool
    """Whether this process is the one that scores."""

    def begin(self) -> tuple[int, Mapping[str, npt.NDArray[Any]] | None]:
        """Begin a stage; return the number of epochs that all have done, and their state."""

    def share(self, order: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return the examples of this process."""

    def mix(
        self, epoch: int, examples: int, state: Mapping[str, npt.NDArray[Any]]
    ) -> Mapping[str, npt.NDArray[Any]]:
        """Give the state after an epoch to the others; return the mean of all."""


_COMPANY: ContextVar[Company | None] = ContextVar("company", default=None)


@contextmanager
def in_company(company: Company) -> Iterator[None]:
    """Train with others: all calls of `fit` inside mix their weights after every epoch."""
    token = _COMPANY.set(company)
    try:
        yield
    finally:
        _COMPANY.reset(token)


class Learner(Protocol):
    """The learner interface that `fit` needs."""

    def learn(self, ids: npt.NDArray[np.int32]) -> None:
        """Learn from the examples with these indices, in this order."""

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return all state that learning depends on; may share memory with the learner."""

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from a state; raise ValueError or KeyError if it is not valid."""


class ScoringLearner(Learner, Protocol):
    """A learner whose averaged weights can be read at any time."""

    def mean(self) -> npt.NDArray[np.floating[Any]]:
        """Return the averaged weights."""


def fit(
    learner: Learner,
    examples: int,
    *,
    epochs: int,
    seed: int = 0,
    stage: str = "training",
    evaluate: Callable[[], Mapping[str, float]] | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    progress: OnProgress | None = None,
    made_from: Mapping[str, Any] | None = None,
) -> list[dict[str, float]]:
    """Train a learner on all examples for `epochs` epochs, each in another order.

    The order depends only on the seed and the epoch, so an interrupted run resumes to the same
    result.

    Parameters
    ----------
    learner
        The learner.
    examples
        Number of examples.
    epochs, seed
        Number of passes over the examples, and the seed of their order.
    stage
        What is learned, for `progress`.
    evaluate
        Called after each epoch for scores on dev data.
    checkpoint
        File for the learner's state after each epoch.
    resume
        Whether to continue from the checkpoint, if it exists.
    progress
        Called with `treaty.Progress` events, with scores at the end of each epoch.
    made_from
        The data and settings that the result depends on, by name. A checkpoint holds them or their
        hashes, and is refused for other ones.

    Returns
    -------
    list of dict
        The scores after each epoch.

    Raises
    ------
    ModelError
        When the checkpoint is damaged or belongs to another training run: the message names the
        difference.
    """
    scores: list[dict[str, float]] = []
    path = None if checkpoint is None else Path(checkpoint)
    run = {} if path is None else identity(examples=examples, seed=seed, **(made_from or {}))
    if resume and path is not None and path.exists():
        scores = _restore(learner, path, run)
        if len(scores) > epochs:
            raise ModelError(
                f"{path}: already has {len(scores)} epochs, more than the {epochs} to train"
            )
    company = _COMPANY.get()
    if company is not None:
        done, mixed = company.begin()
        scores = [{} for _ in range(done)]
        if mixed is not None:
            learner.restore(mixed)
    first, started = len(scores), time.perf_counter()

    def tell(epoch: int, seen: int, found: Mapping[str, float] | None = None) -> None:
        if progress is None:
            return
        done, total = (epoch - 1 - first) * examples + seen, (epochs - first) * examples
        seconds = time.perf_counter() - started
        progress(Progress(stage, done, total, found or {}, epoch, epochs, seconds))

    for epoch in range(first + 1, epochs + 1):
        order = np.random.default_rng([seed, epoch]).permutation(examples).astype(np.int32)
        own = order if company is None else company.share(order)
        for begin in range(0, len(own), CHUNK):
            learner.learn(own[begin : begin + CHUNK])
            tell(epoch, min(begin + CHUNK, len(own)))
        if company is not None:
            learner.restore(company.mix(epoch, examples, learner.state()))
        wanted = evaluate is not None and (company is None or company.is_first)
        scores.append(dict(evaluate()) if evaluate is not None and wanted else {})
        if path is not None:
            ModelFile(TASK, {"run": run, "scores": scores}, learner.state()).write(path)
        tell(epoch, examples, scores[-1])
    return scores


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """What every training takes, whatever is trained.

    Attributes
    ----------
    epochs
        Number of passes over the examples.
    seed
        The seed of the order of the examples, and of initial weights.
    threads
        Number of threads; the result does not depend on it.
    checkpoint
        File for the state after each epoch. Of several stages, each has a file of its own, whose
        name ends in that of the stage.
    resume
        Whether to continue from the checkpoint, if it exists, to the same bytes as an
        uninterrupted run.
    progress
        Called with `treaty.Progress` events.

    Examples
    --------
    >>> TrainOptions(epochs=3, checkpoint="run").of_stage("trees").checkpoint.name
    'run.trees'
    """

    epochs: int = 10
    seed: int = 1
    threads: int = 1
    checkpoint: str | Path | None = None
    resume: bool = False
    progress: OnProgress | None = None

    def __post_init__(self) -> None:
        check_threads(self.threads)

    def of_stage(self, stage: str) -> TrainOptions:
        """Return the options of one stage of several: the checkpoint is its own."""
        return replace(self, checkpoint=checkpoint_of(self.checkpoint, stage))

    def of_training(self, stage: str, number: int, epochs: int | None = None) -> TrainOptions:
        """Return the options of one of several trainings of a stage: seed and file are its own."""
        name = stage_name(stage, number)
        return replace(
            self.of_stage(name),
            seed=self.seed + number,
            epochs=self.epochs if epochs is None else epochs,
        )

    def fit(
        self,
        learner: Learner,
        examples: int,
        stage: str,
        *,
        evaluate: Callable[[], Mapping[str, float]] | None = None,
        made_from: Mapping[str, Any] | None = None,
    ) -> list[dict[str, float]]:
        """Train a learner, as the function `fit` does."""
        return fit(
            learner,
            examples,
            epochs=self.epochs,
            seed=self.seed,
            stage=stage,
            evaluate=evaluate,
            checkpoint=self.checkpoint,
            resume=self.resume,
            progress=self.progress,
            made_from=made_from,
        )

    def fit_weights(
        self,
        weights: AveragedFloats,
        step: Callable[[npt.NDArray[np.int32]], object],
        examples: int,
        stage: str,
        *,
        warm_up: int = 0,
        evaluate: Callable[[], Mapping[str, float]] | None = None,
        made_from: Mapping[str, Any] | None = None,
    ) -> list[dict[str, float]]:
        """Train a native weight table; at the end it holds the average.

        Parameters
        ----------
        weights, step, warm_up
            As in `WeightsLearner`.
        examples, stage, made_from
            As in `fit`.
        evaluate
            Scores on dev data, called while the table holds the average.
        """
        learner = WeightsLearner(weights, step, warm_up=warm_up)
        scores = self.fit(
            learner,
            examples,
            stage,
            evaluate=None if evaluate is None else learner.scoring(evaluate),
            made_from=made_from,
        )
        learner.finish()
        return scores


def stage_name(stage: str, number: int) -> str:
    """Name one of several trainings of a stage, counted from 0.

    Examples
    --------
    >>> stage_name("trees", 0), stage_name("trees", 1)
    ('trees', 'trees-2')
    """
    return stage if number == 0 else f"{stage}-{number + 1}"


def _restore(learner: Learner, path: Path, run: Mapping[str, Any]) -> list[dict[str, float]]:
    saved = ModelFile.read(path, task=TASK)
    if found := differences(saved.value("run", dict), run):
        raise ModelError(
            f"{path}: a checkpoint of another training run, with other {', '.join(found)}; use the "
            "same data, settings and version, or start again"
        )
    scores = saved.value("scores", list)
    for line in scores:
        for name, score in saved.checked(line, dict, "scores").items():
            saved.checked(score, Real(-math.inf, math.inf), f"scores: {name}")
    try:
        learner.restore(saved.tensors)
    except (KeyError, TypeError, ValueError) as error:
        raise saved.fault(f"not a checkpoint of this model ({error})") from error
    return scores


def checkpoint_of(checkpoint: str | Path | None, stage: str) -> Path | None:
    """Return the path of the checkpoint for one stage of training.

    Examples
    --------
    >>> str(checkpoint_of("danish.checkpoint", "trees"))
    'danish.checkpoint.trees'
    """
    if checkpoint is None:
        return None
    path = Path(checkpoint)
    staged = path.with_name(f"{path.name}.{stage}")
    _STAGED.add(staged.absolute())
    return staged


def remove_checkpoints(checkpoint: str | Path) -> None:
    """Delete a checkpoint and those of its stages, after the model is saved.

    These are the files that `checkpoint_of` has named in this process; others are not touched,
    whatever their names.
    """
    first = Path(checkpoint).absolute()
    beginning = f"{first}."
    stages = [path for path in _STAGED if str(path).startswith(beginning)]
    _STAGED.difference_update(stages)
    for path in (first, *stages):
        path.unlink(missing_ok=True)
