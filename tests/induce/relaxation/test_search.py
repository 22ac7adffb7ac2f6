import itertools
import math

import numpy as np
import pytest
from tests.induce.relaxation.tiny import optimum

from treaty import induce
from treaty.errors import ModelError, UsageError
from treaty.induce import Corpus, EdgeConstraint, Grammar
from treaty.induce.relaxation import Limits, branch_and_bound, estimate_tree, prepare
from treaty.induce.relaxation._layout import Layout
from treaty.solve import Status

CORPORA = [
    [["N", "N", "N"], ["N", "N"]],
    [["N", "V"], ["V"], ["N", "V"]],
    [["N", "V"], ["V", "N"]],
]
RULE = EdgeConstraint([("ROOT", "N"), ("N", "V")], share=0.5)


def best_of(corpus, is_allowed=lambda counts: True):
    return optimum(Layout(len(corpus.tags)), list(corpus), is_allowed)


@pytest.mark.parametrize("relaxation", ["mccormick", "rlt-obj", "rlt-max-200"])
@pytest.mark.parametrize("number", range(len(CORPORA)))
def test_the_optimum_is_found_and_proved(relaxation, number):
    corpus = Corpus.from_tags(CORPORA[number])
    best = best_of(corpus)
    seen = []
    found = branch_and_bound(corpus, relaxation=relaxation, epsilon=0.05, progress=seen.append)
    assert found.status is Status.OPTIMAL
    assert best <= found.bound
    assert best - 0.05 * abs(best) - 1e-9 <= found.objective <= best + 1e-9
    assert found.objective == pytest.approx(corpus.log_likelihood(found.heads))
    assert all(stage.bound >= best - 1e-9 for stage in seen)
    bounds = [moment.bound for moment in found.trace]
    assert all(later <= earlier + 1e-9 for earlier, later in itertools.pairwise(bounds))


@pytest.mark.parametrize("seed", range(6))
def test_bounds_are_never_below_the_optimum_that_chords_prove(seed):
    grammar = Grammar.random(["A", "N", "V"], seed)
    corpus = Corpus.sample(grammar, 5, seed=seed, max_length=5)
    best = induce.branch_and_bound(corpus, epsilon=1e-6).objective
    found = branch_and_bound(corpus, node_limit=60, relaxation=("mccormick", "rlt-obj")[seed % 2])
    assert found.objective <= best + 1e-6
    assert all(moment.bound >= best - 1e-6 for moment in found.trace)
    if found.status is Status.OPTIMAL:
        assert found.objective >= best - 0.01 * abs(best) - 1e-6


def test_the_search_finds_an_answer_of_its_own():
    corpus = Corpus.from_tags(CORPORA[0])
    found = branch_and_bound(corpus, restarts=0, projection="simplex", before_projection=0.01)
    assert found.objective == pytest.approx(best_of(corpus))


@pytest.mark.parametrize("tags", [[["N", "V"], ["V"], ["N", "V"]], [["V", "N"], ["V", "N"]]])
def test_constraints_hold_and_the_bound_is_above_the_best_that_meets_them(tags):
    corpus = Corpus.from_tags(tags)
    kinds = RULE.kinds(corpus.tags).flat
    best = best_of(corpus, lambda counts: counts @ kinds >= RULE.least(corpus) - 1e-9)
    assert best <= best_of(corpus)
    found = branch_and_bound(corpus, constraint=RULE)
    assert found.status is Status.OPTIMAL
    assert found.bound >= best >= found.objective - 1e-9
    assert found.counts.flat @ kinds >= RULE.least(corpus) - 1e-9


@pytest.mark.parametrize("number", [0, 1])
def test_smoothing_is_part_of_the_objective(number):
    corpus = Corpus.from_tags(CORPORA[number])
    found = branch_and_bound(corpus, smoothing=0.5, epsilon=0.05)
    best = induce.branch_and_bound(corpus, smoothing=0.5, epsilon=1e-6)
    assert found.status is Status.OPTIMAL
    assert found.objective == pytest.approx(found.counts.log_likelihood(0.5))
    assert best.objective - 0.05 * abs(best.objective) <= found.objective <= best.bound + 1e-6
    assert found.bound >= best.objective - 1e-6


def test_what_nothing_can_meet_is_infeasible():
    corpus = Corpus.from_tags([["N", "V"], ["V"]])
    never = EdgeConstraint([("ROOT", "N")], share=0.9)
    found = branch_and_bound(corpus, constraint=never)
    assert found.status is Status.INFEASIBLE
    assert found.bound == -math.inf and found.grammar is None


def test_limits_stop_the_search_with_a_true_bound():
    corpus = Corpus.from_tags([["A", "N", "V", "N"], ["N", "V", "A", "N"], ["V", "N", "A"]])
    found = branch_and_bound(corpus, node_limit=30)
    assert found.status is Status.FEASIBLE and found.nodes <= 32
    assert found.bound >= best_of(corpus) >= found.objective - 1e-9
    assert branch_and_bound(corpus, time_limit=0.0).bound >= best_of(corpus)


def test_little_memory_makes_the_search_go_deep_and_changes_no_answer():
    corpus = Corpus.from_tags(CORPORA[1])
    roomy, tight = (branch_and_bound(corpus, epsilon=0.02, memory=limit) for limit in (None, 5_000))
    assert tight.status is Status.OPTIMAL
    assert tight.objective == pytest.approx(roomy.objective)


def test_several_threads_find_the_same():
    corpus = Corpus.from_tags(CORPORA[1])
    one, two, four = (branch_and_bound(corpus, epsilon=0.02, threads=n) for n in (1, 2, 4))
    assert one.nodes == two.nodes and one.bound == two.bound
    assert four.objective == pytest.approx(one.objective)


def test_a_resumed_search_ends_like_an_unbroken_one(tmp_path):
    corpus = Corpus.from_tags(CORPORA[1])
    unbroken = branch_and_bound(corpus, epsilon=0.02)
    first = branch_and_bound(corpus, epsilon=0.02, node_limit=5, checkpoint=tmp_path)
    bounds = [first.bound]
    found, limit = first, 5
    while found.status is not Status.OPTIMAL:
        limit += 20
        found = branch_and_bound(corpus, epsilon=0.02, node_limit=limit, resume=tmp_path)
        assert found.bound <= bounds[-1]
        assert found.seconds >= first.seconds
        bounds.append(found.bound)
    assert found.nodes == unbroken.nodes
    assert found.bound == unbroken.bound
    assert np.array_equal(found.heads, unbroken.heads)
    assert [m.bound for m in found.trace if m.bound][:5] == [m.bound for m in unbroken.trace][:5]


def test_a_search_for_another_problem_is_not_resumed(tmp_path):
    branch_and_bound(Corpus.from_tags(CORPORA[0]), node_limit=3, checkpoint=tmp_path)
    with pytest.raises(UsageError, match="other tags"):
        branch_and_bound(Corpus.from_tags([["N", "V"]]), resume=tmp_path)
    with pytest.raises(UsageError, match="other relaxation"):
        branch_and_bound(Corpus.from_tags(CORPORA[0]), resume=tmp_path, relaxation="rlt-obj")
    with pytest.raises(UsageError, match="there is a search already"):
        branch_and_bound(Corpus.from_tags(CORPORA[0]), checkpoint=tmp_path)
    (tmp_path / "relaxation.treaty").write_bytes(b"damaged")
    with pytest.raises(ModelError):
        branch_and_bound(Corpus.from_tags(CORPORA[0]), resume=tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        {"epsilon": -0.1},
        {"smoothing": -1.0},
        {"threads": 0},
        {"restarts": -1},
        {"projection": "best"},
    ],
)
def test_nonsense_is_refused(options):
    with pytest.raises(UsageError):
        branch_and_bound(Corpus.from_tags(CORPORA[0]), **options)


def test_estimates_of_the_tree_are_near_its_size_on_average():
    corpus = Corpus.from_tags(CORPORA[1])
    options = {"limits": Limits(epsilon=0.02), "restarts": 20}
    search = prepare(corpus, **options)
    search.start()
    search.run()
    estimate = estimate_tree(prepare(corpus, **options), 400, seed=1)
    assert estimate.samples == 400
    error = 4 * estimate.nodes_deviation / math.sqrt(estimate.samples)
    assert abs(estimate.nodes - search.nodes) <= error
    assert estimate.bounded <= search.nodes
    assert estimate.seconds > 0
