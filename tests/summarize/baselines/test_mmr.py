"""Maximal marginal relevance, against a twin that goes by the definition."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.summarize import mmr


def vectors_of(sentences):
    spread = Counter(word for sentence in sentences for word in set(sentence))
    found = []
    for sentence in sentences:
        weights = {
            w: n * math.log(len(sentences) / spread[w]) for w, n in Counter(sentence).items()
        }
        norm = math.sqrt(sum(x * x for x in weights.values())) or 1
        found.append({word: x / norm for word, x in weights.items()})
    return found


def cosine(a, b):
    norms = [math.sqrt(sum(x * x for x in v.values())) for v in (a, b)]
    inner = sum(x * b.get(word, 0) for word, x in a.items())
    return inner / math.prod(norms) if all(norms) else 0.0


def naive_mmr(sentences, budget, relevance):
    vectors = vectors_of(sentences)
    mean = Counter()
    for vector in vectors:
        mean.update(vector)
    taken = []
    while True:
        used = sum(len(sentences[i]) for i in taken)
        rest = [
            i for i, s in enumerate(sentences) if i not in taken and 0 < len(s) <= budget - used
        ]
        if not rest:
            return sorted(taken)
        worth = {}
        for i in rest:
            said = max((cosine(vectors[i], vectors[j]) for j in taken), default=0)
            worth[i] = round(relevance * cosine(vectors[i], mean) - (1 - relevance) * said, 12)
        taken.append(max(rest, key=lambda i: (worth[i], -i)))


TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=5), max_size=8)


def test_mmr_does_not_say_the_same_twice():
    sentences = [["rain", "wind"], ["rain", "wind"], ["hail", "wind"], ["sun", "moon"]]
    assert mmr(sentences, 4, relevance=1) == [0, 1]
    assert mmr(sentences, 4) == [0, 2]


@given(TEXTS, st.integers(0, 20), st.sampled_from([0, 0.3, 0.7, 1]))
@settings(deadline=None, max_examples=100)
def test_mmr_is_that_of_the_definition(sentences, budget, relevance):
    assert mmr(sentences, budget, relevance=relevance) == naive_mmr(sentences, budget, relevance)


def test_relevance_that_makes_no_sense():
    with pytest.raises(UsageError, match="relevance must be between 0 and 1"):
        mmr([["rain"]], 5, relevance=1.5)
