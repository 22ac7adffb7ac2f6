"""The state of a search for the optimum, in a file."""

from __future__ import annotations

import hashlib
import json
import math
import pickle

import pytest
from tests.cluster.test_exact import best_of, frustrated

from treaty.cli import main
from treaty.cluster import _exact, solve
from treaty.cluster._exact import search_boxes
from treaty.cluster._exact_checkpoint import read_state
from treaty.errors import InputError, UsageError
from treaty.graph import write_graph
from treaty.solve import check


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
