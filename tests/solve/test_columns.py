"""Column generation: valid bounds in every round, and nothing believed unchecked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.solve.random_graphs import Listed, build, integers

from treaty import SolverError
from treaty._native.graph import Kind
from treaty.solve import _columns
from treaty.solve._columns import Master
from treaty.solve._highs import End
from treaty.solve._lp import solve_lp
from treaty.solve._relaxation import relax


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
