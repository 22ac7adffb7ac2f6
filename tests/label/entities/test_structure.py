"""The structure of entity labelers: parts of messages under the labeler's scores and any others."""

from __future__ import annotations

import numpy as np
import pytest

from treaty import Status, UsageError
from treaty.label import EntityLabeler, EntityRules
from treaty.text import ColumnSentence


@pytest.fixture(scope="module", name="labeler")
def _labeler() -> EntityLabeler:
    sample = EntityLabeler.sample()
    return EntityLabeler.train(sample.examples, **sample.options)


def test_scores_of_the_labeler_give_its_labels(labeler):
    structure, scored = labeler.structures()["labels"], labeler.scored("labels")
    for words in (["Ann", "in", "Rome"], ["Rome", "Rome", "sleeps"], []):
        parts = structure.parts(words)
        (predicted,) = labeler.predict([words])
        decoding = structure.decode(parts, scored(parts))
        read = structure.read(parts, decoding)
        assert (read.labels, read.entities) == (predicted.labels, predicted.entities)
        assert read.objective == pytest.approx(predicted.objective, abs=1e-4)


def test_other_scores_give_other_labels(labeler):
    structure = labeler.structures()["labels"]
    parts = structure.parts(["Ann", "in", "Rome"])
    scores = np.zeros(len(parts))
    scores[parts.kinds["word"]].reshape(3, -1)[:, labeler.labels.index("O")] = 1.0
    decoding = structure.decode(parts, scores)
    assert structure.read(parts, decoding).labels == ("O", "O", "O")
    assert decoding.status is Status.OPTIMAL
    assert decoding.objective == pytest.approx(3.0)


def test_rules_are_evidence_that_belongs_to_no_part(labeler):
    ruled = labeler.using(rules=EntityRules([{"phrase": "Rome", "type": "PER"}]))
    structure = ruled.structures()["labels"]
    parts = structure.parts(["in", "Rome"])
    read = structure.read(parts, structure.decode(parts, np.zeros(len(parts))))
    assert [(entity.type, entity.text) for entity in read.entities] == [("PER", "Rome")]


def test_labels_that_are_known_in_part_are_refused(labeler):
    structure = labeler.structures()["labels"]
    partly = ColumnSentence([("Ann", "?"), ("sleeps", "O")])
    parts = structure.parts(partly)
    with pytest.raises(UsageError, match="need the learner 'likelihood'"):
        structure.gold(parts, partly)
