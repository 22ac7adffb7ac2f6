"""UAI files: potentials in, log scores out, and back."""

import io
import math

import numpy as np
import pytest

from treaty.errors import InputError
from treaty.graph import FactorGraph, read_graph, write_graph

SMALL = """MARKOV
3
2 3 1
4
1 0
2 0 1
3 1 2 0
1 0

2 0.5 2
6
1 2 3
0 5 6
6 1 1 1 1 1 1
2
1 3
"""


def read(text):
    return read_graph(io.StringIO(text), format="uai")


def written(graph):
    out = io.StringIO()
    write_graph(graph, out, format="uai")
    return out.getvalue()


def test_variables_unaries_and_tables():
    graph = read(SMALL)
    assert [len(c) for c in graph.categoricals] == [2, 3, 1]
    np.testing.assert_allclose(graph.scores, [math.log(0.5), math.log(6), 0, 0, 0, 0])
    assert (graph.evidence == -1).all()
    pair, triple = graph.factors
    assert pair.literals == (*graph["c0"], *graph["c1"])
    np.testing.assert_allclose(np.exp(pair.scores), [[1, 2, 3], [0, 5, 6]])
    assert triple.literals == (*graph["c1"], *graph["c2"], *graph["c0"])
    assert triple.shape.tolist() == [3, 1, 2]


def test_zeros_of_one_variable_are_evidence():
    graph = read("MARKOV 1 3 2 1 0 1 0 3 2 0 1 3 1 0 4")
    assert graph.evidence.tolist() == [-1, 0, -1]
    np.testing.assert_allclose(graph.scores, [math.log(2), 0, math.log(4)])


def test_a_constant_counts(all_objectives):
    graph = read("MARKOV 2 2 2 2 0 1 1 1 5 2 1 2")
    assert max(all_objectives(graph)) == pytest.approx(math.log(10))
    assert set(all_objectives(read("MARKOV 1 2 1 0 1 0"))) == {-math.inf}


def test_the_objective_is_the_log_of_the_product(objective):
    graph = read(SMALL)
    values = [0, 1, 0, 1, 0, 1]  # states 1, 1, 0
    assert objective(graph, values) == pytest.approx(math.log(2 * 5 * 1 * 3))
    assert objective(graph, [0, 1, 1, 0, 0, 1]) == -math.inf


def test_bayesian_networks_are_products_of_tables_too():
    assert written(read(SMALL.replace("MARKOV", "BAYES"))) == written(read(SMALL))


@pytest.mark.parametrize("potential", ["1e-400", "0.0", "+.5", "5.", "1E+2", "4.9e-324", "0" * 400])
def test_numbers_are_those_of_python(potential):
    score = read(f"MARKOV 2 2 2 1 2 0 1 4 1 1 1 {potential}").factors[0].data[3]
    value = float(potential)
    assert score == (pytest.approx(math.log(value)) if value else -math.inf)


def test_lines_may_break_anywhere():
    tokens = SMALL.split()
    for twin in (read(" ".join(tokens)), read("\n\n".join(tokens)), read("# a comment\n" + SMALL)):
        assert written(twin) == written(read(SMALL))


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("GAUSS\n1", 1, "expected MARKOV or BAYES"),
        ("MARKOV\n", 2, "number of variables"),
        ("MARKOV\n0\n0", 2, "at least one variable"),
        ("MARKOV\n99999999999\n2", 2, "only 1 fields"),
        ("MARKOV\n-1\n2", 2, "number of variables"),
        ("MARKOV\n2\n2\n0\n1", 4, "at least one state"),
        ("MARKOV\n1\n99999999999\n0", 3, "at most"),
        ("MARKOV\n2\n999999 999999\n0", 3, "at most"),
        ("MARKOV\n1\n2\n9\n1 0", 4, "only 2 fields"),
        ("MARKOV\n1\n2\n1\n1 1", 5, "a variable of factor 0, at most 0"),
        ("MARKOV\n2\n2 2\n1\n2 0 0\n4 1 1 1 1", 5, "twice"),
        ("MARKOV\n1\n2\n1\n1 0\n3\n1 1 1", 6, "size of the table of factor 0, 2"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1", 6, "only 1 fields"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1 -1", 7, "negative"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n\n1\n\nnan", 10, "finite"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1\nx", 8, "number"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1 inf", 7, "finite"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1 2\n3", 8, "end of the file"),
        ("MARKOV\n1\n2\n1\n1 0\n", 5, "more entries than the 0"),
        ("MARKOV\n20\n" + "9999 " * 20 + "\n1\n20 " + " ".join(map(str, range(20))) + "\n4 1 1 1 1",
         5, "more entries than the 5"),
        ("MARKOV\n9999\n" + "2 " * 9999 + "\n1\n9999 " + " ".join(map(str, range(9999))) + "\n1 1",
         5, "more entries than the 2"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_with_line_and_cause(text, line, cause):
    with pytest.raises(InputError, match=cause) as raised:
        read(text)
    assert raised.value.line == line


# Real files

READINGS = {  # binary variables, best value if AD3 found it
    "10_14_s.binary.uai": 462,
    "Family2Dominant.1.5loci.uai": 793,
    "GEOM30a_3.uai": 90,
    "deer_rescaled_0034.K10.F1.25.model.uai": 660,
    "grid3x3.uai": 18,
    "grid4x4.uai": 32,
    "network.uai": 240,
    "or_chain_10.fg.uai": 922,
}


@pytest.mark.data
@pytest.mark.parametrize("name", READINGS)
def test_real_files_are_read_and_come_back(data_folder, name):
    graph = FactorGraph.load(data_folder / "graphs" / name)
    assert len(graph) == READINGS[name]
    twin = read(written(graph))
    np.testing.assert_allclose(twin.scores, graph.scores, atol=1e-9)
    np.testing.assert_array_equal(twin.evidence, graph.evidence)
    np.testing.assert_allclose(twin.arrays.data, graph.arrays.data, atol=1e-9)
    np.testing.assert_array_equal(twin.arrays.literals, graph.arrays.literals)


@pytest.mark.data
@pytest.mark.parametrize(("name", "value"), [("grid3x3", 52.55287082), ("grid4x4", 102.0620204)])
def test_real_grids_have_the_value_ad3_reads(data_folder, name, value):
    graph = FactorGraph.load(data_folder / "graphs" / f"{name}.uai")
    count = len(graph.categoricals)
    states = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    total = graph.scores.reshape(count, 2)[np.arange(count), states].sum(axis=1)
    for factor in graph.factors:
        u, v = factor.codes[0] // 4, factor.codes[2] // 4
        total += factor.scores[states[:, u], states[:, v]]
    assert total.max() == pytest.approx(value, abs=1e-6)
