"""The last word on every solution: its status, objective and bound pass through here."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph
from treaty.solve._certificate import Certificate, Status
from treaty.solve._solution import Solution

__all__ = ["WIDEST", "judged"]

WIDEST = 1e-6
"""Largest gap of an OPTIMAL answer, relative to the objective."""
ROUNDING = 1e-14
"""Of sums, relative to their largest term."""
SECONDS = 0.2
"""For the rounding that doubts a proof of infeasibility: it may come when the time is out."""


def judged(graph: Graph, solution: Solution) -> Solution:
    """Check what a method claims against its answer and the graph.

    The answer is weighed anew. A verified answer refutes any proof that there is none, and a bound
    below its score by more than rounding is no bound: what all scores at their best add up to takes
    its place. OPTIMAL stays if the bound proves the answer, up to differences that floating point
    can show beside scores as large as the answer's; otherwise the answer is FEASIBLE.
    """
    claim = solution.certificate
    if not math.isfinite(claim.objective):
        return _without_answer(graph, solution)
    values = np.ascontiguousarray(solution.values, dtype=np.int8)
    score, rounding, bound, is_proved = native.verdict(graph, values, claim.bound, WIDEST)
    if score == -math.inf:
        return replace(
            solution,
            certificate=replace(
                claim, status=Status.UNKNOWN, objective=-math.inf, bound=_sound(graph, claim.bound)
            ),
            values=np.full(graph.variables, -1, dtype=np.int8),
        )
    status = claim.status
    if abs(claim.objective - score) <= rounding:
        score = claim.objective
    if not bound >= score - rounding and 0.0 < score - claim.objective <= _visible(graph, score):
        bound += score - claim.objective  # the solver's sums, whose terms may cancel, lost as much
    if not bound >= score - rounding:  # refuted
        status, bound = Status.FEASIBLE, max(native.sum_of_maxima(graph), score)
    elif bound <= score + rounding:
        bound = max(bound, score) if status is not Status.OPTIMAL else score
    if status is Status.OPTIMAL and not is_proved:
        status, bound = Status.FEASIBLE, bound + rounding
    if status in (Status.INFEASIBLE, Status.UNKNOWN):
        status = Status.FEASIBLE
    if (status, score, bound) == (claim.status, claim.objective, claim.bound):
        return solution
    certificate = replace(claim, status=status, objective=score, bound=bound)
    return replace(solution, certificate=certificate)


def _visible(graph: Graph, score: float) -> float:
    """Return what sums of the graph's scores may lose."""
    return ROUNDING * max(native.largest_score(graph), abs(score))


def _without_answer(graph: Graph, solution: Solution) -> Solution:
    """Accept INFEASIBLE only if rounding finds no answer either."""
    claim = solution.certificate
    if claim.status is Status.INFEASIBLE:
        scale = native.handy_scale(graph)
        handy = graph if scale == 1.0 else native.rescaled(graph, scale)
        middle = np.full(graph.variables, 0.5)
        values = native.round_relaxed(handy, middle, seconds=SECONDS).astype(np.int8)
        if not len(values) and graph.variables:
            return solution
        score = native.verdict(graph, values)[0]
        if score == -math.inf:
            return solution
        most = max(native.sum_of_maxima(graph), score)
        refuted = Certificate(Status.FEASIBLE, score, most, claim.iterations, claim.seconds)
        return replace(solution, certificate=refuted, values=values)
    certificate = replace(claim, status=Status.UNKNOWN, bound=_sound(graph, claim.bound))
    return replace(solution, certificate=certificate)


def _sound(graph: Graph, bound: float) -> float:
    """Return a bound that no proof of infeasibility stands behind."""
    return bound if bound > -math.inf else native.sum_of_maxima(graph)
