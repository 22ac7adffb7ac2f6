"""Work on a cluster of processes: speed, overhead, bytes, memory, searches, training; a simulation.

    python -m research.benchmarks.cluster
    python -m research.benchmarks.cluster parse tasks simulate --workers 1 2 4 --out runs.jsonl
    python -m research.benchmarks.cluster search train --data FOLDER

All workers are processes of this machine with one thread. "cpu" counts user and system time of all
processes: with it, "speed-up" is what N cores of their own would give, whatever else runs on the
machine; "wall" is what was seen. The simulation takes the costs that `parse` and `tasks` have
measured; see `research/benchmarks/_cluster_simulation.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from research.benchmarks._cluster_simulation import Costs, simulate
from research.report import ROOT, Run, append_run, say
from treaty import FactorGraph
from treaty.cluster import (
    Connection,
    branch_and_bound,
    connect,
    map_collections,
    map_graphs,
    map_sentences,
    train_likelihood,
    train_mixed,
)
from treaty.induce import Corpus
from treaty.induce import branch_and_bound as search_alone
from treaty.learn import load, model_class
from treaty.text import Article, Collection, Sentence, read_columns, read_conllu

DATA = ROOT.parent / "shared" / "data"
SEEDS = (1, 2, 3)
CENTS_PER_CORE_HOUR = 4.0
"""What a core of a rented machine costs, about; give your own by --cents."""


def cpu_of(pids: list[int]) -> float:
    """User and system time of processes, in seconds."""
    total = 0.0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def memory_of(pid: int) -> float:
    """Resident memory of a process, in megabytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Clock:
    """Wall and CPU time since it was made: of this process, and of the workers."""

    def __init__(self, connection: Connection | None) -> None:
        self.pids = [] if connection is None else list(connection.client.run(os.getpid).values())
        self.wall, self.own, self.far = time.monotonic(), time.process_time(), cpu_of(self.pids)

    def read(self) -> dict[str, float]:
        return {
            "wall": round(time.monotonic() - self.wall, 3),
            "own cpu": round(time.process_time() - self.own, 3),
            "worker cpu": round(cpu_of(self.pids) - self.far, 3),
        }


def sentences_of(data: Path, count: int) -> list[Sentence]:
    """The first sentences of EWT dev and train, as words."""
    folder = data / "treebanks" / "english-ewt"
    every = chain(read_conllu(folder / "dev.conllu"), read_conllu(folder / "train.conllu.xz"))
    return [Sentence.from_words(sentence.words) for sentence in islice(every, count)]


def grid_graph(size: int, seed: int) -> FactorGraph:
    """A random grid of pairs, which AD3 works on for a while."""
    chosen, graph = random.Random(seed), FactorGraph()
    cells = [graph.variables([chosen.gauss(0, 1) for _ in range(size)]) for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if i + 1 < size:
                graph.reward(cells[i][j], cells[i + 1][j], chosen.gauss(0, 1))
            if j + 1 < size:
                graph.reward(cells[i][j], cells[i][j + 1], chosen.gauss(0, 1))
    return graph


Job = tuple[list[Any], Callable[..., Iterator[Any]], dict[str, Any], Callable[[list[Any]], Any]]


def jobs(data: Path, count: int) -> dict[str, Job]:
    """What is measured: inputs, the map, its options, and the same without a cluster."""
    sentences = sentences_of(data, count)
    text = " ".join(" ".join(s.words) for s in sentences[:40])
    topics = [Collection([Article(text[k * 200 :])]) for k in range(8)]
    graphs = [grid_graph(40, seed) for seed in range(200)]
    parser, summarizer = load("english"), load("summarizer")
    return {
        "parse": (sentences, map_sentences, {"at_once": 128}, lambda x: list(parser.predict(x))),
        "solve": (graphs, map_graphs, {"at_once": 8}, lambda x: [g.solve("ad3") for g in x]),
        "summarize": (topics, map_collections, {}, lambda x: list(summarizer.predict(x))),
    }


def measure_jobs(options: argparse.Namespace, names: list[str]) -> None:
    every = jobs(options.data, options.count)
    for name in names:
        inputs, function, chosen, alone = every[name]
        alone(inputs[: max(1, len(inputs) // 10)])  # models are loaded, caches are warm
        clock = Clock(None)
        alone(inputs)
        base = clock.read()
        told = {"job": name, "workers": 0, "inputs": len(inputs), **base}
        append_run(options.out, told)
        say(f"{name}: one process {base}")
        for workers in options.workers:
            run = measure_job(inputs, function, chosen, workers)
            spent = run["own cpu"] + run["worker cpu"]
            cores = max(run["worker cpu"] / workers, run["own cpu"])
            run |= {
                "job": name,
                "efficiency": round(base["own cpu"] / spent, 3),
                "speed-up by cpu": round(base["own cpu"] / cores, 2),
                "cents per million": round(spent / 3600 * options.cents / len(inputs) * 1e6, 2),
            }
            append_run(options.out, run)
            say(f"{name}: {run}")


def measure_job(
    inputs: list[Any], function: Callable[..., Iterator[Any]], chosen: dict[str, Any], workers: int
) -> Run:
    with connect(f"local:{workers}") as connection, tempfile.TemporaryDirectory() as place:
        connection.settle()
        for _ in range(2):  # every worker loads its models
            list(function(connection, inputs[: 4 * workers], **{**chosen, "at_once": 1}))
        clock = Clock(connection)
        list(function(connection, inputs, folder=Path(place) / "run", **chosen))
        told = clock.read()
        reports = [
            json.loads(path.read_text()) for path in (Path(place) / "run/parts").glob("*.json")
        ]
        moved = {
            "bytes in": sum(p.stat().st_size for p in (Path(place) / "run/inputs").iterdir()),
            "bytes out": sum(p.stat().st_size for p in (Path(place) / "run/parts").glob("*.out")),
        }
        seconds = sorted(report["report"]["cpu"] for report in reports)
        return {
            "workers": workers, "inputs": len(inputs), "parts": len(reports), **told, **moved,
            "part cpu": [round(s, 4) for s in seconds],
            "scheduler MB": round(memory_of(os.getpid()), 1),
        }  # fmt: skip


def measure_tasks(options: argparse.Namespace) -> None:
    """The cost of a part with hardly anything in it."""
    graphs = []
    for n in range(400):
        graph = FactorGraph()
        graph.variables([float(n)])
        graphs.append(graph)
    with connect("local:2") as connection:
        connection.settle()
        list(map_graphs(connection, graphs[:20], at_once=1))
        before = memory_of(os.getpid())
        clock = Clock(connection)
        list(map_graphs(connection, graphs, at_once=1))
        told = clock.read()
    clock = Clock(None)
    for graph in graphs:
        graph.solve()
    plain = clock.read()
    run = {
        "job": "tasks", "workers": 2, "inputs": len(graphs), **told,
        "own ms per part": round(1000 * told["own cpu"] / len(graphs), 3),
        "worker ms per part": round(1000 * told["worker cpu"] / len(graphs), 3),
        "plain ms": round(1000 * plain["own cpu"] / len(graphs), 3),
        "scheduler MB": round(memory_of(os.getpid()), 1),
        "scheduler MB before": round(before, 1),
    }  # fmt: skip
    append_run(options.out, run)
    say(f"tasks: {run}")


def measure_search(options: argparse.Namespace) -> None:
    """A search for a grammar, alone and shared."""
    chosen = random.Random(3)
    tags = [[chosen.choice("NVDA") for _ in range(chosen.randint(2, 5))]
            for _ in range(options.sentences)]  # fmt: skip
    corpus = Corpus.from_tags(tags)
    clock = Clock(None)
    alone = search_alone(corpus, relative_gap=options.relative_gap)
    base = clock.read()
    say(f"search: alone {base}, {alone.iterations} nodes")
    for workers in options.workers:
        with connect(f"local:{workers}") as connection:
            connection.settle()
            clock = Clock(connection)
            found = branch_and_bound(connection, corpus, relative_gap=options.relative_gap)
            told = clock.read()
        cores = max(told["worker cpu"] / workers, told["own cpu"])
        run = {
            "job": "search", "workers": workers, **told, "nodes": found.iterations,
            "nodes alone": alone.iterations, "alone cpu": base["own cpu"],
            "alone wall": base["wall"], "objective": found.objective, "bound": found.bound,
            "objective alone": alone.objective, "bound alone": alone.bound,
            "status": str(found.status), "speed-up by cpu": round(base["own cpu"] / cores, 2),
            "speed-up by wall": round(base["wall"] / told["wall"], 2),
        }  # fmt: skip
        append_run(options.out, run)
        say(f"search: {run}")


def measure_training(options: argparse.Namespace) -> None:
    """Accuracy of mixed trainings beside that of one process."""
    treebank, chunks = options.data / "treebanks" / "english-ewt", options.data / "chunking"
    train = list(read_conllu(treebank / "train.conllu.xz"))[: options.train]
    test = list(read_conllu(treebank / "dev.conllu"))[:500]
    words = [s for s in read_columns(chunks / "conll2000/train.txt") if len(s)][: options.train]
    held = [s for s in read_columns(chunks / "conll2000/test.txt") if len(s)]
    trainings = {
        "EWT tagger": ("tagger", train, test, {"epochs": 3}),
        "EWT parser, first order": ("parser", train, test, {"order": "first", "epochs": 3}),
        "CoNLL-2000, MIRA": ("sequences", words, held, {"learner": "mira", "epochs": 6}),
        "CoNLL-2000, perceptron": (
            "sequences",
            words,
            held,
            {"learner": "perceptron", "epochs": 6},
        ),
    }
    with connect("local:2") as connection:
        connection.settle()
        for name, (task, examples, gold, chosen) in trainings.items():
            clock = Clock(None)
            alone = model_class(task).train(examples, **chosen)
            base = clock.read()
            scores = {"alone": alone.evaluate(gold)}
            for shards in (2, 4):
                clock = Clock(connection)
                made = train_mixed(connection, task, examples, shards=shards, **chosen)
                told = clock.read()
                scores[f"{shards} shards"] = made.evaluate(gold)
            run = {"job": "train", "what": name, "examples": len(examples), "scores": scores,
                   "alone cpu": base["own cpu"], **told}  # fmt: skip
            append_run(options.out, run)
            say(f"train: {run}")
        few = words[: options.train // 2]
        one = train_likelihood(None, few, held, iterations=40)
        two = train_likelihood(connection, few, held, iterations=40, shards=2)
        run = {"job": "train", "what": "CoNLL-2000, likelihood", "examples": len(few),
               "scores": {"alone": one.info["scores"], "2 shards": two.info["scores"]}}  # fmt: skip
        append_run(options.out, run)
        say(f"train: {run}")


def measure_simulation(options: argparse.Namespace) -> None:
    """What the measured costs mean for many machines."""
    runs = [json.loads(line) for line in options.out.read_text().splitlines()]
    parse = [run for run in runs if run["job"] == "parse" and run["workers"]][-1]
    tasks = [run for run in runs if run["job"] == "tasks"][-1]
    costs = Costs(
        part_seconds=tuple(parse["part cpu"]),
        client_seconds=tasks["own ms per part"] / 1000,
        start_seconds=options.start,
    )
    for scale in options.scale:
        for workers in options.many:
            for seed in SEEDS:
                found = simulate(costs, workers, parts=20_000, scale=scale, seed=seed)
                append_run(options.out, {"job": "simulation", **found})
            say(f"simulation: {found}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    known = ("parse", "solve", "summarize", "tasks", "search", "train", "simulate")
    parser.add_argument("what", nargs="*", choices=[*known, []], default=list(known))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=ROOT / "build/cluster.jsonl")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--count", type=int, default=8000, help="sentences to parse")
    parser.add_argument("--train", type=int, default=2000, help="examples to train on")
    parser.add_argument("--sentences", type=int, default=11, help="of the corpus of the search")
    parser.add_argument("--relative-gap", type=float, default=0.05)
    parser.add_argument("--cents", type=float, default=CENTS_PER_CORE_HOUR, help="per core hour")
    parser.add_argument("--many", type=int, nargs="+", default=[10, 30, 100, 300, 1000])
    parser.add_argument("--scale", type=float, nargs="+", default=[1.0, 16.0, 64.0])
    parser.add_argument("--start", type=float, default=20.0, help="seconds to start a worker")
    options = parser.parse_args()
    measure_jobs(options, [n for n in ("parse", "solve", "summarize") if n in options.what])
    for name, measure in {
        "tasks": measure_tasks, "search": measure_search, "train": measure_training,
        "simulate": measure_simulation,
    }.items():  # fmt: skip
        if name in options.what:
            measure(options)


if __name__ == "__main__":
    main()
