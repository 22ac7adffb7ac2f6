"""Decoders of pattern problems: 2-slave dual decomposition, and the naive decomposition."""

from __future__ import annotations

from typing import Any

from treaty._native import solve as native
from treaty._native.graph import Graph
from treaty.progress import OnProgress
from treaty.solve._dual import LARGEST, as_solution, native_limits, require, require_positive
from treaty.solve._solution import Solution

__all__ = ["solve_naive", "solve_two_slave"]

STYLES = ("tight", "paper", "released")
STEP_RULES = ("level", "rush")


def solve_two_slave(
    graph: Graph,
    *,
    style: str = "tight",
    step_rule: str = "level",
    step: float = 1.0,
    tolerance: float = 1e-3,
    warm_cut: bool = True,
    iterations: int = 1000,
    time_limit: float | None = None,
    gap: float = 0.0,
    trace: bool = False,
    progress: OnProgress | None = None,
    progress_every: int = 100,
    cancel: native.Cancel | None = None,
) -> Solution:
    """Solve a pattern problem by 2-slave dual decomposition (Qian & Liu 2014).

    A spanning forest of the pairs is solved by dynamic programming, all the rest by a minimum cut;
    multipliers on their common states make them agree. The graph must be a pattern problem:
    categorical variables, exactly-one groups and binary variables, scored by tables, sequences,
    rewards, and ANDs whose output occurs in no other factor.

    Parameters
    ----------
    graph
        The native graph.
    style
        ``"tight"``: negative patterns are rewritten as positive ones over the labels they exclude,
        and the bound is that of the local polytope. ``"paper"``: as in section 3.3 of the paper,
        where a constant makes all pairs of the cut positive, and pairs of negative patterns that
        lie on the tree are the tree's; the bound is loose with many labels. ``"released"``: the
        same with all pairs of negative patterns in the cut, which is looser still; the dual that
        the authors' released program comes to.
    step_rule
        ``"level"`` (towards a target below the best bound, along deflected subgradients) or
        ``"rush"`` (step divided by one plus the number of times the dual increased).
    step
        ``"rush"``: initial step size, relative to the size of the scores.
    tolerance
        ``"level"``: stop when the expected improvement is at most this share of the gap.
    warm_cut
        Whether to start each minimum cut from the flow and search trees of the previous one.
    iterations, time_limit, gap, trace, progress, progress_every, cancel
        As for `solve_ad3`; the trace records every iteration.
    """
    require(style in STYLES, "style", f"one of {', '.join(STYLES)}", style)
    limits = native_limits(
        "two-slave", iterations, time_limit, gap, trace, progress, progress_every, cancel
    )
    outcome = native.two_slave(
        graph,
        **limits,
        **_steps(step_rule, step, tolerance),
        style=getattr(native.CutStyle, style),
        warm_cut=warm_cut,
    )
    return as_solution(graph, outcome, "two-slave", trace)


def solve_naive(
    graph: Graph,
    *,
    step_rule: str = "level",
    step: float = 1.0,
    tolerance: float = 1e-3,
    iterations: int = 1000,
    time_limit: float | None = None,
    gap: float = 0.0,
    trace: bool = False,
    progress: OnProgress | None = None,
    progress_every: int = 100,
    cancel: native.Cancel | None = None,
) -> Solution:
    """Solve a pattern problem by naive dual decomposition (Komodakis 2011), for comparison.

    The subproblems are spanning trees that cover all pairs, and one for all larger patterns of the
    same vertices.

    Parameters
    ----------
    graph
        The native graph, a pattern problem as for `solve_two_slave`.
    step_rule, step, tolerance
        As for `solve_two_slave`.
    iterations, time_limit, gap, trace, progress, progress_every, cancel
        As for `solve_ad3`; the trace records every iteration.
    """
    limits = native_limits(
        "naive", iterations, time_limit, gap, trace, progress, progress_every, cancel
    )
    outcome = native.naive(
        graph,
        **limits,
        **_steps(step_rule, step, tolerance),
    )
    return as_solution(graph, outcome, "naive", trace)


def _steps(rule: str, step: float, tolerance: float) -> dict[str, Any]:
    require(rule in STEP_RULES, "step_rule", f"one of {', '.join(STEP_RULES)}", rule)
    require_positive("step", step)
    require(tolerance > 0.0, "tolerance", "positive", tolerance)
    tolerance = min(tolerance, LARGEST)
    return {"rule": getattr(native.LabelStep, rule), "step": step, "tolerance": tolerance}
