"""Scores of entities."""

import pytest

from treaty.label.entities._scores import entity_scores


def test_scores():
    scores = entity_scores(
        [["B-PER", "I-PER", "O"], ["B-LOC"]], [["B-PER", "I-PER", "B-LOC"], ["O"]]
    )
    assert scores == pytest.approx(
        {"micro F1": 0.5, "macro F1": 0.5, "precision": 0.5, "recall": 0.5}
    )


def test_without_entities_nothing_is_defined():
    assert entity_scores([["O"]], [["O"]]) == {}
