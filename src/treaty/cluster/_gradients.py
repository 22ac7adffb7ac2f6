"""Maximum likelihood with exact gradients that are summed over shards.

The regularized log-likelihood of a CRF is a sum over examples; so is its gradient. Workers compute
those of their shards, and L-BFGS (Nocedal 1980) goes on as on one machine: the result is the same
up to the rounding of sums.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty.cluster._connect import ClusterError
from treaty.cluster._maps import connection_of
from treaty.errors import UsageError
from treaty.label import SequenceModel
from treaty.label._instances import Instances
from treaty.label._sequences import (
    CHAIN,
    _add,
    _parts,
    _read_examples,
    _reader,
    _untrained,
)
from treaty.label._tokens import usual_columns, usual_templates
from treaty.progress import OnProgress, Progress
from treaty.text import ColumnSentence

__all__ = ["lbfgs", "train_likelihood"]

Floats = npt.NDArray[np.float64]
Slope = Callable[[Floats], tuple[float, Floats]]
MEMORY = 7
ARMIJO, MOST_HALVINGS = 1e-4, 30
MOST_TRIES = 5


def lbfgs(
    slope: Slope,
    start: Floats,
    *,
    iterations: int = 100,
    tolerance: float = 1e-5,
    on_step: Callable[[int, float], object] = lambda _number, _value: None,
) -> Floats:
    """Minimize a smooth convex function by L-BFGS with backtracking.

    Parameters
    ----------
    slope
        Gives the value and the gradient at a point.
    start
        Where to begin.
    iterations
        Maximum number of steps.
    tolerance
        Stop when the norm of the gradient is this share of the point's, or of 1.
    on_step
        Called with the number of each step, and the value.

    Examples
    --------
    >>> found = lbfgs(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(2))
    >>> found.round(6)
    array([3., 3.])
    """
    point, (value, gradient) = start.copy(), slope(start)
    pairs: deque[tuple[Floats, Floats, float]] = deque(maxlen=MEMORY)
    for number in range(1, iterations + 1):
        if np.linalg.norm(gradient) <= tolerance * max(1.0, float(np.linalg.norm(point))):
            break
        way = -_curved(pairs, gradient)
        descent = float(way @ gradient)
        if descent >= 0.0:  # rounding: forget what is known
            pairs.clear()
            way, descent = -gradient, -float(gradient @ gradient)
        length = 1.0 if pairs else 1.0 / max(1.0, float(np.linalg.norm(gradient)))
        for _ in range(MOST_HALVINGS):
            there = point + length * way
            new_value, new_gradient = slope(there)
            if new_value <= value + ARMIJO * length * descent:
                break
            length *= 0.5
        else:
            break  # no better point within the precision of the numbers
        step, change = there - point, new_gradient - gradient
        if (product := float(step @ change)) > 1e-10 * float(change @ change):
            pairs.append((step, change, product))
        point, value, gradient = there, new_value, new_gradient
        on_step(number, value)
    return point


def _curved(pairs: Sequence[tuple[Floats, Floats, float]], gradient: Floats) -> Floats:
    """Multiply the gradient by the estimate of the inverse Hessian (two loops)."""
    way, shares = gradient.copy(), []
    for step, change, product in reversed(pairs):
        share = float(step @ way) / product
        way -= share * change
        shares.append(share)
    if pairs:
        _, change, product = pairs[-1]
        way *= product / float(change @ change)
    for (step, change, product), share in zip(pairs, reversed(shares), strict=True):
        way += (share - float(change @ way) / product) * step
    return way


class Setup(NamedTuple):
    """What all shards know: examples, labels and features."""

    examples: list[Any]
    templates: list[str] | None
    columns: list[str] | None
    labels: list[str]
    forbidden: list[tuple[str, str]]
    least_count: int


class Shard:
    """A shard of the examples, with the features of all."""

    def __init__(self, setup: Setup, number: int, shards: int) -> None:
        read = _reader(setup.templates, setup.columns)
        every, _ = _read_examples(setup.examples, read)
        self.crf = _untrained(setup.labels, setup.forbidden)
        self.crf.native.index(every.native, setup.least_count)
        own, gold = Instances(CHAIN), []
        known = {label: i for i, label in enumerate(setup.labels)}
        for example in setup.examples[number::shards]:
            tokens, labels = _parts(example)
            _add(own, tokens, read)
            gold += [known[label] for label in labels]
        self.bound, self.gold = self.crf.bind(own), np.array(gold, np.int32)
        self.own = own  # the bound instances refer to them

    def slope(self, weights: npt.NDArray[np.float32]) -> tuple[float, npt.NDArray[np.float32]]:
        """Return the log-likelihood of the shard, and its gradient."""
        self.crf.native.weights.values[:] = weights
        return native.likelihood(self.crf.native, self.bound, self.gold, np.zeros(0, np.uint8))


_SHARDS: dict[str, Shard] = {}


def _slope(
    key: str, setup: bytes, number: int, shards: int, weights: npt.NDArray[np.float32]
) -> tuple[float, npt.NDArray[np.float32]]:
    """Compute the gradient of a shard on a worker, which keeps it for the next time."""
    name = f"{key}-{number}-{shards}"
    if name not in _SHARDS:
        if not any(known.startswith(key) for known in _SHARDS):
            _SHARDS.clear()  # of another training
        _SHARDS[name] = Shard(pickle.loads(setup), number, shards)  # by Dask's own protocol
    return _SHARDS[name].slope(weights)


def train_likelihood(
    client: Any,
    examples: Sequence[Any],
    dev: Sequence[Any] = (),
    *,
    templates: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    forbidden: Sequence[tuple[str, str]] = (),
    regularization: float = 1.0,
    least_count: int = 1,
    iterations: int = 100,
    tolerance: float = 1e-4,
    shards: int | None = None,
    progress: OnProgress | None = None,
    info: dict[str, Any] | None = None,
) -> SequenceModel:
    """Train a sequence labeler by maximum likelihood, with gradients from all workers.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `connect` gives; None for this process alone.
    examples, dev, templates, columns, forbidden, info
        As for `SequenceModel.train`.
    regularization
        Weight of half the squared norm of the weights.
    least_count
        Minimum count of a feature.
    iterations, tolerance
        As in `lbfgs`.
    shards
        Number of shards; by default that of the cluster's threads.
    progress
        Called with `treaty.Progress` events, with ``log_likelihood`` as score.

    Returns
    -------
    SequenceModel
        The model; the same as with one shard, up to the rounding of sums.
    """
    data = [e for e in examples if not isinstance(e, ColumnSentence) or len(e)]
    if not data:
        raise UsageError("there are no examples to train on")
    if templates is None and isinstance(data[0], ColumnSentence):
        columns = columns or usual_columns(data[0])
        templates = usual_templates(columns)
    labels = sorted({label for example in data for label in _parts(example)[1]})
    setup = Setup(
        data, None if templates is None else list(templates),
        None if columns is None else list(columns), labels, list(forbidden), least_count,
    )  # fmt: skip
    total = _Total(client, setup, shards, regularization)
    size = len(total.local.crf.native.weights.values)

    def tell(number: int, value: float) -> None:
        if progress is not None:
            progress(Progress("likelihood", number, iterations, {"log_likelihood": -value}))

    found = lbfgs(total, np.zeros(size), iterations=iterations, tolerance=tolerance, on_step=tell)
    crf = total.local.crf
    crf.native.weights.values[:] = found.astype(np.float32)
    settings = {"learner": "likelihood, L-BFGS", "regularization": regularization,
                "iterations": iterations, "sequences": len(data)}  # fmt: skip
    made = SequenceModel(crf, templates=setup.templates, columns=setup.columns,
                         info={**(info or {}), "training": settings})  # fmt: skip
    if len(dev):
        scores = made.evaluate(dev)
        made.info["scores"] = {name: round(score, 4) for name, score in scores.items()}
    return made


class _Total:
    """The negative log-likelihood of all shards, regularized, and its gradient."""

    def __init__(
        self, client: Any, setup: Setup, shards: int | None, regularization: float
    ) -> None:
        self.regularization = regularization
        self.connection = None if client is None else connection_of(client)
        threads = 1 if self.connection is None else max(1, self.connection.threads())
        self.shards = min(shards or threads, len(setup.examples))
        alone = self.connection is None and self.shards == 1
        # The owner needs the features of all, and no shard unless it works alone.
        self.local = Shard(setup, 0, 1 if alone else len(setup.examples))
        self.others = (
            [] if self.connection or alone
            else [Shard(setup, n, self.shards) for n in range(self.shards)]
        )  # fmt: skip
        self.setup = pickle.dumps(setup, protocol=5)
        self.key = hashlib.sha256(self.setup).hexdigest()[:16]
        self._sent: Any = None

    def __call__(self, point: Floats) -> tuple[float, Floats]:
        weights = point.astype(np.float32)
        value, gradient = 0.0, np.zeros(len(point))
        for found, slope in self._slopes(weights):
            value += found
            gradient += slope
        norm = 0.5 * self.regularization * float(point @ point)
        return norm - value, self.regularization * point - gradient

    def _slopes(self, weights: npt.NDArray[np.float32]) -> list[tuple[float, Any]]:
        if self.connection is None:
            return [shard.slope(weights) for shard in self.others or [self.local]]
        client = self.connection.client
        error: Exception | None = None
        for _ in range(MOST_TRIES):
            try:
                if self._sent is None:
                    self._sent = client.scatter(self.setup, hash=False, broadcast=True)
                spread = client.scatter(weights, hash=False, broadcast=True)
                places = sorted(client.nthreads())
                futures = [
                    client.submit(
                        _slope, self.key, self._sent, number, self.shards, spread, pure=False,
                        workers=[places[number % len(places)]], allow_other_workers=True,
                    )
                    for number in range(self.shards)
                ]  # fmt: skip
                found: list[tuple[float, Any]] = client.gather(futures)
                return found
            except Exception as failure:
                if type(failure).__name__ not in LOST:
                    raise
                error, self._sent = failure, None
                self.connection.wait(5 * self.connection.patience)
        raise ClusterError(f"gradients were lost {MOST_TRIES} times: {error}")


LOST = ("KilledWorker", "FutureCancelledError", "CancelledError", "CommClosedError", "TimeoutError")
"""Errors that mean that a worker has gone."""
