"""Scores of links as tables and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from treaty.show._scores import _percent, _plain, _retrieval_table, _signed, _table

if TYPE_CHECKING:
    from treaty.metrics import LinkScores

__all__ = ["links_json", "links_text"]


def links_text(scores: LinkScores, against: LinkScores | None = None) -> str:
    """Write scores of links as tables, in percent.

    Parameters
    ----------
    scores
        The result of `link_scores`.
    against
        The scores of another system on the same threads, to compare with.

    Examples
    --------
    >>> from treaty.text import Link, Post, Thread
    >>> from treaty.metrics import link_scores
    >>> threads = [Thread([Post("Tea?"), Post("Yes!")], [Link(1, 0)])]
    >>> print(links_text(link_scores(threads, threads)), end="")
    F1      value     95 % interval
    links  100.00  100.00 to 100.00
    <BLANKLINE>
    distance  gold  system  correct  precision  recall      F1
    1            1       1        1     100.00  100.00  100.00
    all          1       1        1     100.00  100.00  100.00
    """
    between = ""
    if scores.links.gold + scores.links.system:
        interval = scores.interval()
        between = f"{_percent(interval.low)} to {_percent(interval.high)}"
    tables = [
        _table([["F1", "value", "95 % interval"], ["links", _percent(scores.links.f1), between]]),
        _retrieval_table("distance", {**scores.by_distance, "all": scores.links}),
    ]
    if against is not None:
        found = scores.compare(against)
        by = found.difference
        row = ["links", _signed(by.value), f"{_signed(by.low)} to {_signed(by.high)}"]
        head = ["difference", "points", "95 % interval", "p"]
        tables.append(_table([head, [*row, f"{found.p_value:.4f}"]]))
    return "\n".join(tables)


def links_json(scores: LinkScores, against: LinkScores | None = None) -> str:
    """Write scores of links as one line of JSON; scores are from 0 to 1, undefined ones null.

    Examples
    --------
    >>> from treaty.text import Link, Post, Thread
    >>> from treaty.metrics import link_scores
    >>> threads = [Thread([Post("Tea?"), Post("Yes!")], [Link(1, 0)])]
    >>> json.loads(links_json(link_scores(threads, threads)))["links"]["f1"]
    1.0
    """
    record: dict[str, Any] = {"threads": len(scores.by_thread), "links": _plain(scores.links)}
    if scores.links.gold + scores.links.system:
        record["interval"] = asdict(scores.interval())
    record["by_distance"] = _plain(scores.by_distance)
    if against is not None:
        record["against"] = asdict(scores.compare(against))
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
