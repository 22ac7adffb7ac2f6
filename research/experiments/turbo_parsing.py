"""Tables 2 and 3 of "Turning on the Turbo" in form: four orders of parsers on every treebank.

    python -m research.experiments.turbo_parsing --out runs.jsonl --threads 2
    python -m research.experiments.turbo_parsing --out runs.jsonl --treebanks danish-ddt

Every finished run is a line of the file; what is there already is not done again, so that runs can
be stopped, split and resumed. Tags are gold, or those of a tagger: for the training sentences by
10-fold jackknifing, for the others of one that was trained on all of them. The parser that is
scored has been saved and loaded.
Speeds are CPU time on one thread, from sentences in memory to labeled trees: pruning, features,
decoding, labels; a second reading adds the loading of the model.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from research.experiments._treebanks import (
    Treebank,
    names,
    options_of,
    read_treebank,
    retagged,
    tag_accuracy,
    treebank_names,
    words_in,
)
from research.report import Run, append_run, key_of, read_runs, report_epoch, say
from research.report.tables.turbo_parsing import EPOCHS, GOLD, JACKKNIFED, KEY
from research.report.tables.turbo_parsing import ORDERS as USUAL
from treaty.metrics import attachment_scores
from treaty.parse import Parser
from treaty.solve import Status


def main() -> None:
    """Do what is not done yet."""
    options = _options()
    done = {key_of(run, KEY) for run in read_runs(options.out, KEY)}
    for name in options.treebanks or treebank_names(options.data):
        for tags in options.tags:
            todo = [o for o in options.orders if _key(name, o, tags, options) not in done]
            if not todo:
                continue
            treebank = _shortened(read_treebank(options.data, name), options.sentences)
            if tags == JACKKNIFED:
                say(f"{name}: tagging")
                treebank = retagged(treebank, options.seed, options.threads)
            for order in todo:
                append_run(options.out, run(treebank, order, tags, options))


def run(treebank: Treebank, order: str, tags: str, options: argparse.Namespace) -> Run:
    """Train a parser, save it, load it, and measure it on the test sentences."""
    started = time.process_time()
    parser = Parser.train(
        treebank.train,
        treebank.dev,
        order=order,
        epochs=options.epochs,
        seed=options.seed,
        threads=options.threads,
        progress=report_epoch,
    )
    seconds = time.process_time() - started
    with tempfile.TemporaryDirectory() as folder:
        path = Path(options.models or folder) / f"{treebank.name}.{order}.model"
        path.parent.mkdir(parents=True, exist_ok=True)
        parser.save(path)
        measured = measure(path, treebank)
    result = {
        **dict(zip(KEY, _key(treebank.name, order, tags, options), strict=True)),
        "official": treebank.is_official,
        "note": treebank.note,
        "train words": words_in(treebank.train),
        "single root": parser.settings.single_root,
        "training seconds": seconds,
        "dev": parser.info.get("scores", {}),
        **measured,
    }
    say(f"{treebank.name} {order} {tags}: UAS {measured['UAS']:.4f} LAS {measured['LAS']:.4f}")
    return result


def measure(path: Path, treebank: Treebank) -> Run:
    """Load a parser and parse the test sentences on one thread."""
    started = time.process_time()
    parser = Parser.load(path)
    loaded = time.process_time()
    parses = list(parser.predict(treebank.tagged or treebank.test))
    parsed = time.process_time()
    words = words_in(treebank.test)
    scores = attachment_scores(treebank.test, [parse.sentence for parse in parses])
    return {
        "test words": words,
        "tag accuracy": tag_accuracy(treebank),
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
    words, found, candidates = words_in(treebank.test), 0, 0
    for sentence in treebank.tagged or treebank.test:
        arcs = parser.graph(sentence, order="first").arcs
        found += sum((head, word) in arcs for word, head in enumerate(sentence.heads, 1))
        candidates += len(arcs)
    return {"pruner recall": found / words, "candidates per word": candidates / words}


def _key(name: str, order: str, tags: str, options: argparse.Namespace) -> tuple[object, ...]:
    return name, order, options.epochs, options.seed, options.sentences, tags


def _shortened(treebank: Treebank, most: int | None) -> Treebank:
    """Keep the first sentences only, to try the script."""
    parts = (treebank.train[:most], treebank.dev[:most], treebank.test[:most])
    return Treebank(treebank.name, *parts, treebank.note)


def _options() -> argparse.Namespace:
    parser = options_of(__doc__, None, USUAL, EPOCHS)
    add = parser.add_argument
    add("--tags", type=names, default=[GOLD], metavar="NAMES", help=f"{GOLD}, {JACKKNIFED}")
    add("--threads", type=int, default=1, help="of training; the models do not depend on it")
    add("--sentences", type=int, metavar="N", help="at most so many of each part, for a trial")
    add("--models", type=Path, metavar="FOLDER", help="keep the trained models there")
    options = parser.parse_args()
    if not {*options.tags} <= {GOLD, JACKKNIFED}:
        parser.error(f"--tags: {GOLD}, {JACKKNIFED} or both, not {','.join(options.tags)}")
    return options


if __name__ == "__main__":
    main()
