"""Tables 2 and 3 of Almeida & Martins (2013) in form, and sentence compression, on data at hand.

    python experiments/compressive.py compressions --out runs.jsonl   # set by set
    python experiments/compressive.py settings --out runs.jsonl       # chosen for each topic
    python experiments/compressive.py news --out runs.jsonl           # Table 2: leave one topic out
    python experiments/compressive.py reviews --out runs.jsonl        # the same on reviews
    python experiments/compressive.py solvers --out runs.jsonl        # Table 3
    python experiments/compressive.py page --out runs.jsonl --table docs/results.md

Runs that the file has are not done again. No topic is looked at before it is summarized: settings
are chosen by scores on other topics that were not learned from either (news), or are those that
were chosen most often for the news (reviews). There are no compressive summaries by humans here, as
the paper has: the best ones under the hard constraints, by the bigrams of the references, take
their place.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import _summary_data as data
from _compressions import compression_runs
from _compressive_tables import markdown
from _runs import Run, append_run, fill, key_of, provenance, read_runs
from _summary_learning import CUT_COSTS, GRID, LEARNED, OPTIONS, Bench, Concepts, chosen_settings
from treaty.evaluate import rouge
from treaty.summarize import LearningSettings, centroid, lead, mmr

KEY = ("what", "dataset", "system", "topic")
FEWEST_WORDS = 5
"""Of a sentence that a baseline may take, as in the manifest."""
FOLDS = 10
ALL = 10_000
"""Words of candidates where the sentences of a topic are few or short: more than there are."""
CONTENT = "extractive, content"
"""Extraction where bigrams of two stop words are no concepts, as the peers have it."""
SOLVERS: dict[str, dict[str, Any]] = {
    "ILP, exact": {"solver": "ilp"},
    "LP relaxation": {"solver": "lp"},
    "AD3-5000": {"solver": "ad3", "iterations": 5000},
    "AD3-1000": {"solver": "ad3", "iterations": 1000},
    "AD3-200": {"solver": "ad3", "iterations": 200},
}
BASELINES: dict[str, Callable[..., list[int]]] = {"LEAD": lead, "centroid": centroid, "MMR": mmr}
Job = tuple[Run, Callable[[], dict[str, Any]]]


@cache
def bench(dataset: str, concepts: Concepts = "all bigrams") -> Bench:
    few = {"candidates": ALL} if dataset in ("opinosis", "amazon") else {}
    return Bench.of(data.topics(dataset), LearningSettings(), concepts, **few)


def settings_jobs() -> Iterator[Job]:
    """Choose settings for each topic of the news without a look at it."""
    key = dict(zip(KEY, ("settings", "multiling", "", None), strict=True))
    yield {**key, "system": "extractive"}, lambda: {"settings": _chosen()}
    yield (
        {**key, "system": "multi-task"},
        lambda: {"settings": _chosen(news_settings("extractive"))},
    )


def _chosen(before: list[dict[str, float]] | None = None) -> list[dict[str, float]]:
    made = bench("multiling")
    if before is None:
        return chosen_settings(made, "extractive", GRID, [{} for _ in made.topics])
    return chosen_settings(made, "multi-task", CUT_COSTS, before)


@cache
def news_settings(system: str) -> list[dict[str, float]]:
    """Look up what was chosen; compressive systems have the settings of the multi-task one."""
    like = "extractive" if system in ("extractive", "post-combined") else "multi-task"
    for run in read_runs(_options().out, KEY):
        if (run["what"], run["system"]) == ("settings", like):
            found: list[dict[str, float]] = run["settings"]
            return found
    raise SystemExit("there are no settings yet: do the part 'settings' first")


def usual(settings: list[dict[str, float]]) -> dict[str, float]:
    """Find the settings that were chosen most often."""
    found = Counter(tuple(sorted(chosen.items())) for chosen in settings)
    return dict(found.most_common(1)[0][0])


def news_jobs() -> Iterator[Job]:
    """Leave one topic out; baselines beside."""
    made = bench("multiling")
    everything = range(len(made.topics))
    for topic in everything:
        for system in BASELINES:
            yield _job("summaries", "multiling", system, topic, _baseline)
        for system in LEARNED:
            yield _job("summaries", "multiling", system, topic, _left_out)


def review_jobs() -> Iterator[Job]:
    """Ten folds of Opinosis and of all topics of Amazon; and Amazon's own split."""
    for dataset in ("opinosis", "amazon"):
        for topic in range(len(bench(dataset).topics)):
            for system in BASELINES:
                yield _job("summaries", dataset, system, topic, _baseline)
            for system in (CONTENT, "extractive", "multi-task"):
                yield _job("summaries", dataset, system, topic, _folded)
    for topic, given in enumerate(bench("amazon").given):
        if given.split == "test":
            for system in (CONTENT, "extractive", "multi-task"):
                yield _job("summaries", "amazon-test", system, topic, _split)


def _job(
    what: str, dataset: str, system: str, topic: int, work: Callable[[str, str, int], Run]
) -> Job:
    key = dict(zip(KEY, (what, dataset, system, topic), strict=True))
    return key, lambda: work(dataset, system, topic)


def _baseline(dataset: str, system: str, topic: int) -> Run:
    given = bench(dataset).given[topic]
    texts = [source.sentence.text for source in given.sources]
    long = [n for n, text in enumerate(texts) if len(text.split()) >= FEWEST_WORDS]
    words = [texts[n].lower().split() for n in long]
    options = {"documents": [given.sources[n].document for n in long]} if system == "LEAD" else {}
    chosen = BASELINES[system](words, given.words, **options)
    return _scored(rouge([texts[long[n]] for n in chosen], given.references, OPTIONS))


def _scored(scores: Any) -> Run:
    return {"R2": scores["ROUGE-2"].recall, "SU4": scores["ROUGE-SU4"].recall}


def _summary(dataset: str, system: str, topic: int, train: list[int], settings: Run) -> Run:
    made = bench(dataset)
    scorer = made.train(system, train, **settings)
    found = made.decode(scorer, system, topic)
    problem = made.topics[topic].problem
    used = set(problem.source_of[found.keep].tolist())
    whole = sum(problem.sources[n].words for n in used)
    return {
        **_scored(made.score(topic, found)),
        "sentences": len(used),
        "cut words": whole - int((found.keep & problem.counts).sum()),
        "settings": settings,
    }


def _left_out(dataset: str, system: str, topic: int) -> Run:
    rest = [n for n in range(len(bench(dataset).topics)) if n != topic]
    return _summary(dataset, system, topic, rest, news_settings(system)[topic])


def _folded(dataset: str, system: str, topic: int) -> Run:
    rest = [n for n in range(len(bench(dataset).topics)) if n % FOLDS != topic % FOLDS]
    return _reviewed(dataset, system, topic, tuple(rest))


def _split(_: str, system: str, topic: int) -> Run:
    rest = [n for n, given in enumerate(bench("amazon").given) if given.split == "train"]
    return _reviewed("amazon", system, topic, tuple(rest))


def _reviewed(dataset: str, system: str, topic: int, train: tuple[int, ...]) -> Run:
    concepts: Concepts = "bigrams" if system == CONTENT else "all bigrams"
    system = "extractive" if system == CONTENT else system
    settings = usual(news_settings(system))
    made = bench(dataset, concepts)
    scorer = _trained(dataset, system, train, tuple(sorted(settings.items())), concepts)
    return {**_scored(made.score(topic, made.decode(scorer, system, topic))), "settings": settings}


@cache
def _trained(
    dataset: str,
    system: str,
    train: tuple[int, ...],
    settings: tuple[Any, ...],
    concepts: Concepts = "all bigrams",
) -> Any:
    return bench(dataset, concepts).train(system, list(train), **dict(settings))


def solver_jobs() -> Iterator[Job]:
    """Every solver on the compressive problems of the multi-task systems, and extraction by ILP."""
    for topic in range(len(bench("multiling").topics)):
        for name in SOLVERS:
            yield _job("solvers", "multiling", name, topic, _solved)
        yield _job("solvers", "multiling", "extractive, ILP", topic, _solved)


def _solved(dataset: str, name: str, topic: int) -> Run:
    made = bench(dataset)
    system = "extractive" if name.startswith("extractive") else "multi-task"
    rest = tuple(n for n in range(len(made.topics)) if n != topic)
    settings = tuple(sorted(news_settings(system)[topic].items()))
    scorer = _trained(dataset, system, rest, settings)
    options = SOLVERS.get(name, {"solver": "ilp"})
    found = made.decode(scorer, system, topic, **options)
    seconds = []
    for _ in range(3):
        started = time.process_time()
        made.decode(scorer, system, topic, **options)
        seconds.append(time.process_time() - started)
    return {
        **_scored(made.score(topic, found)),
        "seconds": min(seconds),
        "objective": found.objective,
        "bound": found.bound,
        "status": found.status.value,
        "iterations": found.iterations,
    }


def do(jobs: Iterable[Job], out: Path) -> None:
    """Do what has not been done yet."""
    done = {key_of(run, KEY) for run in read_runs(out, KEY)}
    for key, work in jobs:
        if key_of(key, KEY) not in done:
            run = {**key, **work(), **provenance()}
            append_run(out, run)
            print(
                *(run[name] for name in KEY),
                run.get("R2", run.get("F1", run.get("settings"))),
                flush=True,
            )


def main() -> None:
    options = _options()
    jobs = {
        "settings": settings_jobs,
        "news": news_jobs,
        "reviews": review_jobs,
        "solvers": solver_jobs,
    }
    if options.part == "compressions":
        do(compression_runs(options.datasets or data.COMPRESSIONS), options.out)
    elif options.part in jobs:
        do(jobs[options.part](), options.out)
    runs = read_runs(options.out, KEY)
    if options.table:
        fill(options.table, "compressive", markdown(runs))
    for system in (*BASELINES, *LEARNED):
        own = [r["R2"] for r in runs if r["what"] == "summaries" and r["system"] == system]
        if own and options.part == "news":
            print(f"{system}: {fmean(own):.4f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add(
        "part",
        choices=("compressions", "settings", "news", "reviews", "solvers", "page"),
        help="what to do",
    )
    add("--datasets", nargs="*", metavar="NAME", help="not all sets of compressions")
    add("--out", type=Path, required=True, metavar="FILE", help="runs as JSON lines")
    add("--table", type=Path, metavar="FILE", help="a page to put the tables into")
    return parser.parse_args()


if __name__ == "__main__":
    main()
