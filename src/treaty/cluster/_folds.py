"""Trainings that do not depend on each other as tasks: folds, cross validation, grids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from treaty.cluster._maps import connection_of
from treaty.errors import UsageError
from treaty.learn import model_class

__all__ = ["Trial", "cross_validate", "grid_search", "jackknife"]

RETRIES = 5


@dataclass(frozen=True)
class Trial:
    """A training of a grid, or of a fold.

    Attributes
    ----------
    options
        The options of the training.
    scores
        The scores on held-out examples.
    """

    options: dict[str, Any]
    scores: dict[str, float]


def _scored(
    task: str, data: list[Any], train: list[int], test: list[int], options: dict[str, Any]
) -> dict[str, float]:
    model = model_class(task).train([data[i] for i in train], **options)
    return model.evaluate([data[i] for i in test])


def _predicted(
    task: str, data: list[Any], train: list[int], test: list[int], options: dict[str, Any]
) -> list[Any]:
    model = model_class(task).train([data[i] for i in train], **options)
    return list(model.predict([data[i] for i in test]))


def folds_of(examples: int, folds: int) -> list[tuple[list[int], list[int]]]:
    """Divide examples into folds: the numbers to train on, and those to leave out.

    Examples
    --------
    >>> folds_of(5, 2)
    [([1, 3], [0, 2, 4]), ([0, 2, 4], [1, 3])]
    """
    if not 2 <= folds <= examples:
        raise UsageError(f"expected 2 to {examples} folds, not {folds}")
    numbers = range(examples)
    return [
        ([i for i in numbers if i % folds != fold], [i for i in numbers if i % folds == fold])
        for fold in range(folds)
    ]


def _gathered(client: Any, calls: Sequence[tuple[Any, ...]], data: list[Any]) -> list[Any]:
    connection = connection_of(client)
    connection.wait()
    (shared,) = connection.client.scatter([data], hash=False, broadcast=True)
    futures = [
        connection.client.submit(
            function, task, shared, *rest, pure=False, retries=RETRIES, priority=-number
        )
        for number, (function, task, *rest) in enumerate(calls)
    ]
    results: list[Any] = connection.client.gather(futures)
    return results


def cross_validate(
    client: Any, task: str, examples: Sequence[Any], *, folds: int = 10, **options: Any
) -> list[Trial]:
    """Train on all folds but one, and score on that one, each as a task.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `connect` gives.
    task, examples, **options
        As for `train_mixed`.
    folds
        Number of folds; example i is in fold i modulo this.

    Returns
    -------
    list of Trial
        The scores on each fold.
    """
    data = list(examples)
    calls = [(_scored, task, *parts, options) for parts in folds_of(len(data), folds)]
    return [Trial(dict(options), scores) for scores in _gathered(client, calls, data)]


def jackknife(
    client: Any, task: str, examples: Sequence[Any], *, folds: int = 10, **options: Any
) -> list[Any]:
    """Predict for every example by a model that has not seen it, such as tags to train a parser on.

    Parameters
    ----------
    client, task, examples, folds, **options
        As for `cross_validate`.

    Returns
    -------
    list
        The results of `predict`, in the order of the examples.
    """
    data = list(examples)
    parts = folds_of(len(data), folds)
    calls = [(_predicted, task, *part, options) for part in parts]
    predictions: list[Any] = [None] * len(data)
    for (_, test), results in zip(parts, _gathered(client, calls, data), strict=True):
        for number, result in zip(test, results, strict=True):
            predictions[number] = result
    return predictions


def grid_search(
    client: Any,
    task: str,
    examples: Sequence[Any],
    dev: Sequence[Any],
    grid: Mapping[str, Sequence[Any]],
    *,
    by: str | None = None,
    **options: Any,
) -> list[Trial]:
    """Train with all combinations of options, each as a task; the best is first.

    Parameters
    ----------
    client, task, examples, **options
        As for `train_mixed`.
    dev
        Examples to score on.
    grid
        The values to try of each option.
    by
        The score to sort by, from high to low; by default the first.

    Returns
    -------
    list of Trial
        The options and scores of each combination.
    """
    data, size = [*examples, *dev], len(examples)
    numbers = list(range(len(data)))
    chosen = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    calls = [
        (_scored, task, numbers[:size], numbers[size:], {**options, **setting})
        for setting in chosen
    ]
    scores = _gathered(client, calls, data)
    trials = [
        Trial(setting, trial_scores) for setting, trial_scores in zip(chosen, scores, strict=True)
    ]
    name = by or (next(iter(trials[0].scores)) if trials and trials[0].scores else "")
    if trials and name and name not in trials[0].scores:
        raise UsageError(f"there is no score {name!r}: choose one of {', '.join(trials[0].scores)}")
    return sorted(trials, key=lambda trial: -trial.scores.get(name, 0.0))
