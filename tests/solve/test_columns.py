from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from tests.solve.random_graphs import COMPACT, Listed, build, graphs, integers

from treaty import SolverError
from treaty._native.graph import Graph, Kind
from treaty.solve import _columns
from treaty.solve._columns import Master
from treaty.solve._exhaustive import _own_score
from treaty.solve._highs import End
from treaty.solve._lp import solve_lp
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


def random_parse(seed, nodes=6, rewards=12):
    """Arcs of a tree, with scores for pairs of arcs."""
    random = np.random.default_rng(seed)
    arcs = [(head, mod) for head in range(nodes) for mod in range(1, nodes) if head != mod]
    literals = [2 * i for i in range(len(arcs))]
    pairs = [random.choice(literals, 2, replace=False) for _ in range(rewards)]
    return build(
        random.normal(size=len(arcs)),
        (Kind.arborescence, literals, [], [nodes, 1, *itertools.chain.from_iterable(arcs)]),
        *[(Kind.reward, pair, [3 * random.normal()]) for pair in pairs],
    )


@pytest.mark.parametrize("seed", range(3))
def test_every_round_proves_a_valid_bound(seed, monkeypatch):
    graph = random_parse(seed)
    best = solve_lp(graph).bound
    proved = []
    honest = Master._proved

    def spy(self, relaxation, multipliers, found, *, phase=2):
        bound = honest(self, relaxation, multipliers, found, phase=phase)
        if phase == 2:
            proved.append(bound)
        return bound

    monkeypatch.setattr(Master, "_proved", spy)
    solve_lp(graph)
    assert len(proved) > 2
    assert min(proved) == pytest.approx(best)
    assert all(bound >= best - 1e-9 for bound in proved)


def test_a_master_is_solved_again_with_other_bounds():
    graph = random_parse(0)
    relaxation = relax(graph)
    master = Master(graph, relaxation)
    free = master.solve().value
    for variable, value in itertools.product(range(8), [0.0, 1.0]):
        lower, upper = relaxation.lower.copy(), relaxation.upper.copy()
        lower[variable] = upper[variable] = value
        fixed = graph.copy()
        fixed.fix(variable, int(value))
        again = master.solve(lower=lower, upper=upper)
        assert again.value == pytest.approx(solve_lp(fixed).bound, abs=1e-6)
        assert again.value <= free + 1e-6
    assert master.solve().value == pytest.approx(free)


def test_bounds_that_leave_nothing():
    graph = random_parse(0)
    relaxation = relax(graph)
    master = Master(graph, relaxation)
    nothing = master.solve(upper=np.zeros(len(relaxation.cost)))
    assert (nothing.end, nothing.point) == (End.INFEASIBLE, None)


def test_own_scores_do_not_count_in_phase_one():
    graph = build([0.0, 0.0], (Kind.exactly_one, [0, 2]))
    listed = Listed([[0, 0], [1, 1], [1, 0]], [1e6, 1e6, -1e6])
    graph.add_python_oracle(integers([0, 2]), listed)
    found = solve_lp(graph)
    # A half of each of the first two costs nothing and meets the row.
    assert found.bound == pytest.approx(1e6)
    graph.add_python_oracle(integers([0, 2]), Listed([[1, 0]], [0.0]))
    assert solve_lp(graph).objective == pytest.approx(-1e6)


def test_a_time_limit_leaves_a_valid_bound():
    graph = random_parse(1)
    found = solve_lp(graph, time_limit=0.0)
    assert found.status == "UNKNOWN"
    assert solve_lp(graph).bound <= found.bound < np.inf


def test_a_damaged_point_is_refused(monkeypatch):
    graph = random_parse(2)
    honest = Master._rows
    monkeypatch.setattr(Master, "_checked_point", _checked_with_lost_rows(honest))
    with pytest.raises(SolverError, match="violates a row"):
        solve_lp(graph)


def _checked_with_lost_rows(honest):
    checked = Master._checked_point

    def damaged(self, relaxation):
        self._rows = lambda column: honest(self, column)[1:]
        return checked(self, relaxation)

    return damaged


def test_an_unproved_optimum_is_refused(monkeypatch):
    monkeypatch.setattr(_columns, "TOLERANCE", 10.0)  # no column seems worth adding
    with pytest.raises(SolverError, match="prove only"):
        solve_lp(random_parse(0))
