"""Entities in messages: chains, groups with identical phrases tied, and CRFsuite on equal features.

    python -m research.experiments.entities tweebank wnut17                  # on dev data
    python -m research.experiments.entities tweebank wnut17 --part test --seeds 3 --crfsuite
    python -m research.experiments.entities msm2013 --orders chain,global    # ten folds

Messages of the part that is labeled are grouped with each other, and with no training messages.
All choices were made on dev data. Seconds are CPU time of one thread; training includes reading
features, labeling everything from words to labels. Intervals are those of the bootstrap over
messages; a comparison is between systems with the same seed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from research.experiments._pattern_decoders import Labels, Problems
from research.report import ROOT, Run, append_run, say
from research.report.tables.entities import by_seed
from treaty.label import EntityLabeler, Gazetteers
from treaty.metrics import compare_spans, span_scores
from treaty.parse import Clusters
from treaty.text import ColumnSentence, convert_labels, read_columns

DATA = ROOT.parent / "shared" / "data" / "ner"
FOLDERS = {"tweebank": "tweebank_ner", "wnut17": "wnut17", "btc": "btc", "msm2013": "msm2013"}
Messages = list[ColumnSentence]


def read(dataset: str, part: str, fold: int | None = None) -> tuple[Messages, Messages]:
    """Messages to learn from, and those of ``dev``, ``test`` or a fold (0 to 9) of MSM2013."""
    folder = DATA / FOLDERS[dataset]
    train = [message for message in read_columns(folder / "train.tsv") if len(message)]
    if fold is None:
        return train, [message for message in read_columns(folder / f"{part}.tsv") if len(message)]
    lines = (folder / "folds.tsv").read_text(encoding="utf-8").splitlines()
    folds = dict(line.split("\t") for line in lines)
    of = [int(folds[_id(message)]) for message in train]
    own = [m for m, number in zip(train, of, strict=True) if number == fold]
    return [m for m, number in zip(train, of, strict=True) if number != fold], own


def _id(message: ColumnSentence) -> str:
    return next(line for line in message.comments if line.startswith("# id")).split("= ")[1]


@cache
def resources() -> tuple[Clusters, Gazetteers]:
    """The paper's: word clusters of tweets, and all lists of names."""
    clusters = Clusters.read(DATA / "clusters" / "50mpaths2.tsv.xz")
    return clusters, Gazetteers.read(DATA / "gazetteers" / "gazetteers.tsv.xz")


@cache
def trained(
    dataset: str,
    order: str,
    seed: int = 1,
    part: str = "dev",
    fold: int | None = None,
    learner: str = "likelihood",
) -> tuple[EntityLabeler, float]:
    """A labeler and the seconds it took; kept, so that it can be decoded by several methods."""
    train, _ = read(dataset, part, fold)
    clusters, gazetteers = resources()
    started = time.process_time()
    labeler = EntityLabeler.train(
        train,
        clusters=clusters,
        gazetteers=gazetteers,
        order=order,
        seed=seed,
        learner=learner,
    )
    return labeler, time.process_time() - started


def problems(
    labeler: EntityLabeler,
    messages: Messages,
    order: str = "global",
    local: Any = None,
    **options: Any,
) -> Problems:
    """Make the graphs of groups of messages; options are settings for this labeling alone.

    `local` are the features of the messages, if they were read before.
    """
    labeler = copy(labeler)
    labeler.settings = replace(labeler.settings, **options)
    set_rewards(labeler)
    words = [message.words for message in messages]
    groups = labeler.groups(words, order)
    instances = labeler.instances(words, groups, order, local)
    return Problems.of(labeler.crf, instances, scorer(labeler.labels, messages, groups))


def set_rewards(labeler: EntityLabeler) -> None:
    """Give the patterns of identical phrases the weights of the settings, as training does."""
    settings = labeler.settings
    for kind, rows in zip(labeler.crf.kinds, labeler.crf.weights(), strict=True):
        if kind.name.startswith("same"):
            outside = np.array([not any(pattern) for pattern in kind.patterns])
            rows[:] = np.where(outside, settings.reward_outside, settings.reward_entity)
            rows *= kind.size // 2


def scorer(
    labels: Sequence[str], messages: Messages, groups: Sequence[Sequence[int]]
) -> Callable[[list[Labels]], Run]:
    """Make a function that scores the labels of groups as those of messages."""

    def score(found: list[Labels]) -> Run:
        answers: list[list[str]] = [[] for _ in messages]
        for group, row in zip(groups, found, strict=True):
            ends = list(accumulate(len(messages[i]) for i in group))
            for i, part in zip(group, np.split(row, ends[:-1]), strict=True):
                answers[i] = [labels[number] for number in part.tolist()]
        scored = _scored(messages, answers)
        return {
            "F1": scored["micro F1"],
            "macro F1": scored["macro F1"],
            "interval": scored["micro interval"],
            "words": scored["words"],
        }

    return score


def run(
    dataset: str,
    order: str,
    method: str = "auto",
    seed: int = 1,
    *,
    part: str = "dev",
    fold: int | None = None,
    learner: str = "likelihood",
    **limits: Any,
) -> dict[str, Any]:
    """Train a labeler, label a part of the data by a method, and score the entities.

    The learner is ``"likelihood"``, or the paper's ``"perceptron"``, or ``"mira"``. ``scores`` of
    the result are the `SpanScores`; everything else can be written as JSON.
    """
    labeler, training = trained(dataset, order, seed, part, fold, learner)
    _, messages = read(dataset, part, fold)
    started = time.process_time()
    labeled = list(labeler.predict(messages, method=method, **limits))
    labeling = time.process_time() - started
    groups = {message.group: message for message in labeled}
    return {
        **_scored(messages, [list(message.labels) for message in labeled]),
        "dataset": dataset,
        "part": part,
        "fold": fold,
        "system": order,
        "method": method,
        "seed": seed,
        "learner": learner,
        "train seconds": training,
        "label seconds": labeling,
        "groups": len(groups),
        "certified": sum(g.status == "OPTIMAL" for g in groups.values()) / len(groups),
        "largest gap": max(g.gap for g in groups.values()),
        "bound": sum(g.bound for g in groups.values()),
    }


def run_crfsuite(
    dataset: str,
    algorithm: str = "lbfgs",
    *,
    part: str = "dev",
    fold: int | None = None,
    **parameters: Any,
) -> dict[str, Any]:
    """The same with CRFsuite, on the same features; ``lbfgs`` or ``ap`` (averaged perceptron)."""
    import pycrfsuite

    train, messages = read(dataset, part, fold)
    labeler, _ = trained(dataset, "chain", 1, part, fold)
    started = time.process_time()
    trainer = pycrfsuite.Trainer(algorithm=algorithm, params=parameters, verbose=False)
    for rows, message in zip(_strings(labeler, train), train, strict=True):
        trainer.append(rows, convert_labels(message.labels, "BIESO"))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        trainer.train(path)
        training = time.process_time() - started
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        started = time.process_time()
        answers = [tagger.tag(rows) for rows in _strings(labeler, messages)]
        tagger.close()
    return {
        **_scored(messages, answers),
        "dataset": dataset,
        "part": part,
        "fold": fold,
        "system": " ".join(["crfsuite", algorithm, *(f"{k}={v}" for k, v in parameters.items())]),
        "train seconds": training,
        "label seconds": time.process_time() - started,
    }


def _strings(labeler: EntityLabeler, messages: Messages) -> list[list[list[str]]]:
    """The features of a labeler for each word of each message, as CRFsuite wants them."""
    features, begin = labeler.features.local([message.words for message in messages])
    rows = [
        [f"{feature:x}" for feature in features[first:last].tolist()]
        for first, last in pairwise(begin.tolist())
    ]
    ends = accumulate(map(len, messages))
    return [rows[end - len(m) : end] for m, end in zip(messages, ends, strict=True)]


def _scored(messages: Messages, answers: Sequence[Sequence[str]]) -> dict[str, Any]:
    scores = span_scores([message.labels for message in messages], answers)
    found: dict[str, Any] = {"scores": scores, "words": scores.tokens.total}
    for metric in ("micro", "macro"):
        interval = scores.interval(metric)
        found[f"{metric} F1"] = interval.value
        found[f"{metric} interval"] = [interval.low, interval.high]
    found["precision"], found["recall"] = scores.all.precision, scores.all.recall
    return found


def report(result: dict[str, Any]) -> str:
    """A line for people."""
    low, high = result["micro interval"]
    seconds = f"{result['train seconds']:.1f} + {result['label seconds']:.1f} s"
    name = " ".join(str(result[k]) for k in ("dataset", "part", "system", "seed") if k in result)
    return (
        f"{name:<34} micro {100 * result['micro F1']:.2f} ({100 * low:.2f} to {100 * high:.2f})  "
        f"macro {100 * result['macro F1']:.2f}  P {100 * result['precision']:.1f} "
        f"R {100 * result['recall']:.1f}  {seconds}"
    )


def compared(first: Run, second: Run) -> Run:
    """By how much a system is better than another, and whether that can be trusted."""
    found = compare_spans(first["scores"], second["scores"])
    by = found.difference
    same = {name: first.get(name) for name in ("dataset", "part", "fold", "system", "method",
                                               "learner", "seed")}  # fmt: skip
    return {
        **same,
        "beside": second["system"],
        "difference": by.value,
        "interval": [by.low, by.high],
        "p": found.p_value,
    }


def main() -> None:
    options = _options()
    runs: list[Run] = []
    for dataset in options.datasets:
        for fold in range(10) if dataset == "msm2013" else [None]:
            for result in results(dataset, fold, options):
                kept = {name: value for name, value in result.items() if name != "scores"}
                runs.append(append_run(options.out, kept))
    print(by_seed(runs, options.part))


def results(dataset: str, fold: int | None, options: argparse.Namespace) -> Iterator[Run]:
    """All systems on a data set or a fold, each beside the first with its seed."""
    where = {"part": options.part, "fold": fold}
    for seed in range(1, options.seeds + 1):
        found = [
            run(dataset, order, options.method, seed, learner=options.learner, **where)
            for order in options.orders.split(",")
        ]
        if options.crfsuite and seed == 1:  # c2 as it was best on dev data
            found.append(run_crfsuite(dataset, "lbfgs", **where, c2=0.1))
            found.append(run_crfsuite(dataset, "ap", **where))
        for result in found:
            say(report(result))
        yield from found
        yield from (compared(other, found[0]) for other in found[1:])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="+", choices=FOLDERS)
    parser.add_argument("--part", default="dev", choices=["dev", "test"])
    parser.add_argument("--orders", default="chain,global")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--learner", default="likelihood")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--crfsuite", action="store_true")
    parser.add_argument("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
