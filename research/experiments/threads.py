"""Table 3 of Qian & Liu (2014) in form: links of threads, by independent decisions, 2-D and 3-wise.

    python -m research.experiments.threads --datasets stac,irc --orders independent,2d,3-wise
    python -m research.experiments.threads --datasets stac --orders 3-wise --methods ad3,naive
    python -m research.experiments.threads --seeds 1,2,3 --splits dev,test --out runs.jsonl

The paper's corpus is not public. ``stac`` are dialogues of players of a board game, with the
dialogues left out of train that dev or test have too; ``irc`` are conversations of an Ubuntu
channel, of which a part is learned from. Linkers of all orders have the same features of pairs and
are trained and tuned (on dev) in the same way; a method is how they are decoded.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

from research.experiments._pattern_decoders import DECODERS, Labels, Problems
from research.report import ROOT, Run, append_run, say
from research.report.tables.threads import by_order
from treaty.label.threads import ORDERS, LinkedThread, ThreadLinker
from treaty.metrics import LinkScores, link_scores
from treaty.solve import Status, options_of
from treaty.text import Link, Thread, read_threads

DATA = ROOT.parent / "shared" / "data" / "threads"
FILES = {
    "stac": {"train": "stac/train.jsonl", "dev": "stac/dev.jsonl", "test": "stac/test.jsonl"},
    "irc": {
        "train": "irc/conversations_train.jsonl.xz",
        "dev": "irc/conversations_dev.jsonl",
        "test": "irc/conversations_test.jsonl",
    },
}
MOST_THREADS = 1000
"""That are learned from: so many train in a minute or two."""
ITERATIONS = 200
"""Of dual decomposition, as in the paper."""


@cache
def read_split(dataset: str, split: str) -> list[Thread]:
    """Read threads; those to learn from are a fixed part of them, and none is in dev or test."""
    threads = list(read_threads(DATA / FILES[dataset][split]))
    if split != "train":
        return threads
    held_out = {_texts(t) for s in ("dev", "test") for t in read_split(dataset, s)}
    own = [thread for thread in threads if _texts(thread) not in held_out]
    chosen = np.random.default_rng(0).permutation(len(own))[:MOST_THREADS]
    return [own[number] for number in np.sort(chosen)]


@cache
def trained(dataset: str, order: str, seed: int = 1) -> tuple[ThreadLinker, float]:
    """Train a linker of an order; returns it with the seconds that it took."""
    started = time.process_time()
    linker = ThreadLinker.train(
        read_split(dataset, "train"), read_split(dataset, "dev"), order=order, seed=seed
    )
    return linker, time.process_time() - started


FOLDS = 3
PAPER_THREADS = 200
"""As many as the paper has."""


@cache
def read_fold(dataset: str, fold: int) -> tuple[list[Thread], list[Thread]]:
    """Threads to learn from and to test on: all of a data set in three parts, at random.

    Threads with the same posts are kept once. The folds have as many threads as those of the paper.
    """
    every = [thread for split in ("train", "dev", "test") for thread in read_split(dataset, split)]
    own = list({_texts(thread): thread for thread in every}.values())
    order = np.random.default_rng(0).permutation(len(own))[:PAPER_THREADS]
    part = {int(number): place % FOLDS for place, number in enumerate(order)}
    kept = [(own[number], which) for number, which in sorted(part.items())]
    return [t for t, p in kept if p != fold], [t for t, p in kept if p == fold]


@cache
def trained_on_fold(
    dataset: str, fold: int, order: str, decoder: str, seed: int = 1
) -> tuple[ThreadLinker, float]:
    """Train a linker as the paper does: by ten epochs of the averaged perceptron, untuned."""
    train, _ = read_fold(dataset, fold)
    method, options = DECODERS[decoder]
    started = time.process_time()
    linker = ThreadLinker.train(
        train, order=order, seed=seed, epochs=10, tune=False, learner="perceptron", dropout=0.0,
        decoder=method, limits={**options, "iterations": ITERATIONS},
    )  # fmt: skip
    return linker, time.process_time() - started


def problems(linker: ThreadLinker, threads: Sequence[Thread]) -> Problems:
    """Make the graphs of threads; their labels are scored as links."""
    batch = linker.batch(threads)

    def score(labels: list[Labels]) -> Run:
        found = batch.links(np.concatenate(labels))
        linked = [
            replace(thread, links=[Link(source, target) for _, source, target in own])
            for thread, own in zip(threads, found, strict=True)
        ]
        scores = link_scores(threads, linked)
        interval = scores.interval()
        return {
            "F1": scores.links.f1,
            "interval": [interval.low, interval.high],
            "precision": scores.links.precision,
            "recall": scores.links.recall,
        }

    return Problems.of(linker.crf, batch.instances, score)


def run(
    dataset: str, order: str, method: str = "auto", seed: int = 1, *, split: str = "dev",
    iterations: int = ITERATIONS,
) -> Run:  # fmt: skip
    """Train a linker, decode a split by a method, and tell what came of it."""
    linker, training = trained(dataset, order, seed)
    threads = read_split(dataset, split)
    iterates = method != "auto" and "iterations" in options_of(method)
    limits = {"iterations": iterations} if iterates else {}
    started = time.process_time()
    linked = list(linker.predict(threads, method=method, **limits))
    seconds = time.process_time() - started
    scores = link_scores(threads, [found.thread for found in linked])
    interval = scores.interval()
    result = {
        "dataset": dataset, "split": split, "order": order, "method": method, "seed": seed,
        "F1": scores.links.f1, "low": interval.low, "high": interval.high,
        "precision": scores.links.precision, "recall": scores.links.recall,
        "seconds": seconds, "training seconds": training, **certificates(linked),
    }  # fmt: skip
    say(
        f"{dataset} {split} {order} {method} seed {seed}: F1 {100 * scores.links.f1:.2f} "
        f"[{100 * interval.low:.2f}, {100 * interval.high:.2f}], {seconds:.1f} s, "
        f"certificates {100 * result['certificates']:.1f} %, gap {result['gap']:.4g}"
    )
    return {**result, "scores": scores}


def certificates(linked: list[LinkedThread]) -> Run:
    """The share of threads whose answer is proved to be the best, and the gap of all."""
    proved = sum(found.status is Status.OPTIMAL for found in linked)
    return {
        "certificates": proved / max(len(linked), 1),
        "bound": sum(found.bound for found in linked),
        "gap": sum(found.gap for found in linked),
    }


def comparison(better: LinkScores, worse: LinkScores) -> Run:
    """By how much one system is better, and whether that may be chance."""
    found = better.compare(worse)
    by = found.difference
    return {"difference": by.value, "difference interval": [by.low, by.high], "p": found.p_value}


def _texts(thread: Thread) -> tuple[str, ...]:
    return tuple(post.text for post in thread.posts)


def main() -> None:
    """Do what was asked for, each order beside the one before."""
    options = _options()
    runs: list[Run] = []
    before: dict[tuple[str, str, int, str], tuple[str, LinkScores]] = {}
    for dataset, seed, order in product(options.datasets, options.seeds, options.orders):
        for split, method in product(options.splits, options.methods):
            result = run(dataset, order, method, seed, split=split)
            scores = result.pop("scores")
            if last := before.get(key := (dataset, split, seed, method)):
                result |= {"beside": last[0], **comparison(scores, last[1])}
                say(f"{100 * result['difference']:+.2f} over {last[0]}, p = {result['p']:.3f}")
            before[key] = order, scores
            runs.append(append_run(options.out, result))
    print(by_order(runs))


def _options() -> argparse.Namespace:
    def names(text: str) -> list[str]:
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--datasets", type=names, default=list(FILES), metavar="NAMES", help=", ".join(FILES))
    add("--orders", type=names, default=list(ORDERS), metavar="NAMES", help=", ".join(ORDERS))
    add("--methods", type=names, default=["auto"], metavar="NAMES", help="auto, ad3, two-slave…")
    add("--splits", type=names, default=["dev"], metavar="NAMES", help="dev, test")
    add("--seeds", type=lambda text: [int(n) for n in text.split(",")], default=[1])
    add("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
