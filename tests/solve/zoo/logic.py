"""Variables alone, and logic."""

from __future__ import annotations

import itertools

import numpy as np
from tests.solve.zoo.keeper import keeper

from treaty.graph import FactorGraph


@keeper(0.0)
def nothing_at_all():
    return FactorGraph()


@keeper(0.0)
def one_variable_better_off():
    graph = FactorGraph()
    graph.variable(-0.25)
    return graph


@keeper(2.0)
def variables_without_factors():
    graph = FactorGraph()
    graph.variables([1.5, -2.0, 0.0])
    graph.categorical([-1.0, 0.5, 0.25])
    return graph


@keeper(-3.0)
def a_categorical_of_one_state():
    graph = FactorGraph()
    graph.categorical([-3.0])
    return graph


@keeper(1.5)
def weather():
    """The sun, with a hat for its reward: 1.2 - 0.1 + 0.4; rain needs an umbrella: 0.7 - 0.3."""
    graph = FactorGraph()
    sun, rain, hat, umbrella = graph.variables([1.2, 0.7, -0.1, -0.3])
    graph.exactly_one(sun, rain)
    graph.implies(rain, umbrella)
    graph.at_most(1, hat, umbrella)
    graph.reward(sun, hat, 0.4)
    return graph


@keeper(3.0)
def exactly_one_with_negations():
    """One of (a, ~b, c): a off, b on, c on gives 5 - 2; a on costs c; b off costs 5."""
    graph = FactorGraph()
    a, b, c = graph.variables([1.0, 5.0, -2.0])
    graph.exactly_one(a, ~b, c)
    graph.at_most_one(a, b)
    return graph


@keeper(7.0)
def independent_set_on_a_path():
    """Weights 3 4 3 2 1: nodes 0, 2 and 4 weigh 7, nodes 1 and 3 weigh 6."""
    graph = FactorGraph()
    nodes = graph.variables([3.0, 4.0, 3.0, 2.0, 1.0])
    for left, right in itertools.pairwise(nodes):
        graph.at_most_one(left, right)
    return graph


@keeper(-3.0)
def vertex_cover_of_a_star():
    """The hub alone covers every edge."""
    graph = FactorGraph()
    hub, *leaves = graph.variables([-3.0, -1.5, -1.5, -1.5])
    for leaf in leaves:
        graph.at_least_one(hub, leaf)
    return graph


@keeper(1.0)
def xor_with_output():
    """The output is worth 4 and its cheapest input costs 3; two inputs would be cheaper yet."""
    graph = FactorGraph()
    a, b, c, output = graph.variables([-3.0, -4.0, -9.0, 4.0])
    graph.xor_with_output([a, b, c], output)
    graph.at_least_one(a, b)
    return graph


@keeper(0.5)
def concepts_by_or_with_output():
    """Sentence 1 costs 1 and has both concepts (0.9 + 0.6); sentence 2 is then not worth 0.3."""
    graph = FactorGraph()
    first, second, ham, eggs = graph.variables([-1.0, -0.3, 0.9, 0.6])
    graph.or_with_output([first], ham)
    graph.or_with_output([first, second], eggs)
    return graph


@keeper(1.0)
def and_with_negated_output():
    """All of a, b and ~c turn the output (worth -1) on: leave out b, the cheapest, worth 0.5."""
    graph = FactorGraph()
    a, b, c, output = graph.variables([1.0, 0.5, -1.0, -1.0])
    graph.and_with_output([a, b, ~c], output)
    return graph


@keeper(0.0)
def implications_in_a_circle():
    """All on or all off, and all on is worth -1."""
    graph = FactorGraph()
    nodes = graph.variables([3.0, -2.0, 2.0, -4.0])
    for here, there in zip(nodes, [*nodes[1:], nodes[0]], strict=True):
        graph.implies(here, there)
    return graph


@keeper(15.0)
def assignment_problem():
    """Workers to tasks: 5 + 4 + 6 beats the diagonal's 4 + 2 + 6 and all others."""
    graph = FactorGraph()
    cells = np.array(graph.variables([4, 5, 3, 4, 2, 1, 1, 3, 6]), dtype=object).reshape(3, 3)
    for line in (*cells, *cells.T):
        graph.exactly_one(line)
    return graph


@keeper(-1.0, tight=False)
def a_literal_twice_in_one_factor():
    """Exactly one of (x, x, y) turns x off and y on; the double reward of ~x counts once."""
    graph = FactorGraph()
    x, y = graph.variables([3.0, -2.0])
    graph.exactly_one(x, x, y)
    graph.reward(~x, ~x, y, 1.0)
    return graph


@keeper(2.0, tight=False)
def a_literal_and_its_negation():
    """Of x and ~x one is always on, so y has to be off."""
    graph = FactorGraph()
    x, y = graph.variables([2.0, 3.0])
    graph.at_most_one(x, ~x, y)
    graph.reward(x, ~x, 100.0)
    graph.or_with_output([x, ~x], ~y)
    return graph
