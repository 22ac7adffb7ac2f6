"""From the matches of rules to scores of labels, which the decoder adds to the model's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treaty.corpus import OUTSIDE, Span, labels_of_spans
from treaty.label.entities._messages import Message
from treaty.label.entities._rules import EntityRules, Match

__all__ = ["Evidence", "evidence_of"]


class Evidence(NamedTuple):
    """Scores of labels at the words of a message; ``-inf`` forbids a label."""

    words: list[int]
    labels: list[int]
    scores: list[float]


def evidence_of(
    rules: EntityRules, message: Message, labels: Sequence[str], scheme: str
) -> Evidence:
    """Return what rules say about a message.

    Examples
    --------
    >>> from treaty.label.entities import message_of_words
    >>> rules = EntityRules([{"phrase": "Acme", "type": "ORG", "weight": 2.0}])
    >>> labels = ["O", "B-ORG", "I-ORG"]
    >>> evidence_of(rules, message_of_words(["Acme", "won"]), labels, "BIO")
    Evidence(words=[0], labels=[1], scores=[2.0])
    """
    number = {label: i for i, label in enumerate(labels)}
    made = Evidence([], [], [])
    for match in rules.matches(message):
        wanted = [number[label] for label in _labels(match, scheme)]
        if match.rule.weight is not None:
            share = match.rule.weight / len(wanted)
            for word, label in enumerate(wanted, match.first):
                _add(made, word, label, share)
            continue
        for word, label in enumerate(wanted, match.first):
            for other in range(len(labels)):
                if other != label:
                    _add(made, word, other, -np.inf)
        # In BIO an entity ends where the next word does not continue it.
        inside = number.get(f"I-{match.rule.type}")
        if scheme == "BIO" and inside is not None and match.end < len(message):
            _add(made, match.end, inside, -np.inf)
    return made


def _labels(match: Match, scheme: str) -> list[str]:
    size = match.end - match.first
    if match.rule.type == OUTSIDE:
        return [OUTSIDE] * size
    return labels_of_spans([Span(0, size, match.rule.type)], size, scheme)


def _add(evidence: Evidence, word: int, label: int, score: float) -> None:
    evidence.words.append(word)
    evidence.labels.append(label)
    evidence.scores.append(float(score))
