"""The pruner: marginals, gradients and candidates against the enumeration of all trees."""

import random

import numpy as np
import numpy.typing as npt
import pytest
from tests.parse.enumeration import TREES, crosses, is_tree
from tests.parse.parts_reference import Reference
from tests.parse.toy_parsers import candidates_of, heads_of, random_sentence, toy_parser, with_heads

from treaty._native import parse as native
from treaty.parse import Parser
from treaty.parse._words import gold_of, sequences_of
from treaty.text import Sentence


def random_pruner(seed: int, scale: float = 1.0, **settings: float) -> Parser:
    parser = toy_parser("first", **settings)
    values = parser.pruner_model.weights.values
    values[:] = scale * np.random.default_rng(seed).normal(size=len(values))
    return parser


def log_likelihood(reference: Reference, gold: tuple[int, ...], single_root: bool) -> float:
    scores = [reference.score(tree) for tree in TREES[len(gold) - 1, single_root]]
    return reference.score(gold) - float(np.logaddexp.reduce(scores))


def enumerated_marginals(
    reference: Reference, n: int, single_root: bool
) -> npt.NDArray[np.float64]:
    trees = TREES[n, single_root]
    scores = np.array([reference.score(tree) for tree in trees])
    probability = np.exp(scores - np.logaddexp.reduce(scores))
    marginals = np.zeros((n + 1, n + 1))
    for tree, p in zip(trees, probability, strict=True):
        for m in range(1, n + 1):
            marginals[tree[m], m] += p
    return marginals


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
def test_marginals_against_all_trees(single_root: bool, scale: float) -> None:
    rng = random.Random(1)
    for n in (1, 2, 4, 5):
        parser = random_pruner(n, scale, single_root=single_root)
        sentence = random_sentence(rng, n)
        expected = enumerated_marginals(Reference(parser, sentence, pruner=True), n, single_root)
        assert parser.marginals(sentence) == pytest.approx(expected, abs=1e-5)
        other = parser.marginals(sentence, single_root=not single_root)
        assert other.sum(axis=0)[1:] == pytest.approx(np.ones(n))


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize(("heads", "threshold"), [(1, 0.0), (2, 0.0), (9, 0.2), (9, 1.0), (3, 0.1)])
def test_few_heads_none_improbable_and_a_tree_left(
    single_root: bool, projective: bool, heads: int, threshold: float
) -> None:
    n = 9
    for seed in range(4):
        parser = random_pruner(seed, 2.0, single_root=single_root, heads=heads, threshold=threshold)
        sentence = random_sentence(random.Random(seed), n)
        kept = candidates_of(parser, sentence, projective=projective)
        marginals = parser.marginals(sentence)
        wanted = set()
        for m in range(1, n + 1):
            most = marginals[:, m].max()
            likely = [h for h in range(n + 1) if h != m and marginals[h, m] >= threshold * most]
            wanted |= {(h, m) for h in sorted(likely, key=lambda h: -marginals[h, m])[:heads]}
        assert wanted <= kept
        # What else was kept is the arcs of one tree, so that there is always an answer.
        more = [m for _, m in kept - wanted]
        assert len(more) == len(set(more))
        found = next(parser.predict([sentence], projective=projective))
        tree = heads_of(found.sentence)
        assert is_tree(tree) and (tree.count(0) == 1 or not single_root)
        assert not (projective and crosses(tree))
        assert {(h, m) for m, h in enumerate(tree) if m} <= kept


def test_modifiers_are_limited_on_each_side() -> None:
    """But for those of the tree that is kept: at most one head of each word is of it."""
    parser, n = random_pruner(3, modifiers=1), 12
    sentence = random_sentence(random.Random(3), n)
    kept, unlimited = candidates_of(parser, sentence), candidates_of(random_pruner(3), sentence)
    assert kept < unlimited
    sides = [side for h in range(n + 1) for side in ((h, range(1, h)), (h, range(h + 1, n + 1)))]
    crowded = sum(max(0, sum((h, m) in kept for m in side) - 1) for h, side in sides)
    assert crowded <= n


@pytest.mark.parametrize("single_root", [True, False])
def test_gradient_against_finite_differences(single_root: bool) -> None:
    """Differences of probability under 1e-3 are left out: no entry is farther off than that."""
    rng = random.Random(4)
    parser = random_pruner(4, single_root=single_root)
    weights = parser.pruner_model.weights
    gold = rng.choice(TREES[4, single_root])
    sentence = with_heads(random_sentence(rng, 4), gold, rng)
    before = weights.values.copy()
    train_pruner(parser, [sentence], rate=1.0, single_root=single_root)
    gradient = weights.values - before
    weights.values[:] = before
    reference = Reference(parser, sentence, pruner=True)
    arcs = [(h, m) for h in range(5) for m in range(1, 5) if h != m]
    touched = np.unique([bucket for arc in arcs for bucket in reference.buckets(("arc", arc))])
    assert set(np.flatnonzero(gradient)) <= set(touched)
    for bucket in touched:
        values = []
        for step in (0.01, -0.01):
            weights.values[:] = before
            weights.values[bucket] += step
            reference = Reference(parser, sentence, pruner=True)
            values.append(log_likelihood(reference, gold, single_root))
        assert gradient[bucket] == pytest.approx((values[0] - values[1]) / 0.02, abs=4e-3)


def train_pruner(
    parser: Parser, sentences: list[Sentence], *, rate: float, single_root: bool, batch: int = 1
) -> None:
    sequences = sequences_of(sentences, parser.attributes)
    gold, _, _ = gold_of(sequences, sentences, {label: i for i, label in enumerate(parser.labels)})
    options = native.BatchOptions()
    options.rate, options.batch = rate, batch
    ids = np.arange(len(sentences), dtype=np.int32)
    native.train_pruner(parser.pruner_model, sequences, gold, ids, single_root, options)


def test_training_raises_the_likelihood() -> None:
    rng = random.Random(5)
    parser = random_pruner(5)
    gold = rng.choice(TREES[5, True])
    sentence = with_heads(random_sentence(rng, 5), gold, rng)
    likelihood = log_likelihood(Reference(parser, sentence, pruner=True), gold, True)
    for _ in range(5):
        train_pruner(parser, [sentence], rate=0.3, single_root=True)
        after = log_likelihood(Reference(parser, sentence, pruner=True), gold, True)
        assert after > likelihood
        likelihood = after


def test_sentences_of_a_batch_see_the_same_weights() -> None:
    rng = random.Random(6)
    sentences = [
        with_heads(random_sentence(rng, 4), rng.choice(TREES[4, True]), rng) for _ in range(2)
    ]
    together, alone = random_pruner(6), random_pruner(6)
    start = alone.pruner_model.weights.values.copy()
    train_pruner(together, sentences, rate=0.5, single_root=True, batch=2)
    sum_of_steps = np.zeros_like(start)
    for sentence in sentences:
        alone.pruner_model.weights.values[:] = start
        train_pruner(alone, [sentence], rate=0.5, single_root=True)
        sum_of_steps += alone.pruner_model.weights.values - start
    assert together.pruner_model.weights.values == pytest.approx(start + sum_of_steps, abs=1e-5)


@pytest.mark.parametrize("model", ["pruner_model", "parser_model"])
@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_numbers_are_refused(
    model: str, projective: bool, number: float
) -> None:
    """In files they are refused, too; here they were written into the table."""
    parser = random_pruner(1)
    getattr(parser, model).weights.values[:] = number
    sentence = random_sentence(random.Random(2), 5)
    with pytest.raises(ValueError, match="not a finite number"):
        next(parser.predict([sentence], projective=projective))
