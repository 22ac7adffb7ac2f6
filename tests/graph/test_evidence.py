"""Evidence files: observed states of a graph's variables."""

import gzip
import io

import pytest

from treaty.errors import InputError, UsageError
from treaty.graph import FactorGraph, evidence_beside, read_evidence, read_graph


def mixed():
    graph = FactorGraph()
    graph.categorical([0.0, 1.0, 2.0])
    graph.variable(1.0)
    graph.categorical([3.0, 1.0])
    return graph


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("", {}),
        ("0", {}),
        ("1 0", {}),
        ("# nobody looked\n", {}),
        ("2\n0 2\n1 0\n", {"c0": 2, "x3": 0}),
        ("1\n2 2 1 1 1", {"c1": 1, "x3": 1}),
        ("2 0 1 0 1", {"c0": 1}),
    ],
)
def test_both_forms_are_read(text, states):
    graph = mixed()
    assert read_evidence(io.StringIO(text), graph) == {graph[n]: s for n, s in states.items()}


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("2\n0 1\n", 1, "here 1 pairs follow"),
        ("3", 1, "expected 3 pairs"),
        ("2\n1 0 1\n1 1 1", 1, "several samples"),
        ("1\n3 0", 2, "a variable of the graph, 0 to 2"),
        ("1\n\n0\n3", 4, "a state of variable 0, 0 to 2"),
        ("1 1 2", 1, "a state of variable 1, 0 to 1"),
        ("2\n0 1\n0 2", 3, "in two states"),
        ("1\n0 -1", 2, "expected a count"),
        ("1\n0 x", 2, "expected a count"),
    ],
)
def test_bad_files_are_refused_with_line_and_cause(text, line, cause):
    with pytest.raises(InputError, match=cause) as told:
        read_evidence(io.StringIO(text), mixed())
    assert told.value.line == line


def test_a_graph_is_read_with_its_evidence():
    text = "MARKOV 2 2 2 1 2 0 1 4 8 1 1 2"
    graph = read_graph(io.StringIO(text), "uai", evidence=io.StringIO("1 0 1"))
    solution = graph.solve()
    assert [solution[c] for c in graph.categoricals] == [1, 1]


def test_an_excluded_observation_has_no_solution():
    text = "MARKOV 2 3 2 1 1 0 3 0 1 1"
    for state, status in ((0, "INFEASIBLE"), (1, "OPTIMAL")):
        graph = read_graph(io.StringIO(text), "uai", evidence=io.StringIO(f"1 0 {state}"))
        for method in ("ad3", "exact", "exhaustive", "junction"):
            assert graph.solve(method).status == status
    graph = mixed()
    graph.observe({graph["c0"]: 1})
    graph.observe({graph["c0"]: 1})
    assert graph.solve().status == "OPTIMAL"
    graph.observe({graph["c0"]: 2})
    assert graph.solve().status == "INFEASIBLE"


def test_binary_variables():
    graph = mixed()
    x = graph["x3"]
    graph.observe({~x: 1})
    assert not graph.solve()[x]
    graph.observe({x: 0})
    for again in ({x: 1}, {~x: 0}):
        with pytest.raises(UsageError, match="already fixed"):
            graph.observe(again)
    with pytest.raises(UsageError, match="another graph"):
        graph.observe({mixed()["x3"]: 1})


def test_the_file_beside(tmp_path):
    assert evidence_beside(tmp_path / "a.uai") is None
    plain = tmp_path / "a.uai.evid"
    plain.write_text("0")
    for name in ("a.uai", "a.uai.xz", "a.uai.gz"):
        assert evidence_beside(tmp_path / name) == plain
    packed = tmp_path / "b.uai.evid.gz"
    packed.write_bytes(gzip.compress(b"1 0 1"))
    assert evidence_beside(str(tmp_path / "b.uai")) == packed
    graph = mixed()
    assert read_evidence(packed, graph) == {graph["c0"]: 1}
