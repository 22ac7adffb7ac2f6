"""Features of factors: templates and values, recorded ones, and templates that are refused."""

import hashlib

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.errors import UsageError
from treaty.label.threads._batch import Batch
from treaty.label.threads._cues import words_of
from treaty.label.threads._models import MODELS, kinds_of
from treaty.label.threads._posts import PostTable
from treaty.label.threads._templates import Family
from treaty.label.threads._words import WordCounts
from treaty.languages import get


def test_a_feature_is_its_template_and_values():
    family = Family("f", ("right",), ("", "0.same 1.same", "1.same", "0.same"), ((1, 1),))
    pairs = np.array([[0, 1], [2, 3], [1, 0], [0, 2]])
    found = family.compiled.hashes({"same": [0, 1, 0, 1]}, pairs)
    assert found[0].tolist() == found[1].tolist()  # the same codes, the same features
    assert len(set(found[:, 0].tolist())) == 1
    assert len(set(found[:, 1].tolist())) == 3
    assert len(set(found.ravel().tolist())) == 1 + 3 + 2 + 2


def test_features_are_those_that_shipped_models_were_trained_with():
    threads = toy_threads(3)
    counts = WordCounts.of([words_of(post.text) for thread in threads for post in thread.posts])
    families, posts = MODELS["3-wise"], PostTable(threads, get("en"))
    factors = Batch(threads, counts, families, kinds_of(families), 30, posts).factors
    assert factors[1][1][0, :3].tolist() == [
        5235868017390925849, 10213363292760683231, 7850384271341362126
    ]  # fmt: skip
    digest = hashlib.sha256(b"".join(features.tobytes() for _, features in factors))
    assert digest.hexdigest() == "ad134442de00f2f9f37b361e4512ddf846b194939f9a484f56b4b02ea2a49bb5"


def test_all_templates_are_sound():
    for families in MODELS.values():
        for family in families:
            assert len(family.compiled) == len(family.templates)
            assert len(set(family.templates)) == len(family.templates)


@pytest.mark.parametrize("template", ["nonsense", "2.same", "same.", "0.same 1.x"])
def test_other_templates_are_refused(template):
    with pytest.raises(UsageError, match=r"no code|names item 2"):
        Family("f", ("right",), (template,), ((1, 1),))
