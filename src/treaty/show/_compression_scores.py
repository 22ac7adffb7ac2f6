"""Scores of compressed sentences as a table and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from treaty.show._scores import _percent, _plain, _signed, _table

if TYPE_CHECKING:
    from treaty.metrics import CompressionScores

__all__ = ["compressions_json", "compressions_text"]


def compressions_text(scores: CompressionScores, against: CompressionScores | None = None) -> str:
    """Write scores of compressed sentences as tables, in percent.

    Parameters
    ----------
    scores
        The result of `compression_scores`.
    against
        The scores of another system on the same sentences, to compare with.

    Examples
    --------
    >>> from treaty.metrics import compression_scores
    >>> print(compressions_text(compression_scores([[1, 1, 0]], [[1, 0, 0]])), end="")
    compressions      value   95 % interval
    F1 of kept words  66.67  66.67 to 66.67
    F1 by sentence    66.67
    right words       66.67
    right sentences    0.00
    kept by gold      66.67
    kept by system    33.33
    """
    interval = scores.interval()
    between = f"{_percent(interval.low)} to {_percent(interval.high)}"
    others = {
        "F1 by sentence": scores.mean_f1,
        "right words": scores.words.value,
        "right sentences": scores.sentences.value,
        "kept by gold": scores.gold_rate,
        "kept by system": scores.rate,
    }
    rows = [
        ["compressions", "value", "95 % interval"],
        ["F1 of kept words", _percent(scores.kept.f1), between],
    ]
    tables = [_table([*rows, *([name, _percent(share), ""] for name, share in others.items())])]
    if against is not None:
        found = scores.compare(against)
        by = found.difference
        row = ["kept words", _signed(by.value), f"{_signed(by.low)} to {_signed(by.high)}"]
        head = ["difference", "points", "95 % interval", "p"]
        tables.append(_table([head, [*row, f"{found.p_value:.4f}"]]))
    return "\n".join(tables)


def compressions_json(scores: CompressionScores, against: CompressionScores | None = None) -> str:
    """Write scores of compressed sentences as one line of JSON; scores are from 0 to 1.

    Examples
    --------
    >>> from treaty.metrics import compression_scores
    >>> json.loads(compressions_json(compression_scores([[1, 0]], [[1, 0]])))["kept"]["f1"]
    1.0
    """
    record: dict[str, Any] = {
        "sentences": len(scores.by_sentence),
        "kept": _plain(scores.kept),
        "mean_f1": _plain(scores.mean_f1),
        "words": _plain(scores.words),
        "right_sentences": _plain(scores.sentences),
        "rate": _plain(scores.rate),
        "gold_rate": _plain(scores.gold_rate),
        "interval": asdict(scores.interval()),
    }
    if against is not None:
        record["against"] = asdict(scores.compare(against))
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
