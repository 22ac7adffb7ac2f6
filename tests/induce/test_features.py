"""Features: their places in flat arrays, and what is computed of them."""

import numpy as np
import pytest
from tests.induce.reference import all_counts, likelihoods, random_corpus

from treaty.errors import UsageError
from treaty.induce import Counts, Features
from treaty.induce._features import Layout


@pytest.mark.parametrize("tags", [1, 2, 5])
def test_places_are_those_of_the_tables(tags: int) -> None:
    layout = Layout(tags)
    features = Features.from_flat(np.arange(float(layout.size)))
    assert Layout.of_size(layout.size) == layout
    assert np.array_equal(features.flat, np.arange(layout.size))
    assert np.array_equal(features.root, layout.root(np.arange(tags)))
    heads, sides, others = np.indices((tags, 2, tags))
    assert np.array_equal(features.child, layout.child(heads, sides, others))
    places = np.indices((tags, 2, 2, 2))
    assert np.array_equal(features.decision, layout.decision(*places))


def test_a_distribution_is_a_line_of_a_table() -> None:
    layout = Layout(3)
    own = Features.from_flat(layout.distribution)
    lines = [own.root[None], own.child.reshape(-1, 3), own.decision.reshape(-1, 2)]
    assert all(len(set(line)) == 1 for table in lines for line in table)
    assert len({line[0] for table in lines for line in table}) == layout.distributions


@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_likelihoods_are_those_of_the_definition(smoothing: float) -> None:
    every = all_counts(random_corpus(4, [3, 2, 2]))
    found = [Counts.from_flat(counts).log_likelihood(smoothing) for counts in every]
    assert found == pytest.approx(likelihoods(every, smoothing))


def test_impossible_features_cost_nothing_where_they_do_not_occur() -> None:
    weights = np.full(Layout(1).size, -np.inf)
    weights[[0, 3]] = -1.0, -0.5
    counts = np.zeros(len(weights))
    counts[[0, 3]] = 2.0, 1.0
    assert Features.from_flat(weights).score(Counts.from_flat(counts)) == -2.5
    counts[1] = 1.0
    assert Features.from_flat(weights).score(Counts.from_flat(counts)) == -np.inf


def test_bad_features() -> None:
    with pytest.raises(UsageError, match="shape"):
        Counts(np.zeros(2), np.zeros((2, 2, 3)), np.zeros((2, 2, 2, 2)))
    for size in (0, 12):
        with pytest.raises(UsageError, match="no number of tags"):
            Counts.from_flat(np.zeros(size))
