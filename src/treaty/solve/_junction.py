"""Dual decomposition with subproblems of bounded tree-width, and branch and bound on it."""

from __future__ import annotations

from treaty._native import solve as native
from treaty._native.graph import Graph
from treaty.progress import OnProgress
from treaty.solve._dual import UNLIMITED, as_solution, native_limits, require, require_integer
from treaty.solve._solution import Solution

__all__ = ["solve_junction"]


def solve_junction(
    graph: Graph,
    *,
    table_cells: int = 2**14,
    iterations: int = UNLIMITED,
    time_limit: float | None = None,
    gap: float = 0.0,
    trace: bool = False,
    progress: OnProgress | None = None,
    progress_every: int = 100,
    cancel: native.Cancel | None = None,
) -> Solution:
    """Solve slices of the graph exactly by bucket elimination, and make them agree.

    For graphs of categorical variables with small tables and short patterns, such as grids: where
    cycles are frustrated, the bound is far tighter than AD3's, and branching on it often proves
    the optimum.

    Parameters
    ----------
    graph
        The native graph: a pattern problem, as for ``"two-slave"``.
    table_cells
        Maximum size of the tables of elimination. Larger tables allow thicker slices: tighter
        bounds, more work for each.
    iterations, time_limit, gap, trace, progress, progress_every, cancel
        As for `solve_exact`.
    """
    table_cells = require_integer("table_cells", 2, table_cells)
    require(table_cells <= 2**24, "table_cells", "from 2 to 2^24", table_cells)
    limits = native_limits(
        "junction", iterations, time_limit, gap, trace, progress, progress_every, cancel
    )
    outcome = native.junction(graph, **limits, table_cells=table_cells)
    return as_solution(graph, outcome, "junction", trace)
