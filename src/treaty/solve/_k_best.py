"""More than one answer: the k best, answers that differ, and what each state would cost."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph import Categorical, Variable
from treaty.solve._certificate import Status
from treaty.solve._methods import SolveOptions
from treaty.solve._solution import Solution
from treaty.solve._solve import solve
from treaty.solve._view import Doubles

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["MaxMarginals", "k_best", "max_marginals"]

NOTHING = np.empty(0)


def k_best(
    graph: FactorGraph,
    k: int,
    method: str = "exact",
    *,
    distance: int = 1,
    variables: Iterable[Variable | Categorical] | None = None,
    **options: Unpack[SolveOptions],
) -> list[Solution]:
    """Find the k best assignments, one after the other.

    Parameters
    ----------
    graph
        The problem.
    k
        Number of answers.
    method, **options
        As for `solve`; limits are for each answer.
    distance
        In how many variables answers must differ, at least. A categorical variable counts once.
        With more than 1, each answer is the best that is far enough from those before it.
    variables
        The variables whose differences count; by default all.

    Returns
    -------
    list of Solution
        Fewer than `k` if there are no more (or no more are found in the limits). The certificate
        of each is about all assignments that the answers before it leave: no other one scores more
        than its bound.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> tea, coffee = graph.variables([1.0, 1.5])
    >>> _ = graph.at_most_one(tea, coffee)
    >>> [solution.objective for solution in k_best(graph, 5)]
    [1.5, 1.0, 0.0]
    """
    if k < 0:
        raise UsageError(f"k_best: expected the number of answers, 0 or more, got {k}")
    if distance < 1:
        raise UsageError(f"k_best: distance must be 1 or more, not {distance}")
    rest = graph.copy()
    counted = graph.whole_variables if variables is None else variables
    free = [v for v in counted if not _is_fixed(graph, v)]
    found: list[Solution] = []
    while len(found) < k:
        solution = solve(rest, method, **options)
        if not math.isfinite(solution.objective):
            break
        found.append(solution)
        if not _exclude(rest, free, solution, distance):
            break
    return found


def _is_fixed(graph: FactorGraph, variable: Variable | Categorical) -> bool:
    evidence = graph.evidence
    if isinstance(variable, Categorical):
        states = evidence[variable.first : variable.first + variable.size]
        return bool((states == 1).any() or np.count_nonzero(states < 0) <= 1)
    return bool(evidence[variable.variable] >= 0)


def _exclude(
    graph: FactorGraph, free: list[Variable | Categorical], solution: Solution, distance: int
) -> bool:
    """Forbid what is too near to an answer; False if nothing else is left."""
    if len(free) < distance:
        return False
    same = np.array([_code(variable, solution) for variable in free], np.int32)
    if distance == 1:
        graph.native.add(Kind.at_least_one, same ^ 1, NOTHING, np.empty(0, np.int32))
    else:
        most = np.array([len(free) - distance], np.int32)
        graph.native.add(Kind.at_most, same, NOTHING, most)
    return True


def _code(variable: Variable | Categorical, solution: Solution) -> int:
    """Code of the literal that says: as in the answer."""
    if isinstance(variable, Categorical):
        return 2 * (variable.first + int(solution[variable]))
    return 2 * variable.variable + (0 if solution[variable] else 1)


@dataclass(frozen=True, eq=False)
class MaxMarginals:
    """What the objective becomes if a variable is forced into each of its states.

    Attributes
    ----------
    objective
        The best answer found for each state, ``-inf`` if there is none.
    bound
        No answer with this state scores more.
    """

    objective: Doubles
    bound: Doubles

    @property
    def is_exact(self) -> bool:
        """Whether all answers are proved."""
        possible = self.bound > -math.inf
        bound, objective = self.bound[possible], self.objective[possible]
        return bool(np.all(bound - objective <= 1e-6 * np.maximum(1.0, np.abs(objective))))


def max_marginals(
    graph: FactorGraph,
    variables: list[Variable | Categorical] | None = None,
    method: str = "exact",
    **options: Unpack[SolveOptions],
) -> list[MaxMarginals]:
    """Find the best objective for each state of variables, with bounds.

    Parameters
    ----------
    graph
        The problem.
    variables
        Binary and categorical variables; by default all.
    method, **options
        As for `solve`; limits are for each state.

    Returns
    -------
    list of MaxMarginals
        For each variable; of a binary one for off and on.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> tea, coffee = graph.variables([1.0, 1.5])
    >>> _ = graph.at_most_one(tea, coffee)
    >>> max_marginals(graph, [tea])[0].objective
    array([1.5, 1. ])
    """
    chosen = graph.whole_variables if variables is None else variables
    best = solve(graph, method, **options)
    return [_forced(graph, variable, best, method, options) for variable in chosen]


def _forced(
    graph: FactorGraph,
    variable: Variable | Categorical,
    best: Solution,
    method: str,
    options: SolveOptions,
) -> MaxMarginals:
    states = len(variable) if isinstance(variable, Categorical) else 2
    objective, bound = np.full(states, -math.inf), np.full(states, -math.inf)
    answered = math.isfinite(best.objective)
    for state in range(states):
        solution = best
        if not answered or int(best[variable]) != state:
            solution = _with_state(graph, variable, state, method, options)
        objective[state] = solution.objective
        if solution.status is not Status.INFEASIBLE:
            # Bounds are rounded in other orders: none is below the answer it is about.
            bound[state] = max(min(solution.bound, best.bound), solution.objective)
    return MaxMarginals(objective, bound)


def _with_state(
    graph: FactorGraph,
    variable: Variable | Categorical,
    state: int,
    method: str,
    options: SolveOptions,
) -> Solution:
    """Solve with a variable in a state; evidence that excludes it stays."""
    twin = graph.copy()
    if isinstance(variable, Categorical):
        code = 2 * (variable.first + state)
    else:
        code = 2 * variable.variable + 1 - state
    twin.native.add(Kind.at_least_one, np.array([code], np.int32), NOTHING, np.empty(0, np.int32))
    return solve(twin, method, **options)
