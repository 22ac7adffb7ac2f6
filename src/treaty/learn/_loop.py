"""The loop over epochs that every learner shares: shuffling, scores, checkpoints, going on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty.errors import ModelError
from treaty.learn._model_file import load_model, save_model

__all__ = ["Learner", "fit"]

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
        """Go back to a state, or forth; refuse (ValueError, KeyError) what cannot be one."""


def fit(
    learner: Learner,
    examples: int,
    *,
    epochs: int,
    seed: int = 0,
    evaluate: Callable[[], Mapping[str, float]] | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Callable[[int, int, Mapping[str, float] | None], object] | None = None,
) -> list[dict[str, float]]:
    """Show a learner all examples, `epochs` times over, each time in another order.

    The order depends on the seed and the epoch alone, so that a run that was broken off goes on to
    the very same end.

    Parameters
    ----------
    learner
        What learns.
    examples
        How many examples there are.
    epochs, seed
        How often they are seen, and what their order depends on.
    evaluate
        Called after each epoch for scores on dev data.
    checkpoint
        A file for the learner's state after each epoch.
    resume
        Whether to go on from the checkpoint, if there is one.
    report
        Called with the epoch (from 1), the examples seen in it, and the scores at its end.

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
    if resume and checkpoint is not None and checkpoint.exists():
        scores = _restore(learner, checkpoint, examples, seed)
    for epoch in range(len(scores) + 1, epochs + 1):
        order = np.random.default_rng([seed, epoch]).permutation(examples).astype(np.int32)
        for begin in range(0, examples, CHUNK):
            learner.learn(order[begin : begin + CHUNK])
            if report is not None:
                report(epoch, min(begin + CHUNK, examples), None)
        scores.append(dict(evaluate()) if evaluate is not None else {})
        if checkpoint is not None:
            header = {"examples": examples, "seed": seed, "scores": scores}
            save_model(checkpoint, task=TASK, header=header, tensors=learner.state())
        if report is not None:
            report(epoch, examples, scores[-1])
    return scores


def _restore(learner: Learner, path: Path, examples: int, seed: int) -> list[dict[str, float]]:
    saved = load_model(path, task=TASK)
    if (saved.header.get("examples"), saved.header.get("seed")) != (examples, seed):
        raise ModelError(
            f"{path}: the checkpoint of another training; give its data and seed, or start anew"
        )
    scores = saved.value("scores", list)
    for line in scores:
        saved.checked(line, dict, "scores")
    try:
        learner.restore(saved.tensors)
    except (KeyError, ValueError) as error:
        raise saved.fault(f"no checkpoint of this model ({error})") from error
    return scores
