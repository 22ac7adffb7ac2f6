"""The search for the optimum of a graph, over processes."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from treaty import FactorGraph
from treaty.cli import main
from treaty.cluster import _exact, solve
from treaty.cluster._exact import search_boxes
from treaty.cluster._exact_checkpoint import Box
from treaty.errors import UsageError
from treaty.graph import write_graph
from treaty.solve import check


def frustrated(size: int, seed: int) -> FactorGraph:
    """Pairs that want to be equal or different at random: relaxations are loose."""
    chosen, graph = random.Random(seed), FactorGraph()
    variables = graph.variables([chosen.gauss(0, 0.5) for _ in range(size)])
    for a, b in itertools.combinations(variables, 2):
        score = 2 * chosen.choice([-1, 1]) + chosen.gauss(0, 0.2)
        graph.reward(a, b, score)
        graph.reward(~a, ~b, score)
    return graph


def best_of(graph: FactorGraph) -> float:
    return graph.solve("exhaustive").objective


@pytest.mark.parametrize("seed", range(3))
def test_boxes_searched_one_by_one_prove_the_optimum(seed):
    """A twin without a cluster: at every moment the bound holds, and in the end it is met."""
    graph = frustrated(12, seed)
    optimum = best_of(graph)
    boxes, objective, pruned = [Box(-math.inf, math.inf, ())], -math.inf, -math.inf
    known, rounds = np.zeros(0), 0
    while boxes:
        boxes.sort()
        share, boxes = boxes[:2], boxes[2:]
        bound = max([objective, pruned, *(-box.rank for box in [*share, *boxes])])
        assert bound >= optimum - 1e-9
        found, _ = search_boxes(graph, share, known, 2, math.inf, 0.0)
        boxes += found.boxes
        pruned = max(pruned, found.pruned)
        if found.objective > objective:
            objective, known = found.objective, found.values
            assert check(graph, np.rint(known).astype(np.int8)).feasible
        rounds += 1
    assert objective == pytest.approx(optimum, abs=1e-9)
    assert max(objective, pruned) == pytest.approx(optimum, abs=1e-5)
    assert rounds > 1


def test_a_cluster_proves_the_optimum(cluster, monkeypatch):
    monkeypatch.setattr(_exact, "FIRST", 1)
    graph = frustrated(14, 5)
    found, alone = solve(cluster, graph), graph.solve("exact")
    assert found.status == "OPTIMAL"
    assert found.objective == pytest.approx(best_of(graph), abs=1e-9)
    assert found.objective == pytest.approx(alone.objective, abs=1e-9)
    assert check(graph, found.values).objective == pytest.approx(found.objective, abs=1e-9)
    assert found.bound - found.objective <= 1e-4
    assert found.iterations > 2


def test_limits_leave_a_bound_that_holds(cluster, monkeypatch):
    monkeypatch.setattr(_exact, "FIRST", 1)
    graph = frustrated(12, 6)
    some = solve(cluster, graph, iterations=3)
    assert some.bound >= best_of(graph) - 1e-9
    assert some.objective <= best_of(graph) + 1e-9
    wide = solve(cluster, graph, gap=1e6)
    assert wide.gap <= 1e6
    with pytest.raises(UsageError, match="must not be negative"):
        solve(cluster, graph, gap=-1)


def test_a_graph_without_an_answer_is_told(cluster):
    graph = FactorGraph()
    a, b = graph.variables([1.0, 1.0])
    graph.exactly_one(a, b)
    graph.implies(a, b)
    graph.implies(b, a)
    assert solve(cluster, graph).status == "INFEASIBLE"


def test_boxes_that_are_none_are_refused():
    graph = frustrated(5, 1)
    for decisions in ((99,), (-1,)):
        with pytest.raises(ValueError, match="no box"):
            search_boxes(graph, [Box(-1.0, 1.0, decisions)], np.zeros(0), 5, 1.0, 0.0)


def test_the_command_searches_on_a_cluster(cluster, tmp_path, capsys):
    write_graph(frustrated(9, 2), tmp_path / "g.fg")
    address = cluster.client.scheduler.address
    arguments = ["solve", str(tmp_path / "g.fg"), "--method", "exact", "-q"]
    assert main(arguments) == 0
    alone = capsys.readouterr().out
    assert main([*arguments, "--cluster", address]) == 0
    far = capsys.readouterr().out

    def answers(text):
        return [line for line in text.splitlines() if not line.startswith("#")]

    assert answers(far) == answers(alone)
    assert main(["solve", str(tmp_path / "g.fg"), "--cluster", address]) == 2
    assert "--method exact" in capsys.readouterr().err
