"""A short run of the harnesses of many answers, and that their judges see what is wrong."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from research.fuzz import answers
from research.fuzz._run import fuzz
from treaty import FactorGraph
from treaty.solve import LogPartition, MaxMarginals


@pytest.mark.parametrize("harness", answers.HARNESSES, ids=lambda harness: harness.name)
def test_a_short_run_finds_nothing(harness):
    report = fuzz(harness, inputs=40, seed=5)
    assert dict(report.found) == {}
    assert report.inputs == 40


@pytest.fixture
def graph() -> FactorGraph:
    graph = FactorGraph()
    tea, coffee, _ = graph.variables([1.0, 1.5, 0.25])
    graph.at_most_one(tea, coffee)
    return graph


def judged(judge, graph: FactorGraph, monkeypatch, name: str, change) -> list[bool]:
    """Tell for which dice a judge sees that the answers of a function are changed."""
    right = getattr(answers, name)
    monkeypatch.setattr(answers, name, lambda *args, **options: change(right(*args, **options)))
    seen = []
    for seed in range(12):
        try:
            judge(graph, random.Random(seed))
        except AssertionError:
            seen.append(True)
        else:
            seen.append(False)
    return seen


WRONG_LISTS = {
    "others in between": lambda found: found[::-1],
    "the same twice": lambda found: [found[0], *found[:-1]],
    "one is missing": lambda found: found[1:],
    "a low bound": lambda found: [
        replace(found[0], certificate=replace(found[0].certificate, bound=1.0)), *found[1:]
    ],
}  # fmt: skip


@pytest.mark.parametrize("change", WRONG_LISTS.values(), ids=WRONG_LISTS)
def test_wrong_answers_of_k_best_are_seen(graph, monkeypatch, change):
    assert any(judged(answers.judge_k_best, graph, monkeypatch, "k_best", change))


@pytest.mark.parametrize(
    "change",
    [
        lambda one: MaxMarginals(one.objective + 0.1, one.bound),
        lambda one: MaxMarginals(one.objective, one.bound - 0.1),
    ],
)
def test_wrong_max_marginals_are_seen(graph, monkeypatch, change):
    changed = lambda found: [*found[:-1], change(found[-1])]  # noqa: E731
    judge = answers.judge_max_marginals
    assert all(judged(judge, graph, monkeypatch, "max_marginals", changed))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("log_partition", lambda found: LogPartition(found.value - 1e-6, found.is_exact)),
        ("marginals", lambda found: [*found[:-1], np.array([0.5, 0.5])]),
        ("marginals", lambda found: [*found[:-1], 0.99 * found[-1]]),
    ],
)
def test_wrong_sums_are_seen(graph, monkeypatch, name, change):
    assert all(judged(answers.judge_marginals, graph, monkeypatch, name, change))
