"""Figure 2 of "Turning on the Turbo": AD3 and the subgradient method by length of sentence.

    python experiments/turbo_figure2.py --model english-ewt.third.model
    python experiments/turbo_figure2.py --model english-ewt.third.model --page docs/results.md

Both solve the same factor graphs: a tree factor, head automata, and what else the model's order
has, over the candidate arcs that the pruner leaves. Seconds are CPU time of solving alone, the
graph being built. As in the paper, the subgradient method has for each sentence the most favorable
step of four that are a factor of ten apart: the fastest that proves its tree to be the best, or
else the one with the lowest bound. The paper's run from 0.001 to 1; Treaty's steps are relative to
the size of the scores, and the best of them lie between 1 and 30, so the four surround these. AD3
has the penalty and the short projections that the parser gives it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from _runs import fill, provenance
from treaty.corpus import Sentence, read_conllu
from treaty.graph import FactorGraph
from treaty.parse import Parser
from treaty.parse._graph import AD3_OPTIONS
from treaty.solve import Status, solve

ROOT = Path(__file__).resolve().parents[1]
DEV = ROOT.parent / "shared" / "data" / "treebanks" / "english-ewt" / "dev.conllu"
PICTURE = ROOT / "docs" / "images" / "turbo_figure2.svg"
STEPS = (0.1, 1.0, 10.0, 100.0)
WIDTH = 5  # words that a bucket of lengths spans
REPEAT = 3  # runs of less than SHORT seconds, the fastest of which counts
SHORT = 0.02
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#666666"  # Okabe & Ito: the color-blind can tell them


class Attempt(NamedTuple):
    """One solver on one sentence."""

    seconds: float
    is_optimal: bool
    bound: float


class Pair(NamedTuple):
    """Both solvers on one sentence."""

    length: int
    ad3: Attempt
    subgradient: Attempt


class Bucket(NamedTuple):
    """Averages over the sentences of similar length, `first` to `last` words."""

    first: int
    last: int
    sentences: int
    ad3: float
    subgradient: float
    ad3_optimal: float
    subgradient_optimal: float


def main() -> None:
    """Solve, draw, and print the numbers."""
    options = _options()
    parser = Parser.load(options.model)
    sentences = [
        sentence
        for sentence in read_conllu(options.data)
        if 1 < len(sentence) <= options.longest
    ][: options.sentences]  # fmt: skip
    pairs = []
    for number, sentence in enumerate(sentences, 1):
        pairs.append(compare(parser, sentence, options.iterations))
        print(f"\r{number} of {len(sentences)} sentences", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    buckets = bucketed(pairs)
    draw(buckets, options.picture)
    text = f"{_origin(parser, options)}\n\n{table(buckets)}\n\n{summary(pairs)}"
    if options.page is None:
        print(text)
    else:
        picture = os.path.relpath(options.picture, options.page.parent)
        fill(options.page, "turbo_figure2", f"![CPU time by sentence length]({picture})\n\n{text}")


def compare(parser: Parser, sentence: Sentence, iterations: int) -> Pair:
    """Solve a sentence's graph by AD3, and by the subgradient method with each step."""
    graph = parser.graph(sentence).graph
    attempts = [
        attempt(graph, "subgradient", iterations=iterations, step=step) for step in STEPS
    ]
    ad3 = attempt(graph, "ad3", iterations=iterations, **AD3_OPTIONS)
    return Pair(len(sentence), ad3, favorable(attempts))


def attempt(graph: FactorGraph, method: str, **options: float) -> Attempt:
    """Solve a graph, a few times if that is short."""
    seconds: list[float] = []
    while not seconds or (seconds[0] < SHORT and len(seconds) < REPEAT):
        started = time.process_time()
        solution = solve(graph, method, **options)
        seconds.append(time.process_time() - started)
    return Attempt(min(seconds), solution.status is Status.OPTIMAL, solution.bound)


def favorable(attempts: list[Attempt]) -> Attempt:
    """The fastest attempt with a proof; without any, the one with the lowest bound."""
    proofs = [attempt for attempt in attempts if attempt.is_optimal]
    if proofs:
        return min(proofs, key=lambda attempt: attempt.seconds)
    return min(attempts, key=lambda attempt: attempt.bound)


def bucketed(pairs: Iterable[Pair]) -> list[Bucket]:
    """Averages by length of sentence."""
    by_length: dict[int, list[Pair]] = {}
    for pair in pairs:
        by_length.setdefault((pair.length - 1) // WIDTH, []).append(pair)
    return [
        Bucket(
            WIDTH * number + 1,
            WIDTH * (number + 1),
            len(own),
            fmean(pair.ad3.seconds for pair in own),
            fmean(pair.subgradient.seconds for pair in own),
            fmean(pair.ad3.is_optimal for pair in own),
            fmean(pair.subgradient.is_optimal for pair in own),
        )
        for number, own in sorted(by_length.items())
    ]


def table(buckets: list[Bucket]) -> str:
    """The numbers of the picture, in Markdown."""
    lines = [
        "| words | sentences | AD3 ms | subgradient ms | times faster | AD3 optimal % "
        "| subgradient optimal % |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for b in buckets:
        lines.append(
            f"| {b.first}–{b.last} | {b.sentences} | {1e3 * b.ad3:.3f} | {1e3 * b.subgradient:.3f} "
            f"| {b.subgradient / b.ad3:.1f} | {100 * b.ad3_optimal:.1f} "
            f"| {100 * b.subgradient_optimal:.1f} |"
        )
    return "\n".join(lines)


def draw(buckets: list[Bucket], path: Path) -> None:
    """Draw average seconds by length, a line for each solver."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    middles = [(bucket.first + bucket.last) / 2 for bucket in buckets]
    for name, color, marker, values in (
        ("AD3", BLUE, "o", [1e3 * bucket.ad3 for bucket in buckets]),
        ("subgradient", ORANGE, "s", [1e3 * bucket.subgradient for bucket in buckets]),
    ):
        axes.plot(middles, values, color=color, marker=marker, markersize=4, label=name)
    axes.legend(frameon=False, loc="upper left")
    axes.set_xlabel("sentence length (words)")
    axes.set_ylabel("average CPU time to solve (ms)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color="#dddddd")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=GREY)
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date and no random names: the same numbers give the same file.
    with mpl.rc_context({"svg.hashsalt": "treaty", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def summary(pairs: list[Pair]) -> str:
    """Averages over all sentences, and over those where both went to the end."""

    def told(attempts: list[Attempt]) -> str:
        milliseconds = 1e3 * fmean(attempt.seconds for attempt in attempts)
        optimal = fmean(attempt.is_optimal for attempt in attempts)
        return f"{milliseconds:.2f} ms ({optimal:.1%} proved optimal)"

    def line(what: str, own: list[Pair]) -> str:
        return (
            f"- {what}, {len(own)}: AD3 takes {told([pair.ad3 for pair in own])}, the subgradient "
            f"method {told([pair.subgradient for pair in own])}"
        )

    both = [pair for pair in pairs if pair.ad3.is_optimal and pair.subgradient.is_optimal]
    lines = [line("All sentences", pairs)]
    return "\n".join([*lines, line("Those that both prove", both)] if both else lines)


def _origin(parser: Parser, options: argparse.Namespace) -> str:
    origin = provenance()
    return (
        f"- commit: `{origin['commit']}`, {origin['date']}; command: "
        f"`python experiments/turbo_figure2.py --model {options.model.name}`\n"
        f"- machine: {origin['machine']}\n"
        f"- a {parser.settings.order}-order model, sentences of {options.data.name} with 2 to "
        f"{options.longest} words, at most {options.iterations} iterations of either solver;\n"
        "  where a run ends there without a proof, its time is less than a proof would take"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--model", type=Path, required=True, metavar="FILE", help="a parser")
    add("--data", type=Path, default=DEV, metavar="FILE", help="tagged sentences; EWT's dev")
    add("--sentences", type=int, metavar="N", help="at most so many")
    add("--longest", type=int, default=50, metavar="WORDS", help="no longer sentences")
    add("--iterations", type=int, default=1000, help="of each solver, at most")
    add("--picture", type=Path, default=PICTURE, metavar="FILE", help=".svg, .png or .pdf")
    add("--page", type=Path, help="put the numbers between the marks of this page")
    return parser.parse_args()


if __name__ == "__main__":
    main()
