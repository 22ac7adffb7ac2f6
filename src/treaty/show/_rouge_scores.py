"""Scores of summaries as tables and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from treaty.show._scores import _percent, _signed, _table

if TYPE_CHECKING:
    from treaty.metrics import RougeScores

__all__ = ["rouge_json", "rouge_text"]


def rouge_text(scores: RougeScores, against: RougeScores | None = None) -> str:
    """Write scores of summaries as tables, in percent; intervals and differences are of recall.

    Parameters
    ----------
    scores
        The result of `rouge_scores`.
    against
        The scores of another system on the same topics, to compare with.

    Examples
    --------
    >>> from treaty.metrics import RougeOptions, rouge_scores
    >>> scores = rouge_scores(["It rained."], [["It rained.", "Rain"]], RougeOptions(["ROUGE-1"]))
    >>> print(rouge_text(scores), end="")
    1 summary  recall  precision      F   95 % interval
    ROUGE-1     66.67      50.00  57.14  66.67 to 66.67
    """
    count = len(scores.by_summary)
    head = "1 summary" if count == 1 else f"{count} summaries"
    rows = [[head, "recall", "precision", "F", "95 % interval"]]
    for metric, mean in scores.mean.items():
        shares = [_percent(share) for share in (mean.recall, mean.precision, mean.f)]
        interval = scores.interval(metric)
        rows.append([metric, *shares, f"{_percent(interval.low)} to {_percent(interval.high)}"])
    tables = [_table(rows)]
    if against is not None:
        rows = [["difference", "points", "95 % interval", "p"]]
        for metric in scores.mean:
            found = scores.compare(against, metric)
            by = found.difference
            between = f"{_signed(by.low)} to {_signed(by.high)}"
            rows.append([metric, _signed(by.value), between, f"{found.p_value:.4f}"])
        tables.append(_table(rows))
    return "\n".join(tables)


def rouge_json(
    scores: RougeScores,
    against: RougeScores | None = None,
    *,
    topics: Sequence[str | int | None] | None = None,
) -> str:
    """Write scores of summaries as one line of JSON; scores are from 0 to 1.

    Parameters
    ----------
    scores, against
        As in `rouge_text`.
    topics
        The names of the topics, in the order of the summaries.

    Examples
    --------
    >>> from treaty.metrics import RougeOptions, rouge_scores
    >>> scores = rouge_scores(["It rained."], [["It rained."]], RougeOptions(["ROUGE-1"]))
    >>> json.loads(rouge_json(scores))["mean"]["ROUGE-1"]["recall"]
    1.0
    """
    names = topics or [None] * len(scores.by_summary)
    record: dict[str, Any] = {
        "summaries": len(scores.by_summary),
        "mean": {metric: asdict(mean) for metric, mean in scores.mean.items()},
        "intervals": {metric: asdict(scores.interval(metric)) for metric in scores.mean},
        "by_topic": [
            {"topic": name, **{metric: asdict(score) for metric, score in found.items()}}
            for name, found in zip(names, scores.by_summary, strict=True)
        ],
    }
    if against is not None:
        record["against"] = {m: asdict(scores.compare(against, m)) for m in scores.mean}
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
