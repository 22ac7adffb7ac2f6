"""The loop over epochs that every learner shares: shuffling, scores, checkpoints, resuming."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty.errors import ModelError
from treaty.learn._model_file import ModelFile
from treaty.progress import OnProgress, Progress

__all__ = ["Learner", "checkpoint_of", "fit", "remove_checkpoints"]

CHUNK = 1024
"""Examples between two reports of progress."""
TASK = "checkpoint"


class Learner(Protocol):
    """What `fit` needs of a learner."""

    def learn(self, ids: npt.NDArray[np.int32]) -> None:
        """Learn from these examples, in this order."""

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that learning depends on; may share memory with the learner."""

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from a state; refuse (ValueError, KeyError) what cannot be one."""


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
) -> list[dict[str, float]]:
    """Show a learner all examples, `epochs` times over, each time in another order.

    The order depends on the seed and the epoch alone, so that an interrupted run resumes to the
    very same end.

    Parameters
    ----------
    learner
        What learns.
    examples
        How many examples there are.
    epochs, seed
        How often they are seen, and what their order depends on.
    stage
        What is learned, for `progress`.
    evaluate
        Called after each epoch for scores on dev data.
    checkpoint
        A file for the learner's state after each epoch.
    resume
        Whether to continue from the checkpoint, if there is one.
    progress
        Called with `treaty.Progress` events, with scores at the end of each epoch.

    Returns
    -------
    list of dict
        The scores after each epoch.

    Raises
    ------
    ModelError
        When the checkpoint is damaged or of another training.
    """
    scores: list[dict[str, float]] = []
    path = None if checkpoint is None else Path(checkpoint)
    if resume and path is not None and path.exists():
        scores = _restore(learner, path, examples, seed)
        if len(scores) > epochs:
            raise ModelError(f"{path}: already has {len(scores)} epochs, more than {epochs}")
    first, started = len(scores), time.perf_counter()

    def tell(epoch: int, seen: int, found: Mapping[str, float] | None = None) -> None:
        if progress is None:
            return
        done, total = (epoch - 1 - first) * examples + seen, (epochs - first) * examples
        seconds = time.perf_counter() - started
        progress(Progress(stage, done, total, found or {}, epoch, epochs, seconds))

    for epoch in range(first + 1, epochs + 1):
        order = np.random.default_rng([seed, epoch]).permutation(examples).astype(np.int32)
        for begin in range(0, examples, CHUNK):
            learner.learn(order[begin : begin + CHUNK])
            tell(epoch, min(begin + CHUNK, examples))
        scores.append(dict(evaluate()) if evaluate is not None else {})
        if path is not None:
            header = {"examples": examples, "seed": seed, "scores": scores}
            ModelFile(TASK, header, learner.state()).write(path)
        tell(epoch, examples, scores[-1])
    return scores


def _restore(learner: Learner, path: Path, examples: int, seed: int) -> list[dict[str, float]]:
    saved = ModelFile.read(path, task=TASK)
    if (saved.header.get("examples"), saved.header.get("seed")) != (examples, seed):
        raise ModelError(
            f"{path}: a checkpoint of another training; give its data and seed, or start again"
        )
    scores = saved.value("scores", list)
    for line in scores:
        saved.checked(line, dict, "scores")
    try:
        learner.restore(saved.tensors)
    except (KeyError, ValueError) as error:
        raise saved.fault(f"not a checkpoint of this model ({error})") from error
    return scores


def checkpoint_of(checkpoint: str | Path | None, stage: str) -> Path | None:
    """Name the checkpoint of one stage of a training.

    Examples
    --------
    >>> str(checkpoint_of("danish.checkpoint", "trees"))
    'danish.checkpoint.trees'
    """
    if checkpoint is None:
        return None
    path = Path(checkpoint)
    return path.with_name(f"{path.name}.{stage}")


def remove_checkpoints(checkpoint: str | Path) -> None:
    """Delete a checkpoint and those of all its stages, once the model is saved.

    These are the files beside it whose names begin with its name and a dot.
    """
    first = Path(checkpoint)
    for path in list(first.parent.iterdir()):
        if path.name == first.name or path.name.startswith(f"{first.name}."):
            path.unlink()
