"""Branch and bound finds the optimum, and its bounds hold."""

import math
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import all_counts, best_likelihood, likelihoods, random_corpus

from treaty import _threads
from treaty._threads import Clock
from treaty.errors import LimitError, UsageError
from treaty.induce import (
    Corpus,
    EdgeConstraint,
    Grammar,
    _branch_and_bound,
    branch_and_bound,
    viterbi_em,
)
from treaty.induce._branch_and_bound import start_search
from treaty.induce._constraints import native_form
from treaty.induce._search import Settings
from treaty.papers.relaxations import _search, _simplex
from treaty.progress import Progress
from treaty.solve import Status


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 1.0]), st.integers(1, 3))
def test_optimum_against_enumeration(seed: int, smoothing: float, n_tags: int) -> None:
    rng = np.random.default_rng(seed)
    corpus = random_corpus(seed, rng.integers(1, 5, size=3).tolist(), n_tags)
    found = branch_and_bound(corpus, relative_gap=0.0, smoothing=smoothing, restarts=seed % 3)
    assert found.status is Status.OPTIMAL
    assert found.objective == pytest.approx(best_likelihood(corpus, smoothing), abs=1e-7)
    assert found.bound >= found.objective
    assert found.objective == corpus.log_likelihood(found.heads, smoothing)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.floats(0.2, 0.9))
def test_constrained_optimum_against_enumeration(seed: int, share: float) -> None:
    corpus = random_corpus(seed, [3, 4, 2])
    rule = EdgeConstraint([("N", "A"), ("ROOT", "A"), ("A", "V"), ("N", "V")], share=share)
    others, most = native_form(rule, corpus)
    parses = all_counts(corpus)
    allowed = parses[parses @ others <= most + 1e-9]
    found = branch_and_bound(corpus, relative_gap=0.01, constraint=rule, iterations=3000)
    if not len(allowed):
        assert found.status is Status.INFEASIBLE
        assert found.grammar is None
        return
    best = likelihoods(allowed).max()
    assert found.bound >= best - 1e-9
    if found.status is not Status.UNKNOWN:
        assert rule.met(found.counts, corpus.tags) >= share - 1e-9
        assert found.objective <= best + 1e-9
    if found.status is Status.OPTIMAL:
        assert found.objective >= best - 0.01 * abs(best) - 1e-9


@pytest.mark.parametrize("sentences", [5, 8])
def test_synthetic_corpora_are_solved(sentences: int) -> None:
    for seed in range(20):
        corpus = Corpus.sample(Grammar.example(), sentences, seed=seed, max_length=8)
        found = branch_and_bound(corpus, relative_gap=0.01, seed=seed)
        assert found.status is Status.OPTIMAL
        assert found.relative_gap <= 0.01
        local = viterbi_em(corpus, restarts=50, seed=seed)
        assert local.objective <= found.bound + 1e-9


def test_bounds_only_fall_and_never_below_what_is_known() -> None:
    corpus = random_corpus(11, [5, 6, 5, 4, 6, 5, 3])
    found = branch_and_bound(corpus, relative_gap=0.001, iterations=3000)
    bounds = [moment.bound for moment in found.trace]
    objectives = [moment.objective for moment in found.trace]
    assert bounds == sorted(bounds, reverse=True)
    assert objectives == sorted(objectives)
    assert all(b >= o for b, o in zip(bounds, objectives, strict=True))
    better = viterbi_em(corpus, restarts=500, seed=3)
    assert better.objective <= bounds[-1]


def test_time_is_a_limit() -> None:
    found = branch_and_bound(random_corpus(9, [8] * 12), time_limit=0.2)
    assert found.status is Status.FEASIBLE
    assert found.seconds >= 0.2


RELAXATIONS = ("chords", "mccormick")
LARGE = random_corpus(9, [5] * 8)


@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_nodes_are_a_limit(relaxation: str) -> None:
    found = branch_and_bound(LARGE, relaxation=relaxation, relative_gap=1e-6, iterations=20)
    assert found.status is Status.FEASIBLE
    assert 20 <= found.iterations < 20 + 64  # what was begun is brought to its end
    assert math.isfinite(found.relative_gap)
    assert found.open_nodes > 0


def test_without_time_linear_programs_have_no_answer_and_no_false_bound() -> None:
    found = branch_and_bound(LARGE, relaxation="mccormick", time_limit=0.0)
    assert found.status is Status.UNKNOWN and found.grammar is None
    assert found.bound >= viterbi_em(LARGE, restarts=50).objective


@pytest.mark.parametrize("share", [None, 0.1])
def test_chords_have_an_answer_before_their_first_restart(share: float | None, tmp_path) -> None:
    kinds = [("ROOT", tag) for tag in LARGE.tags[:1]] + [(LARGE.tags[0], LARGE.tags[1])]
    rule = None if share is None else EdgeConstraint(kinds, share)
    found = branch_and_bound(LARGE, constraint=rule, time_limit=0.0, checkpoint=tmp_path)
    assert found.status is Status.FEASIBLE and found.iterations == 0
    assert found.objective == pytest.approx(LARGE.log_likelihood(found.heads))
    assert rule is None or rule.allows(LARGE.count(found.heads), LARGE)
    assert found.bound >= viterbi_em(LARGE, restarts=50).objective
    again = branch_and_bound(LARGE, constraint=rule, time_limit=0.0, resume=tmp_path)
    assert again.objective == found.objective


@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_interrupting_gives_what_there_is(relaxation: str) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    found = branch_and_bound(LARGE, relaxation=relaxation, relative_gap=1e-6, progress=interrupt)
    assert found.status is Status.FEASIBLE
    assert found.grammar is not None
    best = branch_and_bound(LARGE, iterations=1000)
    assert found.bound >= best.objective - 1e-9


@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_progress_is_reported_and_may_stop_the_search(relaxation: str) -> None:
    seen: list[Progress] = []

    def listen(progress: Progress) -> bool:
        seen.append(progress)
        return len(seen) < 3

    options = {"relaxation": relaxation, "relative_gap": 1e-6, "iterations": 10**9}
    found = branch_and_bound(LARGE, progress=listen, **options)
    assert len(seen) == 3
    assert found.status is Status.FEASIBLE
    last = seen[-1]
    assert (last.stage, last.done, last.total) == (relaxation, found.iterations, 10**9)
    assert last.scores["objective"] == pytest.approx(found.objective)
    assert last.scores["bound"] == found.bound
    assert last.scores["relative_gap"] == pytest.approx(found.relative_gap)
    assert last.scores["open_nodes"] == found.open_nodes > 0
    assert last.scores["memory"] > 0
    assert 0.0 < seen[0].seconds <= seen[1].seconds <= last.seconds


@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_what_nothing_can_meet_is_infeasible(relaxation: str) -> None:
    corpus = Corpus.from_tags([["N", "V"], ["V"]])
    never = EdgeConstraint([("ROOT", "N")], share=0.9)
    found = branch_and_bound(corpus, relaxation=relaxation, constraint=never)
    assert found.status is Status.INFEASIBLE
    assert found.bound == -math.inf and found.grammar is None


@pytest.mark.parametrize("relaxation", RELAXATIONS)
@pytest.mark.parametrize(
    "bad",
    [
        {"relative_gap": -1.0},
        {"smoothing": -1.0},
        {"restarts": -1},
        {"memory": -1},
        {"seed": -1},
        {"threads": 0},
        {"checkpoint": "a", "resume": "b"},
    ],
)
def test_bad_arguments(relaxation: str, bad: dict) -> None:
    with pytest.raises(UsageError):
        branch_and_bound(LARGE, relaxation=relaxation, **bad)


def test_unknown_relaxations_are_refused() -> None:
    with pytest.raises(UsageError, match="chords, mccormick"):
        branch_and_bound(LARGE, relaxation="magic")


def test_ctrl_c_does_not_wait_for_large_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are set up in a thread of their own, which is left alone."""
    threads = []
    for module, name in ((_search, "RelaxationSearch"), (_simplex, "_open")):
        real = getattr(module, name)

        def told(*given: Any, real: Any = real, **options: Any) -> Any:
            threads.append(threading.current_thread())
            return real(*given, **options)

        monkeypatch.setattr(module, name, told)
    monkeypatch.setattr(_simplex, "LARGE", 0)
    found = branch_and_bound(Corpus.from_tags([["N", "V"]]), relaxation="mccormick", restarts=1)
    assert found.status is Status.OPTIMAL
    assert len(threads) > 1 and threading.main_thread() not in threads


@pytest.mark.parametrize("relaxation", ["chords", "mccormick"])
def test_a_search_that_cannot_be_set_up_in_time_has_an_answer(relaxation, tmp_path, monkeypatch):
    def late(*_):
        raise LimitError("the time limit was reached")

    monkeypatch.setattr(_branch_and_bound, "ChordSearch", late)
    monkeypatch.setattr(_search, "RelaxationSearch", late)
    corpus = random_corpus(3, [4, 1, 3])
    found = branch_and_bound(corpus, relaxation=relaxation, time_limit=0.0)
    assert found.status is Status.FEASIBLE
    assert found.objective == corpus.log_likelihood(found.heads)
    assert best_likelihood(corpus, 0.0) <= found.bound
    with pytest.raises(LimitError):
        branch_and_bound(corpus, relaxation=relaxation, time_limit=0.0, checkpoint=tmp_path / "s")


def test_rounds_that_the_limit_breaks_off_are_as_if_they_had_not_begun(monkeypatch):
    corpus, settings = random_corpus(9, [8] * 12), Settings(relative_gap=1e-6, restarts=3)
    search, broken = start_search(corpus, settings), 0
    for _ in range(12):
        monkeypatch.setattr(_threads, "GRACE", -1e9)
        try:
            with Clock(0.0):
                search.advance(60.0, math.inf, 10**6, 1)
        except LimitError:
            broken += 1
        monkeypatch.undo()
        search.advance(0.1, math.inf, 100, 1)
    assert broken
    twin = start_search(corpus, settings)
    twin.advance(math.inf, math.inf, search.nodes, 1)
    assert (twin.nodes, twin.bound, twin.objective) == (
        search.nodes, search.bound, search.objective
    )  # fmt: skip
