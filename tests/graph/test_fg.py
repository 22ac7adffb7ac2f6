"""AD3's .fg files: what each line means, what is refused, and round trips."""

import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import InputError, UsageError
from treaty.graph import FactorGraph, read_graph, read_graphs, write_graph


def read(text):
    return read_graph(io.StringIO(text), format="fg")


def written(graph):
    out = io.StringIO()
    write_graph(graph, out, format="fg")
    return out.getvalue()


def factor_of(line, variables=4):
    graph = read(f"{variables}\n1\n" + "0\n" * variables + line)
    factor = graph.factors[0]
    return factor.kind, factor.codes.tolist(), factor.data.tolist(), factor.shape.tolist()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("XOR 3 1 -2 3", ("exactly_one", [0, 3, 4], [], [])),
        ("XOROUT 3 1 -2 3", ("xor_with_output", [0, 3, 4], [], [])),
        ("ATMOSTONE 1 4", ("at_most_one", [6], [], [])),
        ("OR 2 1 1", ("at_least_one", [0, 0], [], [])),
        ("OROUT 2 -1 -4", ("or_with_output", [1, 7], [], [])),
        ("OROUT 1 2", ("or_with_output", [2], [], [])),
        ("ANDOUT 3 1 2 -3", ("and_with_output", [0, 2, 5], [], [])),
        ("IMPLY 3 1 -2 3", ("at_least_one", [1, 2, 4], [], [])),
        ("PAIR 2 1 -2 -1.05", ("reward", [0, 3], [-1.05], [])),
        ("BUDGET 3 1 2 -3 2", ("at_most", [0, 2, 5], [], [2])),
        ("KNAPSACK 2 1 2 0.5 3 2", ("knapsack", [0, 2], [0.5, 3.0, 2.0], [])),
        ("DENSE 3 1 2 3 2 1 2 0.5 -inf", ("table", [0, 2, 4], [0.5, -math.inf], [1, 2])),
        ("SEQUENCE 3 1 2 3 2 1 2 7 1 2 8 9", ("sequence", [0, 2, 4], [7, 1, 2, 8, 9], [1, 2])),
        ("SEQUENCE 2 1 2 1 2 1 2 3 4", ("sequence", [0, 2], [1, 2, 3, 4], [2])),
        ("SEQUENCE_BUDGET 3 1 2 3 2 1 1 2 7 1 2 8 9",
         ("sequence_budget", [0, 2, 4], [7, 1, 2, 8, 9], [1, 1, 2])),
        ("SEQUENCE_BUDGET 2 1 2 1 99999999999 2 1 2 3 4",
         ("sequence_budget", [0, 2], [1, 2, 3, 4], [1, 2])),
        ("GENERAL_TREE 4 1 2 3 -4 3 1 2 1 -1 0 0 7 8 -inf",
         ("general_tree", [0, 2, 4, 7], [7, 8, -math.inf], [1, 2, 1, -1, 0, 0])),
        ("GENERAL_TREE 2 1 2 1 2 -1", ("general_tree", [0, 2], [], [2, -1])),
        ("GENERAL_TREE_COUNTS 4 1 2 3 4 1 2 -1",
         ("general_tree_counts", [0, 2, 4, 6], [], [2, -1])),
        ("ARBORESCENCE 3 1 2 3 3 0 1 0 2 1 2",
         ("arborescence", [0, 2, 4], [], [3, 0, 0, 1, 0, 2, 1, 2])),
        ("HEAD_AUTOMATON 2 1 -2 1 2 3 4 5 -inf",
         ("head_automaton", [0, 3], [1, 2, 3, 4, 5, -math.inf], [0, 2, 0])),
        ("HEAD_AUTOMATON 0 7", ("head_automaton", [], [7], [0, 0, 0])),
        ("GRANDPARENT_HEAD_AUTOMATON 3 1 2 4 2 8 9 1 2 3",
         ("head_automaton", [0, 2, 6], [8, 9, 1, 2, 3], [2, 1, 0])),
        ("ARBORESCENCE 0 1", ("arborescence", [], [], [1, 0])),
        ("\tXOR\t2  1 2  # a comment", ("exactly_one", [0, 2], [], [])),
    ],
)  # fmt: skip
def test_each_type_of_factor(line, expected):
    assert factor_of(line) == expected


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("NAND 2 1 2", "NAND is not a factor type"),
        ("xor 2 1 2", "not a factor type"),
        ("XOR", "number of variables"),
        ("XOR x 1", "count"),
        ("XOR -1 1", "count"),
        ("XOR 3 1 2", "then the variables"),
        ("XOR 2 1 2 3", "nothing after"),
        ("XOR 2 1 b", "integer"),
        ("XOR 2 1 0", "from 1 to 4"),
        ("XOR 2 1 5", "from 1 to 4"),
        ("XOR 2 1 -99999999999", "from 1 to 4"),
        ("XOR 99999999999 1", "then the variables"),
        ("XOR 0", "at least 1 literal"),
        ("PAIR 3 1 2 3 0.5", "2 variables"),
        ("PAIR 2 1 2", "expected 1 numbers"),
        ("PAIR 2 1 2 nan", "finite"),
        ("PAIR 2 1 2 1e999", "finite"),
        ("BUDGET 2 1 2", "limit"),
        ("BUDGET 2 1 2 -1", "count"),
        ("BUDGET 2 1 2 1.5", "count"),
        ("KNAPSACK 2 1 2 1 1", "capacity"),
        ("KNAPSACK 2 1 2 1 -1 3", "negative"),
        ("DENSE 3 1 2 3 2 1 2 0.5", "more entries than the 1"),
        ("DENSE 3 1 2 3 2 2 2 0 0 0 0", "3 in total"),
        ("DENSE 3 1 2 3", "number of categorical"),
        ("DENSE 3 1 2 3 0", "number of categorical"),
        ("DENSE 3 1 2 3 99999999999 1 2", "number of categorical"),
        ("DENSE 3 1 2 3 2 0 3", "at least one state"),
        ("DENSE 2 1 2 1 2 0 inf", "finite"),
        ("DENSE 2 1 2 1 2 0 1 2", "expected 2 numbers"),
        ("SEQUENCE 3 1 2 3 2 1 2 7 1 2 8", "expected 5 numbers"),
        ("SEQUENCE_BUDGET 2 1 2 1", "number of positions and the budget"),
        ("SEQUENCE_BUDGET 2 1 2 1 -1 2 1 2 3 4", "count"),
        ("SEQUENCE_BUDGET 2 1 2 1 1 3 1 2 3 4", "2 in total"),
        ("GENERAL_TREE 2 1 2", "number of categorical"),
        ("GENERAL_TREE 3 1 2 3 2 1 2 -1", "parents of 2 nodes"),
        ("GENERAL_TREE 3 1 2 3 2 1 2 0 -1 1 2", "parents of 2 nodes"),
        ("GENERAL_TREE 3 1 2 3 2 1 2 -1 2 1 2", "parents of 2 nodes"),
        ("GENERAL_TREE 3 1 2 3 2 1 2 -1 1 1 2 3 4", "cycle"),
        ("GENERAL_TREE 3 1 2 3 2 1 2 -1 0 1", "expected 2 numbers"),
        ("GENERAL_TREE_COUNTS 3 1 2 3 3 1 1 1 -1 0 0", "3 nodes and 4 counts"),
        ("GENERAL_TREE_COUNTS 3 1 2 3 99999999999", "counts"),
        ("HEAD_AUTOMATON 2 1 2 1 2 3 4 5", "expected 6 numbers"),
        ("HEAD_AUTOMATON 1 1 1 inf 1", "finite"),
        ("GRANDPARENT_HEAD_AUTOMATON 1 1", "number of grandparents"),
        ("GRANDPARENT_HEAD_AUTOMATON 1 1 0 1 2 3", "number of grandparents"),
        ("GRANDPARENT_HEAD_AUTOMATON 1 1 2 1", "number of grandparents"),
        ("GRANDPARENT_HEAD_AUTOMATON 1 1 1 1 2", "expected 1 numbers"),
        ("ARBORESCENCE 1 1 99999999999 0 1", "at most 2 nodes"),
        ("ARBORESCENCE 1 1 0 0 1", "at most 2 nodes"),
        ("ARBORESCENCE 1 1 2 0 2", "between nodes"),
        ("ARBORESCENCE 1 1 2 1 1", "is not between two nodes"),
        ("ARBORESCENCE 1 1 2 0", "head and modifier"),
    ],
)  # fmt: skip
def test_bad_factors_are_refused_with_line_and_cause(line, cause):
    with pytest.raises(InputError, match=cause) as raised:
        factor_of(line)
    assert raised.value.line == 7


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("", None, "empty"),
        ("\n# only a comment\n\n", None, "empty"),
        ("x\n", 1, "number of variables"),
        ("1 1\n", 1, "number of variables"),
        ("-1\n", 1, "number of variables"),
        ("99999999999\n1\n", 1, "only 2 lines"),
        ("1\n99999999999\n0\n", 2, "only 2 lines"),
        ("1\n", 2, "number of factors"),
        ("1\n0\nx\n", 3, "score of variable 1"),
        ("1\n0\n1_0\n", 3, "character"),
        ("1\n0\ninf\n", 3, "score of variable 1"),
        ("2\n0\n1\n", 4, "score of variable 2"),
        ("1\n2\n0\nXOR 1 1\n", 5, "factor 2 of 2"),
        ("1\n1\n0\nXOR 1 1\n\nstray", 6, "number of variables"),
        ("1\n1\n0\nXOR 1 1\nXOR 1 1\n", 5, "end of the graph"),
    ],
)  # fmt: skip
def test_bad_outlines_are_refused_with_line_and_cause(text, line, cause):
    with pytest.raises(InputError, match=cause) as raised:
        list(read_graphs(io.StringIO(text), format="fg"))
    assert (raised.value.line, raised.value.path) == (line, "<stream>")


def test_a_stray_last_line_is_refused_with_the_first_graph():
    with pytest.raises(InputError, match=r":5: expected the end of the graph"):
        read("1\n1\n0\nXOR 1 1\nstray\n")


def test_several_graphs_comments_and_blank_lines():
    text = "# two\n2 # variables\n\n1\r\n0.5\n-1e-3\nXOR 2 1 2\n\n\n1\n0\n3\n"
    graphs = list(read_graphs(io.StringIO(text), format="fg"))
    assert [repr(g) for g in graphs] == [
        "<FactorGraph: 2 variables, 1 factors>",
        "<FactorGraph: 1 variables, 0 factors>",
    ]
    assert graphs[0].scores.tolist() == [0.5, -1e-3]
    assert len(read(text)) == 2


# Writing


def test_what_is_written():
    graph = FactorGraph()
    a, b = graph.categorical([0.1, 1 / 3]), graph.categorical([0, 0])
    x = graph.variable(1e-300)
    graph.table([a, x], [[0, 1], [-math.inf, 0.5]])
    graph.exactly(1, ~x, b[0])
    graph.fix(b, 1)
    assert written(graph).splitlines() == [
        "5", "6", "0.1", "0.3333333333333333", "0.0", "0.0", "1e-300",
        "DENSE 4 1 2 -5 5 2 2 2 0.0 1.0 -inf 0.5",
        "BUDGET 2 -5 3 1",
        "BUDGET 2 5 -3 1",
        "XOR 2 3 4",
        "XOR 1 -3",
        "XOR 1 4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "add",
    [
        lambda graph, xs: graph.reward(xs, 1.0),
        lambda graph, xs: graph.reward(xs[0], 1.0),
        lambda graph, xs: graph.exactly(4, xs),
        lambda graph, xs: graph.compression_tree(xs, [None, 0, 0]),
        lambda graph, xs: graph.head_automaton([], [0], xs, None, [[1], [2], [3]]),
        lambda graph, xs: graph.tri_sibling_automaton(xs, np.zeros(10)),
        lambda graph, xs: graph.arborescence([(0, 1)], xs[:1], single_root=True),
        lambda graph, xs: graph.arborescence([(0, 1)], xs[:1], nodes=3),
    ],
)
def test_what_has_no_form_is_refused(add):
    graph = FactorGraph()
    add(graph, graph.variables([0, 0, 0]))
    with pytest.raises(UsageError, match=r"<Factor 0: .* cannot be stored in a \.fg file"):
        written(graph)


@settings(deadline=None, max_examples=100)
@given(rng=st.randoms(use_true_random=False))
def test_a_saved_graph_means_the_same(rng, random_graph, all_objectives):
    graph = random_graph(rng)
    text = written(graph)
    twin = read(text)
    np.testing.assert_array_equal(twin.scores, graph.scores)
    np.testing.assert_allclose(all_objectives(twin), all_objectives(graph), rtol=1e-12, atol=1e-12)
    # what came from a file goes back to the same bytes
    assert written(twin) == text


@pytest.mark.parametrize("grandparents", [0, 1, 2])
@pytest.mark.parametrize("modifiers", [0, 1, 3])
def test_head_automata_come_back(grandparents, modifiers, all_objectives):
    random = np.random.default_rng(grandparents)
    graph = FactorGraph()
    incoming = graph.variables(random.normal(size=grandparents))
    outgoing = graph.variables(random.normal(size=modifiers))
    siblings = random.normal(size=(modifiers + 2, modifiers + 2))
    siblings[siblings < -1.5] = -math.inf
    scores = random.normal(size=(grandparents, modifiers)) if grandparents else None
    graph.head_automaton([~x for x in outgoing], siblings, incoming, scores)
    text = written(graph)
    twin = read(text)
    assert twin.factors[0].shape.tolist() == [grandparents, modifiers, 0]
    assert all_objectives(twin) == all_objectives(graph)
    assert written(twin) == text


def test_arborescences_come_back(all_objectives):
    graph = FactorGraph()
    graph.arborescence([(0, 1), (0, 2), (1, 2), (2, 1)], graph.variables([0.1, 0.2, 0.3, 0.4]))
    twin = read(written(graph))
    assert all_objectives(twin) == all_objectives(graph)
    assert max(all_objectives(twin)) == pytest.approx(0.6)


# Real files

READINGS = {  # binary variables, factors
    "example1.fg": (3, 1),
    "example2.fg": (3, 2),
    "sequence.fg": (43, 1),
    "sequence_budget.fg": (43, 1),
    "general_tree.fg": (43, 1),
    "general_tree_counts.fg": (61, 1),
    "srl_fract_001.fg": (321, 32),
    "srl_fract_003.fg": (712, 59),
    "srl_fract_005.fg": (443, 34),
    "mln_large.fg": (80292, 80292),
    "parsing_excerpt.fg": (1520, 616),
    "parsing01.fg": (354, 127),
}


@pytest.mark.data
@pytest.mark.parametrize("name", READINGS)
def test_real_files_are_read_and_come_back(data_folder, name):
    graph = FactorGraph.load(data_folder / "graphs" / name)
    assert (len(graph), len(graph.factors)) == READINGS[name]
    twin = read(written(graph))
    np.testing.assert_array_equal(twin.scores, graph.scores)
    for mine, its in zip(graph.arrays, twin.arrays, strict=True):
        np.testing.assert_array_equal(mine, its)


@pytest.mark.data
@pytest.mark.parametrize(("name", "value"), [("example1.fg", 2.0), ("example2.fg", 1.25)])
def test_small_real_files_have_the_value_ad3_reads(data_folder, all_objectives, name, value):
    assert max(all_objectives(FactorGraph.load(data_folder / "graphs" / name))) == value


@pytest.mark.data
def test_the_real_sequence_has_the_value_ad3_reads(data_folder):
    factor = FactorGraph.load(data_folder / "graphs" / "sequence.fg").factors[0]
    best, offset = np.zeros(1), 0
    for size in [*factor.shape.tolist(), 1]:  # Viterbi, by hand
        table = factor.data[offset : offset + len(best) * size].reshape(len(best), size)
        offset += table.size
        best = (best[:, None] + table).max(axis=0)
    assert best[0] == pytest.approx(2.644030158, abs=1e-8)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sequence_budget", 2.59131224),
        ("general_tree", 2.644030158),
        ("general_tree_counts", 2.644030158),
    ],
)
def test_the_other_real_structures_have_the_values_ad3_reads(data_folder, name, value):
    graph = FactorGraph.load(data_folder / "graphs" / f"{name}.fg")
    assert graph.factors[0].kind == name
    for method in ("ad3", "exact", "lp", "ilp"):
        found = graph.solve(method)
        assert found.status.value == "OPTIMAL"
        assert found.objective == pytest.approx(value, abs=1e-8)
    assert written(read(written(graph))) == written(graph)


@pytest.mark.data
def test_a_real_arborescence_is_read(data_folder):
    graph = FactorGraph.load(data_folder / "graphs" / "parsing01.fg")
    nodes, single_root, *ends = graph.factors[0].shape.tolist()
    assert (nodes, single_root, len(ends)) == (63, 0, 708)
    assert set(ends[1::2]) == set(range(1, 63))


@pytest.mark.data
def test_real_head_automata_fit_the_tree_they_belong_to(data_folder):
    """Incoming arcs all end at one node; modifiers all start there, and go away from it."""
    graph = FactorGraph.load(data_folder / "graphs" / "parsing01.fg")
    tree, nothing_left_of_the_root, *automata = graph.factors
    assert nothing_left_of_the_root.codes.size == 0
    ends = tree.shape[2:].reshape(-1, 2)
    arc_of = dict(zip(tree.codes.tolist(), ends.tolist(), strict=True))
    for automaton in automata:
        arcs = [arc_of[code] for code in automaton.codes.tolist()]
        grandparents = automaton.shape[0]
        heads = {end for _, end in arcs[:grandparents]}
        heads |= {start for start, _ in arcs[grandparents:]}
        assert len(heads) == 1
        steps = [modifier - min(heads) for _, modifier in arcs[grandparents:]]
        assert steps == sorted(steps, key=abs)
        assert len({step > 0 for step in steps}) <= 1


def test_a_score_beyond_the_largest_names_its_line():
    with pytest.raises(
        InputError, match=r":4: score of variable 2: expected a number with absolute value at most"
    ):
        read_graph(io.StringIO("2\n1\n0.5\n1e101\nXOR 2 1 2\n"), "fg")
