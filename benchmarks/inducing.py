"""Grammar induction: how fast trees are found, and how far gaps fall.

    python benchmarks/inducing.py                     # everything, some minutes
    python benchmarks/inducing.py --time-limit 60     # of each search on real sentences
    python benchmarks/inducing.py --only parsing --only synthetic

Seconds are wall time on one core: run it on a machine that has nothing else to do.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

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

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "treebanks"
SEEDS = 20
SENTENCES, LENGTH = 20_000, 10


def parsing(_: argparse.Namespace) -> None:
    """Sentences of ten tokens per second, of 3 and of 12 tags."""
    for n_tags in (3, 12):
        rng = np.random.default_rng(0)
        tokens = rng.integers(0, n_tags, SENTENCES * LENGTH).astype(np.int32)
        names = tuple(f"t{i}" for i in range(n_tags))
        corpus = Corpus(names, tokens, np.arange(0, len(tokens) + 1, LENGTH))
        grammar = Grammar.random(names, 1)
        for name, run in (("Viterbi", viterbi), ("inside-outside", expected_counts)):
            seconds = best_of(3, partial(run, corpus, grammar))
            print(f"{name:<15} {n_tags:>2} tags  {SENTENCES / seconds:>9,.0f} sentences/s")
        start = time.perf_counter()
        found = viterbi_em(corpus, restarts=1, steps=20)
        speed = found.iterations * len(corpus) / (time.perf_counter() - start)
        print(f"{'Viterbi EM':<15} {n_tags:>2} tags  {speed:>9,.0f} sentences/s")


def synthetic(_: argparse.Namespace) -> None:
    """Corpora drawn from the example grammar, to a gap of 1 %."""
    for size in (5, 8):
        seconds, nodes = [], []
        for seed in range(SEEDS):
            corpus = Corpus.sample(Grammar.example(), size, seed=seed)
            start = time.perf_counter()
            found = branch_and_bound(corpus, seed=seed)
            seconds.append(time.perf_counter() - start)
            nodes.append(found.iterations)
            assert found.status == "OPTIMAL", (size, seed)
        print(
            f"{size} sentences, {SEEDS} seeds: {np.median(seconds):.4f} s in the middle, "
            f"{max(seconds):.4f} s at most; {int(np.median(nodes))} nodes, {max(nodes)} at most"
        )


def treebank(arguments: argparse.Namespace) -> None:
    """Twenty sentences of English EWT with 3 and 4 tags."""
    for tags in ("coarse3", "coarse4"):
        corpus = Corpus.read(DATA / "english-ewt" / "dev.conllu", tags=tags, most=20)
        show(f"EWT, {tags}", branch_and_bound(corpus, time_limit=arguments.time_limit, seed=1))


def penn(arguments: argparse.Namespace) -> None:
    """200 sentences of the Penn Treebank sample, against Viterbi EM in the same time."""
    path = DATA / "ptb-sample" / "all.conllu"
    corpus = Corpus.read(path, tags="universal", most=200)
    limits = {"time_limit": arguments.time_limit, "seed": 1}
    for rule in (None, EdgeConstraint.read("universal")):
        name = "free" if rule is None else "constrained"
        local = viterbi_em(corpus, restarts=None, constraint=rule, **limits)
        search = branch_and_bound(corpus, constraint=rule, **limits)
        for found in (local, search):
            show(f"Penn, {name}, {found.method}", found, corpus)


def show(name: str, found: Induced, corpus: Corpus | None = None) -> None:
    accuracy = "" if corpus is None else f", accuracy {100 * (found.accuracy(corpus) or 0):.1f} %"
    print(
        f"{name:<32} log-likelihood {found.objective:.2f}, bound {found.bound:.2f}, "
        f"gap {100 * found.relative_gap:.2f} %, {found.iterations} nodes, "
        f"{found.iterations / found.seconds:,.0f} nodes/s, {found.seconds:.1f} s{accuracy}",
        flush=True,
    )


def best_of(times: int, run: Callable[[], object]) -> float:
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


PARTS = {run.__name__: run for run in (parsing, synthetic, treebank, penn)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=PARTS, help="some of the parts")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds of a search")
    options = parser.parse_args(arguments)
    for name in options.only or PARTS:
        PARTS[name](options)


if __name__ == "__main__":
    main()
