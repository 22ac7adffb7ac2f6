"""Runs of `research/experiments/turbo_paths.py`: the full model of 2011 against parts of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research.report.markdown import Columns, given, grid, number, percent, table, text_of
from research.report.runs import Run

KEY = ("treebank", "order", "epochs", "seed", "sentences", "held out")
ORDERS = ("second", "second+", "full", "third", "third+")
NAMES = {
    "second": "second (G+CS)",
    "second+": "second+ (all siblings, head bigrams)",
    "full": "full (non-projective arcs, paths)",
}
KINDS = {
    "length": "length of the arc",
    "depth": "distance to the root",
    "siblings": "siblings",
    "projective": "projective arc",
}
"""By what the words are counted."""


def accuracy(runs: Sequence[Run]) -> str:
    """One line per treebank and order."""

    def non_projective(run: Run) -> str:
        words, right = run["groups"]["projective"].get("no", (0, 0))
        return f"{right} of {words}"

    columns: Columns = {
        "treebank": text_of("treebank"),
        "parts": lambda run: NAMES.get(run["order"], run["order"]),
        "dev UAS": percent("UAS"),
        "dev LAS": percent("LAS"),
        "non-projective arcs found": non_projective,
        "predicted": given("predicted non-projective", "d"),
        "optimal %": percent("optimal"),
        "tokens/s": given("tokens per second", ",.0f"),
        "training CPU s": given("training seconds", ",.0f"),
    }
    return table(_sorted(runs), columns, text=2)


def errors(runs: Sequence[Run]) -> str:
    """G+CS against the full model, all treebanks together that have both."""
    lines = []
    for kind, title in KINDS.items():
        for group, words, less, more in _compared(runs, kind):
            share = [100 * right / words for right in (less, more)]
            cells = [number(value, ".2f") for value in (*share, share[1] - share[0])]
            lines.append([title, group, f"{words:,}", *cells])
    head = ["by", "group", "words", "second (G+CS)", "full", "difference"]
    return grid(head, lines, text=2)


def sentences(runs: Sequence[Run]) -> str:
    """Trees that are right as a whole: by both, by one of the two, by none."""
    lines = []
    for name, less, more in _pairs(runs):
        pairs = list(zip(less["right sentences"], more["right sentences"], strict=True))
        counts = [pairs.count((a, b)) for a, b in (("1", "1"), ("0", "1"), ("1", "0"), ("0", "0"))]
        lines.append([name, *map(str, counts)])
    return grid(["treebank", "both right", "full alone", "G+CS alone", "none"], lines)


def missing(runs: Sequence[Run]) -> str:
    """What was not run of what the script does by default."""
    names = list(dict.fromkeys(run["treebank"] for run in runs))
    there = {(run["treebank"], run["order"]) for run in runs}
    absent = [f"{n} {o}" for n in names for o in ORDERS[:3] if (n, o) not in there]
    return f"Not run: {', '.join(absent)}." if absent else ""


def _compared(runs: Sequence[Run], kind: str) -> Iterator[tuple[str, int, int, int]]:
    total: dict[str, list[int]] = {}
    for _, less, more in _pairs(runs):
        for group, (words, right) in less["groups"][kind].items():
            sums = total.setdefault(group, [0, 0, 0])
            sums[0] += words
            sums[1] += right
            sums[2] += more["groups"][kind][group][1]
    for group in sorted(total, key=_place):
        words, less_right, more_right = total[group]
        yield group, words, less_right, more_right


def _place(group: str) -> tuple[int, str]:
    digits = group.split("–")[0].rstrip("+")
    return (int(digits) if digits.isdigit() else -1, group)


def _pairs(runs: Sequence[Run]) -> Iterator[tuple[str, Run, Run]]:
    found = {(run["treebank"], run["order"]): run for run in _sorted(runs)}
    for name in dict.fromkeys(run["treebank"] for run in runs):
        if (name, "second") in found and (name, "full") in found:
            yield name, found[name, "second"], found[name, "full"]


def _sorted(runs: Sequence[Run]) -> list[Run]:
    names = list(dict.fromkeys(run["treebank"] for run in runs))
    return sorted(runs, key=lambda run: (names.index(run["treebank"]), ORDERS.index(run["order"])))
