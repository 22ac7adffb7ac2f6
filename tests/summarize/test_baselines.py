"""LEAD, centroid and MMR: examples by hand, and twins that go by the definitions."""

import json
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.corpus import read_collections
from treaty.errors import UsageError
from treaty.evaluate import RougeOptions, rouge_scores
from treaty.summarize import centroid, lead, mmr

SENTENCES = [
    ["rain", "fell", "in", "the", "north"],
    ["rain", "fell", "in", "the", "south", "and", "in", "the", "north"],
    ["snow"],
    ["rain", "fell"],
    [],
    ["the", "north", "saw", "snow"],
]


def test_lead_takes_what_fits_from_the_beginning():
    assert lead(SENTENCES, 0) == []
    assert lead(SENTENCES, 5) == [0]
    assert lead(SENTENCES, 8) == [0, 2, 3]  # the second sentence does not fit any more
    assert lead(SENTENCES, 1000) == [0, 1, 2, 3, 5]
    assert lead([], 10) == []


def test_lead_goes_round_the_documents():
    documents = [7, 7, 3, 3, 5, 5]
    assert lead(SENTENCES, 6, documents=documents) == [0, 2]
    assert lead(SENTENCES, 12, documents=documents) == [0, 2, 3, 5]
    assert lead(SENTENCES, 12, documents=[0] * 6) == lead(SENTENCES, 12)


def test_lengths_may_be_others_than_the_numbers_of_words():
    assert lead(SENTENCES, 5, lengths=[9, 2, 3, 1, 1, 1]) == [1, 2]
    assert centroid(SENTENCES, 5, lengths=[9, 9, 9, 9, 9, 5]) == [5]
    assert mmr(SENTENCES, 5, lengths=[9, 9, 9, 9, 9, 5]) == [5]


def test_mmr_does_not_say_the_same_twice():
    sentences = [["rain", "wind"], ["rain", "wind"], ["hail", "wind"], ["sun", "moon"]]
    assert centroid(sentences, 4) == [0, 1]
    assert mmr(sentences, 4) == [0, 2]


@pytest.mark.parametrize("choose", [lead, centroid, mmr])
@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"budget": -1}, "must be at least 0"),
        ({"budget": 1, "lengths": [1]}, "expected 6 lengths"),
        ({"budget": 1, "lengths": [-1] * 6}, "must be at least 0"),
    ],
)
def test_arguments_that_make_no_sense(choose, options, cause):
    with pytest.raises(UsageError, match=cause):
        choose(SENTENCES, **options)


def test_options_that_make_no_sense():
    with pytest.raises(UsageError, match="relevance must be between 0 and 1"):
        mmr(SENTENCES, 5, relevance=1.5)
    with pytest.raises(UsageError, match="the documents of 6 sentences"):
        lead(SENTENCES, 5, documents=[1])


# Twins: the definitions with dictionaries.
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


@given(TEXTS, st.integers(0, 20), st.sampled_from([0, 0.3, 0.7, 1]))
@settings(deadline=None, max_examples=100)
def test_mmr_is_that_of_the_definition(sentences, budget, relevance):
    assert mmr(sentences, budget, relevance=relevance) == naive_mmr(sentences, budget, relevance)


@given(TEXTS, st.integers(0, 20))
@settings(deadline=None, max_examples=60)
def test_mmr_that_only_minds_relevance_is_the_centroid(sentences, budget):
    assert centroid(sentences, budget) == naive_mmr(sentences, budget, 1)


@pytest.mark.data
def test_the_readings_of_lead_on_multiling(data_folder):
    folder = data_folder / "summarization" / "multiling2011"
    theirs = {}
    for line in (folder / "peer_summaries_en.jsonl").read_text().splitlines():
        record = json.loads(line)
        theirs[record["method"], record["budget"], record["topic"]] = record["summary"]
    topics = list(read_collections(folder / "en.jsonl"))
    robin = []
    for topic in topics:
        pairs = [
            (sentence, number)
            for number, article in enumerate(topic.articles)
            for paragraph in article.more["sentences"]
            for sentence in paragraph
            if len(sentence.split()) >= 5
        ]
        words = [sentence.split() for sentence, _ in pairs]
        first = [pairs[i][0] for i in lead(words, 250)]
        assert first == theirs["LEAD (first document)", 250, topic.id]
        chosen = lead(words, 250, documents=[number for _, number in pairs])
        robin.append([pairs[i][0] for i in chosen])
        assert sorted(robin[-1]) == sorted(theirs["LEAD round-robin", 250, topic.id])
    scores = rouge_scores(robin, [t.references for t in topics], RougeOptions(stem=True))
    assert round(scores.mean["ROUGE-2"].recall, 3) == 0.211
