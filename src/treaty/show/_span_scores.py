"""Scores of entities as tables and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from treaty.metrics import compare_spans
from treaty.show._scores import _percent, _plain, _retrieval_table, _signed, _table

if TYPE_CHECKING:
    from treaty.metrics import SpanScores

__all__ = ["spans_json", "spans_text"]

METRICS: tuple[Literal["micro", "macro"], ...] = ("micro", "macro")


def spans_text(scores: SpanScores, against: SpanScores | None = None) -> str:
    """Write scores of entities as tables, in percent.

    Parameters
    ----------
    scores
        The result of `span_scores`.
    against
        The scores of another system on the same sentences, to compare with.

    Examples
    --------
    >>> from treaty.metrics import span_scores
    >>> gold = [["B-PER", "O", "B-LOC"]]
    >>> print(spans_text(span_scores(gold, gold)), end="")
    F1      value     95 % interval
    micro  100.00  100.00 to 100.00
    macro  100.00  100.00 to 100.00
    words  100.00
    <BLANKLINE>
    entities  gold  system  correct  precision  recall      F1
    LOC          1       1        1     100.00  100.00  100.00
    PER          1       1        1     100.00  100.00  100.00
    all          2       2        2     100.00  100.00  100.00
    """
    rows = [["F1", "value", "95 % interval"]]
    for metric in METRICS:
        rows.append([metric, _percent(getattr(scores, f"{metric}_f1")), _interval(scores, metric)])
    rows.append(["words", _percent(scores.tokens.value), ""])
    tables = [_table(rows), _retrieval_table("entities", {**scores.by_type, "all": scores.all})]
    if against is not None:
        tables.append(_comparison(scores, against))
    return "\n".join(tables)


def spans_json(scores: SpanScores, against: SpanScores | None = None) -> str:
    """Write scores of entities as one line of JSON; scores are from 0 to 1, undefined ones null.

    Examples
    --------
    >>> from treaty.metrics import span_scores
    >>> record = json.loads(spans_json(span_scores([["B-PER"]], [["B-PER"]])))
    >>> record["micro_f1"], record["by_type"]["PER"]["recall"]
    (1.0, 1.0)
    """
    record: dict[str, Any] = {"sentences": len(scores.counts), "words": _plain(scores.tokens)}
    for metric in METRICS:
        record[f"{metric}_f1"] = _plain(getattr(scores, f"{metric}_f1"))
    if scores.by_type:
        record["intervals"] = {metric: asdict(scores.interval(metric)) for metric in METRICS}
    record["all"], record["by_type"] = _plain(scores.all), _plain(scores.by_type)
    if against is not None:
        compared = {metric: compare_spans(scores, against, metric) for metric in METRICS}
        record["against"] = {metric: asdict(found) for metric, found in compared.items()}
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def _interval(scores: SpanScores, metric: Literal["micro", "macro"]) -> str:
    if not scores.by_type:
        return ""
    interval = scores.interval(metric)
    return f"{_percent(interval.low)} to {_percent(interval.high)}"


def _comparison(scores: SpanScores, against: SpanScores) -> str:
    rows = [["difference", "points", "95 % interval", "p"]]
    for metric in METRICS:
        found = compare_spans(scores, against, metric)
        by = found.difference
        between = f"{_signed(by.low)} to {_signed(by.high)}"
        rows.append([metric, _signed(by.value), between, f"{found.p_value:.4f}"])
    return _table(rows)
