"""Which of the names that were found are right, and how sure the labeler was: for calibration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treaty.label.entities._labeled import LabeledMessage
from treaty.text import ColumnSentence, spans_of_labels

__all__ = ["judged_entities"]


def judged_entities(
    gold: Iterable[ColumnSentence], found: Iterable[LabeledMessage], types: Iterable[str]
) -> Iterator[tuple[float, bool]]:
    """Return the confidence of each entity of these types, and whether it is right."""
    counted = frozenset(types)
    for one, labeled in zip(gold, found, strict=True):
        right = set(spans_of_labels(one.labels))
        for e in labeled.entities:
            if e.type in counted and e.confidence is not None:
                yield e.confidence, (e.first, e.last + 1, e.type) in right
