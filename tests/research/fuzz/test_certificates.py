"""A short run of the certificates of all kinds of graphs, and that the judge sees every lie."""

from __future__ import annotations

import json
import math
import random
import time
import warnings
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from research.fuzz import certificates
from research.fuzz._recipes import ARGUMENTS, built, snippet
from research.fuzz._run import Finding, Harness, fuzz, judged
from research.fuzz._truth import UNIT, Truth, exact
from treaty import FactorGraph, Progress
from treaty._native.graph import Kind
from treaty.solve import METHODS, LogPartition, MaxMarginals, Status, Trace, check
from treaty.solve import _solve as solving

HARNESS = certificates.HARNESSES[0]
GRAPH = {
    "variables": [1.0, 1.5, 0.25, [0.5, -0.5]],
    "factors": [["at_most_one", [0, 2]], ["reward", [0, 4], 0.125]],
}


def recipes(count: int, seed: int = 1):
    dice = random.Random(seed)
    return [certificates.recipe(dice) for _ in range(count)]


def test_recipes_have_all_kinds_scales_methods_and_steps():
    """A generator that forgets something finds nothing there."""
    kinds, steps, methods, sizes = Counter(), Counter(), Counter(), []
    for recipe in recipes(1500):
        kinds.update(factor[0] for factor in recipe["factors"])
        steps.update(step[0] for step in recipe["steps"])
        methods.update(step[1] for step in recipe["steps"] if step[0] == "solve")
        for scores in recipe["variables"]:
            sizes += scores if isinstance(scores, list) else [scores]
    assert kinds.keys() == ARGUMENTS.keys()
    assert methods.keys() == set(METHODS)
    assert steps.keys() == {
        "solve", "score", "scale", "add", "fix", "state", "free", "pickle", "copy", "file", "many",
        "k_best", "max_marginals", "marginals", "faulty",
    }  # fmt: skip
    scores = {abs(size) for size in sizes if size}
    assert min(scores) == 5e-324
    assert max(scores) == 1e100
    assert any(not recipe["variables"] for recipe in recipes(100))


def test_recipes_are_json_and_python():
    for recipe in recipes(100):
        assert json.loads(json.dumps(recipe)) == recipe
        compile(snippet(recipe), "snippet", "exec")


def test_a_graph_of_a_recipe_has_its_factors():
    """`UsageError` leaves a factor out; that must stay rare, or nothing is tested."""
    wanted, kinds = 0, Counter[str]()
    for recipe in recipes(300):
        wanted += len(recipe["factors"])
        kinds.update(factor.kind for factor in built(recipe).factors)
    assert sum(kinds.values()) > 0.85 * wanted
    assert kinds.keys() == {kind.name for kind in Kind}


# The truth


def test_the_truth_is_that_of_the_checker_and_of_fractions():
    """The twin: the checker says what is allowed, and scores in doubles."""
    for recipe in recipes(150, seed=3):
        graph = built(recipe)
        if len(graph) > 8:
            continue
        truth = Truth(graph)
        allowed = set()
        for number in range(2 ** len(graph)):
            values = np.array([number >> v & 1 for v in range(len(graph))], np.int8)
            found = check(graph, values)
            if found.feasible:
                allowed.add(values.tobytes())
                score = truth.scored[values.tobytes()]
                assert abs(score - exact(found.objective)) <= truth.rounding
        assert truth.scored.keys() == allowed


@pytest.mark.parametrize("number", [0.0, 5e-324, -1e100, 0.1, 3.5, -1e-300])
def test_doubles_are_whole_numbers_of_units(number):
    assert Fraction(exact(number), UNIT) == Fraction(number)


def test_sums_that_cancel_are_exact():
    graph = FactorGraph()
    graph.variables([1e100, 5e-324, -1e100])
    assert Truth(graph).scored[b"\1\1\1"] == 1
    assert Truth(graph).best == exact(1e100) + 1


# Lies


def run(*steps, **graph):
    certificates.run(json.dumps({**GRAPH, **graph, "steps": steps}).encode())


def finding(*steps, **graph) -> str:
    with pytest.raises(Finding) as raised:
        run(*steps, **graph)
    return raised.value.what


@pytest.fixture
def lying(monkeypatch):
    """Let all solvers change what they answer."""
    right = solving._answer

    def lie(change):
        monkeypatch.setattr(solving, "_answer", lambda *given: change(right(*given)))

    return lie


def stated(**changes):
    """Change the certificate of a solution."""
    return lambda s: replace(
        s, certificate=replace(s.certificate, **{k: v(s) for k, v in changes.items()})
    )


LIES = {
    "the bound is below the optimum": stated(bound=lambda s: s.bound - 1e-9),
    "nan": stated(bound=lambda s: math.nan),
    "INFEASIBLE is false": stated(status=lambda s: Status.INFEASIBLE),
    "OPTIMAL with a gap": stated(bound=lambda s: s.bound + 1e-3),
    "FEASIBLE without a limit": stated(status=lambda s: Status.FEASIBLE),
    "UNKNOWN with an answer": stated(status=lambda s: Status.UNKNOWN),
    "OPTIMAL without an answer": stated(objective=lambda s: -math.inf),
    "the objective is not the score of the assignment": stated(
        objective=lambda s: s.objective + 1e-9
    ),
    "the assignment is not allowed": lambda s: replace(s, values=np.ones_like(s.values)),
    "OPTIMAL is false": lambda s: replace(
        stated(objective=lambda s: 0.5)(s), values=np.array([0, 0, 0, 1, 0], np.int8)
    ),
    "a relaxed value is not in [0, 1]": lambda s: replace(s, relaxed=np.full(5, 1.5)),
    "a bound of the trace is below the optimum": lambda s: replace(
        s, trace=Trace(*(np.array([x]) for x in (1, 0.0, -math.inf, 2.0, 0.0, 0.0)))
    ),
    "an objective of the trace is above the optimum": lambda s: replace(
        s, trace=Trace(*(np.array([x]) for x in (1, 0.0, 3.0, 3.0, 0.0, 0.0)))
    ),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_every_lie_about_an_answer_is_seen(lying, lie):
    lying(LIES[lie])
    assert finding(["solve", "exact", {}]) == f"exact: {lie}"


@pytest.mark.parametrize("step", [["many", "exact", {}, 2], ["k_best", 2, "exact", {}, 1, None]])
def test_lies_are_seen_in_many_answers(lying, step):
    lying(LIES["the bound is below the optimum"])
    assert finding(step).endswith("the bound is below the optimum")


def test_an_answer_to_an_infeasible_graph_is_seen(lying):
    lying(stated(status=lambda s: Status.OPTIMAL, objective=lambda s: 0.0, bound=lambda s: 0.0))
    given = {"factors": [["exactly", 3, [0, 2]]]}
    assert finding(["solve", "ad3", {}], **given) == "ad3: the assignment is not allowed"


def test_the_truth_passes():
    for method in ("ad3", "exact", "lp", "ilp", "subgradient", "exhaustive"):
        run(["solve", method, {}], ["many", method, {}, 1], ["max_marginals", method, {}])
    run(["k_best", 9, "exact", {}, 2, [0, 3]], ["marginals", 4], ["file", "fg"], ["file", "uai"])


def test_lies_of_progress_are_seen(monkeypatch):
    def tells(graph, method, progress, **_options):
        return progress(Progress("ad3", 10, None, {"bound": 1.0}))

    monkeypatch.setattr(FactorGraph, "solve", tells)
    what = finding(["solve", "ad3", {"progress": 5, "progress_every": 1}])
    assert what == "ad3: a bound of progress is below the optimum"


CHANGED = {
    "k_best exact: there are more": ("k_best", lambda found: found[:-1]),
    "k_best exact: the bound is below the optimum": ("k_best", lambda found: found[1:]),
    "k_best exact: the assignment is not allowed": ("k_best", lambda found: found[:1] * 2),
    "max_marginals exact: the bound is below the optimum": (
        "max_marginals",
        lambda found: [MaxMarginals(one.objective, one.bound - 1e-9) for one in found],
    ),
    "max_marginals exact: an objective above the best": (
        "max_marginals",
        lambda found: [MaxMarginals(one.objective + 1e-9, one.bound + 1e-9) for one in found],
    ),
    "log_partition: the sum is wrong": (
        "log_partition",
        lambda found: LogPartition(found.value + 1e-9, found.is_exact),
    ),
    "log_partition: the bound is below the sum": (
        "log_partition",
        lambda found: found if found.is_exact else LogPartition(found.value - 9.0, False),
    ),
    "marginals: a share is wrong": ("marginals", lambda found: [0.99 * one for one in found]),
}


@pytest.mark.parametrize("lie", CHANGED)
def test_lies_of_other_questions_are_seen(monkeypatch, lie):
    name, change = CHANGED[lie]
    right = getattr(certificates, name)
    monkeypatch.setattr(certificates, name, lambda *a, **o: change(right(*a, **o)))
    step = {
        "k_best": ["k_best", 9, "exact", {}, 1, None],
        "max_marginals": ["max_marginals", "exact", {}],
    }.get(name, ["marginals", 2])
    assert finding(step) == lie


@pytest.mark.parametrize("form", ["fg", "uai"])
def test_other_graphs_of_files_are_seen(monkeypatch, form):
    def other(*_given):
        return built({**GRAPH, "factors": []})

    monkeypatch.setattr(certificates, "read_graph", other)
    assert finding(["file", form]) == f".{form}: other assignments are allowed"


def test_errors_and_warnings_of_solvers_are_findings(monkeypatch):
    def fails(*_given):
        raise KeyError("lost")

    data = json.dumps({**GRAPH, "steps": [["solve", "ad3", {}]]}).encode()
    monkeypatch.setattr(solving, "_answer", fails)
    assert str(judged(HARNESS, data)[1]).startswith("KeyError at test_certificates.py")

    monkeypatch.setattr(solving, "_answer", lambda *_: warnings.warn("beware", stacklevel=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(judged(HARNESS, data)[1]).startswith("UserWarning at test_certificates.py")


@pytest.mark.parametrize("method", ["ad3", "exact"])
def test_refusals_are_findings(monkeypatch, method):
    """HiGHS may fail within `lp` and `ilp`, and methods for patterns refuse other graphs."""

    def fails(*_given):
        raise certificates.SolverError("HiGHS failed")

    monkeypatch.setattr(solving, "_answer", fails)
    run(["solve", "lp", {}])
    with pytest.raises(certificates.SolverError):
        run(["solve", method, {}])


def test_a_hang_is_ended_and_says_where_it_is(monkeypatch):
    """The worker never looks: the process is killed from outside."""

    def hangs(*_given):
        while True:
            time.sleep(60.0)

    monkeypatch.setattr(solving, "_answer", hangs)
    harness = Harness("x", lambda: [b""], certificates.run, mutate=lambda *_: json.dumps(
        {**GRAPH, "steps": [["solve", "ad3", {}]]}
    ).encode())  # fmt: skip
    report = fuzz(harness, inputs=1, watchdog=0.05)
    (what,) = report.found
    assert what.startswith("hang at test_certificates.py:")
    assert "in _solve" in report.texts[what]
    assert json.loads(report.cases[what])["steps"] == [["solve", "ad3", {}]]


# Runs


def test_a_short_run_is_the_same_twice():
    one, other = (fuzz(HARNESS, inputs=60, seed=7) for _ in range(2))
    assert (one.inputs, one.found) == (other.inputs, other.found)
    assert one.inputs == 60
