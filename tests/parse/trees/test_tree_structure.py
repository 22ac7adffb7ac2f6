"""Parts of trees under any scores: against the definitions, all trees, and the native learner."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.enumeration import TREES
from tests.parse.parts_reference import Reference, parts_of
from tests.parse.toy_parsers import random_sentence, randomize, toy_parser

from treaty import SolverError, Status, UsageError
from treaty.learn import HashedLinear, LearnerOptions, TrainOptions, train_scorer
from treaty.parse import ORDERS
from treaty.parse._samples import treebank
from treaty.parse.trees._tree_structure import TreeParts, TreeStructure

WORDS = 4
SCORES = st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.5, 1e-9, 1e6, -1e6])


def toy(order="third", *, single_root=True, seed=0):
    parser = toy_parser(order, single_root=single_root, threshold=0.0, iterations=2000)
    randomize(parser, seed)
    return parser


def sentence_of(words=WORDS, seed=1):
    return random_sentence(random.Random(seed), words)


def described(parts: TreeParts, on: np.ndarray) -> set:
    """The parts that are on, as the reference has them: with the side of START and END."""
    names, words, found = list(parts.families), len(parts.sentence), set()
    for part in np.flatnonzero(on).tolist():
        name = names[parts.family[part]]
        nodes = parts.roles[part][: len(parts.families[name])].tolist()
        if name in ("sibling", "grand-sibling", "tri-sibling"):
            ends = [-2 if node == words + 1 else node for node in nodes]
            inner = [n for n in nodes[1 if name != "grand-sibling" else 2 :] if 0 <= n <= words]
            nodes = (*ends, *[n > nodes[0] for n in inner[:1]])
        found.add((name, tuple(nodes)))
    return found


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("single_root", [True, False])
def test_the_parts_of_every_tree_are_those_of_the_definition(order, single_root):
    parser = toy(order, single_root=single_root)
    parts = parser.parts(sentence_of())
    for heads in TREES[WORDS, single_root]:
        expected = set()
        for name, nodes in parts_of(heads):
            inner = [n for n in nodes[1 if name != "grand-sibling" else 2 : -1] if n > 0]
            if name in ("sibling", "grand-sibling", "tri-sibling") and not inner:
                nodes = nodes[:-1]  # neither side has a word
            if name in ORDERS[order]:
                expected.add((name, nodes))
        amounts = parts.amounts(heads[1:])
        assert described(parts, amounts) == expected
        assert parts.tree(amounts) == list(heads[1:])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", range(2))
def test_decoding_any_scores_is_enumeration(order, seed):
    parser = toy(order)
    parts = parser.parts(sentence_of())
    scores = np.random.default_rng(seed).normal(size=len(parts))
    every = {heads: float(scores @ parts.amounts(heads[1:])) for heads in TREES[WORDS, True]}
    best = max(every, key=every.get)
    parse = parser.decode(parts, scores)
    assert parse.objective <= every[best] + 1e-9
    assert parse.bound >= every[best] - 1e-6
    assert parse.objective == pytest.approx(every[(-1, *parse.sentence.heads)])
    if parse.status is Status.OPTIMAL:
        assert parse.objective == pytest.approx(every[best])
    structure = parts.structure
    exact = structure.of_solution(parts, structure.graph(parts, scores).solve("exact"))
    assert exact.objective == pytest.approx(every[best])
    top = structure.k_best(parts, scores, 3)
    assert [one.objective for one in top] == pytest.approx(sorted(every.values())[:-4:-1])


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_ties_zeros_and_huge_scores(data):
    parser = toy("second")
    parts = parser.parts(sentence_of(2))
    scores = np.array(data.draw(st.lists(SCORES, min_size=len(parts), max_size=len(parts))))
    best = max(float(scores @ parts.amounts(heads[1:])) for heads in TREES[2, True])
    parse = parser.decode(parts, scores)
    assert parse.objective == pytest.approx(best, rel=1e-6, abs=1e-3)
    assert parse.bound >= best - 1e-3


@pytest.mark.parametrize("order", ORDERS)
def test_features_are_those_of_the_definition(order):
    parser, sentence = toy(order), sentence_of()
    parts, scored = parser.parts(sentence), parser.scored("trees")
    definition = Reference(parser, sentence, order)
    for heads in TREES[WORDS, True][::3]:
        expected = definition.score(heads)
        assert float(scored(parts) @ parts.amounts(heads[1:])) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("order", ["first", "third", "full"])
def test_scores_of_the_model_give_the_trees_of_the_parser(order):
    parser = toy(order, seed=3)
    for seed in range(4):
        sentence = sentence_of(6, seed)
        parts = parser.parts(sentence)
        parse, (predicted,) = (
            parser.decode(parts, parser.scored("trees")(parts)),
            (list(parser.predict([sentence]))),
        )
        if order == "first":
            assert parse.status is predicted.status is Status.OPTIMAL
        if parse.status is predicted.status is Status.OPTIMAL:
            assert parse.objective == pytest.approx(predicted.objective, abs=1e-3)
            assert parse.sentence.tokens == predicted.sentence.tokens


def test_marginals_are_those_of_enumeration():
    parser = toy("first")
    parts = parser.parts(sentence_of())
    scores = np.random.default_rng(1).normal(size=len(parts))
    every = [parts.amounts(heads[1:]) for heads in TREES[WORDS, True]]
    weights = np.exp([float(scores @ on) for on in every])
    expected = weights @ np.array(every) / weights.sum()
    assert parts.structure.marginals(parts, scores) == pytest.approx(expected)
    with pytest.raises(UsageError, match="first-order models alone"):
        higher = toy("second").parts(sentence_of())
        higher.structure.marginals(higher, np.zeros(len(higher)))


def test_given_candidates():
    parser = toy("third")
    arcs = [(0, 1), (1, 2), (2, 3), (3, 4), (1, 3), (0, 1)]
    parts = parser.parts(sentence_of(), arcs)
    assert sorted(zip(parts.heads.tolist(), parts.modifiers.tolist(), strict=True)) == sorted(
        set(arcs)
    )
    parse = parser.decode(parts, np.ones(len(parts)))
    assert set(zip(parse.sentence.heads, range(1, 5), strict=True)) <= set(arcs)
    with pytest.raises(UsageError, match="not a candidate: add it to the candidates"):
        parts.amounts([0, 1, 1, 1])


@pytest.mark.parametrize(
    ("arcs", "match"),
    [
        ([(0, 1), (1, 2), (2, 3)], "there is no tree over these candidates"),
        ([(0, 9)], "not between words of the sentence"),
        ([(1, 1)], "not between words of the sentence"),
        ([(2, 0)], "not between words of the sentence"),
        ([(1, 2), (2, 1), (2, 3), (3, 4)], "there is no tree over these candidates"),
    ],
)
def test_candidates_that_make_no_sense_are_refused(arcs, match):
    with pytest.raises(UsageError, match=match):
        toy().parts(sentence_of(), arcs)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_must_be_finite(value):
    parser = toy()
    parts = parser.parts(sentence_of())
    scores = np.zeros(len(parts))
    scores[0] = value
    with pytest.raises(UsageError, match="finite"):
        parser.decode(parts, scores)
    with pytest.raises(UsageError, match=f"expected {len(parts)} scores"):
        parser.decode(parts, scores[1:])


def test_scores_of_places_that_are_no_parts_do_not_matter():
    parser = toy("full")
    parts = parser.parts(sentence_of())
    scores = np.random.default_rng(1).normal(size=len(parts))
    bare = parts.family == 255
    assert bare.any()
    other = np.where(bare, 1e9, scores)
    assert parser.decode(parts, other).to_dict() == parser.decode(parts, scores).to_dict()


@pytest.mark.parametrize("words", [0, 1])
def test_the_smallest_sentences(words):
    parser = toy()
    parts = parser.parts(sentence_of(words))
    parse = parser.decode(parts, np.zeros(len(parts)))
    assert parse.sentence.heads == [0] * words
    assert parse.objective == 0.0


def test_no_answer_is_an_error():
    parser = toy("first")
    parts = parser.parts(sentence_of(3), [(0, 1), (0, 2), (1, 2), (2, 3)])
    rooted = TreeStructure(parser, single_root=True)
    assert rooted.parts(sentence_of(3)).structure is rooted
    parts.structure.decoding.single_root = True
    assert parser.decode(parts, np.zeros(len(parts))).sentence.heads == [0, 1, 2]
    two = parser.parts(sentence_of(2), [(0, 1), (0, 2)], single_root=False)
    two.structure.decoding.single_root = True
    with pytest.raises(SolverError, match="no tree over these candidate arcs"):
        parser.decode(two, np.zeros(len(two)))


@pytest.mark.parametrize("batch", [1, 3])
def test_the_native_learner_learns_the_same(batch):
    """Fused MIRA over hashed weights, and the general learner over parts and scores."""
    parser = toy_parser("second", threshold=0.0, heads=4, iterations=300)
    structure, examples = TreeStructure(parser), treebank()[:5]
    learning, options = LearnerOptions("mira", batch=batch), TrainOptions(epochs=2, seed=3)
    scorer = HashedLinear(structure.bits)
    native = train_scorer(structure, scorer, examples, learning, options)

    class General(TreeStructure):
        def fused_learner(self, *_):
            return None

    general = train_scorer(General(parser), scorer, examples, learning, options)
    assert np.abs(native.weights).max() > 0.01
    assert general.weights == pytest.approx(native.weights, abs=1e-4)
    assert structure.fused_learner(HashedLinear(9), examples, learning, 1) is None
    assert structure.fused_learner(scorer, examples, LearnerOptions("perceptron"), 1) is None
