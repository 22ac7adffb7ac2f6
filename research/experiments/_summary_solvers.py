"""Solvers on the problems of a summarizer, for `compressive.py`: Table 3 and footnote 10.

AD3 and the subgradient method run for so many iterations, unless they prove an answer optimal, and
are rounded as in section 3.4. "AD3, own rule" is what `treaty summarize` does: it stops at a rough
solution of the relaxation and improves the rounded summary.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from research.report import Run
from treaty.summarize import Decoded, Problem, compressive_graph, decode, extractive_graph

NEVER = 1e-15  # a tolerance that no relaxation meets: AD3 does not stop early
LONG = 50_000  # iterations to see when a bound is reached
CLOSE = {"1%": 1e-2, "0.1%": 1e-3, "0.01%": 1e-4}
REPEATS = 3
SOLVERS: dict[str, dict[str, Any]] = {
    "ILP, exact": {"method": "ilp"},
    "LP relaxation": {"method": "lp", "improved": False},
    **{
        f"AD3-{n}": {"method": "ad3", "iterations": n, "tolerance": NEVER, "improved": False}
        for n in (5000, 1000, 200)
    },
    "AD3, own rule": {"method": "ad3"},
    **{
        f"subgradient-{n}": {"method": "subgradient", "iterations": n, "improved": False}
        for n in (5000, 1000, 200)
    },
}
REACHES = {
    "AD3": {"method": "ad3", "penalty": 3.0, "polish": False, "tolerance": NEVER},
    "subgradient": {"method": "subgradient"},
}
"""How long each takes until its bound is near the optimum of the relaxation."""


def measured(problem: Problem, scores: tuple[Any, Any], limits: Run, options: Run) -> Run:
    """Solve a problem; the CPU seconds are the least of several repeats."""
    found, seconds = _timed(lambda: decode(problem, *scores, **limits, **options))
    return {**_told(found), "seconds": seconds, "keep": found.keep}


def _told(found: Decoded) -> Run:
    return {
        "objective": found.objective,
        "bound": found.bound,
        "status": found.status.value,
        "iterations": found.iterations,
        "integral": bool((np.abs(found.token_values - np.rint(found.token_values)) < 1e-4).all()),
    }


def reached(problem: Problem, scores: tuple[Any, Any], limits: Run) -> Run:
    """Measure when the bounds of AD3 and the subgradient method are close to the LP's optimum.

    All solve the same graph, and none is rounded. Time is by iterations: the CPU time of the whole
    run, divided by their number, times those it takes.
    """
    concepts, cuts = scores
    if cuts is None:
        stated, making = _timed(lambda: extractive_graph(problem, concepts, **limits))
    else:
        stated, making = _timed(lambda: compressive_graph(problem, concepts, cuts, **limits))
    relaxed, seconds = _timed(lambda: stated.graph.solve("lp"))
    found: Run = {"graph seconds": making, "LP seconds": seconds, "LP bound": relaxed.bound}
    for name, options in REACHES.items():
        started = time.process_time()
        run = stated.graph.solve(trace=True, iterations=LONG, **options)
        spent = time.process_time() - started
        for share, close in CLOSE.items():
            limit = relaxed.bound + close * abs(relaxed.bound)
            (there,) = np.nonzero(run.trace.bound <= limit)
            first = int(run.trace.iteration[there[0]]) if len(there) else None
            found[f"{name} {share}"] = first
            found[f"{name} {share} seconds"] = first and first * spent / max(run.iterations, 1)
        found[f"{name} bound"] = run.bound
        found[f"{name} iterations"] = run.iterations
    return found


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    found, spent = None, []
    for _ in range(REPEATS):
        started = time.process_time()
        found = work()
        spent.append(time.process_time() - started)
    return found, min(spent)
