"""Pattern problems: the graph scores every labeling as the patterns do."""

import io
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import InputError
from treaty.graph import FactorGraph, read_graph, read_graphs

SMALL = """0 2 0 3 0 2
0 1
0 0.5
0 1
0 0.25
0 0 1 2
0 -1.5
0 0 1 2
0 1
0 1 1 0 2 1
0 2

"""


def read(text):
    return read_graph(io.StringIO(text), format="mrf")


def test_patterns_by_size():
    graph = read(SMALL)
    assert [len(c) for c in graph.categoricals] == [2, 3, 2]
    assert graph.scores.tolist() == [0, 0.75, 0, 0, 0, 0, 0, 2.0]
    pair, triple = graph.factors
    np.testing.assert_array_equal(pair.scores, [[0, 0, -0.5], [0, 0, 0]])
    assert triple.kind == "and_with_output"
    assert triple.literals == (graph["c0"][1], graph["c1"][0], graph["c2"][1], graph["x7"])


@st.composite
def problems(draw):
    labels = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    pattern = st.sets(st.integers(0, len(labels) - 1), min_size=1).flatmap(
        lambda vs: st.tuples(
            *(st.tuples(st.just(v), st.integers(0, labels[v] - 1)) for v in sorted(vs))
        )
    )
    return labels, draw(st.lists(st.tuples(pattern, st.integers(-9, 9)), max_size=4))


@settings(deadline=None, max_examples=60)
@given(problem=problems())
def test_every_labeling_scores_as_its_patterns(problem, all_objectives):
    labels, patterns = problem
    lines = [" ".join(f"0 {k}" for k in labels)]
    for pattern, score in patterns:
        lines += [" ".join(f"{v} {k}" for v, k in pattern), f"0 {score}"]
    expected = [
        sum(score for pattern, score in patterns if all(labeling[v] == k for v, k in pattern))
        for labeling in itertools.product(*(range(k) for k in labels))
    ]
    found = [value for value in all_objectives(read("\n".join(lines))) if value > -math.inf]
    assert sorted(found) == sorted(expected)


def test_a_blank_line_ends_a_problem():
    graphs = list(read_graphs(io.StringIO("\n" + SMALL + "\n0 2\n0 0\n0 1"), format="mrf"))
    assert [len(g) for g in graphs] == [8, 2]


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("0 2 0", 1, "0 K0 0 K1"),
        ("0 2 0 0", 1, "0 K0 0 K1"),
        ("2 2", 1, "0 K0 0 K1"),
        ("0 x", 1, "integer"),
        ("0 99999999999", 1, "this many labels"),
        ("0 2\n0", 2, "vertex label"),
        ("0 2\n0 2\n0 1", 2, "vertex 0 has 2 labels"),
        ("0 2\n0 -1\n0 1", 2, "vertex 0 has 2 labels"),
        ("0 2\n1 0\n0 1", 2, "vertices 0 to 0"),
        ("0 2\n-1 0\n0 1", 2, "vertices 0 to 0"),
        ("0 2 0 2\n1 0 0 0\n0 1", 2, "ascending"),
        ("0 2 0 2\n1 0 1 0\n0 1", 2, "ascending"),
        ("0 2\n0 0.5\n0 1", 2, "integer"),
        ("0 2\n0 0\n0 nan", 3, "finite"),
        ("0 2\n0 0\n1 2", 3, "score"),
        ("0 2\n0 0\n0 -1e301", 3, "absolute value at most"),
        ("0 2\n0 0\n0 1 2", 3, "score"),
        ("0 2\n0 0", 2, "score"),
        ("0 2\n0 0\n\n", 3, "score"),
        ("0 9999 0 9999\n0 0 1 0\n0 1", 3, "cells"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_with_line_and_cause(text, line, cause):
    with pytest.raises(InputError, match=cause) as raised:
        list(read_graphs(io.StringIO(text), format="mrf"))
    assert raised.value.line == line


@pytest.mark.data
def test_real_files_are_read(data_folder):
    """Count the patterns the plain way: every one must be in the graph."""
    paths = sorted((data_folder / "patterns").glob("*.mrf*"))
    assert len(paths) == 12
    for path in paths:
        graph = FactorGraph.load(path)
        outputs = sum(factor.kind == "and_with_output" for factor in graph.factors)
        assert outputs == len(graph) - sum(len(c) for c in graph.categoricals), path.name
        if path.suffix == ".mrf":
            lines = path.read_text().split("\n")
            scores = [float(line.split()[1]) for line in lines[2::2] if line]
            assert graph.scores.sum() + graph.arrays.data.sum() == pytest.approx(sum(scores))
