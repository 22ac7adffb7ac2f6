"""How many sentences a third-order parser solves exactly, and why not the others.

    python -m research.experiments.turbo_exact --out docs/results/turbo_exact.jsonl

The paper has 95 % of all solutions integral. Here the graphs of EWT's first dev sentences are
solved by AD3 with 200 iterations and with as many as it takes, with the usual pruning, less and
more. The model is the English one that ships; lower orders are the same weights without the parts
above them. What is in the file already is not done again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from research.experiments._exactness import TRIES, solved
from research.report import ROOT, append_run, key_of, read_runs, say
from research.report.tables.turbo_exact import KEY
from treaty.parse import Pipeline
from treaty.text import read_conllu

DEV = ROOT.parent / "shared" / "data" / "treebanks" / "english-ewt" / "dev.conllu"
ORDERS = ("second", "second+", "third")


def main() -> None:
    """Do what is not done yet."""
    options = _options()
    parser = Pipeline.load(options.model).parser
    done = {key_of(run, KEY) for run in read_runs(options.out, KEY)}
    sentences = [s for s in read_conllu(options.data) if len(s) <= options.longest]
    sentences = sentences[: options.sentences]
    for order in ORDERS:
        for pruning, iterations in TRIES:
            key = (options.model, order, pruning, iterations, options.sentences)
            if key in done:
                continue
            run = solved(parser, sentences, pruning, iterations, order=order)
            append_run(options.out, {**dict(zip(KEY, key, strict=True)), **run})
            say(f"{order}, {pruning}, {iterations}: {run['optimal']} exact")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--model", default="english", help="a pipeline, by name or file")
    add("--data", type=Path, default=DEV, metavar="FILE", help="tagged sentences; EWT's dev")
    add("--sentences", type=int, default=150, metavar="N", help="at most so many")
    add("--longest", type=int, default=60, metavar="WORDS", help="no longer sentences")
    add("--out", type=Path, required=True, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
