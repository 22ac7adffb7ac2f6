"""Runs of `research/benchmarks/competition.py`: exact solvers on problems of UAI 2014."""

from __future__ import annotations

import math
from collections.abc import Sequence

from research.report.markdown import NONE, geometric_mean, grid, number, seconds
from research.report.runs import Run

KEY = ("part", "problem", "solver")
GOOD = 1e-2  # how near an answer must come to the best that is known, relative


def by_family(runs: Sequence[Run]) -> str:
    """One row per family and solver, without the problems that were tuned on."""
    head = ["family", "problems", "solver", "best answers", "within 1 % of them", "proved",
            "mean gap", "CPU s"]  # fmt: skip
    rows, last = [], None
    for family, solver in _each(runs, "family", "solver"):
        own = [r for r in runs if (r["family"], r["solver"], r["tuned"]) == (family, solver, False)]
        if not own:
            continue
        best = [_is_near(run, runs, 1e-6) for run in own]
        near = [_is_near(run, runs, GOOD) for run in own]
        first = [family, str(len(own))] if family != last else ["", ""]
        rows.append([*first, solver, str(sum(best)), str(sum(near)),
                     str(sum(_is_proved(run) for run in own)), _mean_gap(own),
                     _mean_seconds(own)])  # fmt: skip
        last = family
    return grid(head, rows, text=("family", "solver"))


def by_problem(runs: Sequence[Run]) -> str:
    """Every solver on every problem."""
    head = ["problem", "reference", "solver", "answer", "bound", "CPU s", "status"]
    rows, last = [], None
    for run in _sorted(runs):
        name = run["problem"] + " (tuned on)" * run["tuned"]
        own = [name, number(run["reference"], ".3f")] if run["problem"] != last else ["", ""]
        rows.append([*own, run["solver"], number(run["objective"], ".4f", missing=NONE),
                     number(run["bound"], ".4f", missing=NONE), seconds(run["seconds"]),
                     run["status"]])  # fmt: skip
        last = run["problem"]
    return grid(head, rows, text=("problem", "solver", "status"))


def findings(runs: Sequence[Run]) -> str:
    """What follows from the rows, line by line."""
    lines = []
    for (solver,) in _each(runs, "solver"):
        own = [run for run in runs if run["solver"] == solver]
        proved = sum(_is_proved(run) for run in own)
        best = sum(_is_near(run, runs, 1e-6) for run in own)
        lines.append(
            f"{solver} has the best answer of these solvers on {best} of {len(own)} problems, "
            f"and proves {proved}."
        )
    return "\n".join(f"- {line}" for line in lines)


def _each(runs: Sequence[Run], *names: str) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(tuple(run[name] for name in names) for run in _sorted(runs)))


def _sorted(runs: Sequence[Run]) -> list[Run]:
    """Runs, those of a problem together."""
    problems = dict.fromkeys(run["problem"] for run in runs)
    return [run for problem in problems for run in runs if run["problem"] == problem]


def _is_proved(run: Run) -> bool:
    return run["status"] in ("OPTIMAL", "INFEASIBLE")


def _is_near(run: Run, runs: Sequence[Run], share: float) -> bool:
    known = [r["objective"] for r in runs if r["problem"] == run["problem"]]
    best = max((value for value in known if value is not None), default=None)
    if run["objective"] is None or best is None:
        return False
    return bool(run["objective"] >= best - share * max(1.0, abs(best)))


def _mean_gap(runs: Sequence[Run]) -> str:
    """The mean of the gaps, relative to the answers; of solvers that have both everywhere."""
    if any(run["objective"] is None or run["bound"] is None for run in runs):
        return NONE
    gaps = [(r["bound"] - r["objective"]) / max(1.0, abs(r["objective"])) for r in runs]
    return f"{100.0 * max(0.0, math.fsum(gaps) / len(gaps)):.1f} %"


def _mean_seconds(runs: Sequence[Run]) -> str:
    known = [run["seconds"] for run in runs if run["seconds"] is not None]
    return seconds(geometric_mean(known)) if len(known) == len(runs) else NONE
