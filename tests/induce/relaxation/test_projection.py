import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.relaxation.tiny import corpora, count, trees

from treaty.induce import Corpus, EdgeConstraint, Features, Grammar, viterbi
from treaty.induce.relaxation import RelaxedParser, relaxed_viterbi_em
from treaty.induce.relaxation._layout import Layout
from treaty.induce.relaxation._posterior import best_trees, meets, priced_viterbi
from treaty.induce.relaxation._program import build_program
from treaty.induce.relaxation._projection import normalized, on_simplex, project_parameters
from treaty.solve import Status

CORPUS = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N", "A"]])
RULE = EdgeConstraint([("ROOT", "N"), ("N", "A"), ("N", "V")], share=0.8)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=1, max_size=6), st.integers(0, 1000))
def test_the_nearest_distribution_is_nearer_than_others(values, seed):
    point = np.array(values)
    nearest = on_simplex(point)
    assert nearest.sum() == pytest.approx(1.0) and nearest.min() >= 0
    others = np.random.default_rng(seed).dirichlet(np.ones(len(values)), 20)
    distances = np.linalg.norm(others - point, axis=1)
    assert np.all(np.linalg.norm(nearest - point) <= distances + 1e-9)


def test_distributions_are_projected_one_by_one():
    distribution = np.array([0, 0, 1, 1, 1])
    values = np.array([0.5, 1.5, 0.0, 0.0, 0.0])
    assert project_parameters(values, distribution, "normalize", 0.0).tolist() == [
        0.25, 0.75, 1 / 3, 1 / 3, 1 / 3,
    ]  # fmt: skip
    assert project_parameters(values, distribution, "simplex", 0.0)[:2].tolist() == [0.0, 1.0]
    assert normalized(np.array([2.0, 2.0])).tolist() == [0.5, 0.5]


def test_integral_parses_are_projected_to_themselves():
    program = build_program(3, CORPUS.distinct, CORPUS.counts)
    random = np.random.default_rng(0)
    for _ in range(10):
        heads = [trees(len(s))[random.integers(len(trees(len(s))))] for s in CORPUS]
        x = program.point(np.full(program.layout.count, 0.5), heads)
        assert best_trees(program, x).tolist() == [head for tree in heads for head in tree]


def weights_of(seed):
    return Features.from_flat(-np.random.default_rng(seed).exponential(size=Layout(3).count))


def best_allowed(weights):
    """The best score of parses that meet the rule, by listing them all."""
    kinds, least = RULE.kinds(CORPUS.tags).flat, RULE.least(CORPUS)
    return max(
        float(counts @ weights.flat)
        for _, counts in corpora(Layout(3), list(CORPUS))
        if counts @ kinds >= least - 1e-9
    )


@pytest.mark.parametrize("seed", range(8))
def test_parses_at_a_price_meet_the_constraint_and_are_no_better_than_the_best(seed):
    weights = weights_of(seed)
    parses = priced_viterbi(CORPUS, weights, RULE)
    assert meets(RULE, CORPUS, parses.counts)
    assert parses.score == pytest.approx(float(parses.counts.flat @ weights.flat))
    assert parses.score <= best_allowed(weights) + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_the_relaxed_parser_meets_the_constraint_or_rejects(seed):
    weights = weights_of(seed)
    parses = RelaxedParser(CORPUS, RULE).parse(weights)
    if parses is not None:
        assert meets(RULE, CORPUS, parses.counts)
        assert parses.score <= best_allowed(weights) + 1e-9


def test_the_relaxed_parser_finds_the_best_parses_where_the_constraint_is_idle():
    idle = EdgeConstraint([("ROOT", tag) for tag in "NVA"], share=0.0)
    for seed in range(5):
        weights = weights_of(seed)
        parses = RelaxedParser(CORPUS, idle).parse(weights)
        assert parses.score <= viterbi(CORPUS, weights).score + 1e-9
        assert meets(idle, CORPUS, parses.counts)


def test_what_cannot_be_met_is_rejected():
    never = EdgeConstraint([("ROOT", "N")], share=0.9)
    grammar = Grammar.uniform(CORPUS.tags)
    assert priced_viterbi(CORPUS, grammar, never) is None
    assert RelaxedParser(CORPUS, never).parse(grammar) is None


def test_counts_of_the_package_are_counts_of_the_tests():
    heads = [trees(len(s))[-1] for s in CORPUS]
    flat = [head for tree in heads for head in tree]
    expected = sum(count(Layout(3), s, tree) for s, tree in zip(CORPUS, heads, strict=True))
    assert np.array_equal(CORPUS.count(flat).flat, expected)


def test_local_search_with_the_relaxed_parser_climbs_and_meets_the_constraint():
    found = relaxed_viterbi_em(CORPUS, RULE, restarts=3, seed=1)
    assert meets(RULE, CORPUS, found.counts)
    values = [moment.objective for moment in found.trace]
    assert values == sorted(values) and values[-1] == found.objective
    assert found.objective == pytest.approx(CORPUS.log_likelihood(found.heads))
    kinds, least = RULE.kinds(CORPUS.tags).flat, RULE.least(CORPUS)
    best = max(
        CORPUS.log_likelihood([head for tree in heads for head in tree])
        for heads, counts in corpora(Layout(3), list(CORPUS))
        if counts @ kinds >= least - 1e-9
    )
    assert found.objective <= best + 1e-9


def test_local_search_without_an_answer_says_so():
    never = EdgeConstraint([("ROOT", "N")], share=0.9)
    found = relaxed_viterbi_em(CORPUS, never)
    assert found.status is Status.UNKNOWN and found.grammar is None
