"""Every factor with its argument checks, and the graph as a whole."""

import ctypes
import math

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.graph import FactorGraph

# Factors


def stored(factor):
    return (
        factor.kind,
        factor.codes.tolist(),
        factor.data.tolist(),
        factor.shape.tolist(),
    )


@pytest.mark.parametrize("kind", ["exactly_one", "at_most_one", "at_least_one"])
def test_logic_takes_literals_or_iterables(graph, xs, kind):
    a, b, c, _ = xs
    add = getattr(graph, kind)
    for factor in (add(a, ~b, c), add([a, ~b, c]), add(iter([a, ~b]), c)):
        assert stored(factor) == (kind, [0, 3, 4], [], [])
    assert add(graph.categorical([0, 0])).literals == (graph[4], graph[5])


@pytest.mark.parametrize("kind", ["xor_with_output", "or_with_output", "and_with_output"])
def test_outputs_come_last(graph, xs, kind):
    a, b, c, _ = xs
    factor = getattr(graph, kind)([a, ~b], ~c)
    assert stored(factor) == (kind, [0, 3, 5], [], [])
    assert factor.literals == (a, ~b, ~c)


def test_implication_is_a_clause(graph, xs):
    a, b, c, _ = xs
    for factor in (graph.implies(a, ~b, c), graph.implies([a, ~b], c)):
        assert stored(factor) == ("at_least_one", [1, 2, 4], [], [])
    for wrong in ((), (a,)):
        with pytest.raises(UsageError, match="antecedent"):
            graph.implies(*wrong)


def test_rewards(graph, xs):
    a, b, c, _ = xs
    for factor in (
        graph.reward(a, ~b, 0.4),
        graph.reward(a, ~b, score=0.4),
        graph.reward([a, ~b], 0.4),
    ):
        assert stored(factor) == ("reward", [0, 3], [0.4], [])
    assert stored(graph.reward(a, b, c, np.float32(-1))) == ("reward", [0, 2, 4], [-1.0], [])
    for wrong in ((), (a, b), (a, b, "much"), (a, b, math.nan), (1.0,)):
        with pytest.raises(UsageError, match="reward"):
            graph.reward(*wrong)


def test_counting(graph, xs):
    assert stored(graph.at_most(2, *xs)) == ("at_most", [0, 2, 4, 6], [], [2])
    assert stored(graph.exactly(9, xs)) == ("exactly", [0, 2, 4, 6], [], [9])
    assert stored(graph.at_least(3, xs)) == ("at_most", [1, 3, 5, 7], [], [1])
    assert stored(graph.at_least(0, xs)) == ("at_most", [1, 3, 5, 7], [], [4])
    for add in (graph.at_most, graph.exactly, graph.at_least):
        for k in (-1, 1.5, None, 2**31):
            with pytest.raises(UsageError, match=add.__name__):
                add(k, xs)


def test_at_least_more_than_all_is_legal_and_infeasible(graph, all_objectives):
    graph.at_least(3, graph.variables([1, 1]))
    assert set(all_objectives(graph)) == {-math.inf}


def test_knapsack(graph, xs):
    factor = graph.knapsack([xs[0], ~xs[1]], costs=[0, 2.5], capacity=2)
    assert stored(factor) == ("knapsack", [0, 3], [0.0, 2.5, 2.0], [])
    for costs, capacity in (
        ([1], 1),
        ([1, -1], 1),
        ([1, math.nan], 1),
        ([1, 1], "x"),
        ([1, 1], math.inf),
    ):
        with pytest.raises(UsageError, match="knapsack"):
            graph.knapsack(xs[:2], costs, capacity)


def test_tables_over_categoricals_and_binaries(graph):
    x, c = graph.variable(), graph.categorical([0, 0, 0])
    scores = np.arange(6.0).reshape(3, 2)
    scores[1, 1] = -math.inf
    factor = graph.table([c, ~x], scores)
    assert stored(factor) == ("table", [2, 4, 6, 0, 1], scores.ravel().tolist(), [3, 2])
    np.testing.assert_array_equal(factor.scores, scores)
    with pytest.raises(ValueError, match="read-only"):
        factor.scores[0, 0] = 1
    # the axes are in the order of the variables, whatever the memory layout
    assert (
        graph.table([x, c], np.asfortranarray(scores.T)).data.tolist() == scores.T.ravel().tolist()
    )


def test_tables_must_fit(graph):
    x, c = graph.variable(), graph.categorical([0, 0, 0])
    for variables, scores in (
        ([c, x], np.zeros((2, 3))),
        ([c, x], np.zeros(6)),
        ([c], [0, 0, math.nan]),
        ([c], [0, 0, math.inf]),
        ([], 0.0),
        (["c"], [0.0]),
    ):
        with pytest.raises(UsageError, match=r"table|expected a categorical"):
            graph.table(variables, scores)
    with pytest.raises(UsageError, match="is not a table"):
        _ = graph.at_most_one(x).scores


def test_sequences(graph):
    a, b, x = graph.categorical([0, 0]), graph.categorical([0, 0, 0]), graph.variable()
    edges = [np.arange(6).reshape(2, 3), -np.arange(6).reshape(3, 2)]
    factor = graph.sequence([a, b, x], edges, start=[7, 8])
    expected = [7, 8, *range(6), 0, -1, -2, -3, -4, -5, 0, 0]
    assert stored(factor) == ("sequence", [0, 2, 4, 6, 8, 11, 10], expected, [2, 3, 2])
    single = [[1, 2], [3, 4]]
    for reused in (single, np.array(single), [single, single]):
        assert graph.sequence([a, x, a], reused).data.tolist() == [
            0,
            0,
            1,
            2,
            3,
            4,
            1,
            2,
            3,
            4,
            0,
            0,
        ]
    assert graph.sequence([b], [], stop=[1, 2, 3]).data.tolist() == [0, 0, 0, 1, 2, 3]


def test_sequences_must_fit(graph):
    a, b = graph.categorical([0, 0]), graph.categorical([0, 0, 0])
    for variables, edges in (
        ([], []),
        ([a, b], []),
        ([a, b], np.zeros((3, 2))),
        ([a, b], [np.zeros((2, 3)), np.zeros((2, 3))]),
        ([a, b], 3),
        ([a, b], [["x"]]),
        ([a, b], [[1, 2, 3], [1]]),
    ):
        with pytest.raises(UsageError, match="sequence"):
            graph.sequence(variables, edges)
    with pytest.raises(UsageError, match="start"):
        graph.sequence([a, a], np.zeros((2, 2)), start=[1])


def test_compression_trees(graph, xs):
    factor = graph.compression_tree(xs[:3], [None, 0, 0], [0.5, 0, 1], root_needs_child=True)
    assert stored(factor) == ("compression_tree", [0, 2, 4], [0.5, 0.0, 1.0], [-1, 0, 0, 1])
    assert graph.compression_tree(xs[:2], [-1, 0]).data.tolist() == [0.0, 0.0]
    for parents, cuts in (
        ([1, 0], None),
        ([-1, 2], None),
        ([-1], None),
        ([-1, 0.5], None),
        ([-1, 0], [1]),
    ):
        with pytest.raises(UsageError, match="compression_tree"):
            graph.compression_tree(xs[:2], parents, cuts)


def test_arborescences(graph, xs):
    arcs = [(0, 1), (0, 2), (1, 2), (2, 1)]
    assert stored(graph.arborescence(arcs, xs)) == (
        "arborescence", [0, 2, 4, 6], [], [3, 0, 0, 1, 0, 2, 1, 2, 2, 1]
    )  # fmt: skip
    factor = graph.arborescence(np.array(arcs), xs, nodes=4, single_root=True)
    assert factor.shape[:2].tolist() == [4, 1]
    for wrong in (
        [(0, 1)],
        [(0, 1), (0, 2), (1, 2), (2, 2)],
        [(1, 0)] * 4,
        [(0, 1, 2)] * 4,
        [0] * 4,
    ):
        with pytest.raises(UsageError, match="arborescence"):
            graph.arborescence(wrong, xs)


def test_nothing_but_literals_of_this_graph_is_taken(graph, xs):
    other = FactorGraph().variable()
    for wrong in (other, 0, "x0", None, [xs[0], 1.5]):
        with pytest.raises(UsageError, match=r"another graph|expected a variable"):
            graph.at_most_one(xs[0], wrong)
    with pytest.raises(UsageError, match="another graph"):
        graph.table([other.graph.categorical([0, 0])], [0, 0])
    for kind in ("exactly_one", "at_most_one", "at_least_one"):
        with pytest.raises(UsageError, match="at least 1 literal"):
            getattr(graph, kind)()
    assert len(graph.factors) == 0


# A user's own factors


class Nothing:
    """Only the empty configuration."""

    def maximize(self, scores):
        return np.zeros(len(scores))


def test_a_python_factor(graph, xs):
    factor = graph.factor(Nothing(), xs[:3])
    assert (factor.kind, factor.literals) == ("custom", tuple(xs[:3]))
    with pytest.raises(UsageError, match="maximize"):
        graph.factor(object(), xs)


def test_a_compiled_factor(graph, xs):
    signature = ctypes.CFUNCTYPE(
        ctypes.c_double, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
    )
    pointer = signature(lambda *_: 0.0)

    class Cfunc:  # what numba's cfunc looks like
        address = ctypes.cast(pointer, ctypes.c_void_p).value

    for function in (pointer, Cfunc(), Cfunc.address):
        assert graph.compiled_factor(function, xs).kind == "custom"
    for wrong in (None, "f", 0, True, print):
        with pytest.raises(UsageError, match="compiled_factor"):
            graph.compiled_factor(wrong, xs)


# The whole


def test_factors_are_a_sequence(graph, xs):
    added = [graph.at_most_one(xs[:2]), graph.at_least_one(xs), graph.exactly(2, ~xs[0], xs[1])]
    assert list(graph.factors) == added == graph.factors[:]
    assert graph.factors[-1] == added[2] and len(graph.factors) == 3
    assert graph.factors[1:] == added[1:]
    with pytest.raises(IndexError):
        graph.factors[3]
    assert repr(added[2]) == "<Factor 2: exactly(~x0, x1)>"
    assert repr(graph) == "<FactorGraph: 4 variables, 3 factors>"
    assert repr(graph.at_most_one(xs * 3)) == (
        "<Factor 3: at_most_one(x0, x1, x2, x3, x0, x1, x2, x3, … 12 literals)>"
    )


def test_copies_are_independent(graph, xs):
    graph.categorical([0, 0], name="weather")
    graph.at_most_one(xs)
    twin = graph.copy()
    twin.fix(twin["weather"], 0)
    twin.set_score(twin[0], 9)
    twin.variable(name="new")
    twin.at_least_one(twin["new"])
    assert repr(graph) == "<FactorGraph: 6 variables, 1 factors>"
    assert repr(twin) == "<FactorGraph: 7 variables, 2 factors>"
    assert graph.scores[0] == 1.0 and (graph.evidence == -1).all()
    assert graph.names == twin.names[:6]
    graph.variable(name="new")  # the name is free here
    with pytest.raises(UsageError, match="another graph"):
        twin.at_most_one(xs)
