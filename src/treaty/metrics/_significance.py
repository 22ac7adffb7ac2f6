"""Confidence intervals and significance tests by resampling sentences.

Scores are ratios of sums over sentences, such as right heads over words. Words of a sentence are
not independent, so whole sentences are resampled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Comparison", "Interval", "compare", "confidence_interval"]

CELLS = 1_000_000  # number of draws in memory at a time

TINY = 1e-300  # avoids division by zero: the score is 0 if the total is 0


@dataclass(frozen=True, slots=True)
class Interval:
    """A score with its confidence interval."""

    value: float
    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference between two systems on the same sentences.

    Parameters
    ----------
    difference
        The first system's score minus the second's, with its confidence interval.
    p_value
        Probability of a difference at least this large, in either direction, if the systems are
        equally good.
    """

    difference: Interval
    p_value: float


def confidence_interval(
    correct: ArrayLike,
    total: ArrayLike,
    *,
    level: float = 0.95,
    samples: int = 2000,
    seed: int = 0,
) -> Interval:
    """Compute a confidence interval for a ratio of sums, by bootstrap over sentences.

    Parameters
    ----------
    correct, total
        Counts per sentence; the score is the sum of the first over the sum of the second.
    level
        Confidence level, between 0 and 1.
    samples
        Number of resamples of the sentences, with replacement.
    seed
        Seed of the random numbers; the same seed gives the same interval.

    Returns
    -------
    Interval
        The percentile interval of the resampled scores.

    Examples
    --------
    >>> interval = confidence_interval([3, 5, 4, 2], [4, 5, 5, 4])
    >>> interval.low < interval.value < interval.high
    True
    """
    counts = _counts(correct, total)
    _check(level, samples)
    return _bootstrap(counts, level, samples, seed)


def compare(
    first: ArrayLike,
    second: ArrayLike,
    total: ArrayLike,
    *,
    second_total: ArrayLike | None = None,
    level: float = 0.95,
    samples: int = 2000,
    seed: int = 0,
) -> Comparison:
    """Compare two systems on the same sentences.

    The interval of the difference is from the paired bootstrap. The p-value is from approximate
    randomization, which swaps the answers of the two systems for a random half of the sentences
    (Noreen 1989).

    Parameters
    ----------
    first, second, total
        Counts per sentence: right answers of each system, and the total.
    second_total
        Total for the second system, if it differs, as in F1 (twice the correct items over the sum
        of gold and system items).
    level, samples, seed
        As in `confidence_interval`.

    Returns
    -------
    Comparison
        The difference, its interval and the p-value.

    Examples
    --------
    >>> result = compare([4, 5, 5, 4] * 20, [3, 5, 4, 2] * 20, [4, 5, 5, 4] * 20)
    >>> round(result.difference.value, 3), result.p_value < 0.01
    (0.222, True)
    """
    import numpy as np

    ours = _counts(first, total)
    theirs = _counts(second, total if second_total is None else second_total)
    if ours.shape != theirs.shape:
        raise UsageError("expected counts of the same sentences for both systems")
    _check(level, samples)
    both = np.concatenate([ours, theirs])
    return Comparison(_bootstrap(both, level, samples, seed), _randomize(both, samples, seed))


def _bootstrap(counts: NDArray[np.float64], level: float, samples: int, seed: int) -> Interval:
    """Resample sentences; the rows are the counts of one system, or of two to compare."""
    import numpy as np

    sentences = counts.shape[1]
    drawn = []
    for random, rows in _batches(sentences, samples, seed):
        sums = counts[:, random.integers(sentences, size=(rows, sentences))].sum(axis=2)
        # There is no score if only sentences without scored words were drawn.
        drawn.append(_score(sums[:, (sums[1::2] > 0).all(axis=0)]))
    low, high = np.quantile(np.concatenate(drawn), [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(_score(counts.sum(axis=1))), float(low), float(high), level)


def _score(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the score, or the first system's score minus the second's."""
    import numpy as np

    shares = sums[0::2] / np.maximum(sums[1::2], TINY)
    difference: NDArray[np.float64] = shares[0] - shares[1] if len(shares) > 1 else shares[0]
    return difference


def _randomize(counts: NDArray[np.float64], samples: int, seed: int) -> float:
    import numpy as np

    whole, halves = counts[:2] + counts[2:], counts[:2] - counts[2:]
    seen = abs(_score(counts.sum(axis=1)))
    as_far = 0
    for random, rows in _batches(counts.shape[1], samples, seed):
        # Swapping the two systems' answers changes the sign of half their difference.
        signs = 2 * random.integers(2, size=(rows, counts.shape[1])) - 1
        sums, turned = whole.sum(axis=1)[:, None], halves @ signs.T
        swapped = np.concatenate([(sums + turned) / 2, (sums - turned) / 2])
        # Equal differences summed in another order count as equal.
        as_far += int((abs(_score(swapped)) >= seen * (1 - 1e-12)).sum())
    return (as_far + 1) / (samples + 1)  # the observed assignment counts as one draw


def _batches(sentences: int, samples: int, seed: int) -> Iterator[tuple[np.random.Generator, int]]:
    import numpy as np

    random = np.random.default_rng(seed)
    size = max(1, CELLS // sentences)
    for start in range(0, samples, size):
        yield random, min(size, samples - start)


def _counts(correct: ArrayLike, total: ArrayLike) -> NDArray[np.float64]:
    import numpy as np

    part, whole = np.asarray(correct, np.float64), np.asarray(total, np.float64)
    if part.ndim != 1 or part.shape != whole.shape:
        raise UsageError("expected one count of right answers and one total per sentence")
    if not whole.sum() > 0:
        raise UsageError("there is nothing to score: the totals sum to 0")
    return np.stack([part, whole])


def _check(level: float, samples: int) -> None:
    if not 0 < level < 1:
        raise UsageError(f"level must be between 0 and 1, not {level}")
    if samples < 1:
        raise UsageError(f"samples must be at least 1, not {samples}")
