"""Models whose predictions are made elsewhere."""

from __future__ import annotations

import pytest

from treaty.cluster import remote_model
from treaty.errors import UsageError
from treaty.parse import Pipeline
from treaty.text import Sentence


def test_scores_are_those_of_one_process(cluster):
    gold = [Sentence.from_words(words.split()).with_tree([2, 0, 2]) for words in ("a b c", "d e f")]
    wanted = Pipeline.load("english").evaluate(gold * 100)
    assert remote_model(cluster, "english").evaluate(gold * 100) == wanted


def test_summaries_are_not_scored_on_a_cluster(cluster):
    with pytest.raises(UsageError, match="treaty summarize --cluster"):
        remote_model(cluster, "summarizer")
