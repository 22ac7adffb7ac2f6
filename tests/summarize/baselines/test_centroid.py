"""The sentences nearest to the center."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.baselines.test_mmr import TEXTS, naive_mmr

from treaty.summarize import centroid


@given(TEXTS, st.integers(0, 20))
@settings(deadline=None, max_examples=60)
def test_mmr_that_only_minds_relevance_is_the_centroid(sentences, budget):
    assert centroid(sentences, budget) == naive_mmr(sentences, budget, 1)
