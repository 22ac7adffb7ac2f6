"""One call for every solver: methods and options; batches over threads, with the same bytes."""

from __future__ import annotations

import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from tests.solve.problems import ising, potts, random_cover
from tests.solve.test_relations import same_result
from tests.solve.zoo import ZOO
from tests.solve.zoo.structured import AllEqual

from treaty import UsageError
from treaty.graph import FactorGraph
from treaty.solve import METHODS, options_of, solve, solve_many

OPTIONS = {
    "ad3": {"iterations": 500},
    "subgradient": {"iterations": 200},
    "exact": {"iterations": 50},
}


def batch() -> list[FactorGraph]:
    large = [ising(6, seed=1), potts(4, 3, seed=2), random_cover(30, 40, seed=3)]
    return [case.build() for case in ZOO] + large


@pytest.mark.parametrize("method", ["ad3", "subgradient", "exact", "lp", "ilp"])
def test_results_do_not_depend_on_the_number_of_threads(method):
    graphs, options = batch(), OPTIONS.get(method, {})
    alone = [solve(graph, method, **options) for graph in graphs]
    for threads in (1, 2, 8):
        together = solve_many(graphs, method, threads=threads, **options)
        assert len(together) == len(graphs)
        assert all(same_result(a, b) for a, b in zip(alone, together, strict=True))


def test_one_graph_many_times_over():
    graph = ising(6)
    alone = solve(graph)
    assert all(same_result(alone, other) for other in solve_many([graph] * 20, threads=4))


@pytest.mark.parametrize("method", METHODS)
def test_no_graphs_at_all(method):
    assert solve_many([], method) == []


def test_graphs_may_come_one_by_one(random_graph):
    graphs = [random_graph(random.Random(seed)) for seed in range(10)]
    answers = solve_many((graph for graph in graphs), "exact")
    assert [a.objective for a in answers] == [solve(g, "exact").objective for g in graphs]


@pytest.mark.parametrize("threads", [0, -1])
def test_the_number_of_threads_is_checked(threads):
    with pytest.raises(UsageError, match="threads"):
        solve_many([], threads=threads)


def test_options_are_checked_before_any_work():
    with pytest.raises(UsageError, match="no option 'color'"):
        solve_many(iter([]), color="red")
    with pytest.raises(UsageError, match="no method"):
        solve_many(iter([]), "guessing")


def own_factor(bonus: float) -> FactorGraph:
    graph = FactorGraph()
    x = graph.variables([1.0, -2.0, 0.5])
    graph.factor(AllEqual(bonus), x)
    graph.at_least_one(~x[0], x[2])
    return graph


def test_factors_in_python_work_from_many_threads():
    graphs = [own_factor(bonus) for bonus in np.linspace(-2, 2, 30)]
    answers = solve_many(graphs, threads=4)
    assert [a.objective for a in answers] == [solve(graph).objective for graph in graphs]


class Broken:
    def maximize(self, scores):
        raise RuntimeError("out of order")


def test_an_exception_in_one_job_stops_the_rest():
    """The others would take for ever: the test ends only if they are canceled."""
    broken = FactorGraph()
    broken.factor(Broken(), broken.variables([1.0]))
    with pytest.raises(RuntimeError, match="out of order"):
        solve_many([broken] + [ising(40)] * 4, "exact", threads=2)


def test_an_exception_of_the_iterable_stops_the_rest():
    def graphs():
        yield ising(40)
        raise LookupError("no more graphs")

    with pytest.raises(LookupError, match="no more graphs"):
        solve_many(graphs(), "exact", threads=2)


def test_a_callback_is_shared_by_all():
    seen, lock = [], threading.Lock()

    def callback(progress):
        with lock:
            seen.append(progress.done)

    solve_many([ising(6)] * 3, threads=2, progress=callback, progress_every=10, iterations=30)
    assert sorted(seen) == [10] * 3 + [20] * 3 + [30] * 3


# Methods and options


def test_an_unknown_method_is_refused():
    with pytest.raises(UsageError, match=r"'simplex'.*ad3"):
        solve(FactorGraph(), "simplex")


@pytest.mark.parametrize("method", METHODS)
def test_options_that_a_method_does_not_have_are_told_with_those_it_has(method):
    known = options_of(method)
    assert "graph" not in known
    assert ("time_limit" in known) == (method != "exhaustive")
    message = f"method '{method}' has no option 'a', 'b': choose from"
    with pytest.raises(UsageError, match=message) as told:
        solve(FactorGraph(), method, b=1, a=2)
    assert told.value.message.endswith(", ".join(known))


def test_solvers_are_loaded_when_they_are_asked_for():
    code = (
        "import sys, treaty.graph; graph = treaty.graph.FactorGraph(); graph.variable(1.0);"
        "graph.solve(); print('highspy' in sys.modules); graph.solve('lp');"
        "print('highspy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


class Nonsense:
    def maximize(self, scores):
        return "nonsense"


def test_complaints_about_a_users_factor_are_usage_errors():
    graph = FactorGraph()
    graph.factor(Nonsense(), graph.variables([1.0, 2.0]))
    with pytest.raises(UsageError, match="maximize"):
        solve(graph)
