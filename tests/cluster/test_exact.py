"""The search for the optimum of a graph, over processes."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import pickle
import random

import numpy as np
import pytest

from treaty import FactorGraph
from treaty.cli import main
from treaty.cluster import _exact, solve
from treaty.cluster._exact import search_boxes
from treaty.cluster._exact_checkpoint import Box, read_state
from treaty.errors import InputError, UsageError
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


@pytest.fixture(name="begun")
def _begun(cluster, tmp_path, monkeypatch):
    """A search that has stopped at a limit, and its checkpoint."""
    monkeypatch.setattr(_exact, "FIRST", 1)
    graph, path = frustrated(14, 5), tmp_path / "search.json"
    stopped = solve(cluster, graph, iterations=2, checkpoint=path)
    assert stopped.status == "FEASIBLE"
    return graph, path


def test_a_search_goes_on_from_its_checkpoint(cluster, begun):
    graph, path = begun
    found = solve(cluster, graph, checkpoint=path, resume=True)
    assert (found.status, found.objective) == ("OPTIMAL", pytest.approx(best_of(graph), abs=1e-9))
    assert check(graph, found.values).objective == pytest.approx(found.objective, abs=1e-9)
    again = solve(cluster, graph, checkpoint=path, resume=True)  # there is nothing left to do
    assert (again.status, again.objective) == ("OPTIMAL", found.objective)
    assert again.iterations == found.iterations


def test_the_open_boxes_of_a_checkpoint_have_the_optimum(cluster, begun):
    graph, path = begun
    state = read_state(path, hashlib.sha256(pickle.dumps(graph, protocol=5)).hexdigest(), graph)
    assert max([state.objective, state.pruned, *(-b.rank for b in state.boxes)]) >= best_of(graph)
    found, _ = search_boxes(graph, state.boxes, state.values, 10**6, math.inf, 0.0)
    assert max(found.objective, state.objective) == pytest.approx(best_of(graph), abs=1e-9)


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"[", b"[["), (b"objective", b"objectiva"), (b'"nodes": ', b'"nodes": 1'), (b"\n", b"")],
)
def test_an_edited_checkpoint_is_refused(cluster, begun, old, new):
    graph, path = begun
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(InputError, match="cannot be used"):
        solve(cluster, graph, checkpoint=path, resume=True)


@pytest.mark.parametrize("change", ["score", "values", "shape", "nan", "type"])
def test_a_checkpoint_with_a_checksum_of_its_own_is_judged(cluster, begun, change):
    graph, path = begun
    record = json.loads(path.read_bytes().split(b"\n", 1)[1])
    record |= {
        "score": {"objective": record["objective"] + 1.0},
        "values": {"values": [1 - value for value in record["values"]]},
        "shape": {"boxes": [[1.0]]},
        "nan": {"boxes": [[math.nan, 1.0, []]]},
        "type": {"nodes": 1.5},
    }[change]
    text = json.dumps(record).encode()
    path.write_bytes(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
    with pytest.raises(InputError):
        solve(cluster, graph, checkpoint=path, resume=True)


def test_checkpoints_of_other_graphs_and_missing_ones_are_refused(cluster, begun, tmp_path):
    graph, path = begun
    with pytest.raises(UsageError, match="another graph"):
        solve(cluster, frustrated(14, 6), checkpoint=path, resume=True)
    with pytest.raises(UsageError, match="there already"):
        solve(cluster, graph, checkpoint=path)
    with pytest.raises(UsageError, match="no search to continue"):
        solve(cluster, graph, checkpoint=tmp_path / "none.json", resume=True)
    with pytest.raises(UsageError, match="give its file"):
        solve(cluster, graph, resume=True)


def test_the_command_goes_on_with_a_search(cluster, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(_exact, "FIRST", 1)
    write_graph(frustrated(13, 2), tmp_path / "g.fg")
    address, run = cluster.client.scheduler.address, str(tmp_path / "run")
    options = ["--method", "exact", "--cluster", address, "--run", run, "-q"]
    arguments = ["solve", str(tmp_path / "g.fg"), *options]
    assert main([*arguments, "--iterations", "2"]) == 4
    assert main(arguments) == 2
    assert "there already" in capsys.readouterr().err
    assert main([*arguments, "--resume"]) == 0
    assert "OPTIMAL" in capsys.readouterr().out
