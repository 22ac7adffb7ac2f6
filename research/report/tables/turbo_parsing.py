"""Runs of `research/experiments/turbo_parsing.py`: orders of parsers by treebank."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import (
    Columns,
    given,
    grid,
    number,
    percent,
    table,
    text_of,
)
from research.report.runs import Run, key_of

KEY = ("treebank", "order", "epochs", "seed", "sentences", "tags")
GOLD, JACKKNIFED = "gold", "jackknifed"
EPOCHS = 10
"""Of the paper."""
ORDERS = ("first", "second", "second+", "third")
SHARED_TASK = ("danish-ddt", "spanish-cast3lb")
"""Where the CoNLL-2006 data, or nearly those, are at hand."""
# UAS without punctuation and tokens per second of Table 3, on a Core i7 at 3.4 GHz.
# The data are others but for Danish and Spanish.
TABLE_3 = {
    "arabic-padt-small": ((77.23, 2481), (78.50, 388), (79.64, 197)),
    "bulgarian-btb": ((91.76, 5678), (92.82, 2049), (93.10, 1273)),
    "chinese-gsd": ((88.49, 18094), (90.14, 4284), (89.98, 2592)),
    "czech-mix": ((87.66, 1840), (90.00, 751), (90.32, 501)),
    "danish-ddt": ((89.42, 4110), (91.20, 1053), (91.48, 650)),
    "dutch-lassysmall": ((83.61, 3884), (86.37, 1294), (86.19, 599)),
    "german-mix": ((90.52, 5331), (91.85, 1788), (92.41, 965)),
    "english-ewt": ((91.21, 3127), (93.03, 1317), (93.22, 785)),
    "japanese-gsd": ((92.78, 23895), (93.14, 5660), (93.52, 2996)),
    "portuguese-bosque": ((91.14, 4273), (92.71, 1316), (92.69, 740)),
    "slovenian-ssj-small": ((82.81, 4315), (85.21, 722), (86.01, 366)),
    "spanish-cast3lb": ((83.61, 4347), (84.97, 623), (85.59, 318)),
    "swedish-talbanken-v0": ((89.36, 5622), (90.98, 1387), (91.14, 684)),
    "turkish-imst": ((75.98, 6418), (76.50, 1721), (76.90, 793)),
}
PAPERS_ORDERS = ("first", "second", "third")
NOT_YET = "*Not run yet.*"
WHICH: Columns = {"treebank": text_of("treebank"), "order": text_of("order")}
SPEED = given("tokens per second", ",.0f")


def by_treebank(runs: Sequence[Run]) -> str:
    """One line per treebank, UAS and speed by order (the paper's Table 3)."""
    runs = _latest(runs)
    orders = [order for order in ORDERS if any(run["order"] == order for run in runs)]
    columns = ["treebank", "split"]
    for order in orders:
        columns += [f"{order} UAS", "tokens/s"]
    lines = []
    for name in dict.fromkeys(run["treebank"] for run in runs):
        own: dict[str, Run] = {run["order"]: run for run in runs if run["treebank"] == name}
        line = [name, _split(next(iter(own.values())))]
        for order in orders:
            run = own.get(order, {})
            line += [percent("UAS")(run), SPEED(run)]
        lines.append([*line, percent("LAS")(own.get(orders[-1], {}))])
    return grid([*columns, f"{orders[-1]} LAS"], lines, text=2)


def english(runs: Sequence[Run]) -> str:
    """Orders on the English treebanks, dev and test (the paper's Table 2)."""
    own = [run for run in _latest(runs) if run["treebank"] in ("english-ewt", "ptb-sample")]
    columns: Columns = {
        **WHICH,
        "dev UAS": lambda run: percent("UAS")(run["dev"]),
        "dev LAS": lambda run: percent("LAS")(run["dev"]),
        "test UAS": percent("UAS"),
        "test LAS": percent("LAS"),
        "test UAS without punctuation": percent("UAS without punctuation"),
        "tokens/s": SPEED,
    }
    return table(own, columns, text=2)


def beside_the_paper(runs: Sequence[Run]) -> str:
    """Danish and Spanish, where the paper's data or nearly those are at hand."""
    own = [run for run in _latest(runs) if run["treebank"] in SHARED_TASK]

    def paper(run: Run, column: int) -> float | None:
        if run["order"] not in PAPERS_ORDERS:
            return None
        return TABLE_3[run["treebank"]][PAPERS_ORDERS.index(run["order"])][column]

    def difference(run: Run) -> str:
        known = paper(run, 0)
        return number(known and 100 * run["UAS without punctuation"] - known, "+.2f")

    columns: Columns = {
        **WHICH,
        "UAS": percent("UAS without punctuation"),
        "paper's": lambda run: number(paper(run, 0), ".2f"),
        "difference": difference,
        "LAS": percent("LAS without punctuation"),
        "tokens/s": SPEED,
        "paper's tokens/s": lambda run: number(paper(run, 1), ",.0f"),
    }
    return table(own, columns, text=2)


def in_form(runs: Sequence[Run]) -> str:
    """The paper's Table 3 in form: UAS of three orders, and what each gains on the one below."""
    found = {(run["treebank"], run["order"]): run for run in _latest(runs)}
    lines = []
    for name, theirs in TABLE_3.items():
        if not all((name, order) in found for order in PAPERS_ORDERS):
            continue
        own = [100 * found[name, order]["UAS without punctuation"] for order in PAPERS_ORDERS]
        row = [f"{own[i]:.2f} ({theirs[i][0]:.2f})" for i in range(len(own))]
        for i in (1, 2):
            row.append(f"{own[i] - own[i - 1]:+.2f} ({theirs[i][0] - theirs[i - 1][0]:+.2f})")
        speed = found[name, "third"]["tokens per second"]
        lines.append([name, *row, f"{speed:,.0f} ({theirs[2][1]:,})"])
    head = ["treebank", *PAPERS_ORDERS, "second − first", "third − second", "third, tokens/s"]
    return grid(head, lines)


def all_runs(runs: Sequence[Run]) -> str:
    """Everything that was measured on test data."""
    columns: Columns = {
        **WHICH,
        "UAS": percent("UAS"),
        "LAS": percent("LAS"),
        "UAS no punct.": percent("UAS without punctuation"),
        "LAS no punct.": percent("LAS without punctuation"),
        "tokens/s": SPEED,
        "with loading": given("tokens per second with loading", ",.0f"),
        "optimal %": percent("optimal"),
        "pruner recall %": percent("pruner recall"),
        "candidates/word": given("candidates per word", ".1f"),
        "model MB": given("model bytes", ".1f", 1e-6),
        "epochs": given("epochs", "d"),
        "training CPU min": given("training seconds", ".1f", 1 / 60),
    }
    return table(_latest(runs), columns, text=2)


def splits(runs: Sequence[Run]) -> str:
    """What the splits of treebanks are that are not those of a release; and trials."""
    runs = _latest(runs)
    notes = {run["treebank"]: run["note"] for run in runs if run["note"]}
    trials = {run["treebank"] for run in runs if run["sentences"]}
    lines = [f"- {name}: {note}" for name, note in notes.items()]
    lines += [f"- **a trial** on the first sentences of each part: {n}" for n in sorted(trials)]
    return "\n".join(lines)


def jackknifed(runs: Sequence[Run]) -> str:
    """Tags of a tagger beside gold tags, with and without punctuation, all else being equal."""
    same = ("treebank", "order", "epochs", "seed", "sentences")
    gold = {key_of(run, same): run for run in runs if run["tags"] == GOLD}
    columns: Columns = {**WHICH, "sentences": lambda run: str(run["sentences"] or "all")}
    for score in ("UAS", "LAS", "UAS without punctuation", "LAS without punctuation"):
        short = score.replace("without punctuation", "no punct.")
        columns[f"gold {short}"] = lambda run, score=score: percent(score)(
            gold.get(key_of(run, same), {})
        )
        columns[f"own {short}"] = percent(score)
    columns["tags right %"] = lambda run: number(run["tag accuracy"].get("upos"), ".2f", 100)
    own = _latest(runs, JACKKNIFED)
    return table(own, columns, text=2) if own else NOT_YET


def missing(runs: Sequence[Run]) -> str:
    """Treebanks without a run of ten epochs, by tags."""
    names = sorted({run["treebank"] for run in runs})
    lines = []
    for tags in (GOLD, JACKKNIFED):
        there = {
            (run["treebank"], run["order"])
            for run in runs
            if run["epochs"] == EPOCHS and run["tags"] == tags and not run["sentences"]
        }
        some = [(n, [o for o in ORDERS if (n, o) not in there]) for n in names]
        absent = [n if o == list(ORDERS) else f"{n} ({', '.join(o)})" for n, o in some if o]
        if absent:
            lines.append(f"- {tags} tags, ten epochs: {', '.join(absent)}")
    return "\n".join(["Not run yet:", "", *lines]) if lines else "Nothing is missing."


def _latest(runs: Sequence[Run], tags: str = GOLD) -> list[Run]:
    """The run of each treebank and order with the most epochs, in their usual order."""
    own = [run for run in runs if run["tags"] == tags and run["order"] in ORDERS]
    own.sort(key=lambda run: (not run["sentences"], run["epochs"]))
    found = {(run["treebank"], ORDERS.index(run["order"])): run for run in own}
    return [found[key] for key in sorted(found)]


def _split(run: Run) -> str:
    if run["official"]:
        return "official"
    return "CoNLL-2006" if run["treebank"] in SHARED_TASK else "own"
