"""Scores as tables and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from treaty.metrics import Accuracy, Retrieval, compare, confidence_interval
from treaty.show._arcs import shown, visible

if TYPE_CHECKING:
    from treaty.metrics import (
        AlignedScores,
        Attachment,
        AttachmentScores,
        DependencyAccuracy,
        TaggingScores,
    )

__all__ = ["Scores", "scores_json", "scores_text"]

Metric = Literal["uas", "las", "label_accuracy"]
METRICS: dict[Metric, str] = {"uas": "UAS", "las": "LAS", "label_accuracy": "labels"}
TAGS = ("upos", "xpos", "feats", "all", "lemma")


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a system, for display; any may be missing.

    Parameters
    ----------
    trees, tags, aligned
        Results of `attachment_scores`, `tagging_scores` and `aligned_scores`.
    against
        The attachment scores of another system on the same sentences, to compare with.
    dependencies
        The result of `dependency_accuracy`.
    """

    trees: AttachmentScores | None = None
    tags: TaggingScores | None = None
    aligned: AlignedScores | None = None
    against: AttachmentScores | None = None
    dependencies: DependencyAccuracy | None = None


def scores_text(scores: Scores, by: Iterable[str] = ()) -> str:
    """Write scores as tables, in percent.

    Parameters
    ----------
    scores
        The scores.
    by
        ``"label"`` and ``"length"`` add tables of the arcs by label, by length.

    Returns
    -------
    str
        Tables with blank lines between them.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.metrics import tagging_scores
    >>> sentences = [Sentence.from_words(["Hush", "!"])]
    >>> print(scores_text(Scores(tags=tagging_scores(sentences, sentences))), end="")
    tags   all words
    UPOS      100.00
    XPOS      100.00
    FEATS     100.00
    all       100.00
    """
    tables = []
    if scores.trees is not None:
        tables.append(_attachment_table(scores.trees))
        crossing = scores.trees.nonprojective
        if crossing.gold or crossing.system:
            tables.append(_retrieval_table("arcs", {"non-projective": crossing}))
        if scores.against is not None:
            tables.append(_comparison_table(scores.trees, scores.against))
        tables += [
            _retrieval_table(kind, getattr(scores.trees, f"by_{kind}"))
            for kind in dict.fromkeys(by)
        ]
    if scores.dependencies is not None:
        tables.append(_dependency_table(scores.dependencies))
    if scores.tags is not None:
        tables.append(_tagging_table(scores.tags))
    if scores.aligned is not None:
        rows = {f.name: getattr(scores.aligned, f.name) for f in fields(scores.aligned)}
        tables.append(_retrieval_table("aligned", rows))
    return "\n".join(tables)


def scores_json(scores: Scores) -> str:
    """Write scores as one line of JSON, with the names of their fields.

    Scores are from 0 to 1; undefined ones are null.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.metrics import tagging_scores
    >>> sentences = [Sentence.from_words(["Hush", "!"])]
    >>> record = json.loads(scores_json(Scores(tags=tagging_scores(sentences, sentences))))
    >>> record["tags"]["upos"]
    {'value': 1.0, 'correct': 2, 'total': 2}
    """
    record: dict[str, Any] = {}
    if scores.trees is not None:
        record |= _attachment_record(scores.trees)
        if scores.against is not None:
            record["against"] = _comparison_record(scores.trees, scores.against)
    for name in ("dependencies", "tags", "aligned"):
        found = getattr(scores, name)
        if found is not None:
            record[name] = {f.name: _plain(getattr(found, f.name)) for f in fields(found)}
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def _attachment_table(scores: AttachmentScores) -> str:
    whole, fewer = scores.all_words, scores.without_punctuation
    counts = [str(part.heads.total) for part in (whole, fewer)]
    rows = [["", "all words", "no punctuation", "95 % interval"], ["words", *counts, ""]]
    for metric, name in METRICS.items():
        values = [_percent(getattr(part, metric)) for part in (whole, fewer)]
        rows.append([name, *values, _interval(scores, metric)])
    for name, trees in (
        ("whole trees", (whole.trees, fewer.trees)),
        ("with labels", (whole.labeled_trees, fewer.labeled_trees)),
    ):
        rows.append([name, *(_percent(accuracy.value) for accuracy in trees), ""])
    return _table(rows)


def _interval(scores: AttachmentScores, metric: Metric) -> str:
    correct, total = scores.by_sentence(metric)
    if not total.any():
        return ""
    interval = confidence_interval(correct, total)
    return f"{_percent(interval.low)} to {_percent(interval.high)}"


def _comparison_table(ours: AttachmentScores, theirs: AttachmentScores) -> str:
    rows = [["difference", "points", "95 % interval", "p"]]
    for metric, name in METRICS.items():
        found = compare(
            ours.by_sentence(metric)[0], theirs.by_sentence(metric)[0], ours.counts[:, 0]
        )
        by = found.difference
        between = f"{_signed(by.low)} to {_signed(by.high)}"
        rows.append([name, _signed(by.value), between, f"{found.p_value:.4f}"])
    return _table(rows)


def _dependency_table(scores: DependencyAccuracy) -> str:
    rows = [["dependencies", "correct", "accuracy"]]
    for name, found in (("directed", scores.directed), ("undirected", scores.undirected)):
        rows.append([name, str(found.correct), _percent(found.value)])
    return _table(rows)


def _retrieval_table(title: str, table: dict[str, Retrieval]) -> str:
    rows = [[title, "gold", "system", "correct", "precision", "recall", "F1"]]
    for name, found in table.items():
        counts = [str(n) for n in (found.gold, found.system, found.correct)]
        shares = [_percent(share) for share in (found.precision, found.recall, found.f1)]
        rows.append([shown(name), *counts, *shares])
    return _table(rows)


def _tagging_table(scores: TaggingScores) -> str:
    groups: dict[str, dict[str, Accuracy]] = {
        "all words": {name: getattr(scores, name) for name in TAGS},
        **({"known": scores.known, "unknown": scores.unknown} if scores.known else {}),
    }
    rows = [["tags", *groups]]
    for name in TAGS if scores.lemma.total else TAGS[:-1]:
        values = [_percent(group[name].value) for group in groups.values()]
        rows.append([name if name == "all" else name.upper(), *values])
    return _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Format a table: names left-aligned, numbers right-aligned."""
    from rich.cells import cell_len

    clean = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*clean, strict=True)]
    lines = []
    for name, *cells in clean:
        padded = [" " * (w - cell_len(c)) + c for c, w in zip(cells, widths[1:], strict=True)]
        first = name + " " * (widths[0] - cell_len(name))
        lines.append("  ".join([first, *padded]).rstrip() + "\n")
    return "".join(lines)


def _percent(share: float) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.2f}"


def _signed(share: float) -> str:
    return f"{100 * share + 0.0:+.2f}"


def _attachment_record(scores: AttachmentScores) -> dict[str, Any]:
    record: dict[str, Any] = {
        "sentences": len(scores.counts),
        "words": scores.chosen.heads.total,
        "punctuation": scores.punctuation,
    }
    for metric in METRICS:
        record[metric] = _plain(getattr(scores, metric))
    if scores.chosen.heads.total:
        record["intervals"] = {
            metric: asdict(confidence_interval(*scores.by_sentence(metric))) for metric in METRICS
        }
    record["all_words"] = _overall(scores.all_words)
    record["without_punctuation"] = _overall(scores.without_punctuation)
    for name in ("nonprojective", "by_label", "by_length"):
        record[name] = _plain(getattr(scores, name))
    return record


def _overall(part: Attachment) -> dict[str, Any]:
    return {f.name: _plain(getattr(part, f.name)) for f in fields(part)}


def _comparison_record(ours: AttachmentScores, theirs: AttachmentScores) -> dict[str, Any]:
    total = ours.counts[:, 0]
    return {
        metric: asdict(compare(ours.by_sentence(metric)[0], theirs.by_sentence(metric)[0], total))
        for metric in METRICS
    }


def _plain(value: Any) -> Any:
    """Convert scores to JSON values."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, Accuracy):
        return {"value": _plain(value.value), **asdict(value)}
    if isinstance(value, Retrieval):
        shares = {name: _plain(getattr(value, name)) for name in ("precision", "recall", "f1")}
        return {**shares, **asdict(value)}
    return None if isinstance(value, float) and math.isnan(value) else value
