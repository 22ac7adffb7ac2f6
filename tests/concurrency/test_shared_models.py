"""Many threads on the same models and graphs: the results are those of one thread."""

from __future__ import annotations

import multiprocessing
import resource
import threading
from functools import cache
from pathlib import Path

import pytest
from tests.solve.problems import ising

from treaty.learn import model_class, tasks
from treaty.solve import solve

THREADS = 8
METHODS = ("ad3", "exact", "subgradient", "lp", "ilp")


@cache
def trained(task):
    kind = model_class(task)
    sample = kind.sample()
    return kind.train(sample.examples, **sample.options), sample


def results(task, **options):
    model, sample = trained(task)
    found = [result.to_dict() for result in model.predict(sample.inputs, **options)]
    for result in found:
        result.get("certificate", {}).pop("seconds", None)
    return found


def at_once(*works) -> list:
    """What each returns, or the exception it raised, when all start together."""
    start, found = threading.Barrier(len(works)), [None] * len(works)

    def run(number: int) -> None:
        start.wait(60)
        try:
            found[number] = works[number]()
        except Exception as error:
            found[number] = error

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("task", tasks())
def test_a_shared_model_predicts_the_same(task):
    alone = results(task)
    assert at_once(*[lambda: results(task, threads=2)] * 4) == [alone] * 4


def test_different_models_beside_a_training():
    names = tasks()[: THREADS - 1]
    alone = [results(name) for name in names]
    kind = model_class("tagger")
    sample = kind.sample()
    expected = trained("tagger")[0].to_bytes()

    def train() -> bytes:
        return kind.train(sample.examples, threads=2, **sample.options).to_bytes()

    found = at_once(train, *[lambda n=name: results(n) for name in names])
    assert found == [expected, *alone]


@pytest.mark.parametrize("method", METHODS)
def test_a_shared_graph_is_solved_the_same(method):
    graph = ising(4)
    alone = solve(graph, method)
    for found in at_once(*[lambda: solve(graph, method)] * THREADS):
        assert (found.values == alone.values).all()
        assert (found.objective, found.bound) == (alone.objective, alone.bound)


def in_child(queue) -> None:
    queue.put([results("tagger", threads=2), solve(ising(4), "ilp").objective])


def test_a_forked_process_goes_on():
    """After use of models, threads and HiGHS in the parent."""
    expected = [results("tagger", threads=2), solve(ising(4), "ilp").objective]
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    found = queue.get()
    child.join()
    assert (found, child.exitcode) == (expected, 0)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_memory_stays_flat():
    """What is used again and again takes no more memory each time."""

    def use(times: int) -> int:
        for _ in range(times):
            results("tokenizer", threads=2)
            solve(ising(4), "ad3")
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    before = use(30)
    assert use(120) - before < 2**22
