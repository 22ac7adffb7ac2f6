"""Optimization models of PyEPO that Treaty solves; requires ``pip install 'treaty[pyepo]'``.

PyEPO trains predictors of costs by the decisions that follow from them. Its models need Gurobi or
another solver; these need none, and any `FactorGraph` is one. All losses of PyEPO run on them.

OR-Tools and highspy, which Treaty proves optima with, cannot be in one process: both have a HiGHS.
Import this module before PyEPO if OR-Tools is installed; PyEPO then goes without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import highspy  # noqa: F401  before PyEPO's OR-Tools, whose own HiGHS has the same name
import numpy as np
import numpy.typing as npt

from treaty.errors import SolverError, UsageError
from treaty.graph import FactorGraph, Variable
from treaty.solve import Status

try:
    from pyepo import EPO
    from pyepo.model.opt import optModel
except ImportError as error:
    raise UsageError(
        "treaty.integrations.pyepo requires PyEPO: pip install 'treaty[pyepo]'"
    ) from error

if TYPE_CHECKING:
    from treaty.solve import Certificate

__all__ = ["Assignment", "GraphModel", "Knapsack", "ShortestPath"]

Doubles = npt.NDArray[np.float64]


class GraphModel(optModel):
    """A factor graph as a model of PyEPO.

    Parameters
    ----------
    graph
        The graph; the model works on a copy. Scores of variables without costs, and of factors,
        stay as they are.
    variables
        Those whose costs are predicted, in the order of the costs; all by default.
    minimize
        Whether costs are minimized. By default they are values, and maximized.
    proof
        The method for what AD3 cannot prove: ``"exact"`` or ``"ilp"``.
    **limits
        Of both solvers, as for ``graph.solve``.

    Notes
    -----
    `certificate` is that of the last answer.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most(1, graph.variables([0.0, 0.0, 0.0]))
    >>> model = GraphModel(graph)
    >>> model.setObj([1.0, 3.0, 2.0])
    >>> model.solve()
    (array([0., 1., 0.]), 3.0)
    """

    def __init__(
        self,
        graph: FactorGraph,
        variables: Sequence[Variable] | None = None,
        minimize: bool = False,
        proof: str = "exact",
        **limits: Any,
    ) -> None:
        self.proof = proof
        self.modelSense = EPO.MINIMIZE if minimize else EPO.MAXIMIZE
        self.limits = limits
        self.certificate: Certificate | None = None
        self._given = graph
        indices = range(len(graph)) if variables is None else [v.variable for v in variables]
        self._columns = np.array(list(indices), np.intp)
        super().__init__()

    def get_config(self) -> dict[str, Any]:
        """Give the arguments that make the same model again, without constraints added later."""
        graph = self._given.copy()
        variables = [graph[int(v)] for v in self._columns]
        minimize = self.modelSense == EPO.MINIMIZE
        return {
            "graph": graph, "variables": variables, "minimize": minimize, "proof": self.proof,
            **self.limits,
        }  # fmt: skip

    def _getModel(self) -> tuple[FactorGraph, list[Any]]:  # noqa: N802
        graph = self._given.copy()
        return graph, [graph[int(v)] for v in self._columns]

    @property
    def num_cost(self) -> int:
        """Number of costs to predict."""
        return len(self._columns)

    def setObj(self, c: Any) -> None:  # noqa: N802
        """Set the costs."""
        costs = np.asarray(c.detach().cpu() if hasattr(c, "detach") else c, np.float64)
        if costs.shape != (self.num_cost,):
            raise UsageError(
                f"setObj: expected {self.num_cost} costs, got an array of shape {costs.shape}"
            )
        scores = np.array(self._model.scores)
        scores[self._columns] = -costs if self.modelSense == EPO.MINIMIZE else costs
        self._model.set_scores(scores)

    def solve(self) -> tuple[Doubles, float]:
        """Find the best answer: a value for each cost, and their sum of costs."""
        graph = self._model
        solution = graph.solve(**self.limits)
        if solution.status not in (Status.OPTIMAL, Status.INFEASIBLE):
            solution = graph.solve(method=self.proof, **self.limits)
        if (solution.values < 0).any():
            raise SolverError(f"solve: the graph has no answer ({solution.status.value})")
        self.certificate = solution.certificate
        chosen = solution.values[self._columns].astype(np.float64)
        costs = graph.scores[self._columns]
        sign = -1.0 if self.modelSense == EPO.MINIMIZE else 1.0
        return chosen, float(sign * (chosen @ costs))

    def addConstr(self, coefs: Any, rhs: float) -> GraphModel:  # noqa: N802
        """Add ``coefs · x <= rhs``; returns a new model."""
        weights = np.asarray(coefs.detach().cpu() if hasattr(coefs, "detach") else coefs, float)
        if weights.shape != (self.num_cost,):
            raise UsageError(f"addConstr: expected {self.num_cost} coefficients")
        new: GraphModel = self.copy()
        literals = [~x if w < 0.0 else x for x, w in zip(new.x, weights, strict=True)]
        capacity = float(rhs) - weights[weights < 0.0].sum()
        new._model.knapsack(literals, np.abs(weights), capacity)
        return new

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.num_cost} costs, {self._model!r}>"


class Knapsack(GraphModel):
    """Items of the largest value within one or more capacities.

    Parameters
    ----------
    weights
        A row of weights for each capacity.
    capacity
        The capacities.

    Examples
    --------
    >>> model = Knapsack([[3.0, 4.0, 3.0]], [6.0])
    >>> model.setObj([2.0, 3.0, 2.0])
    >>> model.solve()
    (array([1., 0., 1.]), 4.0)
    """

    def __init__(self, weights: npt.ArrayLike, capacity: npt.ArrayLike, **limits: Any) -> None:
        self.weights, self.capacity = np.atleast_2d(weights), np.atleast_1d(capacity)
        if self.weights.ndim != 2 or len(self.weights) != len(self.capacity):
            raise UsageError("Knapsack: expected a row of weights for each capacity")
        graph = FactorGraph()
        items = graph.variables(np.zeros(self.weights.shape[1]))
        for row, most in zip(self.weights, self.capacity, strict=True):
            graph.knapsack(items, row, float(most))
        super().__init__(graph, **limits)

    def get_config(self) -> dict[str, Any]:
        """Give the arguments that make the same model again."""
        return {"weights": self.weights.copy(), "capacity": self.capacity.copy(), **self.limits}


class Assignment(GraphModel):
    """A perfect matching of `n` rows and columns; costs are those of the cells, row by row.

    Examples
    --------
    >>> model = Assignment(2)
    >>> model.setObj([1.0, 2.0, 3.0, 1.0])
    >>> model.solve()
    (array([1., 0., 0., 1.]), 2.0)
    """

    def __init__(self, n: int, minimize: bool = True, **limits: Any) -> None:
        self.n = n
        graph = FactorGraph()
        cells = graph.variables(np.zeros(n * n))
        for i in range(n):
            graph.exactly_one(cells[n * i : n * i + n])
            graph.exactly_one(cells[i::n])
        super().__init__(graph, minimize=minimize, **limits)

    def get_config(self) -> dict[str, Any]:
        """Give the arguments that make the same model again."""
        return {"n": self.n, "minimize": self.modelSense == EPO.MINIMIZE, **self.limits}


class ShortestPath(GraphModel):
    """The cheapest path through a grid from its first corner to its last, to the right and down.

    Parameters
    ----------
    grid
        Numbers of rows and columns. `arcs` has the arcs in the order of the costs, which is
        PyEPO's.

    Examples
    --------
    >>> model = ShortestPath((2, 2))
    >>> model.arcs
    [(0, 1), (0, 2), (1, 3), (2, 3)]
    >>> model.setObj([3.0, 1.0, 1.0, 2.0])
    >>> model.solve()
    (array([0., 1., 0., 1.]), 3.0)
    """

    def __init__(self, grid: tuple[int, int], **limits: Any) -> None:
        self.grid = rows, columns = int(grid[0]), int(grid[1])
        if min(rows, columns) < 1 or rows * columns < 2:
            raise UsageError(f"ShortestPath: expected at least two cells, got a grid of {grid}")
        arcs = []
        for i in range(rows):
            arcs += [(i * columns + j, i * columns + j + 1) for j in range(columns - 1)]
            if i + 1 < rows:
                arcs += [(i * columns + j, i * columns + j + columns) for j in range(columns)]
        graph = FactorGraph()
        used = graph.variables(np.zeros(len(arcs)))
        visited = graph.variables(np.zeros(rows * columns))
        for node, here in enumerate(visited):
            entering = [x for x, (_, head) in zip(used, arcs, strict=True) if head == node]
            leaving = [x for x, (tail, _) in zip(used, arcs, strict=True) if tail == node]
            for side in (entering, leaving):
                if side:
                    graph.xor_with_output(side, here)
        graph.fix(visited[0])
        graph.fix(visited[-1])
        super().__init__(graph, used, minimize=True, **limits)
        self.arcs = arcs

    def get_config(self) -> dict[str, Any]:
        """Give the arguments that make the same model again."""
        return {"grid": self.grid, **self.limits}
