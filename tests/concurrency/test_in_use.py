"""What native code uses while the interpreter lock is free cannot be changed meanwhile."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from treaty import FactorGraph, UsageError
from treaty._native import induce, label

CHANGES = {
    "variable": lambda g: g.variable(1.0),
    "categorical": lambda g: g.categorical([1.0, 2.0]),
    "set_score": lambda g: g.set_score(g[0], 2.0),
    "set_scores": lambda g: g.set_scores(np.zeros(len(g))),
    "fix": lambda g: g.fix(g[0]),
    "free": lambda g: g.free(g[0]),
    "reward": lambda g: g.reward(g[0], g[1], 1.0),
    "factor": lambda g: g.factor(Meddler(), [g[0]]),
}


class Meddler:
    """A user's factor that has something else on its mind."""

    def __init__(self, change=lambda: None):
        self.change = change

    def maximize(self, scores):
        self.change()
        return scores > 0


def small_graph() -> FactorGraph:
    graph = FactorGraph()
    a, b, c = graph.variables([0.3, -0.2, 0.1])
    graph.exactly_one(a, b, c)
    return graph


@pytest.mark.parametrize("change", CHANGES)
def test_a_factor_cannot_change_the_graph_that_is_being_solved(change):
    graph = small_graph()
    graph.factor(Meddler(lambda: CHANGES[change](graph)), list(graph))
    for _ in range(2):  # the first solve, though it failed, has let go of the graph
        with pytest.raises(UsageError, match=r"this Graph is in use.*use a copy"):
            graph.solve()
    CHANGES[change](graph)


def test_nor_can_a_progress_function():
    graph = small_graph()
    graph.reward(graph[0], graph[1], 0.7)
    with pytest.raises(UsageError, match="in use"):
        graph.solve("subgradient", progress=lambda _: graph.variable(), progress_every=1)


@pytest.mark.parametrize("call", ["maximize", "project", "evaluate"])
def test_nor_can_a_factor_that_is_asked_by_itself(call):
    graph = small_graph()
    factor = graph.factor(Meddler(lambda: graph.variable()), list(graph))
    with pytest.raises(UsageError, match="in use"):
        getattr(graph.native, call)(
            factor.index, np.ones(3, np.int8 if call == "evaluate" else np.float64)
        )


def test_solves_may_overlap_and_copies_may_be_changed():
    graph = small_graph()
    twin = graph.copy()

    def inner() -> None:
        twin.variable(1.0)
        assert small_graph().solve().objective == pytest.approx(0.3)
        assert graph.native.copy().factors == graph.native.factors

    graph.factor(Meddler(inner), list(graph))
    assert graph.solve().objective == pytest.approx(0.3)
    assert len(twin) > 3


RACE = """
    import threading
    from treaty import FactorGraph, UsageError
    refused = changed = 0
    for _ in range(2):
        graph = FactorGraph()
        xs = graph.variables([0.1] * 1000)
        for i in range(2000):
            graph.reward(xs[i % 1000], xs[(i * 7 + 1) % 1000], 0.2)
        def solve_often():
            for _ in range(3):
                try:
                    graph.solve(METHOD)
                except UsageError:
                    raise SystemExit("a solve was refused")
        thread = threading.Thread(target=solve_often)
        before = graph.native.factors
        added = 0
        thread.start()
        while thread.is_alive():
            try:
                graph.reward(xs[added % 1000], xs[(added * 7 + 1) % 1000], 0.1)
                added += 1
                graph.variables([0.0] * 100)
            except UsageError:
                refused += 1
        thread.join()
        assert graph.native.factors == before + added
        changed += added
    print(refused > 0)
"""


@pytest.mark.parametrize("method", ["'ad3', iterations=3", "'lp'"])
def test_a_graph_that_is_changed_in_one_thread_and_solved_in_another(method):
    """In a process of its own: it would crash, or the LP would read half of a change."""
    body = textwrap.dedent(RACE).replace("METHOD", method)
    done = subprocess.run([sys.executable, "-c", body], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "True\n")


def refused_meanwhile(work, change) -> bool:
    """Whether a change is ever refused while another thread works."""
    thread = threading.Thread(target=work)
    thread.start()
    refused = False
    while thread.is_alive() and not refused:
        try:
            change()
        except UsageError:
            refused = True
    thread.join()
    return refused


def test_a_search_that_is_running():
    tags = np.tile(np.array([0, 1, 2, 1, 0], np.int32), 8)
    corpus = induce.Corpus(3, tags, np.arange(0, 41, 5), np.ones(8))
    search = induce.Search(corpus, np.zeros(0), 0.0, 0.0, 0.01, 0, 20, 1 << 20)
    assert refused_meanwhile(lambda: search.run(60.0, 3000, 2), lambda: search.nodes)
    assert search.nodes > 0


def test_weights_in_training():
    instances = label.Instances(np.array([1], np.int32))
    instances.start(3)
    hashes = np.array([11, 12, 13], np.uint64)
    instances.add(0, np.arange(3, dtype=np.int32), hashes, np.arange(4), np.zeros(0, np.float32))
    pair, none = np.arange(2, dtype=np.int32), np.zeros(0, np.int32)
    model = label.Model(2, np.array([1], np.int32), [pair], [none], [False])
    model.index(instances)
    bound = label.BoundInstances(model, instances)
    gold, often = np.array([0, 1, 1], np.int32), np.zeros(200_000, np.int32)

    def train() -> None:
        label.train(model, bound, gold, often, 1.0, 0.0, 1.0 - np.eye(2).ravel())

    assert refused_meanwhile(train, lambda: model.weights.shrink(1.0))
    assert refused_meanwhile(train, lambda: instances.start(1))
    assert label.decode(model, bound)[0].tolist() == [0, 1, 1]


def test_tables_that_are_read():
    table = label.PhraseTable()
    table.add(0, ["a b"])
    words = ["a", "b"] * 200_000
    begin = np.array([0, len(words)])
    assert refused_meanwhile(lambda: table.marks(words, begin), lambda: table.add(0, ["a b"]))
