"""Runs of `research/benchmarks/inference.py`: solvers of single graphs.

A line is a solver on a problem (``part`` is ``"run"``), or the mean over the problems of a session
(``"mean"``).
"""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import NONE, grid, number, seconds
from research.report.runs import Run

KEY = ("part", "problem", "solver", "beside", "over")
AD3 = "treaty ad3"
AD3_ROUGH = "treaty ad3 1e-4"  # told to stop at that accuracy
EXACT = "treaty exact"
LP = "highs lp"
ILP = "highs ilp"
PEERS = ("ad3", "lp-sparsemap")
GOOD = 1e-4  # how near a bound must come to the relaxation's value, relative
ACCURACIES = ("1e-4", "1e-6")


def all_runs(runs: Sequence[Run]) -> str:
    """Every solver on every problem."""
    head = ["problem", "variables", "factors", "solver", "CPU s", "build s", "objective", "bound",
            "gap", "iterations", "peak MB", "status"]  # fmt: skip
    rows, last = [], None
    for run in _single(runs):
        own = [run["problem"], number(run["variables"], "d"), number(run["factors"], "d")]
        rows.append([*(own if run["problem"] != last else ["", "", ""]), *_run_cells(run)])
        last = run["problem"]
    return grid(head, rows, text=("problem", "solver", "status"))


def by_problem(runs: Sequence[Run]) -> str:
    """One row per problem: AD3 beside the linear program, and what was proved."""
    head = ["problem", "LP value", "AD3 − LP", "HiGHS LP s", "AD3 s", "faster",
            *(f"to {accuracy} s" for accuracy in ACCURACIES), "exact", "HiGHS ILP"]  # fmt: skip
    rows = []
    for problem, own in _by_problem(runs).items():
        lp, ad3 = own.get(LP, {}), own.get(AD3, {})
        rows.append(
            [
                problem,
                number(lp.get("bound"), ".6f") if lp.get("status") == "OPTIMAL" else "",
                number(ad3.get("difference"), "+.1e"),
                seconds(lp.get("seconds")),
                seconds(ad3.get("seconds")),
                number(ad3.get("times faster"), ".1f") + "×" * ("times faster" in ad3),
                *(seconds(ad3.get(f"seconds to {accuracy}")) for accuracy in ACCURACIES),
                _proof(own.get(EXACT)),
                _proof(own.get(ILP)),
            ]
        )
    return grid(head, rows, text=("problem", "exact", "HiGHS ILP"))


def means(runs: Sequence[Run]) -> str:
    """Geometric means of ratios, each over the problems of one session."""
    found = [run for run in runs if run["part"] == "mean"]
    rows = [
        [r["solver"], r["beside"], r["over"], number(r["times faster"], ".1f"), str(r["problems"])]
        for r in found
    ]
    return grid(["solver", "compared with", "over", "times as fast", "problems"], rows, text=3)


def findings(runs: Sequence[Run]) -> str:
    """What follows from the rows, line by line."""
    problems = _by_problem(runs)
    return "\n".join(f"- {line}" for line in [*_accuracy(problems), *_proofs(problems)])


def mean(runs: Sequence[Run], solver: str, beside: str, over: str = "all problems") -> Run:
    """Look up a mean."""
    wanted = ("mean", solver, beside, over)
    return next(
        r for r in runs if (r["part"], r["solver"], r.get("beside"), r.get("over")) == wanted
    )


def _accuracy(problems: dict[str, dict[str, Run]]) -> list[str]:
    known = {
        problem: abs(own[AD3]["difference"])
        for problem, own in problems.items()
        if own.get(AD3, {}).get("difference") is not None
    }
    if not known:
        return []
    worst = max(known, key=lambda problem: known[problem])
    missed = [problem for problem, difference in known.items() if difference > GOOD]
    verdict = f"; more than {GOOD:g} on {', '.join(missed)}" if missed else f", all within {GOOD:g}"
    lines = [
        f"The bound of AD3 and the value of the LP differ by at most {known[worst]:.1e} ({worst})"
        f"{verdict}."
    ]
    if open_ := [p for p, own in problems.items() if own.get(LP, {}).get("status") == "STOPPED"]:
        lines.append(f"HiGHS LP did not finish, so there is no value: {', '.join(open_)}.")
    return lines


def _proofs(problems: dict[str, dict[str, Run]]) -> list[str]:
    lines, proved = [], {}
    for solver in (EXACT, ILP):
        tried = [problem for problem, own in problems.items() if _has_answer(own.get(solver))]
        proved[solver] = {problem for problem in tried if _is_proved(problems[problem][solver])}
        if tried:
            lines.append(f"{solver} proves the optimum of {len(proved[solver])} of {len(tried)}.")
    for solver, other in ((ILP, EXACT), (EXACT, ILP)):
        both = {p for p, own in problems.items() if solver in own and other in own}
        if only := sorted((proved[solver] - proved[other]) & both):
            lines.append(f"Proved by {solver} but not by {other}: {', '.join(only)}.")
    return lines


def _single(runs: Sequence[Run]) -> list[Run]:
    """Runs, those of a problem together."""
    return [run for own in _by_problem(runs).values() for run in own.values()]


def _by_problem(runs: Sequence[Run]) -> dict[str, dict[str, Run]]:
    found: dict[str, dict[str, Run]] = {}
    for run in runs:
        if run["part"] == "run":
            found.setdefault(run["problem"], {})[run["solver"]] = run
    return found


def _run_cells(run: Run) -> list[str]:
    has_answer = _has_answer(run)
    return [
        run["solver"],
        seconds(run["seconds"]),
        seconds(run["build seconds"]) if run["solver"] in (LP, *PEERS) else "",
        number(run["objective"], ".6f", missing=NONE),
        number(run["bound"], ".6f", missing=NONE),
        number(run["gap"], ".3g", missing=NONE) if has_answer else NONE,
        number(run["iterations"], "d"),
        number(run["megabytes"], ".1f"),
        f"{run['status']} ({run['note']})" if run.get("note") else run["status"],
    ]


def _proof(run: Run | None) -> str:
    if not _has_answer(run):
        return ""
    if _is_proved(run):
        return f"proved in {seconds(run['seconds'])} s"
    return f"gap {number(run['gap'], '.3g', missing=NONE)}"


def _has_answer(run: Run | None) -> bool:
    return run is not None and run["seconds"] is not None


def _is_proved(run: Run) -> bool:
    return run["status"] in ("OPTIMAL", "INFEASIBLE")
