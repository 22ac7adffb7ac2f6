"""The relaxation as a program for other solvers: SciPy finds the value that `solve` finds."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import csr_array

from treaty.graph import FactorGraph
from treaty.solve import linear_relaxation, solve


def by_scipy(program):
    shape = (len(program.row_lower), len(program.cost))
    rows = csr_array((program.coefficient, program.column, program.begin), shape=shape)
    return milp(
        -program.cost,
        bounds=np.stack([program.lower, program.upper]),
        constraints=[LinearConstraint(rows, program.row_lower, program.row_upper)]
        if shape[0]
        else [],
    )


@pytest.mark.parametrize("seed", range(20))
def test_scipy_finds_the_bound_of_the_relaxation(seed, random_graph):
    rng = random.Random(seed)
    graph = random_graph(rng)
    while len(linear_relaxation(graph).priced):  # a part of the rows is found on the way
        graph = random_graph(rng)
    program, solution = linear_relaxation(graph), solve(graph, "lp")
    found = by_scipy(program)
    if solution.status == "INFEASIBLE":
        assert not found.success
    else:
        assert program.offset - found.fun == pytest.approx(solution.bound, abs=1e-6)


def test_factors_without_compact_form_are_named():
    graph = FactorGraph()
    arcs = graph.variables([1.0, 2.0])
    graph.arborescence([(0, 1), (1, 2)], arcs, 3)
    assert list(linear_relaxation(graph).priced) == [0]
