"""From rules and hyphens to scores of labels, which the decoder adds to the model's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treaty.label.entities._messages import Message
from treaty.label.entities._rules import EntityRules, Match
from treaty.text import OUTSIDE, Span, labels_of_spans

__all__ = ["Evidence", "evidence_of", "forbid_halves"]

HYPHENS = ("-", "\N{NON-BREAKING HYPHEN}")
PERSON = ("PER", "PERSON")
"""Types of people, in capitals."""


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


def forbid_halves(message: Message, labels: Sequence[str], made: Evidence) -> None:
    """Add that no name of several words ends or begins at a hyphen between two capitalized words.

    Names of people are not cut at a hyphen (*Jean-Luc Godard*, *Olivia Newton-John*); two names of
    a word each may meet there (*the Obama-Clinton rivalry*). The hyphen has no space around it.
    Words of which rules have said something are left to them.

    Examples
    --------
    >>> from treaty.label.entities import Message
    >>> jean = Message("Jean-Luc Godard", ((0, 4), (4, 5), (5, 8), (9, 15)))
    >>> made = Evidence([], [], [])
    >>> forbid_halves(jean, ["O", "B-PER", "I-PER", "E-PER", "S-PER"], made)
    >>> made
    Evidence(words=[2, 0], labels=[1, 3], scores=[-inf, -inf])
    """
    text, places, ruled = message.text, message.places, {*made.words}
    for middle in range(1, len(places) - 1):
        start, end = places[middle]
        if text[start:end] not in HYPHENS:
            continue
        before, after = places[middle - 1], places[middle + 1]
        joined = before[1] == start and after[0] == end
        joined = joined and ruled.isdisjoint((middle - 1, middle, middle + 1))
        if joined and text[before[0]].isupper() and text[end].isupper():
            for number, label in enumerate(labels):
                edge, _, kind = label.partition("-")
                if kind.upper() in PERSON and edge in "BEL":
                    _add(made, middle + 1 if edge == "B" else middle - 1, number, -np.inf)


def _labels(match: Match, scheme: str) -> list[str]:
    size = match.end - match.first
    if match.rule.type == OUTSIDE:
        return [OUTSIDE] * size
    return labels_of_spans([Span(0, size, match.rule.type)], size, scheme)


def _add(evidence: Evidence, word: int, label: int, score: float) -> None:
    evidence.words.append(word)
    evidence.labels.append(label)
    evidence.scores.append(float(score))
