"""Structured SVMs for tasks that share parts: Almeida & Martins (2013), section 4.

Task k predicts with the weights ``w + v_k``: shared weights plus its own. They minimize

    lambda/2 |w|^2 + sum_k lambda_k/2 |v_k|^2 + 1/N sum_k kappa_k L_k(w + v_k)        (eq. 10)

where L_k is the structured hinge loss summed over the N_k examples of the task, N is the total
number of examples, and kappa_k = N / N_k gives all tasks the same weight. The minimizer is
stochastic subgradient descent, one example per step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty._native.learn import AveragedDoubles
from treaty.errors import UsageError
from treaty.learn._weights import restore_averaged, restored_count, state_of

__all__ = ["MultiTaskSvm", "SparseVector", "Task", "TaskWeights", "Violation", "hinge_loss"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SparseVector:
    """A feature vector given by its nonzero entries.

    Attributes
    ----------
    places, values
        Indices and values of the entries. Values with the same index are summed.

    Examples
    --------
    >>> SparseVector.of(np.array([0.0, 2.0])).places
    array([1])
    """

    places: npt.NDArray[np.integer[Any]]
    values: Floats

    @classmethod
    def of(cls, dense: npt.ArrayLike) -> SparseVector:
        """Drop the zeros of a vector."""
        vector = np.asarray(dense, np.float64)
        (places,) = np.nonzero(vector)
        return cls(places, vector[places])


Vector = SparseVector | Floats


@dataclass(frozen=True, slots=True)
class Violation:
    """The result of cost-augmented decoding for an example.

    Attributes
    ----------
    cost
        Cost of the structure found; 0 for the gold structure.
    found, gold
        Features of the structure found and of the gold structure. They and the cost may be scaled
        to normalize losses.
    """

    cost: float
    found: Vector
    gold: Vector


class TaskWeights:
    """The weights ``w + v_k`` of a task: ``weights[places]`` returns some, ``weights[:]`` all."""

    def __init__(self, *parts: tuple[Floats, float]) -> None:
        self._parts = parts

    def __getitem__(self, places: Any) -> Floats:
        """Index the weights like an array."""
        found: Floats = sum((scale * values[places] for values, scale in self._parts), np.zeros(()))
        return found


class Task(Protocol):
    """A learning task: examples with the features, decoder and cost of one kind of structure."""

    def __len__(self) -> int:
        """Return the number of examples."""

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        """Find the structure that maximizes score plus cost under these weights."""


class MultiTaskSvm:
    """Learner of weights for several tasks at once, to be trained by `treaty.learn.fit`.

    Examples are numbered consecutively, those of the first task first. The step size at step t is
    ``first_step / (1 + first_step * smallest lambda * t)``; the result is the average of the
    weights over all steps, since the last ones still fluctuate.

    Parameters
    ----------
    tasks
        Tasks by name. For a task that is left out, `weights` returns the shared weights (with two
        other tasks that have no parts in common, this is training them separately and combining
        them: the limit lambda_1 = 0 of the paper).
    size
        Number of features.
    regularization
        lambda.
    own_regularization
        The lambda_k: one value for all tasks, or one per task; by default equal to lambda.
    shared
        Whether there is a shared w. Without it (lambda = infinity) tasks are independent.
    first_step
        Size of the first step. Its product with the largest lambda must be less than 1.
    warm_up
        Number of initial steps left out of the average.

    Examples
    --------
    A task with one example, whose correct answer has feature 0 and not feature 1:

    >>> class Toy:
    ...     def __len__(self):
    ...         return 1
    ...     def violation(self, example, weights):
    ...         wrong = weights[1] + 1 > weights[0]
    ...         found = np.array([0.0, 1.0]) if wrong else np.array([1.0, 0.0])
    ...         return Violation(float(wrong), found, np.array([1.0, 0.0]))
    >>> svm = MultiTaskSvm({"toy": Toy()}, 2, regularization=0.1)
    >>> for _ in range(2000):
    ...     svm.learn(np.array([0], np.int32))
    >>> svm.weights("toy").round(1)
    array([ 0.5, -0.5])
    """

    def __init__(
        self,
        tasks: Mapping[str, Task],
        size: int,
        *,
        regularization: float = 0.01,
        own_regularization: float | Mapping[str, float] | None = None,
        shared: bool = True,
        first_step: float = 0.1,
        warm_up: int = 0,
    ) -> None:
        if not tasks or any(len(task) == 0 for task in tasks.values()):
            raise UsageError(
                "every task needs at least one example; leave out tasks without examples"
            )
        own = _own(own_regularization, regularization, tasks)
        strengths = [*([regularization] if shared else []), *own.values()]
        if min(strengths) <= 0 or not 0 < first_step * max(strengths) < 1:
            raise UsageError(
                "regularization must be positive, and first_step less than 1 / the largest of them"
            )
        self.tasks = dict(tasks)
        self.begin = np.cumsum([0, *map(len, tasks.values())])
        self._first_step, self._least, self._warm_up = first_step, min(strengths), warm_up
        self._shared = AveragedDoubles(size) if shared else None
        self._own = {name: AveragedDoubles(size) for name in tasks}
        self._strength = dict(zip(self._vectors(), strengths, strict=True))
        self._size, self._steps = size, 0

    def __len__(self) -> int:
        """Return the number of examples of all tasks."""
        return int(self.begin[-1])

    def learn(self, ids: npt.NDArray[np.int32]) -> None:
        """Take a step for each of these examples, in this order."""
        names = list(self.tasks)
        for identity in ids:
            number = int(np.searchsorted(self.begin, identity, "right")) - 1
            name, example = names[number], int(identity - self.begin[number])
            found = self.tasks[name].violation(example, self._current(name))
            self._step(name, found)

    def _step(self, name: str, found: Violation) -> None:
        """Take a subgradient step: the update rules below eq. 10."""
        length = self._first_step / (1.0 + self._first_step * self._least * self._steps)
        vectors = self._vectors()
        for key, vector in vectors.items():
            if self._steps in (0, self._warm_up):
                vector.start_averaging()
            vector.shrink(1.0 - length * self._strength[key])
        kappa = len(self) / len(self.tasks[name])
        for concerned in (self._shared, self._own[name]):
            if concerned is not None:
                add_vector(concerned, found.gold, length * kappa)
                add_vector(concerned, found.found, -length * kappa)
        for vector in vectors.values():
            vector.next_step()
        self._steps += 1

    def weights(self, task: str) -> Floats:
        """Compute ``w + v_k`` of a task, averaged over the steps."""
        total = np.zeros(self._size)
        for vector in (self._shared, self._own.get(task)):
            if vector is not None:
                total += vector.average()
        return total

    def shared_weights(self) -> Floats:
        """Compute w, averaged over the steps; zeros if nothing is shared."""
        return np.zeros(self._size) if self._shared is None else self._shared.average()

    def objective(self) -> float:
        """Compute eq. 10 at the averaged weights, over all examples of all tasks."""
        total = sum(
            self._strength[key] / 2 * float(vector.average() @ vector.average())
            for key, vector in self._vectors().items()
        )
        for name, task in self.tasks.items():
            weights = self.weights(name)
            losses = [
                hinge_loss(task.violation(i, TaskWeights((weights, 1.0))), weights)
                for i in range(len(task))
            ]
            total += sum(losses) / len(task)  # kappa_k / N = 1 / N_k
        return total

    # The rest of what `fit` needs

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return all state that learning depends on."""
        told: dict[str, npt.NDArray[Any]] = {"steps": np.array([self._steps], np.int64)}
        for name, vector in self._vectors().items():
            told |= {f"{name}.{key}": value for key, value in state_of(vector).items()}
        return told

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from a state."""
        for name, vector in self._vectors().items():
            restore_averaged(vector, {key: state[f"{name}.{key}"] for key in state_of(vector)})
        self._steps = restored_count(state, "steps")

    def _current(self, name: str) -> TaskWeights:
        parts = [vector for vector in (self._shared, self._own[name]) if vector is not None]
        return TaskWeights(*((vector.values, vector.scale) for vector in parts))

    def _vectors(self) -> dict[str, AveragedDoubles]:
        own = {f"own {name}": vector for name, vector in self._own.items()}
        return own if self._shared is None else {"shared": self._shared, **own}


def hinge_loss(found: Violation, weights: Floats) -> float:
    """Compute by how much the score plus cost of the structure found exceeds the gold score."""
    return found.cost + _dot(found.found, weights) - _dot(found.gold, weights)


def add_vector(to: AveragedDoubles, vector: Vector, times: float) -> None:
    """Add a vector, times a number, to weights."""
    if isinstance(vector, SparseVector):
        to.add(vector.places.astype(np.int64, copy=False), vector.values, times)
    else:
        to.add_all(vector, times)


def _dot(vector: Vector, weights: Floats) -> float:
    if isinstance(vector, SparseVector):
        return float(vector.values @ weights[vector.places])
    return float(vector @ weights)


def _own(
    given: float | Mapping[str, float] | None, regularization: float, tasks: Mapping[str, Task]
) -> dict[str, float]:
    if not isinstance(given, Mapping):
        return dict.fromkeys(tasks, regularization if given is None else given)
    if set(given) != set(tasks):
        raise UsageError(f"expected a regularization for each task: {', '.join(tasks)}")
    return {name: given[name] for name in tasks}
