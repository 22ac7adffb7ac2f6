import numpy as np
from tests.research.benchmarks.running import run

from research.benchmarks.building import SHARES, large_graph


def test_the_graph_has_the_factors_that_are_asked_for_and_an_answer():
    graph = large_graph(200, 1000)
    assert (len(graph), len(graph.factors)) == (200, 1000)
    kinds = np.unique([factor.kind for factor in graph.factors])
    assert set(kinds) <= SHARES.keys()
    assert graph.solve("exact", time_limit=5.0).objective > 0.0


def test_times_and_memory_are_printed():
    done = run("building", "--variables", 500, "--factors", 2000, "--iterations", 3)
    assert done.returncode == 0, done.stderr
    built, solved = done.stdout.splitlines()
    assert built.startswith("<FactorGraph: 500 variables, 2000 factors>: built in ")
    assert solved.startswith("ad3: ")
    assert "GB at most" in solved


def test_a_time_limit_is_handed_on():
    done = run(
        "building", "--variables", 200, "--factors", 1000, "--method", "lp", "--time-limit", 2
    )
    assert done.returncode == 0, done.stderr
    assert "lp: " in done.stdout
