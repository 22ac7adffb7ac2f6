"""Tables 2 and 3 of Almeida & Martins (2013) in form, and sentence compression, on data at hand.

    python -m research.experiments.compressive compressions --out runs.jsonl   # set by set
    python -m research.experiments.compressive settings --out runs.jsonl  # for each topic or fold
    python -m research.experiments.compressive news --out runs.jsonl  # Table 2: leave one topic out
    python -m research.experiments.compressive reviews --out runs.jsonl        # the same on reviews
    python -m research.experiments.compressive solvers --out runs.jsonl        # Table 3

Runs that the file has are not done again. No topic is looked at before it is summarized: settings
are chosen by scores on other topics that were not learned from either; reviews have those that were
chosen most often for the news, but choose small problems to learn from and costs of cuts. There are
no compressive summaries by humans here, as the paper has: the best ones under the hard constraints,
by the bigrams of the references, take their place.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from research.experiments import _summary_data as data
from research.experiments._compressions import compression_runs
from research.experiments._summary_learning import (
    CUT_COSTS,
    GRID,
    LEARNED,
    OPTIONS,
    SHAPES,
    Bench,
    Concepts,
    Settings,
    chosen_settings,
    text_of,
)
from research.experiments._summary_solvers import SOLVERS, measured, reached
from research.report import Run, append_run, key_of, read_runs, say
from research.report.tables.compressive import KEY
from treaty.metrics import rouge
from treaty.summarize import LearningSettings, LinearScorer, centroid, decode, lead, mmr

FEWEST_WORDS = 5
"""Of a sentence that a baseline may take, as in the manifest."""
FOLDS = 10
ALL = 10_000
"""Words of candidates where the sentences of a topic are few or short: more than there are."""
CONTENT = "extractive, content"
"""Extraction where bigrams of two stop words are no concepts, as the peers have it."""
COUNTS = "extractive, counts"
"""The best of the peers, with nothing learned: exact coverage of such bigrams of two documents and
more, each worth the number of its documents."""
LIMITS: dict[str, dict[str, int | None]] = {
    "multiling": {"words": 250, "sentences": None},
    "multiling-6": {"words": 250, "sentences": 6},
    "multiling-100-6": {"words": 100, "sentences": 6},
}
"""The news: as long as the references; with the paper's limit of six sentences; with both of the
paper's limits. Weights do not depend on them."""
BASELINES: dict[str, Callable[..., list[int]]] = {"LEAD": lead, "centroid": centroid, "MMR": mmr}
Job = tuple[Run, Callable[[], dict[str, Any]]]


@cache
def bench(dataset: str, concepts: Concepts = "all bigrams") -> Bench:
    few = {"candidates": ALL} if dataset in ("opinosis", "amazon") else {}
    return Bench.of(data.topics(dataset), LearningSettings(), concepts, **few)


def settings_jobs() -> Iterator[Job]:
    """Choose settings for each topic of the news, and each fold of reviews, without a look at it.

    Of the split of Amazon, the dev part chooses.
    """
    for system in ("extractive", "multi-task"):
        yield _job("settings", "multiling", system, None, _chosen)
    for dataset in ("opinosis", "amazon"):
        for system in (CONTENT, "extractive", "multi-task"):
            yield _job("settings", dataset, system, None, _chosen_shapes)
    for system in (CONTENT, "extractive", "multi-task"):
        yield _job("settings", "amazon-test", system, None, _chosen_on_dev)


def _chosen(_: str, system: str, __: None) -> Run:
    made = bench("multiling")
    alone = [[topic] for topic in range(len(made.topics))]
    if system == "extractive":
        return {"settings": chosen_settings(made, system, GRID, [{} for _ in alone], alone)}
    before = settings_of("multiling", "extractive")
    return {"settings": chosen_settings(made, system, CUT_COSTS, before, alone)}


def _chosen_shapes(dataset: str, system: str, _: None) -> Run:
    made, plain = _bench_and_system(dataset, system)
    folds = [list(range(fold, len(made.topics), FOLDS)) for fold in range(FOLDS)]
    fixed = [usual(settings_of("multiling", plain))] * FOLDS
    return {"settings": chosen_settings(made, plain, _tried(plain), fixed, folds)}


def _chosen_on_dev(_: str, system: str, __: None) -> Run:
    made, plain = _bench_and_system("amazon", system)
    fixed = usual(settings_of("multiling", plain))
    tried = []
    for settings in ({**fixed, **changed} for changed in _tried(plain)):
        scorer = made.train(plain, _part_of(made, "train"), **settings)
        recalls = [made.recall(scorer, plain, topic) for topic in _part_of(made, "dev")]
        tried.append((fmean(recalls), settings))
    return {"settings": [max(tried, key=lambda entry: entry[0])[1]]}


def _tried(system: str) -> list[Settings]:
    """List what is tried on reviews; how much wrong cuts cost matters to those who cut."""
    costs: Sequence[Settings] = [{}] if system == "extractive" else CUT_COSTS
    return [{**shape, **cost} for shape in SHAPES for cost in costs]


def _part_of(made: Bench, split: str) -> list[int]:
    return [topic for topic, given in enumerate(made.given) if given.split == split]


def _bench_and_system(dataset: str, system: str) -> tuple[Bench, str]:
    """Look up what is learned from, and by which of the systems proper."""
    if system == CONTENT:
        return bench(dataset, "bigrams"), "extractive"
    return bench(dataset), system


@cache
def settings_of(dataset: str, system: str) -> list[Settings]:
    """Look up what was chosen; of the news the other systems have settings of these two."""
    if dataset == "multiling":
        is_extractive = system in ("extractive", "post-combined")
        system = "extractive" if is_extractive else "multi-task"
    for run in read_runs(_options().out, KEY):
        if tuple(run[name] for name in KEY[:3]) == ("settings", dataset, system):
            found: list[Settings] = run["settings"]
            return found
    raise SystemExit("there are no settings yet: do the part 'settings' first")


def usual(settings: list[Settings]) -> Settings:
    """Find the settings that were chosen most often."""
    found = Counter(tuple(sorted(chosen.items())) for chosen in settings)
    return dict(found.most_common(1)[0][0])


def news_jobs() -> Iterator[Job]:
    """Leave one topic out; baselines beside."""
    for topic in range(len(bench("multiling").topics)):
        for dataset in LIMITS:
            for system in BASELINES:
                yield _job("summaries", dataset, system, topic, _baseline)
        for system in LEARNED:
            for dataset in LIMITS:
                yield _job("summaries", dataset, system, topic, _left_out)


def review_jobs() -> Iterator[Job]:
    """Ten folds of Opinosis and of all topics of Amazon; and Amazon's own split."""
    for dataset in ("opinosis", "amazon"):
        for topic in range(len(bench(dataset).topics)):
            for system in BASELINES:
                yield _job("summaries", dataset, system, topic, _baseline)
            yield _job("summaries", dataset, COUNTS, topic, _counted)
            for system in (CONTENT, "extractive", "multi-task"):
                yield _job("summaries", dataset, system, topic, _folded)
    for topic in _part_of(bench("amazon"), "test"):
        for system in (CONTENT, "extractive", "multi-task"):
            yield _job("summaries", "amazon-test", system, topic, _split)


def _job(what: str, dataset: str, system: str, topic: Any, work: Callable[..., Run]) -> Job:
    key = dict(zip(KEY, (what, dataset, system, topic), strict=True))
    return key, lambda: work(dataset, system, topic)


def _baseline(dataset: str, system: str, topic: int) -> Run:
    given = bench("multiling" if dataset in LIMITS else dataset).given[topic]
    limit = LIMITS.get(dataset, {"words": given.words, "sentences": None})
    texts = [source.sentence.text for source in given.sources]
    long = [n for n, text in enumerate(texts) if len(text.split()) >= FEWEST_WORDS]
    words = [texts[n].lower().split() for n in long]
    options = {"documents": [given.sources[n].document for n in long]} if system == "LEAD" else {}
    chosen = BASELINES[system](words, limit["words"], **options)[: limit["sentences"]]
    return _scored(rouge([texts[long[n]] for n in chosen], given.references, OPTIONS))


def _counted(dataset: str, _: str, topic: int) -> Run:
    made = bench(dataset, "bigrams")
    problem = made.topics[topic].problem
    worth = np.where(problem.document_counts >= 2, problem.document_counts, 0).astype(float)
    words = made.given[topic].words
    return _scored(made.score(topic, decode(problem, worth, None, words=words, method="ilp")))


def _scored(scores: Any) -> Run:
    return {"R2": scores["ROUGE-2"].recall, "SU4": scores["ROUGE-SU4"].recall}


def _left_out(dataset: str, system: str, topic: int) -> Run:
    made, limits = bench("multiling"), LIMITS[dataset]
    settings = settings_of("multiling", system)[topic]
    found = made.decode(_without(system, topic), system, topic, **limits)
    problem = made.topics[topic].problem
    used = set(problem.source_of[found.keep].tolist())
    whole = sum(problem.sources[n].words for n in used)
    return {
        **_scored(made.score(topic, found, limits["words"])),
        "sentences": len(used),
        "cut words": whole - int((found.keep & problem.counts).sum()),
        "settings": settings,
    }


def _without(system: str, topic: int) -> LinearScorer:
    """Train a system for the news on all topics but one."""
    rest = tuple(n for n in range(len(bench("multiling").topics)) if n != topic)
    settings = tuple(sorted(settings_of("multiling", system)[topic].items()))
    return _trained("multiling", system, rest, settings)


def _folded(dataset: str, system: str, topic: int) -> Run:
    made, _ = _bench_and_system(dataset, system)
    rest = [n for n in range(len(made.topics)) if n % FOLDS != topic % FOLDS]
    return _reviewed(dataset, system, topic, rest, settings_of(dataset, system)[topic % FOLDS])


def _split(dataset: str, system: str, topic: int) -> Run:
    (settings,) = settings_of(dataset, system)
    train = _part_of(bench("amazon"), "train")
    return _reviewed("amazon", system, topic, train, settings)


def _reviewed(dataset: str, system: str, topic: int, train: list[int], settings: Settings) -> Run:
    made, plain = _bench_and_system(dataset, system)
    scorer = _trained(dataset, system, tuple(train), tuple(sorted(settings.items())))
    return {**_scored(made.score(topic, made.decode(scorer, plain, topic))), "settings": settings}


@cache
def _trained(
    dataset: str, system: str, train: tuple[int, ...], settings: tuple[Any, ...]
) -> LinearScorer:
    made, plain = _bench_and_system(dataset, system)
    return made.train(plain, list(train), **dict(settings))


def solver_jobs() -> Iterator[Job]:
    """Every solver on the compressive problems of the multi-task systems, and extraction by ILP."""
    for topic in range(len(bench("multiling").topics)):
        for dataset in ("multiling", "multiling-100-6"):
            for name in (*SOLVERS, "extractive, ILP"):
                yield _job("solvers", dataset, name, topic, _solved)
            yield _job("bounds", dataset, "multi-task", topic, _reached)


def _solved(dataset: str, name: str, topic: int) -> Run:
    made, limits = bench("multiling"), LIMITS[dataset]
    system = "extractive" if name.startswith("extractive") else "multi-task"
    scores = made.scores(_without(system, topic), system, topic)
    options = SOLVERS.get(name, {"method": "ilp"})
    found = measured(made.topics[topic].problem, scores, limits, options)
    text = text_of(made.topics[topic].problem, found.pop("keep"), limits["words"])
    return {**_scored(rouge(text, made.given[topic].references, OPTIONS)), **found}


def _reached(dataset: str, system: str, topic: int) -> Run:
    made = bench("multiling")
    scores = made.scores(_without(system, topic), system, topic)
    return reached(made.topics[topic].problem, scores, LIMITS[dataset])


def do(jobs: Iterable[Job], out: Path, datasets: list[str] | None) -> None:
    """Do what has not been done yet."""
    done = {key_of(run, KEY) for run in read_runs(out, KEY)}
    for key, work in jobs:
        if key_of(key, KEY) not in done and (not datasets or key["dataset"] in datasets):
            run = append_run(out, {**key, **work()})
            found = run.get("R2", run.get("F1", run.get("settings")))
            say(f"{' '.join(str(run[name]) for name in KEY)}: {found}")


def main() -> None:
    options = _options()
    jobs = {
        "settings": settings_jobs,
        "news": news_jobs,
        "reviews": review_jobs,
        "solvers": solver_jobs,
    }
    if options.part == "compressions":
        do(compression_runs(data.COMPRESSIONS), options.out, options.datasets)
    else:
        do(jobs[options.part](), options.out, options.datasets)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add(
        "part",
        choices=("compressions", "settings", "news", "reviews", "solvers"),
        help="what to do",
    )
    add("--datasets", nargs="*", metavar="NAME", help="not all sets of data")
    add("--out", type=Path, required=True, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
