"""Rewards, budgets and knapsacks."""

from __future__ import annotations

from tests.solve.zoo.keeper import keeper

from treaty.graph import FactorGraph


@keeper(5.0)
def budgets():
    """Two of the first four (3 + 2), of which at most one of the first two, and c or d."""
    graph = FactorGraph()
    a, b, c, d = graph.variables([3.0, 2.5, 2.0, 1.0])
    graph.exactly(2, a, b, c, d)
    graph.at_most(1, a, b)
    graph.at_least(1, c, d)
    return graph


@keeper(0.0)
def a_budget_of_zero():
    graph = FactorGraph()
    graph.at_most(0, graph.variables([1.0, 2.0]))
    return graph


@keeper(2.5)
def rewards_of_both_signs():
    """a and b attract (+1), b and c repel (-2): a and b give 2.5, all three 1.5."""
    graph = FactorGraph()
    a, b, c = graph.variables([1.0, 0.5, 1.0])
    graph.reward(a, b, 1.0)
    graph.reward(b, c, -2.0)
    return graph


@keeper(0.5)
def a_reward_of_three():
    """All three cost 2.5 and bring 3 together; two bring nothing."""
    graph = FactorGraph()
    graph.reward(graph.variables([-1.0, -1.0, -0.5]), 3.0)
    return graph


@keeper(7.0, tight=False)
def knapsack():
    """Capacity 10: costs 6 and 4 are worth 4 + 3; the densest item (5 for 7) leaves 3."""
    graph = FactorGraph()
    graph.knapsack(graph.variables([5.0, 4.0, 3.0]), [7.0, 6.0, 4.0], 10.0)
    return graph


@keeper(3.0)
def knapsack_with_free_items():
    """What costs nothing is taken if it is worth something; the rest does not fit."""
    graph = FactorGraph()
    graph.knapsack(graph.variables([1.0, 9.0, 2.0, -1.0]), [0.0, 5.0, 0.0, 0.0], 4.0)
    return graph


@keeper(2.0)
def knapsack_of_no_capacity():
    graph = FactorGraph()
    graph.knapsack(graph.variables([1.0, 2.0]), [1.0, 0.0], 0.0)
    return graph


@keeper(3.0)
def knapsack_full_to_the_brim():
    """0.1 + 0.2 is a little more than 0.3 in floating point, and fits all the same."""
    graph = FactorGraph()
    items = graph.variables([1.0, 1.0, 1.0])
    graph.knapsack(items, [0.1, 0.2, 0.0], 0.3)
    graph.fix(items[0])
    graph.fix(items[1])
    return graph


@keeper(1.0, tight=False)
def a_cost_that_counts_twice():
    """x fills the knapsack twice over (4 > 3), so y is all that fits."""
    graph = FactorGraph()
    x, y = graph.variables([1.5, 1.0])
    graph.knapsack([x, x, y], [2.0, 2.0, 1.0], 3.0)
    return graph
