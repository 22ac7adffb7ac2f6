"""Vectors of sentences, against the definition spelled out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.summarize.baselines._vectors import Vectors

SENTENCES = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), max_size=5)


def spelled_out(sentences):
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
    rows = np.zeros((len(sentences), len(words)))
    for i, sentence in enumerate(sentences):
        for j, word in enumerate(words):
            having = sum(word in other for other in sentences)
            rows[i, j] = sentence.count(word) * math.log(len(sentences) / having)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)


@given(sentences=SENTENCES, seed=st.integers(0, 9))
def test_rows_mean_and_products(sentences, seed):
    vectors, expected = Vectors(sentences), spelled_out(sentences)
    assert vectors.shape == expected.shape
    for i in range(len(sentences)):
        assert vectors.row(i) == pytest.approx(expected[i])
    assert vectors.mean() == pytest.approx(expected.sum(axis=0) / max(1, len(sentences)))
    vector = np.random.default_rng(seed).normal(size=expected.shape[1])
    assert vectors.dot(vector) == pytest.approx(expected @ vector)


def test_words_of_all_sentences_say_nothing():
    vectors = Vectors([["a", "b"], ["a"]])
    assert vectors.row(0).tolist() == [0.0, 1.0]
    assert vectors.row(1).tolist() == [0.0, 0.0]
