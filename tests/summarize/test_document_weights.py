"""Weights of single documents: against a plain solution of the normal equations."""

from __future__ import annotations

import numpy as np
import pytest

from treaty.features import PartFeatures
from treaty.summarize import Problem, Source
from treaty.summarize._document_weights import document_weights
from treaty.summarize._topic import Topic
from treaty.text import Sentence

SIZE, STRENGTH = 16, 0.1


def topics(seed: int, number: int) -> list[Topic]:
    rng = np.random.default_rng(seed)
    problem = Problem.of([Source(0, 0, Sentence.from_words(["Cats", "sleep"]))])
    found = []
    for _ in range(number):
        rows = int(rng.integers(3, 9))
        # A feature may stand twice in a row.
        features = PartFeatures(
            rng.integers(0, SIZE - 3, (rows, 5)).astype(np.int32), rng.normal(size=(rows, 5))
        )
        counts = rng.integers(0, 3, rows).astype(float)
        found.append(Topic(problem, features, None, counts, 10, references=2))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_weights_minimize_the_loss(seed: int) -> None:
    given = topics(seed, 3)
    found = document_weights(given, SIZE, STRENGTH)
    tables, wanted, shares = [], [], []
    for topic in given:
        table = np.zeros((len(topic.coverage), SIZE))
        values = topic.coverage.values
        assert values is not None
        for row, (places, own) in enumerate(zip(topic.coverage.places, values, strict=True)):
            for place, value in zip(places, own, strict=True):
                table[row, place] += value
        tables.append(table)
        wanted.append(topic.counts / 2)
        shares.append(np.full(len(table), 1 / max(1.0, topic.counts.sum() / 2)))
    x, y, share = np.concatenate(tables), np.concatenate(wanted), np.concatenate(shares)
    root = np.sqrt(share)
    strength = np.sqrt(STRENGTH * share.sum())
    twin = np.linalg.lstsq(
        np.vstack([root[:, None] * x, strength * np.eye(SIZE)]),
        np.concatenate([root * y, np.zeros(SIZE)]),
        rcond=None,
    )[0]
    spread = np.mean([(table @ twin).std() for table in tables])
    np.testing.assert_allclose(found, twin / spread, atol=1e-9)


def test_scores_have_a_spread_of_one_and_unseen_features_no_weight() -> None:
    given = topics(7, 4)
    found = document_weights(given, SIZE, STRENGTH)
    assert np.mean([t.coverage.scores(found).std() for t in given]) == pytest.approx(1.0)
    assert not found[SIZE - 3 :].any()
