"""Tables 2 and 3 of "Turning on the Turbo" in form: four orders of parsers on every treebank.

    python experiments/turbo_parsing.py --out runs.jsonl --threads 2
    python experiments/turbo_parsing.py --out runs.jsonl --treebanks danish-ddt --orders first,third
    python experiments/turbo_parsing.py --out runs.jsonl --table docs/results.md

Every finished run is a line of the file; what is there already is not done again, so that runs can
be stopped, split and resumed. Tags are gold. The parser that is scored has been saved and loaded.
Speeds are CPU time on one thread, from sentences in memory to labeled trees: pruning, features,
decoding, labels; a second reading adds the loading of the model.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from _runs import KEY, Run, append_run, fill, key_of, provenance, read_runs
from _tables import markdown
from _treebanks import Treebank, read_treebank, treebank_names, words_in
from treaty._native import parse as native
from treaty.evaluate import attachment_scores
from treaty.parse import ORDERS, Parser, Settings
from treaty.parse._words import gold_of, sequences_of
from treaty.solve import Status

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "treebanks"


def main() -> None:
    """Do what is not done yet, or make the tables."""
    options = _options()
    if options.table:
        text = markdown(read_runs(options.out))
        print(text) if options.table == "-" else fill(Path(options.table), "turbo_parsing", text)
        return
    done = {key_of(run) for run in read_runs(options.out)}
    for name in options.treebanks or treebank_names(options.data):
        todo = [order for order in options.orders if _key(name, order, options) not in done]
        if not todo:
            continue
        treebank = _shortened(read_treebank(options.data, name), options.sentences)
        for order in todo:
            append_run(options.out, run(treebank, order, options))


def run(treebank: Treebank, order: str, options: argparse.Namespace) -> Run:
    """Train a parser, save it, load it, and measure it on the test sentences."""
    started = time.process_time()
    parser = Parser.train(
        treebank.train,
        treebank.dev,
        order=order,
        epochs=options.epochs,
        seed=options.seed,
        threads=options.threads,
        report=_progress(treebank.name, order),
    )
    seconds = time.process_time() - started
    with tempfile.TemporaryDirectory() as folder:
        path = Path(options.models or folder) / f"{treebank.name}.{order}.model"
        path.parent.mkdir(parents=True, exist_ok=True)
        parser.save(path)
        measured = measure(path, treebank)
    result = {
        **dict(zip(KEY, _key(treebank.name, order, options), strict=True)),
        "official": treebank.is_official,
        "note": treebank.note,
        "train words": words_in(treebank.train),
        "single root": parser.settings.single_root,
        "training seconds": seconds,
        "dev": parser.info.get("dev", {}),
        **measured,
        **provenance(),
    }
    _tell(f"{treebank.name} {order}: UAS {measured['UAS']:.4f} LAS {measured['LAS']:.4f}\n")
    return result


def measure(path: Path, treebank: Treebank) -> Run:
    """Load a parser and parse the test sentences on one thread."""
    started = time.process_time()
    parser = Parser.load(path)
    loaded = time.process_time()
    parses = list(parser.predict(treebank.test))
    parsed = time.process_time()
    words = words_in(treebank.test)
    scores = attachment_scores(treebank.test, [parse.sentence for parse in parses])
    return {
        "test words": words,
        "UAS": scores.all_words.uas,
        "LAS": scores.all_words.las,
        "UAS without punctuation": scores.without_punctuation.uas,
        "LAS without punctuation": scores.without_punctuation.las,
        "tokens per second": words / (parsed - loaded),
        "tokens per second with loading": words / (parsed - started),
        "optimal": sum(parse.status is Status.OPTIMAL for parse in parses) / len(parses),
        **pruning(parser, treebank),
        "model bytes": path.stat().st_size,
    }


def pruning(parser: Parser, treebank: Treebank) -> Run:
    """The share of gold arcs that survive the pruner, and how many arcs do per word."""
    sequences = sequences_of(treebank.test, parser.attributes)
    gold, _, _ = gold_of(sequences, treebank.test, {})
    options, _ = parser.options(None)
    kept = native.list_candidates(parser.pruner_model, sequences, gold, options, 1)
    words = words_in(treebank.test)
    # Gold arcs that were pruned have been added to the candidates: they are no merit of the pruner.
    candidates = kept.arcs - (words - kept.found)
    return {"pruner recall": kept.found / words, "candidates per word": candidates / words}


def _key(name: str, order: str, options: argparse.Namespace) -> tuple[object, ...]:
    return name, order, options.epochs, options.seed, options.sentences


def _shortened(treebank: Treebank, most: int | None) -> Treebank:
    """Keep the first sentences only, to try the script."""
    parts = (treebank.train[:most], treebank.dev[:most], treebank.test[:most])
    return Treebank(treebank.name, *parts, treebank.note)


def _progress(name: str, order: str):
    def report(stage: str, epoch: int, seen: int, sentences: int, scores: Run | None) -> None:
        end = "" if scores is None else "\n"
        told = " ".join(f"{key} {value:.4f}" for key, value in (scores or {}).items())
        _tell(f"\r{name} {order}: {stage}, epoch {epoch}, {seen} of {sentences} {told}{end}")

    return report


def _tell(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    def names(text: str) -> list[str]:
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--data", type=Path, default=DATA, metavar="FOLDER", help="the treebanks")
    add("--treebanks", type=names, metavar="NAMES", help="some of them; all by default")
    add("--orders", type=names, default=list(ORDERS), metavar="NAMES", help=", ".join(ORDERS))
    add("--epochs", type=int, default=10)
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=1, help="of training; the models do not depend on it")
    add("--sentences", type=int, metavar="N", help="at most so many of each part, for a trial")
    add("--models", type=Path, metavar="FOLDER", help="keep the trained models there")
    add("--out", type=Path, required=True, metavar="FILE", help="JSON lines, a run each")
    add("--table", nargs="?", const="-", metavar="PAGE",
        help="no runs: print the tables of --out, or put them into a page")  # fmt: skip
    options = parser.parse_args()
    for order in options.orders:
        Settings(order=order)  # refuses what is no order, before hours are spent
    return options


if __name__ == "__main__":
    main()
