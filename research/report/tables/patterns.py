"""Runs of `research/benchmarks/patterns.py`: decoders of pattern problems, and minimum cuts.

A line is a decoder on a problem (``part`` is ``"decoder"``), cold and warm cuts on a problem
(``"cuts"``; ``timed`` says whether the cuts alone or whole iterations were), or the mean over the
problems of a session (``"mean"``).
"""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import Columns, given, grid, number, table, text_of
from research.report.runs import Run

KEY = ("part", "problem", "method", "style", "timed", "solver", "beside", "over")
METHODS = {
    "highs lp": "LP",
    "highs ilp": "ILP (HiGHS, 20 s)",
    "exact": "exact",
    "ad3": "AD3",
    "two-slave": "2-slave, tight",
    "two-slave paper": "2-slave, paper",
    "two-slave released": "2-slave, released",
    "naive": "naive",
}


def decoders(runs: Sequence[Run]) -> str:
    """A row for each problem: bound / answer (CPU seconds) of each decoder."""
    own = [run for run in runs if run["part"] == "decoder"]
    found = {(run["problem"], run["method"]): run for run in own}
    rows = [
        [f"`{problem}`", *(_cell(found.get((problem, method))) for method in METHODS)]
        for problem in dict.fromkeys(run["problem"] for run in own)
    ]
    return grid(["problem", *METHODS.values()], rows)


def cuts(runs: Sequence[Run]) -> str:
    """Milliseconds of a minimum cut alone."""
    return _cuts(runs, "cut", {"nodes": given("nodes", "d"), "pairs": given("pairs", "d")})


def iterations(runs: Sequence[Run]) -> str:
    """Milliseconds of whole iterations of the decoder."""
    return _cuts(runs, "iteration", {"iterations": given("iterations", "d")})


def means(runs: Sequence[Run]) -> str:
    """Geometric means of ratios, each over the problems of one session."""
    columns: Columns = {
        "what": text_of("solver"),
        "compared with": text_of("beside"),
        "over": text_of("over"),
        "times as fast": given("times faster", ".1f"),
        "problems": given("problems", "d"),
    }
    return table([run for run in runs if run["part"] == "mean"], columns, text=3)


def _cuts(runs: Sequence[Run], timed: str, more: Columns) -> str:
    columns: Columns = {
        "problem": lambda run: f"`{run['problem']}`",
        "style": text_of("style"),
        **more,
        "cold ms": given("cold seconds", ".4f", 1e3),
        "warm ms": given("warm seconds", ".4f", 1e3),
        "ratio": given("times faster", ".1f"),
    }
    own = [run for run in runs if (run["part"], run.get("timed")) == ("cuts", timed)]
    return table(own, columns, text=2)


def _cell(run: Run | None) -> str:
    if run is None:
        return ""
    if run["method"] == "highs lp":
        return number(run["bound"], ".2f")
    star = "*" if run["status"] == "OPTIMAL" else ""
    return f"{run['bound']:.2f} / {run['objective']:.2f} ({run['seconds']:.4f} s){star}"
