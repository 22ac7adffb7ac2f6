"""Runs of `research/benchmarks/serving.py`: load on the server, and a soak."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import Columns, given, grid, table, text_of
from research.report.runs import Run

KEY = ("run", "endpoint", "clients")
DIRECT, SERVED, SOAK = "treaty called directly", "treaty served", "soak"


def load(runs: Sequence[Run]) -> str:
    """Requests by endpoint and number of clients."""
    columns: Columns = {
        "endpoint": text_of("endpoint"),
        "run": text_of("run"),
        "clients": given("clients", "d"),
        "requests/s": given("requests per second", ",.0f"),
        "p50 ms": given("p50 ms", ".1f"),
        "p95 ms": given("p95 ms", ".1f"),
        "p99 ms": given("p99 ms", ".1f"),
        "CPU ms": given("cpu ms", ".2f"),
        "refused or failed": given("refused or failed", "d"),
    }
    own = sorted((run for run in runs if run["run"] != SOAK), key=lambda run: run["endpoint"])
    return table(own, columns, text=2)


def overhead(runs: Sequence[Run]) -> str:
    """What the server adds to a call, with one client."""
    found = {(run["run"], run["endpoint"]): run for run in runs if run.get("clients") == 1}
    rows = []
    for (kind, endpoint), run in found.items():
        twin = found.get((DIRECT, endpoint))
        if kind == SERVED and twin:
            more = (run[name] - twin[name] for name in ("p50 ms", "cpu ms"))
            rows.append([endpoint, *(f"{value:.2f}" for value in more)])
    return grid(["endpoint", "more ms at the median", "more ms of CPU"], rows)


def soak(runs: Sequence[Run]) -> str:
    """The last soak, in a sentence."""
    (run,) = [run for run in runs if run["run"] == SOAK][-1:]
    first, then, last = run["megabytes at first, then, at last"]
    statuses = ", ".join(
        f"{count:,} {'given up by the client' if code == '0' else code}"
        for code, count in run["statuses"].items()
    )
    return (
        f"{run['minutes']:g} minutes, {run['requests']:,} requests by four clients ({statuses}). "
        f"Errors of the server: {run['errors of the server']}. Memory: {first} MB at first, {then} "
        f"MB after a quarter of the time, {last} MB at the end; slope of the last three quarters: "
        f"{run['megabytes per hour']:g} MB per hour."
    )
