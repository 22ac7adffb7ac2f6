"""Facts about sentences."""

import random

import numpy as np
import pytest

from treaty.summarize import Source
from treaty.summarize._sentence_facts import DAMPING, FACTS, ROUNDS, SentenceFacts, centrality
from treaty.text import Sentence

STOPS = frozenset(["the", "a", "is", "it", "why"])


def facts_of(lines, titles=(), places=None):
    sources = [
        Source(0, n, Sentence.from_words(line.split()), place=0 if places is None else places[n])
        for n, line in enumerate(lines)
    ]
    return SentenceFacts(sources, str.lower, STOPS, dict.fromkeys(titles, 1))


@pytest.mark.parametrize("seed", range(8))
def test_centrality_is_that_of_the_full_matrix(seed):
    rng = random.Random(seed)
    words = ["rain", "fell", "cats", "sleep", "the", "a", "Bo"]
    lines = [" ".join(rng.choices(words, k=rng.randint(1, 7))) for _ in range(rng.randint(1, 7))]
    facts = facts_of(lines)
    known = sorted({word for own in facts.content for word in own})
    counts = np.array([[own.count(word) for word in known] for own in facts.content], float)
    counts = counts.reshape(len(lines), len(known))
    if not known:
        assert centrality(facts).tolist() == [0.0] * len(lines)
        return
    counts *= np.log1p(len(lines) / (counts > 0).sum(axis=0))
    norms = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-12)
    similar = (counts / norms) @ (counts / norms).T
    degree = np.maximum(similar.sum(axis=1), 1e-9)
    scores = np.ones(len(lines))
    for _ in range(ROUNDS):
        scores = 1.0 - DAMPING + DAMPING * similar @ (scores / degree)
    np.testing.assert_allclose(centrality(facts), scores)


def test_facts():
    lines = ["Ann saw Bo Lee in Ulm .", "It is “ fine ” , you say !", "Why , I asked ?"]
    facts = facts_of(lines, titles=["bo", "snow"], places=[0, 1, 0])
    found = {name: facts[name].round(3).tolist() for name in FACTS}
    assert found["opening"] == [1.0, 0.5, 0.333]
    assert found["paragraph opening"] == [1.0, 0.5, 1.0]
    assert found["depth"] == [0.0, 0.5, 1.0]
    assert found["titles told"] == [0.5, 0.0, 0.0]
    assert found["title share"] == [0.143, 0.0, 0.0]
    assert found["new names"] == [0.6, 0.0, 0.2]
    assert found["names"] == [0.5, 0.0, 0.333]
    assert found["asks"] == [0.0, 0.0, 1.0] and found["exclaims"] == [0.0, 1.0, 0.0]
    assert found["quotes"] == [0.0, 1.0, 0.0]
    assert found["addresses"] == [0.0, 1.0, 0.0] and found["speaks"] == [0.0, 0.0, 1.667]
    assert found["points first"] == [0.0, 1.0, 0.0] and found["points"] == [0.0, 1.0, 0.0]
    assert found["short"] == [1.0, 1.0, 1.0] and found["headline"] == [0.0, 0.0, 0.0]


def test_a_text_without_sentences_has_no_facts():
    facts = facts_of([])
    assert all(len(facts[name]) == 0 for name in FACTS)
