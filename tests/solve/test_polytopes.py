"""The rows of every kind of factor: they describe the hull of its configurations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from tests.solve.random_graphs import COMPACT, Listed, build, graphs, integers

from treaty._native.graph import Graph, Kind
from treaty.solve._exhaustive import _own_score
from treaty.solve._lp import solve_lp
from treaty.solve._polytopes import POLYTOPES
from treaty.solve._relaxation import relax
from treaty.solve._view import GraphView


def twin(graph):
    """The same graph with every factor known by an oracle alone, a list of configurations."""
    view, other = GraphView.of(graph), graph_without_factors(graph)
    for factor in range(graph.factors):
        literals = view.literals_of(factor)
        assume(1 <= len(literals) <= 9)
        every = np.array(list(itertools.product([0, 1], repeat=len(literals))), dtype=bool)
        own = _own_score(graph, view, factor, every)
        allowed = own > -np.inf
        assume(allowed.any())
        other.add_python_oracle(integers(literals), Listed(every[allowed], own[allowed]))
    return other


def graph_without_factors(graph):
    other = Graph()
    begin = set(graph.categorical_first.tolist())
    variable = 0
    while variable < graph.variables:
        if variable in begin:
            size = int(graph.categorical_size[graph.categorical_first == variable][0])
            other.add_categorical(graph.scores[variable : variable + size])
        else:
            size = 1
            other.add_variables(graph.scores[variable : variable + 1])
        variable += size
    for variable, value in enumerate(graph.evidence.tolist()):
        other.fix(variable, value)
    return other


# A knapsack's polytope is larger than the hull of its configurations, in AD3 as here.
HULLS = [kind for kind in COMPACT if kind != Kind.knapsack]


@settings(max_examples=150, deadline=None)
@given(graphs([*HULLS, Kind.arborescence]))
def test_compact_forms_are_the_hulls_of_their_configurations(graph):
    compact, columns = solve_lp(graph), solve_lp(twin(graph))
    assert (compact.status == "INFEASIBLE") == (columns.status == "INFEASIBLE")
    assert compact.bound == pytest.approx(columns.bound, abs=1e-6)


def test_kinds_without_rows_wait_for_columns():
    assert set(COMPACT) == set(POLYTOPES)
    tree = build([0.0, 0.0], (Kind.arborescence, [0, 2], [], [3, 0, 0, 1, 1, 2]))
    assert list(relax(tree).priced) == [0]
    count = build([0.0, 0.0], (Kind.exactly_one, [0, 2]))
    assert len(relax(count).priced) == 0 and len(relax(count).row_lower) == 1
