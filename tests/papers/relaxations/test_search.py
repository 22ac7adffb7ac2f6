"""The search by linear programs finds the optimum, and its bounds hold."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from tests.papers.relaxations.points import optimum

from treaty.induce import Corpus, EdgeConstraint, Grammar, Settings, branch_and_bound
from treaty.papers.relaxations import RelaxationSearch
from treaty.solve import Status

CORPORA = [
    [["N", "N", "N"], ["N", "N"]],
    [["N", "V"], ["V"], ["N", "V"]],
    [["N", "V"], ["V", "N"]],
]
RULE = EdgeConstraint([("ROOT", "N"), ("N", "V")], share=0.5)
relaxed = partial(branch_and_bound, relaxation="mccormick")


def best_of(corpus, is_allowed=lambda counts: True):
    return optimum(len(corpus.tags), list(corpus), is_allowed)


@pytest.mark.parametrize(
    "relaxation", ["mccormick", "mccormick+counts", "rlt-obj", "rlt-max-200", "rlt-obj+counts"]
)
@pytest.mark.parametrize("number", range(len(CORPORA)))
def test_the_optimum_is_found_and_proved(relaxation, number):
    corpus = Corpus.from_tags(CORPORA[number])
    best = best_of(corpus)
    seen = []
    found = branch_and_bound(corpus, relaxation=relaxation, relative_gap=0.05, progress=seen.append)
    assert found.status is Status.OPTIMAL
    assert best <= found.bound
    assert best - 0.05 * abs(best) - 1e-9 <= found.objective <= best + 1e-9
    assert found.objective == pytest.approx(corpus.log_likelihood(found.heads))
    assert all(stage.scores["bound"] >= best - 1e-9 for stage in seen)
    bounds = [moment.bound for moment in found.trace]
    assert all(later <= earlier + 1e-9 for earlier, later in itertools.pairwise(bounds))


def test_an_offer_is_taken_if_it_is_better_and_allowed():
    corpus = Corpus.from_tags([["N", "V"], ["N", "V"]])
    verbs, nouns = np.array([2, 0, 2, 0], np.int32), np.array([0, 1, 0, 1], np.int32)
    free = RelaxationSearch(corpus, Settings("mccormick", restarts=0))
    mixed = np.array([2, 0, 0, 1], np.int32)
    for heads, best in [(mixed, mixed), (nouns, nouns), (verbs, nouns), (mixed, nouns)]:
        free.offer(heads)
        assert free.heads.tolist() == best.tolist()
        assert free.objective == pytest.approx(corpus.log_likelihood(best))
    ruled = RelaxationSearch(corpus, Settings("mccormick", restarts=0, constraint=RULE))
    ruled.offer(verbs)
    assert not len(ruled.heads) and ruled.objective == -math.inf


@pytest.mark.parametrize("seed", range(6))
def test_bounds_are_never_below_the_optimum_that_chords_prove(seed):
    grammar = Grammar.random(["A", "N", "V"], seed)
    corpus = Corpus.sample(grammar, 5, seed=seed, max_length=5)
    best = branch_and_bound(corpus, relative_gap=1e-6).objective
    found = branch_and_bound(
        corpus, iterations=60, relaxation=("mccormick", "mccormick+counts")[seed % 2]
    )
    assert found.objective <= best + 1e-6
    assert all(moment.bound >= best - 1e-6 for moment in found.trace)
    if found.status is Status.OPTIMAL:
        assert found.objective >= best - 0.01 * abs(best) - 1e-6


@pytest.mark.parametrize("tags", [[["N", "V"], ["V"], ["N", "V"]], [["V", "N"], ["V", "N"]]])
def test_constraints_hold_and_the_bound_is_above_the_best_that_meets_them(tags):
    corpus = Corpus.from_tags(tags)
    kinds = RULE.kinds(corpus.tags).flat
    best = best_of(corpus, lambda counts: counts @ kinds >= RULE.least(corpus) - 1e-9)
    assert best <= best_of(corpus)
    found = relaxed(corpus, constraint=RULE)
    assert found.status is Status.OPTIMAL
    assert found.bound >= best >= found.objective - 1e-9
    assert found.counts.flat @ kinds >= RULE.least(corpus) - 1e-9


@pytest.mark.parametrize("number", [0, 1])
def test_smoothing_is_part_of_the_objective(number):
    corpus = Corpus.from_tags(CORPORA[number])
    found = relaxed(corpus, smoothing=0.5, relative_gap=0.05)
    best = branch_and_bound(corpus, smoothing=0.5, relative_gap=1e-6)
    assert found.status is Status.OPTIMAL
    assert found.objective == pytest.approx(found.counts.log_likelihood(0.5))
    assert best.objective - 0.05 * abs(best.objective) <= found.objective <= best.bound + 1e-6
    assert found.bound >= best.objective - 1e-6


def test_limits_stop_the_search_with_a_true_bound():
    corpus = Corpus.from_tags([["A", "N", "V", "N"], ["N", "V", "A", "N"], ["V", "N", "A"]])
    found = relaxed(corpus, iterations=30)
    assert found.status is Status.FEASIBLE and found.iterations <= 32
    assert found.bound >= best_of(corpus) >= found.objective - 1e-9
    assert relaxed(corpus, time_limit=0.0).bound >= best_of(corpus)


def test_little_memory_makes_the_search_go_deep_and_changes_no_answer():
    corpus = Corpus.from_tags(CORPORA[1])
    roomy, tight = (relaxed(corpus, relative_gap=0.02, memory=limit) for limit in (2**30, 5_000))
    assert tight.status is Status.OPTIMAL
    assert tight.objective == pytest.approx(roomy.objective)


def test_several_threads_find_the_same():
    corpus = Corpus.from_tags(CORPORA[1])
    one, two, four = (relaxed(corpus, relative_gap=0.02, threads=n) for n in (1, 2, 4))
    assert one.iterations == two.iterations and one.bound == two.bound
    assert four.objective == pytest.approx(one.objective)


def test_the_search_finds_an_answer_of_its_own():
    corpus = Corpus.from_tags(CORPORA[0])
    settings = Settings("mccormick", restarts=0)
    search = RelaxationSearch(corpus, settings, method="simplex", before=0.01)
    search.advance(math.inf, math.inf, 10**9, 1)
    assert search.done
    assert search.objective == pytest.approx(best_of(corpus))


def test_what_is_interrupted_is_done_again(monkeypatch):
    corpus = Corpus.from_tags(CORPORA[2])
    best, settings = best_of(corpus), Settings("mccormick", relative_gap=0.05, restarts=0)
    search, calls = RelaxationSearch(corpus, settings), itertools.count()
    project = search._project

    def interrupted(x):
        if next(calls) % 3 == 1:
            raise KeyboardInterrupt
        return project(x)

    monkeypatch.setattr(search, "_project", interrupted)
    times = 0
    while not search.done:
        try:
            search.advance(math.inf, math.inf, 10**9, 1)
        except KeyboardInterrupt:
            times += 1
        assert search.objective <= best + 1e-9 <= search.bound + 2e-9
    assert times > 10
    assert search.bound <= settings.enough(best)
