"""Graphs as UAI files: what is written means the same, and what has no form is refused."""

import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.graph import FactorGraph, read_graph
from treaty.graph._uai_write import write_uai as written
from treaty.solve import log_partition


def read(text):
    return read_graph(io.StringIO(text), format="uai")


def test_what_is_written():
    graph = FactorGraph()
    c, x = graph.categorical([0, math.log(2), 0]), graph.variable(0.0)
    graph.exactly_one(c[1], ~x)
    graph.fix(~c[0])
    head, *tables = written(graph).split("\n\n")
    assert head.split() == ["MARKOV", "2", "3", "2", "3", *"10", *"11", *"201"]
    assert [[float(n) for n in table.split()] for table in tables] == [
        [3, 0, 2, 1],
        [2, 1, 1],
        [6, 1, 0, 0, 1, 1, 0],
    ]


@settings(deadline=None, max_examples=60)
@given(rng=st.randoms(use_true_random=False))
def test_a_saved_graph_means_the_same(rng, random_graph, all_objectives):
    graph = random_graph(rng)
    twin = read(written(graph))
    # Binary variables have become pairs of states: the feasible assignments match one to one.
    mine, its = (sorted(v for v in all_objectives(g) if v > -math.inf) for g in (graph, twin))
    np.testing.assert_allclose(its, mine, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("score", [800.0, -800.0])
def test_scores_without_a_potential_are_refused(score):
    graph = FactorGraph()
    graph.variable(score)
    with pytest.raises(UsageError, match=r"\.fg"):
        written(graph)


def test_factors_of_too_many_states_are_refused():
    graph = FactorGraph()
    xs = graph.variables(np.zeros(17))
    graph.at_most_one(xs[:16])
    written(graph)
    graph.at_most_one(xs)
    with pytest.raises(UsageError, match=r"<Factor 1: .*more than 65536 potentials"):
        written(graph)


def test_users_own_factors_have_no_form():
    class Anything:
        def maximize(self, scores):
            return scores > 0

    graph = FactorGraph()
    graph.factor(Anything(), graph.variables([0, 0]))
    with pytest.raises(UsageError, match="cannot be stored"):
        written(graph)


@pytest.mark.parametrize(
    "add",
    [
        lambda graph, xs: graph.compression_tree(xs, [None, 0, 0, 1], [0.5, -1, 2, 0], True),
        lambda graph, xs: graph.arborescence([(0, 1), (1, 2), (2, 1), (0, 2)], xs),
        lambda graph, xs: graph.head_automaton(xs[2:], np.arange(6.0), xs[:2], [[1, 2], [3, 4]]),
        lambda graph, xs: graph.tri_sibling_automaton(xs[:3], np.arange(10.0)),
    ],
)
def test_small_structures_become_tables(add, all_objectives):
    graph = FactorGraph()
    add(graph, graph.variables([0.3, -0.2, 0.1, 0.5]))
    mine, its = (
        sorted(v for v in all_objectives(g) if v > -math.inf) for g in (graph, read(written(graph)))
    )
    assert len(mine) > 2
    np.testing.assert_allclose(its, mine, rtol=1e-9)


@pytest.mark.parametrize("nodes", [1, 2])
def test_factors_without_literals_are_constants(nodes, all_objectives):
    """Found by fuzzing: an arborescence of the root alone, and one without any arc to a node."""
    graph = FactorGraph()
    graph.variable(0.5)
    graph.arborescence([], [], nodes=nodes)
    graph.head_automaton([], [0.25])
    best = 0.75 if nodes == 1 else -math.inf
    assert max(all_objectives(graph)) == best
    assert max(all_objectives(read(written(graph)))) == pytest.approx(best)
    assert log_partition(graph).value == pytest.approx(
        math.log(math.exp(0.25) + math.exp(0.75)) if nodes == 1 else -math.inf
    )


def test_a_graph_without_variables_is_refused():
    with pytest.raises(UsageError, match="at least one variable"):
        written(FactorGraph())
