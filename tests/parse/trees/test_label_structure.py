"""Labels of trees under any scores: against enumeration, and against the native labeler."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import Status, UsageError
from treaty.learn import HashedLinear, LearnerOptions, TrainOptions, train_scorer
from treaty.parse import Parser
from treaty.parse._samples import treebank
from treaty.parse.trees._label_structure import LabelStructure
from treaty.text import Sentence

HEADS, WORDS = [2, 0, 2, 2, 4], ["a", "b", "c", "d", "e"]


@pytest.fixture(scope="module", name="parser")
def _parser() -> Parser:
    sample = Parser.sample()
    return Parser.train(sample.examples, **sample.options)


def tree() -> Sentence:
    return Sentence.from_words(WORDS).with_tree(HEADS, ["dep"] * 5)


def with_exclusions(parser, pairs):
    again = Parser.from_bytes(parser.to_bytes())
    first, second = zip(*pairs, strict=True) if pairs else ((), ())
    again.label_model.exclusions = np.array(first, np.int32), np.array(second, np.int32)
    return LabelStructure(again)


def answers(structure, parts):
    """All labels that no exclusion forbids, as amounts."""
    first, second = structure._exclusions()
    pairs = {*zip(first, second, strict=True), *zip(second, first, strict=True)}
    lists = [parts.labels[parts.of_word(word)].tolist() for word in range(1, 6)]
    for labels in itertools.product(*lists):
        siblings = [
            (labels[s], labels[m])
            for s, m in itertools.combinations(range(5), 2)
            if HEADS[s] == HEADS[m]
        ]
        if not pairs & set(siblings):
            yield parts.amounts(labels)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pairs", [(), ((0, 0),), ((0, 0), (1, 2), (3, 3), (0, 4))])
def test_decoding_any_scores_is_enumeration(parser, pairs, seed):
    structure = with_exclusions(parser, pairs)
    parts = structure.parts(tree())
    scores = np.random.default_rng(seed).normal(size=len(parts))
    totals = sorted((float(scores @ on) for on in answers(structure, parts)), reverse=True)
    decoding = structure.decode(parts, scores)
    assert decoding.status is Status.OPTIMAL
    assert decoding.objective == pytest.approx(totals[0])
    assert float(scores @ decoding.amounts) == pytest.approx(totals[0])
    best = structure.k_best(parts, scores, 3)
    assert [one.objective for one in best] == pytest.approx(totals[:3])


@pytest.mark.parametrize("pairs", [(), ((0, 0), (1, 2))])
def test_marginals_are_those_of_enumeration(parser, pairs):
    structure = with_exclusions(parser, pairs)
    parts = structure.parts(tree())
    scores = np.random.default_rng(1).normal(size=len(parts))
    every = np.array(list(answers(structure, parts)))
    weights = np.exp(every @ scores)
    expected = weights @ every / weights.sum()
    assert structure.marginals(parts, scores) == pytest.approx(expected)


@settings(deadline=None)
@given(data=st.data())
def test_ties_zeros_and_huge_scores(parser, data):
    structure = with_exclusions(parser, ((0, 0), (1, 2)))
    parts = structure.parts(tree())
    numbers = st.sampled_from([0.0, 0.0, 1.0, -1.0, 1e-9, 1e6, -1e6])
    scores = np.array(data.draw(st.lists(numbers, min_size=len(parts), max_size=len(parts))))
    best = max(float(scores @ on) for on in answers(structure, parts))
    assert structure.decode(parts, scores).objective == pytest.approx(best)


def test_exclusions_that_leave_nothing_do_not_count(parser):
    every = tuple((a, b) for a in range(len(parser.labels)) for b in range(a + 1))
    structure = with_exclusions(parser, every)
    parts = structure.parts(tree())
    scores = np.random.default_rng(1).normal(size=len(parts))
    words = [scores[parts.of_word(word)].max() for word in range(1, 6)]
    assert structure.decode(parts, scores).objective == pytest.approx(sum(words))
    assert not structure.k_best(parts, scores, 1)


def test_scores_of_the_parser_give_its_labels(parser):
    structure, scored = parser.structures()["labels"], parser.scored("labels")
    for parse in parser.predict(treebank()):
        parts = structure.parts(parse)
        fast, slow = structure.fused(parts), structure.decode(parts, scored(parts))
        assert slow.objective == pytest.approx(fast.objective, abs=1e-4)
        assert structure.read(parts, fast).sentence == parse.sentence


def test_labels_learn(parser):
    structure, examples = parser.structures()["labels"], treebank()
    trained = train_scorer(
        structure, HashedLinear(10), examples, LearnerOptions("mira"), TrainOptions(epochs=5)
    )
    right = 0
    for example in examples:
        parts = structure.training_parts(example)
        read = structure.read(parts, structure.decode(parts, trained.scores(parts)))
        right += [t.deprel for t in read.sentence] == [t.deprel for t in example]
    assert right == len(examples)


def test_what_makes_no_sense_is_refused(parser):
    structure = parser.structures()["labels"]
    with pytest.raises(UsageError, match="a sentence with a tree"):
        structure.parts(Sentence.from_words(WORDS))
    with pytest.raises(UsageError, match="the parser has no label 'nonsense'"):
        structure.training_parts(tree().with_tree(HEADS, ["nonsense"] * 5))
    parts = structure.parts(tree())
    with pytest.raises(UsageError, match="not finite"):
        structure.decode(parts, np.full(len(parts), -np.inf))


def test_an_empty_sentence(parser):
    structure = parser.structures()["labels"]
    parts = structure.parts(Sentence([]))
    assert structure.decode(parts, np.zeros(0)).objective == 0.0
