"""Trees and automata as small constraints: they allow the trees, each at its score."""

import itertools
import math

import numpy as np
import pytest
from tests.parse.enumeration import TREES

from treaty.graph import FactorGraph
from treaty.papers.decompositions import SiblingModel
from treaty.papers.decompositions._logic import (
    add_automaton,
    add_grandparents,
    add_heads,
    add_multi_commodity_flow,
    part,
)


def arcs_in(graph, model):
    return {arc: graph.variable(float(model.arcs[arc])) for arc in model.candidates}


def allowed(graph, arcs):
    """The sets of arcs that the graph allows, with the best score for each."""
    found = {}
    for on in itertools.product([False, True], repeat=len(arcs)):
        twin = graph.copy()
        for variable, value in zip(arcs.values(), on, strict=True):
            twin.fix(twin[variable.variable], value)
        solution = twin.solve("ilp")
        if solution.objective > -math.inf:
            found[frozenset(itertools.compress(arcs, on))] = solution.objective
    return found


def arcs_of(tree):
    return frozenset((h, m) for m, h in enumerate(tree) if m)


@pytest.mark.parametrize("single_root", [True, False])
def test_heads_and_flows_allow_trees_and_nothing_else(single_root):
    model = SiblingModel(np.zeros((4, 4)), single_root=single_root)
    graph = FactorGraph()
    arcs = arcs_in(graph, model)
    add_heads(graph, model, arcs)
    add_multi_commodity_flow(graph, model, arcs)
    assert set(allowed(graph, arcs)) == {arcs_of(tree) for tree in TREES[3, single_root]}


def test_automata_and_grandparents_add_the_scores_of_the_model():
    rng = np.random.default_rng(1)
    model = SiblingModel(
        rng.normal(size=(3, 3)), rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 3, 3))
    )
    graph = FactorGraph()
    arcs = arcs_in(graph, model)
    add_heads(graph, model, arcs)
    add_multi_commodity_flow(graph, model, arcs)
    for side in model.sides():
        add_automaton(graph, side, arcs)
        add_grandparents(graph, side, arcs)
    found = allowed(graph, arcs)
    expected = {arcs_of(tree): model.score(tree) for tree in TREES[2, False]}
    assert found == pytest.approx(expected)


def test_what_is_forbidden_is_off():
    graph = FactorGraph()
    free, off = part(graph, 1.5), part(graph, -math.inf)
    assert graph.scores.tolist() == [1.5, 0.0]
    assert graph.evidence.tolist() == [-1, 0]
    assert (free.variable, off.variable) == (0, 1)
