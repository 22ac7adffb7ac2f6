"""ROUGE: overlap of summaries with human summaries (Lin 2004), computed as ROUGE-1.5.5 does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from treaty.errors import InputError, UsageError
from treaty.metrics._counts import Retrieval
from treaty.metrics._rouge_units import (
    Sentences,
    ascii_words,
    first_of,
    metric_named,
    unicode_words,
)
from treaty.metrics._significance import Comparison, Interval, compare, confidence_interval
from treaty.text import stemmer

__all__ = ["RougeOptions", "RougeScore", "RougeScores", "rouge", "rouge_scores"]

Text = str | Sequence[str]
Part = Literal["recall", "precision", "f"]
LONGEST_UNSTEMMED = 3  # letters; ROUGE-1.5.5 does not stem words up to this length


@dataclass(frozen=True, slots=True)
class RougeOptions:
    """Metrics and settings of ROUGE.

    The defaults are those of ROUGE-1.5.5 for English: no stemming, every word counts, hits and
    totals summed over references.

    Parameters
    ----------
    metrics
        ``"ROUGE-1"``, ``"ROUGE-2"`` and so on for n-grams, ``"ROUGE-L"`` for the longest common
        subsequences of sentences, ``"ROUGE-S4"`` for pairs of words with up to 4 words between
        them, ``"ROUGE-SU4"`` for these and single words; ``*`` instead of 4 sets no limit.
    language
        ISO 639-1 code. English is split into words as ROUGE-1.5.5 does, at everything but ASCII
        letters and digits; other languages at everything but Unicode letters and digits.
    stem
        Whether to stem words of more than 3 letters (``-m``), with `treaty.text.stemmer`.
    stop_words
        Words to ignore (``-s``), such as those of `treaty.text.stop_words`.
    most_words, most_bytes
        Length limit of each text, references included (``-l``, ``-b``).
    several
        ``"average"`` sums hits and totals over references (``-f A``), ``"best"`` takes the
        reference with the highest recall (``-f B``).
    jackknife
        Whether to leave out each reference in turn and average the scores. Systems and humans, who
        cannot be compared with themselves, are then scored alike.
    alpha
        Weight of precision in F, from 0 to 1 (``-p``).
    cut
        Function that splits a text into lower-case words, instead of the language's rule.

    Examples
    --------
    >>> RougeOptions(["ROUGE-2"], stem=True, most_words=100).several
    'average'
    """

    metrics: Sequence[str] = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")
    language: str = "en"
    stem: bool = False
    stop_words: Collection[str] = ()
    most_words: int | None = None
    most_bytes: int | None = None
    several: Literal["average", "best"] = "average"
    jackknife: bool = False
    alpha: float = 0.5
    cut: Callable[[str], list[str]] | None = None

    def __post_init__(self) -> None:
        """Raise `UsageError` for invalid options."""
        if isinstance(self.metrics, str) or isinstance(self.stop_words, str):
            raise UsageError("expected lists of metrics and of stop words, not a string")
        for name in self.metrics:
            metric_named(name)
        if self.several not in ("average", "best"):
            raise UsageError(f"several must be 'average' or 'best', not {self.several!r}")
        if not 0 <= self.alpha <= 1:
            raise UsageError(f"alpha must be between 0 and 1, not {self.alpha}")
        for limit in (self.most_words, self.most_bytes):
            if limit is not None and limit < 1:
                raise UsageError(f"the length limit must be at least 1, not {limit}")


AS_ROUGE = RougeOptions()


@dataclass(frozen=True, slots=True)
class RougeScore:
    """Recall, precision and F-score, from 0 to 1."""

    recall: float
    precision: float
    f: float


@dataclass(frozen=True, slots=True)
class RougeScores:
    """The result of `rouge_scores`.

    Parameters
    ----------
    by_summary
        The scores of each summary, by metric.
    """

    by_summary: tuple[dict[str, RougeScore], ...]

    @property
    def mean(self) -> dict[str, RougeScore]:
        """The means over summaries, by metric: the averages that ROUGE-1.5.5 reports."""
        return {
            metric: _mean([scores[metric] for scores in self.by_summary])
            for metric in self.by_summary[0]
        }

    def interval(
        self,
        metric: str,
        part: Part = "recall",
        *,
        level: float = 0.95,
        samples: int = 2000,
        seed: int = 0,
    ) -> Interval:
        """Compute a confidence interval of a mean by bootstrap over summaries.

        See `confidence_interval` for the parameters.
        """
        values = self._values(metric, part)
        return confidence_interval(
            values, [1] * len(values), level=level, samples=samples, seed=seed
        )

    def compare(
        self,
        other: RougeScores,
        metric: str,
        part: Part = "recall",
        *,
        level: float = 0.95,
        samples: int = 2000,
        seed: int = 0,
    ) -> Comparison:
        """Compare a mean with that of another system on the same topics; see `compare`."""
        values = self._values(metric, part)
        return compare(
            values,
            other._values(metric, part),
            [1] * len(values),
            level=level,
            samples=samples,
            seed=seed,
        )

    def _values(self, metric: str, part: Part) -> list[float]:
        if metric not in self.by_summary[0]:
            raise UsageError(f"{metric!r} was not scored, only {', '.join(self.by_summary[0])}")
        return [float(getattr(scores[metric], part)) for scores in self.by_summary]


def rouge(
    candidate: Text, references: Sequence[Text], options: RougeOptions = AS_ROUGE
) -> dict[str, RougeScore]:
    r"""Score a summary against human summaries.

    Parameters
    ----------
    candidate
        The summary: its sentences, or a string with one sentence per line. Sentence boundaries
        matter only to ROUGE-L; with a single sentence each, it is the sentence-level ROUGE-L.
    references
        One or more human summaries, in the same form.
    options
        Metrics and settings.

    Returns
    -------
    dict
        Recall, precision and F by metric.

    Examples
    --------
    >>> scores = rouge("Police killed the gunman.", ["Police kill the gunman", "The gunman died"])
    >>> scores["ROUGE-1"].recall, scores["ROUGE-L"].precision
    (0.7142857142857143, 0.625)
    """
    return rouge_scores([candidate], [references], options).by_summary[0]


def rouge_scores(
    candidates: Iterable[Text],
    references: Iterable[Sequence[Text]],
    options: RougeOptions = AS_ROUGE,
) -> RougeScores:
    """Score many summaries, each against its own references.

    Parameters
    ----------
    candidates, references
        As in `rouge`; the first references belong to the first candidate.
    options
        Metrics and settings.

    Returns
    -------
    RougeScores
        The scores of each summary and their means, with confidence intervals.

    Raises
    ------
    InputError
        When the numbers of candidates and references differ, or a candidate has no references.

    Examples
    --------
    >>> scores = rouge_scores(["A cat sat.", "Dogs bark."], [["The cat sat."], ["Dogs sleep."]])
    >>> round(scores.mean["ROUGE-1"].f, 3), scores.interval("ROUGE-2").value
    (0.583, 0.25)
    """
    prepare = _preparation(options)
    metrics = {name: metric_named(name) for name in options.metrics}
    found = []
    for number, (text, models) in enumerate(zip_longest(candidates, references), 1):
        if text is None or not models:
            missing = "no summary" if text is None else "no reference"
            raise InputError(f"topic {number} has {missing}: every topic needs both")
        if isinstance(models, str):
            raise UsageError("expected a list of references, not a string")
        ours, theirs = prepare(text), [prepare(model) for model in models]
        found.append(
            {
                name: _score([metric(ours, model) for model in theirs], options)
                for name, metric in metrics.items()
            }
        )
    if not found:
        raise InputError("there are no summaries to score")
    return RougeScores(tuple(found))


def _preparation(options: RougeOptions) -> Callable[[Text], Sentences]:
    """Return a function from a text to the words of its sentences that count."""
    cut = options.cut or (ascii_words if options.language == "en" else unicode_words)
    stem = stemmer(options.language) if options.stem else None
    ignored = frozenset(options.stop_words)

    def prepare(text: Text) -> Sentences:
        lines = text.split("\n") if isinstance(text, str) else text
        sentences = []
        for line in first_of(lines, options.most_words, options.most_bytes):
            words = [word for word in cut(line) if word not in ignored]
            if stem is not None:
                words = [stem(w) if len(w) > LONGEST_UNSTEMMED else w for w in words]
            sentences.append(words)
        return sentences

    return prepare


def _score(counts: list[Retrieval], options: RougeOptions) -> RougeScore:
    if options.jackknife and len(counts) > 1:
        others = [counts[:left_out] + counts[left_out + 1 :] for left_out in range(len(counts))]
        return _mean([_together(rest, options) for rest in others])
    return _together(counts, options)


def _together(counts: list[Retrieval], options: RougeOptions) -> RougeScore:
    if options.several == "best":
        counts = [max(counts, key=lambda count: _share(count.correct, count.gold))]
    correct, gold, system = (
        sum(getattr(count, name) for count in counts) for name in ("correct", "gold", "system")
    )
    recall, precision = _share(correct, gold), _share(correct, system)
    weighted = (1 - options.alpha) * precision + options.alpha * recall
    return RougeScore(recall, precision, precision * recall / weighted if weighted else 0.0)


def _share(part: int, whole: int) -> float:
    """Divide; 0 where the denominator is 0, as in ROUGE-1.5.5."""
    return part / whole if whole else 0.0


def _mean(scores: Sequence[RougeScore]) -> RougeScore:
    return RougeScore(
        *(
            sum(getattr(score, part) for score in scores) / len(scores)
            for part in ("recall", "precision", "f")
        )
    )
