"""Train the linker of threads that comes with Treaty.

``python -m research.training.train_threads --data ../shared/data/threads/irc``. After each epoch
the state is kept beside the model; ``--resume`` continues from there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from research.report import ROOT, report_epoch, report_file, report_scores, say
from treaty.label.threads import ORDERS, ThreadLinker
from treaty.text import Thread, read_threads

MODEL = ROOT / "src" / "treaty" / "shipped" / "threads.treaty"
INFO = {
    "language": "English",
    "data": "conversations of the Ubuntu IRC channel (Kummerfeld et al. 2019)",
    "source": "https://github.com/jkkummerfeld/irc-disentanglement",
    "license": "CC BY 4.0",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--data", type=Path, required=True, help="the folder of conversations_train and _dev")
    add("--out", type=Path, default=MODEL)
    add("--order", choices=ORDERS, default="3-wise")
    add("--threads", type=int, default=1500, help="to learn from; a fixed part of them")
    add("--epochs", type=int, default=6)
    add("--least-count", type=int, default=8, help="features that are rarer have no weights")
    add("--seed", type=int, default=1)
    add("--resume", action="store_true")
    add("--runs", type=Path, metavar="FILE", help="scores as JSON lines")
    return parser.parse_args()


def chosen_threads(path: Path, most: int, seed: int) -> list[Thread]:
    """Read threads, and keep so many of them."""
    threads = list(read_threads(path))
    places = np.random.default_rng(seed).permutation(len(threads))[:most]
    return [threads[place] for place in np.sort(places)]


def main() -> None:
    chosen = arguments()
    train = chosen_threads(
        chosen.data / "conversations_train.jsonl.xz", chosen.threads, chosen.seed
    )
    dev = list(read_threads(chosen.data / "conversations_dev.jsonl"))
    say(f"{len(train)} threads to learn from, {len(dev)} to tune on")
    linker = ThreadLinker.train(
        train,
        dev,
        order=chosen.order,
        epochs=chosen.epochs,
        seed=chosen.seed,
        least_count=chosen.least_count,
        checkpoint=chosen.out.with_name(f"{chosen.out.name}.checkpoint"),
        resume=chosen.resume,
        progress=report_epoch,
        info=INFO,
    )
    linker.save(chosen.out)
    chosen.out.with_name(f"{chosen.out.name}.checkpoint").unlink(missing_ok=True)
    loaded = ThreadLinker.load(chosen.out)
    found = {"F1 of links": round(loaded.evaluate(dev)["F1"], 4)}
    report_scores("threads", "dev", found, chosen.runs)
    report_file(chosen.out)


if __name__ == "__main__":
    main()
