"""Runs of `turbo_parsing.py` as the tables of docs/results.md."""

from __future__ import annotations

from collections.abc import Callable

from _runs import Run, all_of, grid
from _treebanks import SHARED_TASK

ORDERS = ("first", "second", "second+", "third")
# UAS without punctuation and tokens per second of Table 3, on a Core i7 at 3.4 GHz.
PAPER = {
    ("danish-ddt", "first"): (89.42, 4110),
    ("danish-ddt", "second"): (91.20, 1053),
    ("danish-ddt", "third"): (91.48, 650),
    ("spanish-cast3lb", "first"): (83.61, 4347),
    ("spanish-cast3lb", "second"): (84.97, 623),
    ("spanish-cast3lb", "third"): (85.59, 318),
}


def markdown(runs: list[Run]) -> str:
    """All tables, each under a heading, after the lines that tell how they came about."""
    if not runs:
        raise SystemExit("there are no runs to make tables of")
    latest = {(run["treebank"], ORDERS.index(run["order"])): run for run in runs}
    runs = [latest[key] for key in sorted(latest)]
    parts = [
        _origin(runs),
        "#### By treebank and order (the paper's Table 3 in form)\n\n"
        "UAS with all tokens scored, gold tags; tokens per CPU second on one thread.\n\n"
        + by_treebank(runs),
        "#### English by order (the paper's Table 2 in form)\n\n" + english(runs),
        "#### Beside the paper's own numbers\n\n"
        "UAS as the shared task scores it: tokens that are punctuation are left out.\n\n"
        + beside_the_paper(runs),
        "#### All runs\n\n" + all_runs(runs),
    ]
    notes = {run["treebank"]: run["note"] for run in runs if run["note"]}
    return "\n\n".join(parts) + "\n\n" + "\n".join(f"- {k}: {v}" for k, v in notes.items())


def by_treebank(runs: list[Run]) -> str:
    """One line per treebank, UAS and speed by order."""
    orders = [order for order in ORDERS if any(run["order"] == order for run in runs)]
    columns = ["treebank", "split"]
    for order in orders:
        columns += [f"{order} UAS", "tokens/s"]
    lines = []
    for name in dict.fromkeys(run["treebank"] for run in runs):
        own = {run["order"]: run for run in runs if run["treebank"] == name}
        line = [name, _split(next(iter(own.values())))]
        for order in orders:
            line += [_percent(own, order, "UAS"), _speed(own, order)]
        lines.append([*line, _percent(own, orders[-1], "LAS")])
    return grid([*columns, f"{orders[-1]} LAS"], lines, text=2)


def english(runs: list[Run]) -> str:
    """Orders on the English treebanks, dev and test."""
    own = [run for run in runs if run["treebank"] in ("english-ewt", "ptb-sample")]
    return _table(
        own,
        {
            "dev UAS": lambda run: _share(run["dev"].get("UAS")),
            "dev LAS": lambda run: _share(run["dev"].get("LAS")),
            "test UAS": lambda run: _share(run["UAS"]),
            "test LAS": lambda run: _share(run["LAS"]),
            "test UAS without punctuation": lambda run: _share(run["UAS without punctuation"]),
            "tokens/s": lambda run: _count(run["tokens per second"]),
        },
    )


def beside_the_paper(runs: list[Run]) -> str:
    """Danish and Spanish, where the paper's data or nearly those are at hand."""
    own = [run for run in runs if run["treebank"] in SHARED_TASK]

    def paper(run: Run) -> tuple[float, int] | None:
        return PAPER.get((run["treebank"], run["order"]))

    def difference(run: Run) -> str:
        known = paper(run)
        return f"{100 * run['UAS without punctuation'] - known[0]:+.2f}" if known else ""

    return _table(
        own,
        {
            "UAS": lambda run: _share(run["UAS without punctuation"]),
            "paper's": lambda run: f"{known[0]:.2f}" if (known := paper(run)) else "",
            "difference": difference,
            "LAS": lambda run: _share(run["LAS without punctuation"]),
            "tokens/s": lambda run: _count(run["tokens per second"]),
            "paper's tokens/s": lambda run: _count(known[1]) if (known := paper(run)) else "",
        },
    )


def all_runs(runs: list[Run]) -> str:
    """Everything that was measured on test data."""
    return _table(
        runs,
        {
            "UAS": lambda run: _share(run["UAS"]),
            "LAS": lambda run: _share(run["LAS"]),
            "UAS no punct.": lambda run: _share(run["UAS without punctuation"]),
            "LAS no punct.": lambda run: _share(run["LAS without punctuation"]),
            "tokens/s": lambda run: _count(run["tokens per second"]),
            "with loading": lambda run: _count(run["tokens per second with loading"]),
            "optimal %": lambda run: _share(run["optimal"]),
            "pruner recall %": lambda run: _share(run["pruner recall"]),
            "candidates/word": lambda run: f"{run['candidates per word']:.1f}",
            "model MB": lambda run: f"{run['model bytes'] / 1e6:.1f}",
            "epochs": lambda run: str(run["epochs"]),
            "training CPU min": lambda run: f"{run['training seconds'] / 60:.1f}",
        },
    )


def _origin(runs: list[Run]) -> str:
    lines = [
        f"- commit: `{all_of(runs, 'commit')}`, {all_of(runs, 'date')}; command: "
        "`python experiments/turbo_parsing.py --out runs.jsonl`",
        f"- machine: {all_of(runs, 'machine')}; epochs: {all_of(runs, 'epochs')}; "
        f"seed: {all_of(runs, 'seed')}",
        '- "official": the files of a UD release; the others are explained below the tables',
        "- tokens/s: CPU time from sentences in memory to labeled trees; "
        '"with loading" adds reading the model file',
        '- "optimal": sentences whose tree is proved to be the best of the model; pruner recall: '
        "test arcs among the candidates",
    ]
    if any(run["sentences"] for run in runs):
        lines.append("- **a trial**: only the first sentences of each part were used")
    return "\n".join(lines)


def _table(runs: list[Run], columns: dict[str, Callable[[Run], str]]) -> str:
    lines = [
        [run["treebank"], run["order"], *(cell(run) for cell in columns.values())] for run in runs
    ]
    return grid(["treebank", "order", *columns], lines, text=2)


def _split(run: Run) -> str:
    if run["official"]:
        return "official"
    return "CoNLL-2006" if run["treebank"] in SHARED_TASK else "own"


def _percent(own: dict[str, Run], order: str, score: str) -> str:
    return _share(own[order][score]) if order in own else ""


def _speed(own: dict[str, Run], order: str) -> str:
    return _count(own[order]["tokens per second"]) if order in own else ""


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _count(value: float) -> str:
    return f"{value:,.0f}"
