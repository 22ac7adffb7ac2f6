"""Precision, recall and F1 of entities (labeled spans), as in conlleval.

Label sequences are read as conlleval does (`treaty.text.spans_of_labels`). An entity is right if
its first word, its last word and its type are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from treaty.errors import InputError, UsageError
from treaty.metrics._counts import Accuracy, Retrieval
from treaty.metrics._significance import Comparison, Interval, _batches, _check
from treaty.text import Span, spans_of_labels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SpanScores", "compare_spans", "span_scores"]

Metric = Literal["micro", "macro"]
Labels = Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class SpanScores:
    """The result of `span_scores`. Scores are from 0 to 1.

    Parameters
    ----------
    by_type
        Entities of each type in gold or system.
    tokens
        Words with the right label.
    counts
        Numbers of right, gold and system entities by sentence and type.
    """

    by_type: dict[str, Retrieval]
    tokens: Accuracy
    counts: NDArray[np.int64]

    @property
    def all(self) -> Retrieval:
        """Entities of all types together."""
        right, gold, system = self.counts.sum(axis=(0, 1)).tolist()
        return Retrieval(right, gold, system)

    @property
    def micro_f1(self) -> float:
        """F1 over all entities: FB1 in conlleval."""
        return self.all.f1

    @property
    def macro_f1(self) -> float:
        """The mean of the F1 of all types."""
        return float(_f1(self.counts.sum(axis=0), "macro"))

    def interval(
        self, metric: Metric = "micro", *, level: float = 0.95, samples: int = 2000, seed: int = 0
    ) -> Interval:
        """Compute a confidence interval of micro or macro F1 by bootstrap over sentences.

        See `confidence_interval` for the parameters.
        """
        _check(level, samples)
        drawn = _drawn_f1(self.counts, metric, samples, seed)
        return _interval(float(_f1(self.counts.sum(axis=0), metric)), drawn, level)


def span_scores(gold: Iterable[Labels], system: Iterable[Labels]) -> SpanScores:
    """Score the entities of a labeler.

    Parameters
    ----------
    gold, system
        The labels of the same sentences, in any scheme: BIO, IOB1, BIESO, BILOU.

    Returns
    -------
    SpanScores
        Micro and macro F1, precision and recall by type, with confidence intervals.

    Raises
    ------
    InputError
        When the numbers of sentences, or of labels in a sentence, differ.

    Examples
    --------
    >>> gold = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC"]]
    >>> system = [["B-PER", "O", "O", "B-LOC"], ["O", "B-LOC"]]
    >>> scores = span_scores(gold, system)
    >>> round(scores.micro_f1, 3), scores.macro_f1, scores.by_type["LOC"].recall
    (0.667, 0.5, 1.0)
    """
    import numpy as np

    pairs, right, total = [], 0, 0
    for ours, theirs in _pairs(gold, system):
        pairs.append((spans_of_labels(ours), spans_of_labels(theirs)))
        right += sum(a == b for a, b in zip(ours, theirs, strict=True))
        total += len(ours)
    types = sorted({span.type for pair in pairs for spans in pair for span in spans})
    number = {kind: i for i, kind in enumerate(types)}
    counts = np.zeros((len(pairs), len(types), 3), np.int64)
    for row, (wanted, found) in enumerate(pairs):
        for place, spans in enumerate((_common(wanted, found), wanted, found)):
            for span in spans:
                counts[row, number[span.type], place] += 1
    sums = counts.sum(axis=0).tolist()
    by_type = {kind: Retrieval(*sums[i]) for kind, i in number.items()}
    return SpanScores(by_type, Accuracy(right, total), counts)


def compare_spans(
    first: SpanScores,
    second: SpanScores,
    metric: Metric = "micro",
    *,
    level: float = 0.95,
    samples: int = 2000,
    seed: int = 0,
) -> Comparison:
    """Compare two systems on the same sentences, as `compare` does for accuracies.

    Parameters
    ----------
    first, second
        Their scores against the same gold entities.
    metric
        ``"micro"`` or ``"macro"`` F1.
    level, samples, seed
        As in `confidence_interval`.

    Examples
    --------
    >>> gold = [["B-PER", "O"], ["O", "B-LOC"]] * 20
    >>> other = [["B-PER", "O"], ["O", "O"]] * 20
    >>> result = compare_spans(span_scores(gold, gold), span_scores(gold, other))
    >>> round(result.difference.value, 3), result.p_value < 0.01
    (0.333, True)
    """
    import numpy as np

    ours, theirs = _aligned(first, second)
    _check(level, samples)
    difference = float(_f1(ours.sum(axis=0), metric) - _f1(theirs.sum(axis=0), metric))
    drawn = _drawn_f1(ours, metric, samples, seed) - _drawn_f1(theirs, metric, samples, seed)
    as_far = 0
    for random, rows in _batches(len(ours), samples, seed):
        swap = random.integers(2, size=(rows, len(ours)))
        mixed = np.tensordot(swap, theirs - ours, axes=1)
        by = _f1(ours.sum(axis=0) + mixed, metric) - _f1(theirs.sum(axis=0) - mixed, metric)
        as_far += int((abs(by) >= abs(difference) - 1e-12).sum())
    return Comparison(_interval(difference, drawn, level), (as_far + 1) / (samples + 1))


def _pairs(gold: Iterable[Labels], system: Iterable[Labels]) -> Iterator[tuple[Labels, Labels]]:
    for number, (ours, theirs) in enumerate(zip_longest(gold, system), 1):
        if ours is None or theirs is None or len(ours) != len(theirs):
            sizes = ["no sentence" if x is None else f"{len(x)} labels" for x in (ours, theirs)]
            raise InputError(
                f"sentence {number}: gold has {sizes[0]}, system {sizes[1]}: both must have the "
                "same sentences and words"
            )
        yield ours, theirs


def _common(gold: list[Span], system: list[Span]) -> list[Span]:
    found = set(system)
    return [span for span in gold if span in found]


def _f1(counts: NDArray[np.int64], metric: Metric) -> NDArray[np.float64]:
    """Compute F1 of counts whose last axes are types and (right, gold, system).

    A type without gold and system entities is not counted.
    """
    import numpy as np

    if metric not in ("micro", "macro"):
        raise UsageError(f"metric must be 'micro' or 'macro', not {metric!r}")
    if metric == "micro":
        counts = counts.sum(axis=-2, keepdims=True)
    whole = counts[..., 1] + counts[..., 2]
    shares = np.divide(2 * counts[..., 0], whole, out=np.zeros(whole.shape), where=whole > 0)
    types = (whole > 0).sum(axis=-1)
    nothing = np.full(types.shape, np.nan)
    mean: NDArray[np.float64] = np.divide(shares.sum(axis=-1), types, out=nothing, where=types > 0)
    return mean


def _drawn_f1(
    counts: NDArray[np.int64], metric: Metric, samples: int, seed: int
) -> NDArray[np.float64]:
    """Compute F1 of resampled sentences; the same seed draws the same sentences."""
    import numpy as np

    sentences = len(counts)
    if not sentences:
        raise UsageError("there are no sentences to score")
    drawn = []
    for random, rows in _batches(sentences, samples, seed):
        chosen = random.integers(sentences, size=(rows, sentences))
        times = np.stack([np.bincount(row, minlength=sentences) for row in chosen])
        drawn.append(_f1(np.tensordot(times, counts, axes=1), metric))
    return np.concatenate(drawn)


def _interval(value: float, drawn: NDArray[np.float64], level: float) -> Interval:
    import numpy as np

    known = drawn[~np.isnan(drawn)]
    if not len(known):
        raise UsageError("there are no entities to score")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high), level)


def _aligned(first: SpanScores, second: SpanScores) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Align the counts of both systems by type."""
    import numpy as np

    if len(first.counts) != len(second.counts):
        raise UsageError("the systems were scored on different sentences")
    types = sorted({*first.by_type, *second.by_type})
    aligned = []
    for scores in (first, second):
        counts = np.zeros((len(scores.counts), len(types), 3), np.int64)
        for i, kind in enumerate(scores.by_type):
            counts[:, types.index(kind)] = scores.counts[:, i]
        aligned.append(counts)
    if not np.array_equal(aligned[0][..., 1], aligned[1][..., 1]):
        raise UsageError("the systems were scored against different gold entities")
    return aligned[0], aligned[1]
