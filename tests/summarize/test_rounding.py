"""Cutting trees down to a budget, against enumeration."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.random_problems import random_problem, random_scores

from treaty._native import summarize as native
from treaty.summarize import Problem, Rules, Source
from treaty.summarize._nodes import Nodes
from treaty.summarize._rounding import best_summary, closest_summary
from treaty.text import Sentence

SEEDS = st.integers(0, 10**6)


def preorder(rng, size):
    """Parents of random trees in preorder, -1 for roots, and the sizes of their subtrees."""
    parents, open_nodes = [], []
    for node in range(size):
        keep = rng.randint(0, len(open_nodes))
        open_nodes = open_nodes[:keep]
        parents.append(open_nodes[-1] if open_nodes else -1)
        open_nodes.append(node)
    sizes = [1] * size
    for node in reversed(range(size)):
        if parents[node] >= 0:
            sizes[parents[node]] += sizes[node]
    return parents, sizes


def prunings(parents, costs, budget, most_trees, hollow=()):
    for on in itertools.product([0, 1], repeat=len(parents)):
        closed = all(not x or p < 0 or on[p] for x, p in zip(on, parents, strict=True))
        trees = sum(x for x, p in zip(on, parents, strict=True) if p < 0)
        grown = {p for x, p in zip(on, parents, strict=True) if x}  # have a child
        filled = all(not on[n] or n in grown for n in hollow)
        if closed and filled and trees <= most_trees and np.dot(on, costs) <= budget:
            yield on


def value(on, parents, gains, cuts):
    cut = [c for x, p, c in zip(on, parents, cuts, strict=True) if not x and (p < 0 or on[p])]
    return np.dot(on, gains) + sum(cut)


@given(SEEDS, st.integers(0, 7), st.integers(0, 9), st.integers(0, 3))
@settings(deadline=None, max_examples=100)
def test_best_pruning_is_the_best_of_all(seed, size, budget, most_trees):
    rng = random.Random(seed)
    parents, sizes = preorder(rng, size)
    costs = [rng.randint(0, 4) for _ in range(size)]
    gains = np.array(random_scores(rng, size))
    cuts = np.array(random_scores(rng, size))
    hollow = [n for n in range(size) if parents[n] < 0 and rng.random() < 0.5]
    marked = np.isin(np.arange(size), hollow).astype(np.uint8)
    trees = np.array(sizes, np.int32), np.array(costs, np.int32), gains, cuts, marked
    found = native.best_pruning(*trees, budget, most_trees)
    every = list(prunings(parents, costs, budget, most_trees, hollow))
    assert tuple(found) in every
    best = max(value(on, parents, gains, cuts) for on in every)
    assert value(found, parents, gains, cuts) == pytest.approx(best, abs=1e-12)


def weights_of(problem, nodes):
    sizes = np.bincount(nodes.of_token, problem.is_word, minlength=len(nodes))
    return (sizes + nodes.is_dollar).astype(np.int32)


@pytest.mark.parametrize("rules", [None, Rules()], ids=["usual rules", "all can be cut"])
@given(seed=SEEDS, words=st.integers(0, 12), sentences=st.integers(1, 3))
@settings(deadline=None, max_examples=60)
def test_closest_summary_is_nearest_of_those_made_of_likely_sentences(
    rules, seed, words, sentences
):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=3, longest=3, rules=rules)
    nodes = Nodes.of(problem, np.zeros(len(problem.source_of)))
    values = np.array([rng.choice([0.0, 1.0, rng.random()]) for _ in range(len(nodes))])
    weights = weights_of(problem, nodes)
    found = closest_summary(nodes, values, weights, words, sentences)
    dollars = nodes.of_source[:-1]
    likely = sorted(range(len(dollars)), key=lambda n: (-round(values[dollars[n]], 9), n))
    allowed = {n for n in likely[:sentences] if values[dollars[n]] > 0}
    of_node = np.searchsorted(dollars, np.arange(len(nodes)), side="right") - 1
    hollow = [n for n in dollars if n not in nodes.of_token]

    def distance(on):
        return float((weights * (np.array(on) - values) ** 2).sum())

    every = [
        on
        for on in prunings(nodes.parent.tolist(), nodes.cost, words, len(dollars), hollow)
        if all(not x or of_node[n] in allowed for n, x in enumerate(on))
    ]
    assert tuple(found.astype(int)) in every
    assert distance(found) == pytest.approx(min(map(distance, every)), abs=1e-9)


def two_sentences():
    text = [["cats", "sleep"], ["dogs", "bark"]]
    trees = [Sentence.from_words(words).with_tree([0, 1], ["root", "obj"]) for words in text]
    sources = [Source(0, n, tree) for n, tree in enumerate(trees)]
    return Problem.of(sources, rules=Rules())


def test_a_dollar_is_kept_only_with_words():
    problem = two_sentences()
    nodes = Nodes.of(problem, np.zeros(4))
    values = np.array([0.9, 0.3, 0.3, 0.8, 0.8, 0.8])
    kept = closest_summary(nodes, values, weights_of(problem, nodes), 4, 1)
    assert kept.tolist() == [True, True, False, False, False, False]
    assert nodes.is_hollow.tolist() == [True, False, False, True, False, False]


def test_cutting_a_whole_sentence_off_its_dollar_scores_nothing():
    nodes = Nodes.of(two_sentences(), np.ones(4))
    assert best_summary(nodes, np.zeros(6), 4, None).tolist() == [True, True, False] * 2
    assert not best_summary(nodes, np.zeros(6), 0, None).any()


def test_a_budget_larger_than_all_keeps_all_that_gains():
    nodes = Nodes.of(random_problem(random.Random(1)), None)
    gains = np.ones(len(nodes))
    assert best_summary(nodes, gains, 2**31 - 1, None).all()
    assert best_summary(nodes, gains, 2**31 - 1, 1).sum() == 1


@pytest.mark.parametrize(
    ("size", "cost", "hollow", "budget", "cause"),
    [
        ([2], [1], [0], 1, "preorder"),
        ([0], [1], [0], 1, "preorder"),
        ([2, 2, 1], [1, 1, 1], [0, 0, 0], 1, "preorder"),
        ([1], [-1], [0], 1, "cost"),
        ([1], [1], [0], -1, "limit"),
        ([1], [1, 1], [0], 1, "equally long"),
        ([1], [1], [0, 1], 1, "equally long"),
        ([2, 1], [1, 1], [0, 1], 1, "hollow"),
    ],
)
def test_what_is_no_tree_is_refused(size, cost, hollow, budget, cause):
    numbers = np.zeros(len(size))
    trees = np.array(size, np.int32), np.array(cost, np.int32), numbers, numbers
    with pytest.raises(ValueError, match=cause):
        native.best_pruning(*trees, np.array(hollow, np.uint8), budget, 1)


def test_tables_that_would_be_too_large_are_coarser(monkeypatch):
    problem = random_problem(random.Random(2), sentences=6, longest=8)
    nodes = Nodes.of(problem, np.zeros(len(problem.source_of)))
    gains = np.random.default_rng(1).random(len(nodes))
    for words in (5, 12, 10**6):
        for sentences in (None, 2):
            fine = best_summary(nodes, gains, words, sentences)
            with monkeypatch.context() as patched:
                patched.setattr("treaty.summarize._rounding.MOST_CELLS", 100)
                coarse = best_summary(nodes, gains, words, sentences)
            for kept in (fine, coarse):
                assert nodes.cost[kept].sum() <= words
                assert sentences is None or kept[nodes.is_dollar].sum() <= sentences
            assert gains[coarse].sum() <= gains[fine].sum()
