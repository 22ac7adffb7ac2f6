"""Every solver passes the zoo."""

from __future__ import annotations

import math

import pytest
from tests.solve.zoo import ZOO, Case, scale_of

from treaty._native import solve as native
from treaty._native.graph import GraphError
from treaty.errors import UsageError
from treaty.solve import METHODS, Status, solve
from treaty.solve._check import check

OPTIONS = {"subgradient": {"iterations": 300}}
PROVING = ("ilp", "exact", "exhaustive", "junction")


def test_the_zoo_has_every_kind_of_factor():
    kinds = {factor.kind for case in ZOO for factor in case.build().factors}
    assert kinds == {
        *("exactly_one", "at_most_one", "at_least_one"),
        *("xor_with_output", "or_with_output", "and_with_output"),
        *("reward", "at_most", "exactly", "knapsack"),
        *("table", "sequence", "compression_tree", "arborescence"),
        *("head_automaton", "tri_sibling_automaton", "custom"),
        *("sequence_budget", "general_tree", "general_tree_counts"),
    }


def is_pattern_problem(graph):
    try:
        native.PatternGraph(graph.native)
    except GraphError:
        return False
    return True


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", ZOO, ids=lambda case: case.name)
def test_zoo(case: Case, method: str):
    graph = case.build()
    tolerance = 1e-6 * scale_of(graph)
    try:
        solution = solve(graph, method, **OPTIONS.get(method, {}))
    except UsageError as error:
        assert METHODS[method].for_patterns
        assert "pattern problem" in str(error)
        assert not is_pattern_problem(graph)
        return

    assert solution.method == method
    assert isinstance(solution.status, Status)
    assert solution.bound >= case.optimum - tolerance
    assert solution.objective <= case.optimum + tolerance
    assert solution.gap >= 0.0
    if math.isfinite(solution.objective):
        found = check(graph, solution.values)
        assert found.feasible, found.messages
        assert found.objective == pytest.approx(solution.objective, rel=1e-12, abs=tolerance)
        assert solution.bound >= solution.objective
    else:
        assert (solution.values == -1).all()
        assert solution.status in (Status.INFEASIBLE, Status.UNKNOWN)
    if solution.status is Status.OPTIMAL:
        assert solution.objective == pytest.approx(case.optimum, rel=1e-9, abs=tolerance)
        assert solution.gap <= tolerance
    if solution.status is Status.INFEASIBLE:
        assert case.optimum == -math.inf
        assert solution.bound == -math.inf
    if method in PROVING:
        infeasible = case.optimum == -math.inf
        assert solution.status == (Status.INFEASIBLE if infeasible else Status.OPTIMAL)
    if solution.relaxed is not None:
        assert ((solution.relaxed >= 0.0) & (solution.relaxed <= 1.0)).all()


@pytest.mark.parametrize("method", ["ad3", "lp"])
@pytest.mark.parametrize("case", ZOO, ids=lambda case: case.name)
def test_tight_relaxations_are_solved(case: Case, method: str):
    solution = solve(case.build(), method)
    if not case.tight:
        # Preparation may tighten what AD3 solves, never what the LP does.
        unproved = Status.FRACTIONAL if math.isfinite(solution.objective) else Status.UNKNOWN
        assert method == "ad3" or solution.status is unproved
    elif case.optimum == -math.inf:
        assert solution.status is Status.INFEASIBLE
    else:
        assert solution.status is Status.OPTIMAL
        assert solution.objective == pytest.approx(case.optimum, rel=1e-9)


@pytest.mark.parametrize("case", ZOO, ids=lambda case: case.name)
def test_relaxations_agree(case: Case):
    graph = case.build()
    ad3, lp = solve(graph, "ad3"), solve(graph, "lp")
    assert case.optimum <= ad3.bound + 1e-9 * scale_of(graph)
    assert ad3.bound <= lp.bound + 1e-5 * scale_of(graph)
