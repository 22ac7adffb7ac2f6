"""Structured SVMs for tasks that share parts: Almeida & Martins (2013), section 4.

Task k predicts with the weights ``w + v_k``: those that all tasks share, and its own. They minimize

    lambda/2 |w|^2 + sum_k lambda_k/2 |v_k|^2 + 1/N sum_k kappa_k L_k(w + v_k)        (eq. 10)

where L_k is the structured hinge loss, summed over the N_k examples of the task, N is the number of
all examples, and kappa_k = N / N_k lets all tasks weigh the same. Stochastic subgradients take one
example at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty._native.learn import AveragedDoubles
from treaty.errors import UsageError
from treaty.learn._weights import restore_averaged, state_of

__all__ = ["MultiTaskSvm", "SparseVector", "Task", "TaskWeights", "Violation", "hinge_loss"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SparseVector:
    """A feature vector by its entries that are not zero.

    Attributes
    ----------
    places, values
        Where the entries are, and what they are. What stands at the same place is added up.

    Examples
    --------
    >>> SparseVector.of(np.array([0.0, 2.0])).places
    array([1])
    """

    places: npt.NDArray[np.integer[Any]]
    values: Floats

    @classmethod
    def of(cls, dense: npt.ArrayLike) -> SparseVector:
        """Leave out the zeros of a vector."""
        vector = np.asarray(dense, np.float64)
        (places,) = np.nonzero(vector)
        return cls(places, vector[places])


Vector = SparseVector | Floats


@dataclass(frozen=True, slots=True)
class Violation:
    """What cost-augmented decoding found of an example.

    Attributes
    ----------
    cost
        How bad the structure found is, were it the answer; 0 for the gold one.
    found, gold
        The features of the structure found and of the gold one. Both may be scaled, and the cost
        with them, to normalize losses.
    """

    cost: float
    found: Vector
    gold: Vector


class TaskWeights:
    """The weights ``w + v_k`` of a task: ``weights[places]`` looks up some, ``weights[:]`` all."""

    def __init__(self, *parts: tuple[Floats, float]) -> None:
        self._parts = parts

    def __getitem__(self, places: Any) -> Floats:
        """Look up weights as an array does."""
        found: Floats = sum((scale * values[places] for values, scale in self._parts), np.zeros(()))
        return found


class Task(Protocol):
    """What is to be learned from examples: features, decoder and cost of one kind of structure."""

    def __len__(self) -> int:
        """How many examples there are."""

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        """Find the structure that maximizes score plus cost under these weights."""


class MultiTaskSvm:
    """Learns weights for several tasks at once; `treaty.learn.fit` shows it the examples.

    The examples are numbered through: those of the first task come first. Steps are
    ``first_step / (1 + first_step * smallest lambda * t)`` long; the weights that count in the end
    are the mean over all steps, for the last ones jump about.

    Parameters
    ----------
    tasks
        By name. A task that is left out has no weights of its own: `weights` gives it the shared
        ones (with two others that have no parts in common, that is training them apart and putting
        them together, the limit lambda_1 = 0 of the paper).
    size
        How many features there are.
    regularization
        lambda.
    own_regularization
        The lambda_k: one for all, or by task; by default all are as lambda.
    shared
        Whether there is a w. Without it (the limit of lambda to infinity) every task learns alone.
    first_step
        The length of the first step. Together with the largest lambda it must be less than 1.
    warm_up
        So many steps are left out of the mean.

    Examples
    --------
    A task with one example, whose answer is to have the feature 0 and not 1:

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
            raise UsageError("every task needs at least one example; leave out those without")
        own = _own(own_regularization, regularization, tasks)
        strengths = [*([regularization] if shared else []), *own.values()]
        if min(strengths) <= 0 or not 0 < first_step * max(strengths) < 1:
            raise UsageError(
                "regularization must be above 0, and the first step below 1 over the largest"
            )
        self.tasks = dict(tasks)
        self.begin = np.cumsum([0, *map(len, tasks.values())])
        self._first_step, self._least, self._warm_up = first_step, min(strengths), warm_up
        self._shared = AveragedDoubles(size) if shared else None
        self._own = {name: AveragedDoubles(size) for name in tasks}
        self._strength = dict(zip(self._vectors(), strengths, strict=True))
        self._size, self._steps = size, 0

    def __len__(self) -> int:
        """Count the examples of all tasks."""
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
        """Go along a subgradient: the update rules below eq. 10."""
        length = self._first_step / (1.0 + self._first_step * self._least * self._steps)
        vectors = self._vectors()
        for key, vector in vectors.items():
            if self._steps in (0, self._warm_up):
                vector.start_averaging()
            vector.shrink(1.0 - length * self._strength[key])
        kappa = len(self) / len(self.tasks[name])
        for concerned in (self._shared, self._own[name]):
            if concerned is not None:
                _add(concerned, found.gold, length * kappa)
                _add(concerned, found.found, -length * kappa)
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
        """Compute eq. 10 at the averaged weights, looking at every example of every task."""
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

    # What `fit` needs besides

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Tell all that learning depends on."""
        told: dict[str, npt.NDArray[Any]] = {"steps": np.array([self._steps], np.int64)}
        for name, vector in self._vectors().items():
            told |= {f"{name}.{key}": value for key, value in state_of(vector).items()}
        return told

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from a state."""
        for name, vector in self._vectors().items():
            restore_averaged(vector, {key: state[f"{name}.{key}"] for key in state_of(vector)})
        [self._steps] = state["steps"].tolist()

    def _current(self, name: str) -> TaskWeights:
        parts = [vector for vector in (self._shared, self._own[name]) if vector is not None]
        return TaskWeights(*((vector.values, vector.scale) for vector in parts))

    def _vectors(self) -> dict[str, AveragedDoubles]:
        own = {f"own {name}": vector for name, vector in self._own.items()}
        return own if self._shared is None else {"shared": self._shared, **own}


def hinge_loss(found: Violation, weights: Floats) -> float:
    """Compute by how much the structure found, with its cost, beats the gold one."""
    return found.cost + _dot(found.found, weights) - _dot(found.gold, weights)


def _add(to: AveragedDoubles, vector: Vector, times: float) -> None:
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
        raise UsageError(f"expected the regularization of each of: {', '.join(tasks)}")
    return {name: given[name] for name in tasks}
