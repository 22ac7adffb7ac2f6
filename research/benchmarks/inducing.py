"""Grammar induction: how fast trees are found, and how far gaps fall.

    python -m research.benchmarks.inducing                     # everything, some minutes
    python -m research.benchmarks.inducing --time-limit 60     # of each search on real sentences
    python -m research.benchmarks.inducing --only parsing --only synthetic

Seconds are wall time on one core: run it on a machine that has nothing else to do.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from research.report import ROOT, Run, append_run, say
from research.report.tables import inducing as tables
from treaty.induce import (
    Corpus,
    EdgeConstraint,
    Grammar,
    Induced,
    branch_and_bound,
    expected_counts,
    viterbi,
    viterbi_em,
)

DATA = ROOT.parent / "shared" / "data" / "treebanks"
SEEDS = 20
SENTENCES, LENGTH = 20_000, 10


def parsing(_: argparse.Namespace) -> Iterator[Run]:
    """Sentences of ten tokens per second, of 3 and of 12 tags."""
    for n_tags in (3, 12):
        rng = np.random.default_rng(0)
        tokens = rng.integers(0, n_tags, SENTENCES * LENGTH).astype(np.int32)
        names = tuple(f"t{i}" for i in range(n_tags))
        corpus = Corpus(names, tokens, np.arange(0, len(tokens) + 1, LENGTH))
        grammar = Grammar.random(names, 1)
        about = {"part": "parsing", "data": f"{n_tags} tags", "tags": n_tags}
        for name, run in (("Viterbi", viterbi), ("inside-outside", expected_counts)):
            speed = SENTENCES / best_of(3, partial(run, corpus, grammar))
            yield {**about, "method": name, "sentences per second": speed}
        start = time.perf_counter()
        found = viterbi_em(corpus, restarts=1, steps=20)
        speed = found.iterations * len(corpus) / (time.perf_counter() - start)
        yield {**about, "method": "Viterbi EM", "sentences per second": speed}


def synthetic(_: argparse.Namespace) -> Iterator[Run]:
    """Corpora drawn from the example grammar, to a gap of 1 %."""
    for size in (5, 8):
        seconds, found = [], []
        for seed in range(SEEDS):
            corpus = Corpus.sample(Grammar.example(), size, seed=seed)
            start = time.perf_counter()
            found.append(branch_and_bound(corpus, relative_gap=0.01, seed=seed))
            seconds.append(time.perf_counter() - start)
        nodes = [one.iterations for one in found]
        yield {
            "part": "synthetic",
            "data": f"{size} sentences",
            "method": "chords",
            "corpora": SEEDS,
            "proved": sum(one.status == "OPTIMAL" for one in found),
            "median seconds": median(seconds),
            "most seconds": max(seconds),
            "median nodes": median(nodes),
            "most nodes": max(nodes),
        }


def treebank(options: argparse.Namespace) -> Iterator[Run]:
    """Twenty sentences of English EWT with 3 and 4 tags."""
    limit = options.time_limit
    for tags in ("coarse3", "coarse4"):
        corpus = Corpus.read(DATA / "english-ewt" / "dev.conllu", tags=tags, most=20)
        found = branch_and_bound(corpus, time_limit=limit, seed=1)
        yield search(f"20 sentences of EWT, {len(corpus.tags)} tags", found, limit)


def penn(options: argparse.Namespace) -> Iterator[Run]:
    """200 sentences of the Penn Treebank sample, against Viterbi EM in the same time."""
    path = DATA / "ptb-sample" / "all.conllu"
    corpus = Corpus.read(path, tags="universal", most=200)
    limits = {"time_limit": options.time_limit, "seed": 1}
    for rule in (None, EdgeConstraint.read("universal")):
        name = "free" if rule is None else "constrained"
        local = viterbi_em(corpus, restarts=None, constraint=rule, **limits)
        whole = branch_and_bound(corpus, constraint=rule, **limits)
        for found in (local, whole):
            data = f"200 sentences of the Penn sample, {name}"
            yield search(data, found, options.time_limit, corpus)


def search(data: str, found: Induced, limit: float, corpus: Corpus | None = None) -> Run:
    """What a search came to."""
    return {
        "part": "search",
        "data": data,
        "method": found.method,
        "limit": limit,
        "objective": found.objective,
        "bound": found.bound,
        "gap": found.relative_gap,
        "nodes": found.iterations,
        "seconds": found.seconds,
        "accuracy": None if corpus is None else found.accuracy(corpus),
        "status": str(found.status),
    }


def best_of(times: int, run: Callable[[], object]) -> float:
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


PARTS = {run.__name__: run for run in (parsing, synthetic, treebank, penn)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Do all parts, or those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=PARTS, help="some of the parts")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds of a search")
    parser.add_argument("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    options = parser.parse_args(arguments)
    runs: list[Run] = []
    for name in options.only or PARTS:
        say(name)
        runs += [append_run(options.out, run) for run in PARTS[name](options)]
    print(tables.parsing(runs), tables.synthetic(runs), tables.searches(runs), sep="\n\n")


if __name__ == "__main__":
    main()
