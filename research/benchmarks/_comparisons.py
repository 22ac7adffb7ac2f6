"""What follows from solvers on the same problems: accuracy, speed-ups, contradictions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from research.benchmarks._solvers import COLUMNS
from research.report import Run
from research.report.markdown import geometric_mean
from research.report.tables.inference import ACCURACIES, AD3, AD3_ROUGH, GOOD, LP, PEERS

SURE = 1e-6  # by how much two certificates may disagree, relative
ALL_PROBLEMS = "all problems"
Rows = dict[str, Run]
"""The solvers of a problem that gave an answer, by name."""


def answers(runs: Iterable[Run]) -> list[Rows]:
    """The answers to each problem."""
    found: dict[str, Rows] = {}
    for run in runs:
        own = found.setdefault(run["problem"], {})
        if run["seconds"] is not None:
            own[run["solver"]] = run
    return list(found.values())


def lp_value(rows: Rows) -> float | None:
    """The relaxation's value, if HiGHS found it."""
    row = rows.get(LP)
    return row["bound"] if row is not None and row["status"] == "OPTIMAL" else None


def compared(run: Run, rows: Rows) -> Run:
    """Add what a solver of the relaxation is beside HiGHS: how far off, and how much faster."""
    value = lp_value(rows)
    solves_relaxation = run["solver"] in (AD3, AD3_ROUGH, *PEERS)
    if value is None or run["seconds"] is None or not solves_relaxation:
        return run
    return {
        **run,
        "difference": (run["bound"] - value) / max(1.0, abs(value)),
        "times faster": rows[LP]["seconds"] / run["seconds"],
    }


def reaches_lp(run: Run | None) -> bool:
    """Whether a solver's bound is the relaxation's value."""
    return run is not None and "difference" in run and abs(run["difference"]) <= GOOD


def means(problems: list[Rows]) -> Iterator[Run]:
    """Geometric means of speed-ups; column generation is no dual simplex and counts apart."""
    solved = [rows for rows in problems if lp_value(rows) is not None]
    simplex = [rows for rows in solved if rows[LP]["note"] != COLUMNS]
    groups = {
        ALL_PROBLEMS: simplex,
        "problems of a millisecond or more": [r for r in simplex if r[LP]["seconds"] >= 1e-3],
        "pattern problems skip, light and grid": [r for r in simplex if r[LP]["is pattern"]],
    }
    for over, group in groups.items():
        yield from _mean(AD3, LP, over, group, _speed_up(AD3))
    for rough in _mean(AD3_ROUGH, LP, ALL_PROBLEMS, simplex, _speed_up(AD3_ROUGH)):
        off = [abs(rows[AD3_ROUGH]["difference"]) for rows in simplex if AD3_ROUGH in rows]
        yield {**rough, "largest difference": max(off)}
    for accuracy in ACCURACIES:
        solver = f"{AD3}, until its bound is within {accuracy}"
        yield from _mean(solver, LP, ALL_PROBLEMS, simplex, _speed_up_to(accuracy))
    columns = [rows for rows in solved if rows not in simplex]
    yield from _mean(AD3, COLUMNS, "problems without a compact program", columns, _speed_up(AD3))
    for peer in PEERS:
        tried = [rows for rows in solved if peer in rows]
        good = [rows for rows in tried if reaches_lp(rows[peer]) and AD3 in rows]
        over = f"problems where {peer} reaches the LP value (of {len(tried)})"
        yield from _mean(AD3, peer, over, good, _beside(peer))
        own = [rows for rows in good if rows in simplex]
        yield from _mean(peer, LP, "the same problems", own, _speed_up(peer))


def contradictions(rows: Rows) -> list[str]:
    """Answers that are worth more than another solver's bound: one of the two is wrong."""
    certified = [row for solver, row in rows.items() if solver not in PEERS]
    return [
        f"{a['problem']}: {a['solver']} has {a['objective']!r}, "
        f"but {b['solver']} excludes more than {b['bound']!r}"
        for a in certified
        for b in certified
        if a["objective"] is not None
        and b["bound"] is not None
        and a["objective"] > b["bound"] + SURE * max(1.0, abs(b["bound"]))
    ]


Ratio = Callable[[Rows], float | None]


def _speed_up(solver: str) -> Ratio:
    return lambda rows: rows.get(solver, {}).get("times faster")


def _speed_up_to(accuracy: str) -> Ratio:
    def ratio(rows: Rows) -> float | None:
        seconds = rows.get(AD3, {}).get(f"seconds to {accuracy}")
        return rows[LP]["seconds"] / seconds if seconds else None

    return ratio


def _beside(peer: str) -> Ratio:
    return lambda rows: rows[peer]["seconds"] / rows[AD3]["seconds"]


def _mean(solver: str, beside: str, over: str, problems: list[Rows], ratio: Ratio) -> Iterator[Run]:
    found = [known for rows in problems if (known := ratio(rows)) is not None]
    if found:
        yield {
            "part": "mean",
            "solver": solver,
            "beside": beside,
            "over": over,
            "times faster": geometric_mean(found),
            "problems": len(found),
        }
