"""Local features of words, from clusters and lists of names."""

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.features import TemplateSet
from treaty.label.entities import Gazetteers
from treaty.label.entities._features import Features
from treaty.parse import Clusters


def test_users_and_links_have_paths_of_their_own():
    clusters = Clusters({"rome": "00", "<@MENTION>": "01", "<URL-t.co>": "10"})
    cluster = TemplateSet.of("w.cluster")
    features = Features(cluster, clusters=clusters)

    def hashes(*words: str) -> list[int]:
        return features.local([words])[0].tolist()

    assert hashes("@ann", "http://t.co/x", "Rome") == hashes("<@MENTION>", "<URL-t.co>", "rome")
    assert hashes("@ann") != hashes("ann")


def test_words_of_lists_have_features_more():
    features = Features(TemplateSet.of("w.form"), gazetteers=Gazetteers({"city": ["New York"]}))
    found, begin = features.local([["in", "New", "York"], [], ["York"]])
    assert np.diff(begin).tolist() == [1, 3, 3, 1]
    assert len(set(found.tolist())) == 1 + 3 + 3  # the last word has no features of its own


def test_there_must_be_templates():
    with pytest.raises(UsageError, match="no templates"):
        Features(TemplateSet(()))
