"""Figure 2 of "Turning on the Turbo": AD3 and the subgradient method by length of sentence.

    python -m research.experiments.turbo_figure2 --model english-ewt.third.model --out runs.jsonl

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
import time
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from research.report import ALL, ROOT, Run, append_run, say
from research.report.tables.turbo_figure2 import by_length
from treaty.graph import FactorGraph
from treaty.parse import AD3_OPTIONS, Parser
from treaty.solve import Status, solve
from treaty.text import Sentence, read_conllu

DEV = ROOT.parent / "shared" / "data" / "treebanks" / "english-ewt" / "dev.conllu"
STEPS = (0.1, 1.0, 10.0, 100.0)
WIDTH = 5  # words that a bucket of lengths spans
REPEAT = 3  # runs of less than SHORT seconds, the fastest of which counts
SHORT = 0.02
BOTH = "both"  # the group of sentences that both solvers prove


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


def main() -> None:
    """Solve, and keep the averages."""
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
        if number % 10 == 0 or number == len(sentences):
            say(f"{number} of {len(sentences)} sentences")
    about = {
        "order": parser.settings.order,
        "data": options.data.name,
        "longest": options.longest,
        "iterations": options.iterations,
    }
    runs = [append_run(options.out, {**group, **about}) for group in groups(pairs)]
    print(by_length(runs))


def compare(parser: Parser, sentence: Sentence, iterations: int) -> Pair:
    """Solve a sentence's graph by AD3, and by the subgradient method with each step."""
    graph = parser.graph(sentence).graph
    attempts = [attempt(graph, "subgradient", iterations=iterations, step=step) for step in STEPS]
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


def groups(pairs: list[Pair]) -> list[Run]:
    """Averages by length of sentence, over all, and over those that both solvers prove."""
    by_length: dict[int, list[Pair]] = {}
    for pair in pairs:
        by_length.setdefault((pair.length - 1) // WIDTH, []).append(pair)
    found = []
    for number, own in sorted(by_length.items()):
        first, last = WIDTH * number + 1, WIDTH * (number + 1)
        found.append({"group": f"{first}–{last}", "first": first, "last": last, **averages(own)})
    found.append({"group": ALL, **averages(pairs)})
    both = [pair for pair in pairs if pair.ad3.is_optimal and pair.subgradient.is_optimal]
    return [*found, {"group": BOTH, **averages(both)}] if both else found


def averages(pairs: list[Pair]) -> Run:
    """Seconds and shares of proofs of both solvers."""
    return {
        "sentences": len(pairs),
        "ad3 seconds": fmean(pair.ad3.seconds for pair in pairs),
        "subgradient seconds": fmean(pair.subgradient.seconds for pair in pairs),
        "ad3 optimal": fmean(pair.ad3.is_optimal for pair in pairs),
        "subgradient optimal": fmean(pair.subgradient.is_optimal for pair in pairs),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--model", type=Path, required=True, metavar="FILE", help="a parser")
    add("--data", type=Path, default=DEV, metavar="FILE", help="tagged sentences; EWT's dev")
    add("--sentences", type=int, metavar="N", help="at most so many")
    add("--longest", type=int, default=50, metavar="WORDS", help="no longer sentences")
    add("--iterations", type=int, default=1000, help="of each solver, at most")
    add("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
