"""What the benchmark prints: every run, one line per problem, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from rich import box
from rich.console import Console
from rich.table import Table

from _solvers import AD3, EXACT, ILP, LP, PEERS

GOOD = 1e-4  # how near AD3's bound must come to the relaxation's value, relative
SURE = 1e-6  # by how much two certificates may disagree, relative


@dataclass(frozen=True)
class Row:
    """One solver on one problem."""

    solver: str
    status: str
    seconds: float | None = None
    build: float | None = None
    objective: float = -math.inf
    bound: float = math.inf
    gap: float = math.inf
    iterations: int | None = None
    megabytes: float | None = None


@dataclass
class Summary:
    """All solvers on one problem."""

    problem: str
    is_of_the_nine: bool
    variables: int
    factors: int
    rows: list[Row]
    seconds_to: list[float | None] = field(default_factory=list)
    """CPU seconds until AD3's bound is within 1e-4 and 1e-6 of the relaxation's value."""

    def row(self, solver: str) -> Row | None:
        """The solver's run, if it answered."""
        return next((r for r in self.rows if r.solver == solver and r.seconds is not None), None)

    @property
    def lp_value(self) -> float | None:
        """The relaxation's value, if HiGHS found it."""
        row = self.row(LP)
        return row.bound if row is not None and row.status == "OPTIMAL" else None

    @property
    def difference(self) -> float | None:
        """By how much AD3's bound exceeds the relaxation's value, relative."""
        row, value = self.row(AD3), self.lp_value
        if row is None or value is None:
            return None
        return (row.bound - value) / max(1.0, abs(value))

    def speed_up(self, solver: str = AD3) -> float | None:
        """How many times faster than HiGHS' dual simplex a solver is."""
        row, lp = self.row(solver), self.row(LP)
        if row is None or lp is None or self.lp_value is None:
            return None
        return lp.seconds / row.seconds

    def misses(self) -> bool:
        """Whether AD3 fails to reach the relaxation's value."""
        return self.difference is not None and abs(self.difference) > GOOD

    def contradictions(self) -> list[str]:
        """Answers that are worth more than another solver's bound: one of the two is wrong."""
        ours = [row for row in self.rows if row.seconds is not None and row.solver not in PEERS]
        return [
            f"{self.problem}: {a.solver} has {a.objective!r}, {b.solver} excludes more than {b.bound!r}"
            for a in ours
            for b in ours
            if a.objective > b.bound + SURE * max(1.0, abs(b.bound))
        ]


def print_report(console: Console, summaries: list[Summary], notes: list[str]) -> bool:
    """Print everything; whether AD3 reached every relaxation's value and no two solvers disagree."""
    for title, columns, lines in _tables(summaries):
        table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
        for i, column in enumerate(columns):
            is_text = i == 0 or column in ("solver", "status", "exact", "HiGHS ILP")
            table.add_column(column, justify="left" if is_text else "right", no_wrap=True)
        for line in lines:
            table.add_row(*line)
        console.print(table)
    for line in [*findings(summaries), *notes]:
        console.print(line, highlight=False, markup=False)
    return not any(s.misses() or s.contradictions() for s in summaries)


def markdown(summaries: list[Summary], notes: list[str]) -> str:
    """The same for the documentation."""
    parts = [f"# Inference benchmark, {date.today()}\n"]
    for title, columns, lines in _tables(summaries):
        parts.append(f"\n## {title}\n")
        parts.append("| " + " | ".join(columns) + " |")
        parts.append("|" + " --- |" * len(columns))
        parts += ["| " + " | ".join(line) + " |" for line in lines]
    parts.append("")
    parts += [f"- {line}" for line in [*findings(summaries), *notes]]
    return "\n".join(parts) + "\n"


def findings(summaries: list[Summary]) -> list[str]:
    """What follows from the tables, line by line."""
    differences = [(abs(s.difference), s.problem) for s in summaries if s.difference is not None]
    lines = []
    if differences:
        worst, problem = max(differences)
        missed = [s.problem for s in summaries if s.misses()]
        lines.append(
            f"AD3's bound and the LP value differ by at most {worst:.1e} relative ({problem})"
            + (
                f"; more than {GOOD:g} on {', '.join(missed)}"
                if missed
                else f", all within {GOOD:g}"
            )
        )
    measurable = [s for s in summaries if (lp := s.row(LP)) and lp.seconds >= 1e-3]
    nine = [s for s in summaries if s.is_of_the_nine]
    for solver in (AD3, *PEERS):
        for what, group in (
            ("all problems", summaries),
            ("problems that take HiGHS a millisecond or more", measurable),
            ("pattern problems skip, light and grid", nine),
        ):
            lines += _mean_line(solver, what, [s.speed_up(solver) for s in group])
    for column, accuracy in enumerate(("1e-4", "1e-6")):
        ratios = [
            s.row(LP).seconds / s.seconds_to[column]
            for s in measurable
            if s.seconds_to and s.seconds_to[column]
        ]
        lines += _mean_line(f"{AD3} until within {accuracy}", "the same with a millisecond", ratios)
    lines += _proof_lines(summaries)
    return lines + [line for s in summaries for line in s.contradictions()]


def _mean_line(solver: str, what: str, ratios: Iterable[float | None]) -> list[str]:
    logs = [math.log(ratio) for ratio in ratios if ratio]
    if not logs:
        return []
    mean = math.exp(sum(logs) / len(logs))
    return [
        f"{solver}: {mean:.1f} times as fast as HiGHS' dual simplex, geometric mean of {len(logs)} ({what})"
    ]


def _proof_lines(summaries: list[Summary]) -> list[str]:
    proved = {
        solver: {s.problem for s in summaries if (row := s.row(solver)) and row.status == "OPTIMAL"}
        for solver in (EXACT, ILP)
    }
    lines = [
        f"{solver} proves the optimum of {len(names)} of {len(summaries)} problems"
        for solver, names in proved.items()
        if any(s.row(solver) for s in summaries)
    ]
    if only := sorted(proved[ILP] - proved[EXACT]):
        lines.append(f"proved by HiGHS ILP but not by treaty exact: {', '.join(only)}")
    if only := sorted(proved[EXACT] - proved[ILP]):
        lines.append(f"proved by treaty exact but not by HiGHS ILP: {', '.join(only)}")
    return lines


def _tables(summaries: list[Summary]) -> list[tuple[str, list[str], list[list[str]]]]:
    runs = [_run_cells(s, row, is_first=row is s.rows[0]) for s in summaries for row in s.rows]
    compared = [_summary_cells(s) for s in summaries]
    return [("Runs", _RUN_COLUMNS, runs), ("By problem", _SUMMARY_COLUMNS, compared)]


_RUN_COLUMNS = [
    "problem", "variables", "factors", "solver", "CPU s", "build s",
    "objective", "bound", "gap", "iterations", "peak MB", "status",
]  # fmt: skip

_SUMMARY_COLUMNS = [
    "problem", "LP value", "AD3 − LP", "HiGHS LP s", "AD3 s", "faster", "AD3 s to 1e-4", "AD3 s to 1e-6",
    "exact", "HiGHS ILP",
]  # fmt: skip


def _run_cells(summary: Summary, row: Row, is_first: bool) -> list[str]:
    problem = [summary.problem, str(summary.variables), str(summary.factors)]
    return [
        *(problem if is_first else ["", "", ""]),
        row.solver,
        _seconds(row.seconds),
        _seconds(row.build) if row.solver == LP or row.solver in PEERS else "",
        _number(row.objective),
        _number(row.bound),
        _number(row.gap, ".3g"),
        "" if row.iterations is None else str(row.iterations),
        "" if row.megabytes is None else f"{row.megabytes:.1f}",
        row.status,
    ]


def _summary_cells(summary: Summary) -> list[str]:
    lp, ad3, ratio = summary.row(LP), summary.row(AD3), summary.speed_up()
    to = summary.seconds_to or [None, None]
    return [
        summary.problem,
        "" if summary.lp_value is None else _number(summary.lp_value),
        "" if summary.difference is None else f"{summary.difference:+.1e}",
        _seconds(lp.seconds if lp else None),
        _seconds(ad3.seconds if ad3 else None),
        "" if ratio is None else f"{ratio:.1f}×",
        *map(_seconds, to),
        _proof(summary.row(EXACT)),
        _proof(summary.row(ILP)),
    ]


def _proof(row: Row | None) -> str:
    if row is None:
        return ""
    if row.status in ("OPTIMAL", "INFEASIBLE"):
        return f"proved in {_seconds(row.seconds)} s"
    return f"gap {_number(row.gap, '.3g')}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:.5f}" if seconds < 0.1 else f"{seconds:.3f}"


def _number(value: float, form: str = ".6f") -> str:
    return f"{value:{form}}" if math.isfinite(value) else "–"
