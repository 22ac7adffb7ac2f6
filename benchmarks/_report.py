"""What the benchmark prints: every run, one line per problem, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from _results import GOOD, Result, Row
from _solvers import AD3, AD3_ROUGH, COLUMNS, EXACT, ILP, LP, PEERS

TEXT = {"problem", "solver", "status", "exact", "HiGHS ILP"}  # columns of words, to the left
RUN_COLUMNS = [
    "problem",
    "variables",
    "factors",
    "solver",
    "CPU s",
    "build s",
    "objective",
    "bound",
    "gap",
    "iterations",
    "peak MB",
    "status",
]
PROBLEM_COLUMNS = [
    "problem",
    "LP value",
    "AD3 − LP",
    "HiGHS LP s",
    "AD3 s",
    "faster",
    "to 1e-4 s",
    "to 1e-6 s",
    "exact",
    "HiGHS ILP",
]


class Grid(NamedTuple):
    """A table of strings."""

    title: str
    columns: list[str]
    lines: list[list[str]]


def print_report(console: Console, results: list[Result], notes: list[str]) -> None:
    """Print tables, findings and notes."""
    for grid in _grids(results):
        table = Table(title=grid.title, box=box.SIMPLE_HEAD, title_justify="left")
        for column in grid.columns:
            table.add_column(column, justify="left" if column in TEXT else "right", no_wrap=True)
        for line in grid.lines:
            table.add_row(*line)
        console.print(table)
    for line in [*findings(results), *notes]:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def markdown(results: list[Result], notes: list[str]) -> str:
    """Write the same for the documentation."""
    parts = []
    for grid in _grids(results):
        parts += [f"## {grid.title}", ""]
        rule = [" --- " if column in TEXT else " ---: " for column in grid.columns]
        parts += [f"| {' | '.join(grid.columns)} |", f"|{'|'.join(rule)}|"]
        parts += [f"| {' | '.join(line)} |" for line in grid.lines]
        parts.append("")
    parts += [f"- {line}" for line in [*findings(results), *notes]]
    return "\n".join(parts) + "\n"


def findings(results: list[Result]) -> list[str]:
    """What follows from the tables, line by line."""
    lines = [
        *_accuracy_lines(results),
        *_speed_lines(results),
        *_peer_lines(results),
        *_proof_lines(results),
    ]
    return lines + [line for result in results for line in result.contradictions()]


def _accuracy_lines(results: list[Result]) -> list[str]:
    known = [(abs(d), r.problem) for r in results if (d := r.difference()) is not None]
    if not known:
        return []
    worst, problem = max(known)
    missed = [r.problem for r in results if r.difference() is not None and not r.reaches_lp()]
    verdict = f"; more than {GOOD:g} on {', '.join(missed)}" if missed else f", all within {GOOD:g}"
    lines = [f"AD3's bound and the LP value differ by at most {worst:.1e} ({problem}){verdict}"]
    if without := [r.problem for r in results if r.row(LP) and r.lp_value is None]:
        lines.append(f"HiGHS LP did not finish, so nothing to compare with: {', '.join(without)}")
    return lines


def _speed_lines(results: list[Result]) -> list[str]:
    """Compare AD3 with the dual simplex; column generation is no dual simplex and counts apart."""
    simplex = [r for r in results if (lp := r.row(LP)) and lp.note != COLUMNS]
    groups = {
        "all problems": simplex,
        "those of a millisecond or more": [r for r in simplex if r.row(LP).seconds >= 1e-3],
        "pattern problems skip, light and grid": [r for r in simplex if r.is_pattern],
    }
    lines = []
    for what, group in groups.items():
        lines += _mean_line(f"AD3 is # times as fast as dual simplex: {what}", _speed_ups(group))
    rough = [abs(d) for r in simplex if (d := r.difference(AD3_ROUGH)) is not None]
    what = f"stopping by itself at 1e-4 (at most {max(rough, default=0.0):.1e} off)"
    lines += _mean_line(
        f"AD3 is # times as fast as dual simplex when {what}", _speed_ups(simplex, AD3_ROUGH)
    )
    for accuracy in ("1e-4", "1e-6"):
        ratios = [
            r.seconds(LP) / seconds for r in simplex if (seconds := r.seconds_to.get(accuracy))
        ]
        lines += _mean_line(
            f"AD3 is # times as fast until its bound is within {accuracy}: all problems", ratios
        )
    columns = _speed_ups(r for r in results if r not in simplex)
    return lines + _mean_line("AD3 is # times as fast as column generation", columns)


def _peer_lines(results: list[Result]) -> list[str]:
    """Compare with each library where it comes to the same value; elsewhere it stopped short."""
    lines = []
    for peer in PEERS:
        tried = [r for r in results if r.row(peer) and r.lp_value is not None]
        solved = [r for r in tried if r.reaches_lp(peer) and r.row(AD3)]
        ratios = [r.seconds(peer) / r.seconds(AD3) for r in solved]
        what = f"AD3 is # times as fast as {peer} where that reaches the LP value"
        lines += _mean_line(f"{what} (on {len(solved)} of {len(tried)})", ratios)
        simplex = [r for r in solved if r.row(LP).note != COLUMNS]
        ratios = _speed_ups(simplex, peer)
        lines += _mean_line(f"{peer} is # times as fast as dual simplex there", ratios)
    return lines


def _speed_ups(results: Iterable[Result], solver: str = AD3) -> list[float]:
    return [ratio for r in results if (ratio := r.speed_up(solver)) is not None]


def _mean_line(text: str, ratios: list[float]) -> list[str]:
    """Put the geometric mean in the place of the #."""
    if not ratios:
        return []
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return [f"{text.replace('#', f'{mean:.1f}')} (geometric mean of {len(ratios)})"]


def _proof_lines(results: list[Result]) -> list[str]:
    lines, proved = [], {}
    for solver in (EXACT, ILP):
        tried = [row for r in results if (row := r.row(solver))]
        proved[solver] = {r.problem for r in results if _is_proved(r.row(solver))}
        if tried:
            lines.append(f"{solver} proves the optimum of {len(proved[solver])} of {len(tried)}")
    for solver, other in ((ILP, EXACT), (EXACT, ILP)):
        both = {r.problem for r in results if r.row(solver) and r.row(other)}
        if only := sorted((proved[solver] - proved[other]) & both):
            lines.append(f"proved by {solver} but not by {other}: {', '.join(only)}")
    return lines


def _is_proved(row: Row | None) -> bool:
    return row is not None and row.status in ("OPTIMAL", "INFEASIBLE")


def _grids(results: list[Result]) -> list[Grid]:
    runs = [_run_cells(result, row) for result in results for row in result.rows]
    return [
        Grid("Runs", RUN_COLUMNS, runs),
        Grid("By problem", PROBLEM_COLUMNS, [_problem_cells(result) for result in results]),
    ]


def _run_cells(result: Result, row: Row) -> list[str]:
    problem = [result.problem, str(result.variables), str(result.factors)]
    return [
        *(problem if row is result.rows[0] else ["", "", ""]),
        row.solver,
        _seconds(row.seconds),
        _seconds(row.build) if row.solver == LP or row.solver in PEERS else "",
        _number(row.objective),
        _number(row.bound),
        _number(row.gap, ".3g"),
        "" if row.iterations is None else str(row.iterations),
        "" if row.megabytes is None else f"{row.megabytes:.1f}",
        f"{row.status} ({row.note})" if row.note else row.status,
    ]


def _problem_cells(result: Result) -> list[str]:
    ratio, difference = result.speed_up(), result.difference()
    return [
        result.problem,
        "" if result.lp_value is None else _number(result.lp_value),
        "" if difference is None else f"{difference:+.1e}",
        _seconds(result.seconds(LP)),
        _seconds(result.seconds(AD3)),
        "" if ratio is None else f"{ratio:.1f}×",
        *(_seconds(result.seconds_to.get(accuracy)) for accuracy in ("1e-4", "1e-6")),
        _proof(result.row(EXACT)),
        _proof(result.row(ILP)),
    ]


def _proof(row: Row | None) -> str:
    if row is None:
        return ""
    if _is_proved(row):
        return f"proved in {_seconds(row.seconds)} s"
    return f"gap {_number(row.gap, '.3g')}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:.5f}" if seconds < 0.1 else f"{seconds:.3f}"


def _number(value: float, form: str = ".6f") -> str:
    return f"{value:{form}}" if math.isfinite(value) else "–"
