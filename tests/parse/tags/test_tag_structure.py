"""Parts of taggings under any scores: against enumeration, and against the native tagger."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import Status
from treaty._native import parse as native
from treaty.learn import HashedLinear, LearnerOptions, TrainOptions, train_scorer
from treaty.parse import Tagger
from treaty.parse._samples import treebank
from treaty.parse.tags._tag_structure import TagStructure
from treaty.text import Sentence

SCORES = st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.5, 1e-9, 1e6, -np.inf])


@pytest.fixture(scope="module", name="structure")
def _structure() -> TagStructure:
    tagger = Tagger.train(treebank(), epochs=3, bits=12)
    return tagger.structures()["upos"]


def parts_of(structure, words):
    return structure.parts(Sentence.from_words(words))


def paths(parts):
    return itertools.product(*(range(len(tags)) for tags in parts.tags))


def total(scores, amounts):
    return float(scores[amounts > 0].sum())


SENTENCES = [["strange"], ["strange", "words"], ["The", "strange", "words", "sleep"]]


@pytest.mark.parametrize("words", SENTENCES, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_decoding_any_scores_is_enumeration(structure, words, seed):
    parts = parts_of(structure, words)
    scores = np.random.default_rng(seed).normal(size=len(parts))
    every = {path: total(scores, parts.amounts(path)) for path in paths(parts)}
    decoding = structure.decode(parts, scores)
    best = max(every, key=every.get)
    assert decoding.amounts.tolist() == parts.amounts(best).tolist()
    assert decoding.objective == pytest.approx(every[best])
    assert decoding.status is Status.OPTIMAL
    assert structure.graph(parts, scores).solve("exact").objective == pytest.approx(every[best])
    top = structure.k_best(parts, scores, 4)
    ranked = sorted(every.values(), reverse=True)[:4]
    assert [one.objective for one in top] == pytest.approx(ranked)
    assert [total(scores, one.amounts) for one in top] == pytest.approx(ranked)


@settings(deadline=None)
@given(data=st.data())
def test_ties_zeros_huge_and_forbidden_scores(structure, data):
    parts = parts_of(structure, data.draw(st.sampled_from(SENTENCES[:2])))
    scores = np.array(data.draw(st.lists(SCORES, min_size=len(parts), max_size=len(parts))))
    best = max(total(scores, parts.amounts(path)) for path in paths(parts))
    decoding = structure.decode(parts, scores)
    assert decoding.is_answer == bool(np.isfinite(best))
    if decoding.is_answer:
        assert decoding.objective == pytest.approx(best)
        assert total(scores, decoding.amounts) == pytest.approx(best)
    else:
        assert decoding.status is Status.INFEASIBLE


@pytest.mark.parametrize("words", SENTENCES, ids=len)
def test_marginals_are_those_of_enumeration(structure, words):
    parts = parts_of(structure, words)
    scores = np.random.default_rng(1).normal(size=len(parts))
    expected, sums = np.zeros(len(parts)), 0.0
    for path in paths(parts):
        on = parts.amounts(path)
        weight = np.exp(total(scores, on))
        expected, sums = expected + weight * on, sums + weight
    assert structure.marginals(parts, scores) == pytest.approx(expected / sums)


def test_scores_of_the_model_give_the_tags_of_the_native_tagger(structure):
    scored = structure.model_scores()
    for sentence in treebank():
        parts = structure.parts(sentence)
        fast, slow = structure.fused(parts), structure.decode(parts, scored(parts))
        assert slow.objective == pytest.approx(fast.objective, abs=1e-4)
        assert structure.read(parts, slow).tokens == structure.read(parts, fast).tokens


def test_the_probabilities_are_those_of_the_native_tagger(structure):
    scored, sentences = structure.model_scores(), treebank()
    _, sure = structure.tagger.choose_with_probabilities(sentences)
    begin = 0
    for sentence in sentences:
        parts = structure.parts(sentence)
        amounts = structure.marginals(parts, scored(parts))
        chosen = structure.fused(parts).amounts
        for tables, on in zip(parts.tables(amounts), parts.tables(chosen), strict=True):
            assert float(tables[0] @ on[0]) == pytest.approx(sure[begin], abs=1e-4)
            begin += 1


@pytest.mark.parametrize("batch", [1, 3])
def test_the_native_learner_learns_the_same(structure, batch):
    tagger, examples = structure.tagger, treebank()
    compiled = TagStructure(tagger)
    general = train_scorer(
        compiled,
        HashedLinear(12),
        examples,
        LearnerOptions("mira", batch=batch),
        TrainOptions(epochs=3, seed=5),
    )
    fresh = Tagger.train(examples, epochs=0, bits=12).taggers[0]
    numbers = [tagger.tags.index(t.upos) for s in examples for t in s.tokens]
    sequences, classes = fresh.read(examples)
    choices = native.TagChoices(sequences, *fresh.dictionary.flat(numbers, classes))
    gold = np.array(numbers, np.int32)

    def step(ids):
        native.train_tagger(fresh.model, sequences, choices, gold, ids, 0.1, 0.0, batch, 1)

    TrainOptions(epochs=3, seed=5).fit_weights(fresh.model.weights, step, len(examples), "upos")
    learned = fresh.model.weights.values
    assert np.abs(learned).max() > 0.01
    assert general.weights == pytest.approx(learned, abs=1e-5)


def test_an_empty_sentence(structure):
    parts = parts_of(structure, [])
    decoding = structure.decode(parts, np.zeros(0))
    assert (len(parts), decoding.objective) == (0, 0.0)
    assert len(structure.read(parts, decoding)) == 0
