"""Iterative parameter mixing (McDonald, Hall & Mann 2010): every model, over the training loop.

Each shard trains on its own examples for an epoch; then the weights are averaged, and all go on
from the mean. All shards know all examples, so that labels, dictionaries and features agree; they
learn from their own. So any model that is trained by `treaty.learn.fit` is trained in this way.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.cluster._connect import ClusterError, Connection
from treaty.cluster._maps import connection_of
from treaty.errors import TreatyError, UsageError
from treaty.learn import Model, model_class
from treaty.learn._loop import in_company

__all__ = ["mixed", "train_mixed"]

State = Mapping[str, npt.NDArray[Any]]
MOST_TRIES = 4
WAIT = 2.0
"""Seconds after which a shard looks whether it is still wanted."""
PATIENCE = 24 * 3600.0


def mixed(states: Sequence[State], seen: int | None = None) -> dict[str, npt.NDArray[Any]]:
    """Average the states of learners, and what their averages are made of.

    Weights are ``scale * values``, and the sum of all weight vectors so far is ``past + time *
    values - late`` (see `native/learn/averaged.hpp`); both are linear, so their means are those of
    a learner that has done what all shards did, on average.

    Parameters
    ----------
    states
        The states of the shards; each counts the same.
    seen
        The number of examples that all have seen together.

    Examples
    --------
    >>> one = {"values": np.array([2.0, 0.0], np.float32), "late": np.zeros(2, np.float32),
    ...        "past": np.zeros(0, np.float32), "clock": np.array([1.0, 4.0, 4.0])}
    >>> two = {**one, "values": np.array([0.0, 1.0], np.float32)}
    >>> both = mixed([one, two])
    >>> both["values"], both["past"]
    (array([1. , 0.5], dtype=float32), array([4., 2.], dtype=float32))
    """
    names = list(states[0])
    if any(list(state) != names for state in states):
        raise UsageError("shards have learned different models; give all of them the same data")
    averaged = {name: _mean([state[name] for state in states]) for name in names}
    if {"values", "late", "past", "clock"} <= set(names):
        averaged |= _mixed_weights(states)
    if seen is not None and "seen" in averaged:
        averaged["seen"] = np.array([seen], np.int64)
    return averaged


def _mixed_weights(states: Sequence[State]) -> dict[str, npt.NDArray[Any]]:
    kind = states[0]["values"].dtype
    weights, total, steps = 0.0, 0.0, 0.0
    for state in states:
        scale, time_, step = state["clock"].tolist()
        values = state["values"].astype(np.float64)
        past = state["past"] if state["past"].size else 0.0
        late = state["late"] if state["late"].size else 0.0
        weights = weights + scale * values
        total = total + past + time_ * values - late
        steps += step
    count = len(states)
    step = float(round(steps / count))
    total = total * (step * count / steps) if steps else total * 0.0
    averaged = states[0]["late"].size > 0
    zeros = np.zeros(states[0]["late"].shape, kind)
    return {
        "values": np.asarray(weights / count, kind),
        "late": zeros,
        "past": np.asarray(total / count, kind) if averaged else zeros,
        "clock": np.array([1.0, 0.0, step]),
    }


def _mean(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    if any(array.shape != arrays[0].shape for array in arrays):
        return arrays[0]
    mean = np.mean([array.astype(np.float64) for array in arrays], axis=0)
    kind = arrays[0].dtype
    return np.asarray(np.rint(mean) if kind.kind in "iu" else mean).astype(kind)


class Stale(TreatyError):  # noqa: N818 - nothing went wrong
    """A shard of an attempt that was given up."""


class _Channel:
    """Exchange of states between shards and the owner of a training, by Dask."""

    def __init__(self, client: Any, name: str, attempt: int) -> None:
        self.client, self.name, self.attempt = client, name, attempt

    def queue(self, rank: int) -> Any:
        from distributed import Queue

        return Queue(f"{self.name}-{self.attempt}-{rank}", client=self.client)

    def variable(self, *key: int | str) -> Any:
        from distributed import Variable

        return Variable("-".join(map(str, (self.name, *key))), client=self.client)


class ShardCompany:
    """The other shards, as one of them sees them; see `treaty.learn._loop.Company`."""

    def __init__(self, channel: Any, rank: int, shards: int, known: Mapping[int, int]) -> None:
        self._channel, self._rank, self._shards, self._known = channel, rank, shards, known
        self._call, self.is_first = -1, rank == 0

    def begin(self) -> tuple[int, State | None]:
        """Begin a stage, after the epochs that an earlier attempt has done."""
        self._call += 1
        if self._call not in self._known:
            return 0, None
        epoch = self._known[self._call]
        return epoch, self._fetch(epoch)

    def share(self, order: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return this shard's examples: as many as every other's."""
        size = len(order) // self._shards
        return order[self._rank * size : (self._rank + 1) * size]

    def mix(self, epoch: int, examples: int, state: State) -> State:
        """Send the state after an epoch, and wait for the mean."""
        message = {
            "call": self._call,
            "epoch": epoch,
            "seen": epoch * examples,
            "state": {name: np.array(array) for name, array in state.items()},
        }
        (future,) = self._channel.client.scatter([message], hash=False)
        self._channel.queue(self._rank).put(future)
        return self._fetch(epoch)

    def _fetch(self, epoch: int) -> State:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                future = self._channel.variable("mean", self._call, epoch).get(timeout=WAIT)
                state: State = future.result()
                return state
            except TimeoutError:
                if self._channel.variable("attempt").get(timeout=60) != self._channel.attempt:
                    raise Stale("this training was started again") from None
        raise ClusterError("no other shard has answered for a day")


def _train_shard(
    task: str, data: tuple[list[Any], list[Any]], options: dict[str, Any], name: str, attempt: int,
    rank: int, shards: int, known: dict[int, int],
) -> bytes | None:  # fmt: skip
    """Train on a worker, with others; the first shard returns the model."""
    from distributed import get_client, secede

    client = get_client()
    secede()  # this thread waits for others, and must not keep them from running
    examples, dev = data
    company = ShardCompany(_Channel(client, name, attempt), rank, shards, known)
    with in_company(company):
        model = model_class(task).train(examples, dev if rank == 0 else [], **options)
    return model.to_bytes() if rank == 0 else None


def train_mixed(
    client: Any,
    task: str,
    examples: Sequence[Any],
    dev: Sequence[Any] = (),
    *,
    shards: int | None = None,
    **options: Any,
) -> Model:
    """Train a model on a cluster by iterative parameter mixing.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `connect` gives.
    task
        What the model does, such as ``"parser"``; one of `treaty.learn.tasks`.
    examples, dev
        As for `Model.train`. Each shard learns from as many examples: up to ``shards - 1`` are left
        out of an epoch, others each time.
    shards
        Number of shards; by default the number of threads of the cluster.
    **options
        Those of the model's `train`, but for checkpoints and progress.

    Returns
    -------
    Model
        The model; the same for the same seed and number of shards, wherever it is trained.

    Raises
    ------
    ClusterError
        When shards are lost again and again.
    """
    connection = connection_of(client)
    connection.wait()
    count = shards or connection.threads()
    if not 1 <= count <= len(examples):
        raise UsageError(f"expected 1 to {len(examples)} shards, not {count}")
    owner = _Owner(connection, task, (list(examples), list(dev)), options, count)
    for attempt in range(MOST_TRIES):
        data = owner.attempt(attempt)
        if data is not None:
            return model_class(task).from_bytes(data)
    raise ClusterError(
        f"shards of the training were lost {MOST_TRIES} times; check "
        "the workers with 'treaty cluster doctor'"
    )


class _Owner:
    """The owner of a training: it collects states, and gives their mean to all."""

    def __init__(
        self, connection: Connection, task: str, data: Any, options: dict[str, Any], shards: int
    ) -> None:
        self.connection, self.task, self.data = connection, task, data
        self.options, self.shards = options, shards
        self.name = f"treaty-mixing-{secrets.token_hex(8)}"
        self.known: dict[int, tuple[int, State]] = {}
        self.moved = 0

    def attempt(self, number: int) -> bytes | None:
        """Train all shards; returns the model, or None if one was lost."""
        client = self.connection.client
        channel = _Channel(client, self.name, number)
        channel.variable("attempt").set(number)
        kept = []
        for call, (epoch, state) in self.known.items():
            kept.append(self._tell(channel, call, epoch, state))
        (data,) = client.scatter([self.data], hash=False, broadcast=True)
        known = {call: epoch for call, (epoch, _) in self.known.items()}
        places = list(client.nthreads())
        futures = [
            client.submit(
                _train_shard, self.task, data, self.options, self.name, number, rank, self.shards,
                known, workers=[places[rank % len(places)]], allow_other_workers=True, pure=False,
                retries=0,
            )
            for rank in range(self.shards)
        ]  # fmt: skip
        queues = [channel.queue(rank) for rank in range(self.shards)]
        while not all(future.done() for future in futures):
            states = self._collect(queues, futures)
            if states is None:
                break
            call, epoch, seen = states[0]["call"], states[0]["epoch"], states[0]["seen"]
            mean = mixed([state["state"] for state in states], seen)
            self.known[call] = epoch, mean
            kept = [*kept[-1:], self._tell(channel, call, epoch, mean)]
        return self._ended(futures, channel, number)

    def _ended(self, futures: list[Any], channel: _Channel, number: int) -> bytes | None:
        errors = [f.exception() for f in futures if f.status == "error"]
        channel.variable("attempt").set(number + 1)
        for error in errors:
            if isinstance(error, TreatyError) or type(error).__name__ not in LOST:
                raise error
        if errors or any(future.status != "finished" for future in futures):
            return None
        data: bytes = futures[0].result()
        return data

    def _tell(self, channel: _Channel, call: int, epoch: int, state: State) -> Any:
        (future,) = channel.client.scatter([dict(state)], hash=False, broadcast=True)
        channel.variable("mean", call, epoch).set(future)
        return future

    def _collect(self, queues: list[Any], futures: list[Any]) -> list[Any] | None:
        """Wait for the states of all shards; None if there will be none."""
        messages = []
        for queue in queues:
            while True:
                try:
                    messages.append(queue.get(timeout=WAIT).result())
                    break
                except TimeoutError:
                    if any(future.status in ("error", "cancelled", "lost") for future in futures):
                        return None
                    if all(future.done() for future in futures):
                        return None
        self.moved += sum(a.nbytes for message in messages for a in message["state"].values())
        return messages


LOST = ("KilledWorker", "CancelledError", "FutureCancelledError", "TimeoutError", "CommClosedError")
"""Errors that mean that a worker has gone."""
