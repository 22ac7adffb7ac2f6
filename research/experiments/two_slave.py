"""Tables 2 and 3 and Figures 2 and 4 of Qian & Liu (2014) on the data at hand.

    python -m research.experiments.two_slave --out docs/results/two_slave.jsonl  # what is missing
    python -m research.experiments.two_slave entities links --datasets stac --folds 0 1 2 --out F
    python -m research.experiments.two_slave course why --out F

Runs that the file has are not done again, and each is written when it ends: break it off at any
time. Parts:

- ``entities`` (Table 2) and ``links`` (Table 3) in the setting of the library: a model is trained
  once, or the shipped one is taken for links, and decoded by every method, so that differences
  are the decoders' alone.
- ``paper-entities`` and ``paper-links`` in the paper's setting: every method trains a model of its
  own, all weights jointly by the averaged perceptron (`research.experiments._paper_entities`,
  `research.experiments.threads.trained_on_fold`).
- ``phrases``: the paper's setting with its ten epochs, and phrases of up to three words.
- ``course`` (Figures 2 and 4): what a decoder has when it is stopped after so many iterations.
- ``why``: the linear relaxation of the same problems, and variants of the patterns of entities;
  ``gold``: how far identical names agree in the gold labels.

Seconds are CPU time of one thread: of training, and of decoding alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from research.experiments import entities, threads
from research.experiments._gold_agreement import agreement
from research.experiments._other_taggers import columns_of_others
from research.experiments._paper_entities import EPOCHS, PaperLabeler, Setting
from research.experiments._pattern_decoders import DECODERS, DUAL, Problems
from research.report import Run, append_run, key_of, read_runs, say
from research.report.tables.two_slave import KEY
from treaty.label import EntityLabeler, ThreadLinker

ITERATIONS = 200
"""Of dual decomposition, as in the paper."""
COURSE = (1, 2, 5, 10, 20, 50, 100, 200)
MORE = 1000
"""Iterations, where it is asked what more of them do."""
SECONDS = 10.0
"""The most that exact decoding may take for a group in training."""
TRAINED_WITH = ("naive rush", "two-slave", "paper")
"""The decoders with which models are trained in the paper's setting."""
ORDERS = ("2d", "3-wise")
VARIANTS: dict[str, dict[str, Any]] = {
    "as shipped": {},
    "no reward outside": {"reward_outside": 0.0},
    "no reward of entities": {"reward_entity": 0.0},
    "rewards halved": {"reward_entity": 0.5, "reward_outside": 0.25},
    "rewards doubled": {"reward_entity": 2.0, "reward_outside": 1.0},
    "more than one shared word": {"threshold": 1},
    "more than four shared words": {"threshold": 4},
    "single words": {"longest_phrase": 1},
}
"""Of the library's patterns of entities: rewards, groups and phrases."""
PHRASES = {
    f"phrases of up to {longest} words": Setting(longest=longest, epochs=10)
    for longest in (1, 2, 3)
}
"""Of the paper's patterns of entities; it does not say how long phrases may be."""
Job = tuple[Run, Callable[[], Run]]


def entity_jobs(datasets: Iterable[str], folds: Sequence[int], seed: int) -> Iterator[Job]:
    """Chains, and groups of messages by every decoder."""
    for dataset in datasets:
        for fold in folds if dataset == "msm2013" else (None,):
            where = ("table", "entities", dataset, fold, "library")
            yield _job(*where, "chain", "exact", None, seed)
            for decoder in (*DUAL, "exact"):
                limit = ITERATIONS if decoder in DUAL else None
                yield _job(*where, "global", decoder, limit, seed)


def paper_entity_jobs(folds: Sequence[int], seed: int) -> Iterator[Job]:
    """The paper's setting on MSM2013: a chain, and a general model for each decoder."""
    for fold in folds:
        where = ("table", "entities", "msm2013", fold, "paper")
        yield _job(*where, "chain", "exact", None, seed)
        for decoder in ("naive rush", "ad3", "exact", "two-slave", "paper"):
            limit = ITERATIONS if decoder in DUAL else None
            yield _job(*where, "global", decoder, limit, seed)


def phrase_jobs(folds: Sequence[int], seed: int) -> Iterator[Job]:
    """The paper's setting by the length of phrases, all with ten epochs and decoded by AD3."""
    for fold in folds:
        where = ("phrases", "entities", "msm2013", fold, "paper")
        yield _job(*where, "chain, ten epochs", "exact", None, seed)
        for system in PHRASES:
            yield _job(*where, system, "ad3", ITERATIONS, seed)


def link_jobs(datasets: Iterable[str], seed: int) -> Iterator[Job]:
    """The grids of the shipped linker by every decoder; it was trained on IRC."""
    for dataset in datasets:
        for decoder in (*DUAL, "exact"):
            limit = ITERATIONS if decoder in DUAL else None
            yield _job("table", "links", dataset, None, "library", "3-wise", decoder, limit, seed)


def paper_link_jobs(datasets: Iterable[str], folds: Sequence[int], seed: int) -> Iterator[Job]:
    """The paper's setting: three folds, and a model for each decoder."""
    for dataset in datasets:
        for fold in (fold for fold in folds if fold < threads.FOLDS):
            for order in ORDERS:
                for decoder in TRAINED_WITH:
                    where = ("table", "links", dataset, fold, "paper")
                    yield _job(*where, order, decoder, ITERATIONS, seed)


def course_jobs(datasets: Iterable[str], seed: int) -> Iterator[Job]:
    """The decoders stopped early and late, on a fold of MSM2013 and on the test part of STAC."""
    places = {
        "stac": ("course", "links", "stac", None, "library", "3-wise"),
        "msm2013": ("course", "entities", "msm2013", 0, "paper", "global"),
    }
    for dataset in datasets:
        for iterations in COURSE if dataset in places else ():
            for decoder in DUAL:
                yield _job(*places[dataset], decoder, iterations, seed)


def why_jobs(datasets: Iterable[str], folds: Sequence[int], seed: int) -> Iterator[Job]:
    """What the relaxation proves, what more iterations do, and variants of patterns."""
    for dataset in datasets:
        where = ("why", "links", dataset, None, "library", "3-wise")
        yield _job(*where, "lp", None, seed)
        for decoder in DUAL:
            yield _job(*where, decoder, MORE, seed)
    for fold in folds:
        for variant in VARIANTS:
            yield _job("why", "entities", "msm2013", fold, "library", variant, "exact", None, seed)


def gold_jobs(datasets: Iterable[str]) -> Iterator[Job]:
    """Agreement of identical names, by the words that the messages of a group share."""
    for dataset in datasets:
        for all_words, threshold in ((False, 0), (False, 4), (True, 4)):
            system = f"more than {threshold} {'words' if all_words else 'content words'}"
            key = ("gold", "entities", dataset, None, None, system, None, None, None)

            def work(name: str = dataset, least: int = threshold, every: bool = all_words) -> Run:
                parts = entities.read(name, "test", 0 if name == "msm2013" else None)
                messages = [*parts[0], *parts[1]] if name == "msm2013" else parts[0]
                return agreement(messages, least, all_words=every)

            yield dict(zip(KEY, key, strict=True)), work


def _job(
    what: str, task: str, dataset: str, fold: int | None, setting: str, system: str,
    decoder: str, most: int | None, seed: int,
) -> Job:  # fmt: skip
    key = (what, task, dataset, fold, setting, system, decoder, most, seed)
    named = dict(zip(KEY, key, strict=True))

    def work() -> Run:
        # The figures show all decoders on one model: in the paper, the one trained with ILP.
        learned_with = "exact" if what == "course" else decoder
        make = PROBLEMS[task, setting]
        problems, training = make(dataset, fold, system, learned_with, seed)
        return {**problems.decode(decoder, most), "training seconds": training}

    return named, work


# Problems of each task and setting, with the seconds of training


def _library_entities(
    dataset: str, fold: int | None, system: str, _decoder: str, seed: int
) -> tuple[Problems, float]:
    return _entities_by_system(dataset, fold, system, seed)


@cache
def _entities_by_system(
    dataset: str, fold: int | None, system: str, seed: int
) -> tuple[Problems, float]:
    labeler, messages, local, training = _library_labeler(dataset, fold, seed)
    variant = VARIANTS.get(system, {})
    order = "global" if system in VARIANTS else system
    return entities.problems(labeler, messages, order, local, **variant), training


@cache
def _library_labeler(
    dataset: str, fold: int | None, seed: int
) -> tuple[EntityLabeler, entities.Messages, Any, float]:
    """A labeler, messages to test it on, their features, and the seconds of training."""
    labeler, training = entities.trained(dataset, "global", seed, "test", fold)
    _, messages = entities.read(dataset, "test", fold)
    return labeler, messages, labeler.features.local([m.words for m in messages]), training


@cache
def _paper_features(fold: int) -> tuple[EntityLabeler, dict[Any, Any]]:
    """A chain that has the features of all models of a fold, and those of all messages."""
    train, messages = entities.read("msm2013", "test", fold)
    clusters, gazetteers = entities.resources()
    base = EntityLabeler.train(
        train, clusters=clusters, gazetteers=gazetteers, learner="perceptron", epochs=1
    )
    labeler = PaperLabeler(base, train)
    for part in (train, messages):
        labeler.local([message.words for message in part])
    return base, labeler.known


@cache
def _paper_entities(
    _dataset: str, fold: int, system: str, decoder: str, seed: int
) -> tuple[Problems, float]:
    base, known = _paper_features(fold)
    train, messages = entities.read("msm2013", "test", fold)
    setting = PHRASES.get(system) or Setting(epochs=10 if "ten epochs" in system else EPOCHS)
    labeler = PaperLabeler(base, train, columns_of_others(train), setting, known)
    joined = not system.startswith("chain")
    method, options = DECODERS[decoder] if joined else ("auto", {})
    limits = {"iterations": ITERATIONS} if decoder in DUAL else {"time_limit": SECONDS}
    started = time.process_time()
    labeler.learn(method, {**options, **limits}, seed, joined=joined)
    training = time.process_time() - started
    words = [message.words for message in messages]
    groups = labeler.groups(words, joined=joined)
    instances = labeler.instances(words, groups, columns_of_others(messages), joined=joined)
    score = entities.scorer(base.labels, messages, groups)
    return Problems.of(labeler.crf, instances, score), training


@cache
def _library_links(
    dataset: str, _fold: None, system: str, _decoder: str, _seed: int
) -> tuple[Problems, float | None]:
    linker = ThreadLinker.load("threads")
    return threads.problems(linker, threads.read_split(dataset, "test")), None


def _paper_links(
    dataset: str, fold: int, system: str, decoder: str, seed: int
) -> tuple[Problems, float]:
    linker, training = threads.trained_on_fold(dataset, fold, system, decoder, seed)
    return threads.problems(linker, threads.read_fold(dataset, fold)[1]), training


PROBLEMS: dict[tuple[str, str], Callable[..., tuple[Problems, float | None]]] = {
    ("entities", "library"): _library_entities,
    ("entities", "paper"): _paper_entities,
    ("links", "library"): _library_links,
    ("links", "paper"): _paper_links,
}


def do(jobs: Iterable[Job], out: Path) -> None:
    """Do what has not been done yet, also by another process that shares the file."""
    for key, work in jobs:
        if key_of(key, KEY) not in {key_of(run, KEY) for run in read_runs(out, KEY)}:
            run = append_run(out, {**key, **work()})
            name = " ".join(str(part) for part in key.values() if part is not None)
            shown = ("F1", "certificates", "seconds", "agree")
            found = ", ".join(f"{part} {run[part]:.4g}" for part in shown if part in run)
            say(f"{name}: {found}")


def main() -> None:
    options = _options()
    both = [name for name in options.datasets or ("stac", "irc") if name in threads.FILES]
    corpora = [
        name for name in options.datasets or ("tweebank", "wnut17", "msm2013")
        if name in entities.FOLDERS
    ]  # fmt: skip
    parts = {
        "links": lambda: link_jobs(both, options.seed),
        "course": lambda: course_jobs([*both, *corpora], options.seed),
        "paper-links": lambda: paper_link_jobs(both, options.folds, options.seed),
        "paper-entities": lambda: paper_entity_jobs(options.folds, options.seed),
        "phrases": lambda: phrase_jobs(options.folds, options.seed),
        "entities": lambda: entity_jobs(corpora, options.folds, options.seed),
        "gold": lambda: gold_jobs(corpora),
        "why": lambda: why_jobs(both, options.folds, options.seed),
    }
    for part in options.parts or parts:
        jobs = parts[part]()
        if options.methods:
            jobs = (job for job in jobs if job[0]["method"] in options.methods)
        do(jobs, options.out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    add("--datasets", nargs="*", metavar="NAME", help="not all of them")
    add("--folds", nargs="*", type=int, default=list(range(10)), help="of MSM2013, and of links")
    add("--methods", nargs="*", metavar="NAME", help="of these decoders only")
    add("--seed", type=int, default=1)
    add("--out", type=Path, required=True, metavar="FILE", help="runs as JSON lines")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}: choose some of {', '.join(PARTS)}")
    return options


PARTS = ("entities", "paper-entities", "phrases", "links", "paper-links", "course", "gold", "why")

if __name__ == "__main__":
    main()
