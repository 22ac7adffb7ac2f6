"""Parses under posterior constraints, against listing them all."""

import numpy as np
import pytest
from tests.induce.reference import parses as all_parses
from tests.induce.reference import random_tree
from tests.papers.relaxations.points import point_of

from treaty.induce import Corpus, EdgeConstraint, Features, Grammar, viterbi
from treaty.induce._features import Layout
from treaty.papers.relaxations import RelaxedParser, relaxed_viterbi_em
from treaty.papers.relaxations._posterior import best_trees, priced_viterbi
from treaty.papers.relaxations._program import build_program
from treaty.solve import Status
from treaty.solve._highs import run

CORPUS = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N", "A"]])
RULE = EdgeConstraint([("ROOT", "N"), ("N", "A"), ("N", "V")], share=0.8)


def test_integral_parses_are_projected_to_themselves():
    program = build_program(3, CORPUS.distinct, CORPUS.counts)
    random = np.random.default_rng(0)
    for _ in range(10):
        heads = [random_tree(len(s), random) for s in CORPUS]
        x = point_of(program, np.full(program.layout.size, 0.5), heads)
        assert best_trees(program, x).tolist() == [head for tree in heads for head in tree]


def weights_of(seed):
    return Features.from_flat(-np.random.default_rng(seed).exponential(size=Layout(3).size))


def best_allowed(weights):
    """The best score of parses that meet the rule, by listing them all."""
    kinds, least = RULE.kinds(CORPUS.tags).flat, RULE.least(CORPUS)
    return max(
        float(counts @ weights.flat)
        for _, counts in all_parses(3, list(CORPUS))
        if counts @ kinds >= least - 1e-9
    )


@pytest.mark.parametrize("seed", range(8))
def test_parses_at_a_price_meet_the_constraint_and_are_no_better_than_the_best(seed):
    weights = weights_of(seed)
    parses = priced_viterbi(CORPUS, weights, RULE)
    assert RULE.allows(parses.counts, CORPUS)
    assert parses.score == pytest.approx(float(parses.counts.flat @ weights.flat))
    assert parses.score <= best_allowed(weights) + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_the_relaxed_parser_meets_the_constraint_or_rejects(seed):
    weights = weights_of(seed)
    parses = RelaxedParser(CORPUS, RULE).parse(weights)
    if parses is not None:
        assert RULE.allows(parses.counts, CORPUS)
        assert parses.score <= best_allowed(weights) + 1e-9


def test_the_relaxed_parser_finds_the_best_parses_where_the_constraint_is_idle():
    idle = EdgeConstraint([("ROOT", tag) for tag in "NVA"], share=0.0)
    for seed in range(5):
        weights = weights_of(seed)
        parses = RelaxedParser(CORPUS, idle).parse(weights)
        assert parses.score <= viterbi(CORPUS, weights).score + 1e-9
        assert idle.allows(parses.counts, CORPUS)


def test_a_parser_that_goes_on_from_other_weights_finds_the_same_optimum():
    parser, least = RelaxedParser(CORPUS, RULE), 0.85 * len(CORPUS.tokens)
    for seed in range(12):
        weights = weights_of(seed)
        if seed % 4 == 3:  # some counts are impossible
            rules = weights.flat.copy()
            rules[seed :: len(rules) // 5] = -np.inf
            weights = Features.from_flat(rules)
        if seed % 5 == 4:
            parser.rewind()
        program = parser._relaxation(weights, least)
        found, fresh = parser._solve(program), run(program)
        assert found.end is fresh.end
        assert found.value == pytest.approx(fresh.value)


def test_starts_with_a_parser_that_was_used_are_those_with_a_new_one():
    parser = RelaxedParser(CORPUS, RULE)
    for seed in (3, 1, 2, 1):
        used = relaxed_viterbi_em(CORPUS, RULE, seed=seed, parser=parser)
        assert used.heads.tolist() == relaxed_viterbi_em(CORPUS, RULE, seed=seed).heads.tolist()


def test_what_cannot_be_met_is_rejected():
    never = EdgeConstraint([("ROOT", "N")], share=0.9)
    grammar = Grammar.uniform(CORPUS.tags)
    assert priced_viterbi(CORPUS, grammar, never) is None
    assert RelaxedParser(CORPUS, never).parse(grammar) is None


def test_local_search_with_the_relaxed_parser_climbs_and_meets_the_constraint():
    found = relaxed_viterbi_em(CORPUS, RULE, restarts=3, seed=1)
    assert RULE.allows(found.counts, CORPUS)
    values = [moment.objective for moment in found.trace]
    assert values == sorted(values) and values[-1] == found.objective
    assert found.objective == pytest.approx(CORPUS.log_likelihood(found.heads))
    kinds, least = RULE.kinds(CORPUS.tags).flat, RULE.least(CORPUS)
    best = max(
        CORPUS.log_likelihood([head for tree in heads for head in tree])
        for heads, counts in all_parses(3, list(CORPUS))
        if counts @ kinds >= least - 1e-9
    )
    assert found.objective <= best + 1e-9


def test_local_search_without_an_answer_says_so():
    never = EdgeConstraint([("ROOT", "N")], share=0.9)
    found = relaxed_viterbi_em(CORPUS, never)
    assert found.status is Status.UNKNOWN and found.grammar is None
