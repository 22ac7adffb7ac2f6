"""Runs of `cluster.py`: work on processes of one machine, and a simulation of many."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from research.report.markdown import Columns, given, grid, number, table, text_of
from research.report.runs import Run

KEY = ("job", "what", "workers", "scale", "seed")
MAPS = ("parse", "solve", "summarize")


def maps(runs: Sequence[Run]) -> str:
    """Work in parts, by job and number of worker processes; 0 is a process without a cluster."""
    columns: Columns = {
        "job": text_of("job"),
        "workers": given("workers", "d"),
        "inputs": given("inputs", ",d"),
        "s": given("wall", ".2f"),
        "CPU s of client": given("own cpu", ".2f"),
        "of workers": given("worker cpu", ".2f"),
        "times as fast as one worker": lambda run: _faster(runs, run),
        "efficiency": given("efficiency", ".2f"),
        "MB in": given("bytes in", ".1f", 1e-6),
        "MB out": given("bytes out", ".1f", 1e-6),
        "MB of client": given("scheduler MB", ".0f"),
        "cents per million": given("cents per million", ".0f"),
    }
    return table([run for run in runs if run["job"] in MAPS], columns)


def _faster(runs: Sequence[Run], run: Run) -> str:
    one = [r["wall"] for r in runs if (r["job"], r.get("workers")) == (run["job"], 1)]
    return number(one[0] / run["wall"], ".2f") if one and run["workers"] else ""


def overhead(runs: Sequence[Run]) -> str:
    """What a part costs that has hardly anything in it."""
    columns: Columns = {
        "parts": given("inputs", "d"),
        "ms of client and scheduler per part": given("own ms per part", ".2f"),
        "of workers": given("worker ms per part", ".2f"),
        "without a cluster": given("plain ms", ".3f"),
        "MB of client before": given("scheduler MB before", ".0f"),
        "after": given("scheduler MB", ".0f"),
    }
    return table([run for run in runs if run["job"] == "tasks"], columns, text=0)


def searches(runs: Sequence[Run]) -> str:
    """A search for a grammar, alone and shared."""
    own = [run for run in runs if run["job"] == "search"]
    alone = own[0]
    rows = [["alone", f"{alone['alone wall']:.1f}", f"{alone['alone cpu']:.1f}", "1",
             f"{alone['nodes alone']:,}", f"{alone['objective alone']:.3f}",
             f"{alone['bound alone']:.3f}"]]  # fmt: skip
    rows += [
        [f"{run['workers']} workers", f"{run['wall']:.1f}",
         f"{run['own cpu'] + run['worker cpu']:.1f}", f"{run['speed-up by wall']:.2f}",
         f"{run['nodes']:,}", f"{run['objective']:.3f}", f"{run['bound']:.3f}"]
        for run in own
    ]  # fmt: skip
    head = ["search", "s", "CPU s", "times as fast", "nodes", "log-likelihood", "bound"]
    return grid(head, rows)


def trainings(runs: Sequence[Run]) -> str:
    """Accuracy on dev or test data of models trained in shards, beside those of one process."""
    rows = []
    for run in runs:
        if run["job"] == "train":
            cells = [_scores(run["scores"].get(n)) for n in ("alone", "2 shards", "4 shards")]
            rows.append([run["what"], f"{run['examples']:,}", *cells])
    return grid(["training", "examples", "one process", "2 shards", "4 shards"], rows)


def _scores(scores: dict[str, float] | None) -> str:
    return ", ".join(f"{name} {100 * value:.2f}" for name, value in (scores or {}).items())


def simulation(runs: Sequence[Run]) -> str:
    """Means over seeds of simulated runs of 20,000 parts."""
    groups: dict[tuple[float, int], list[Run]] = {}
    for run in runs:
        if run["job"] == "simulation":
            groups.setdefault((run["scale"], run["workers"]), []).append(run)
    rows = [
        [f"{scale:g}", f"{workers:,}", *(
            format(fmean(run[name] for run in own), form)
            for name, form in (("hours", ".3f"), ("speed-up", ".1f"), ("efficiency", ".2f"),
                               ("client busy", ".2f"), ("lost", ".0f"))
        )]
        for (scale, workers), own in sorted(groups.items())
    ]  # fmt: skip
    head = ["size of parts", "workers", "hours", "times as fast", "efficiency", "client busy",
            "parts lost"]  # fmt: skip
    return grid(head, rows, text=0)
