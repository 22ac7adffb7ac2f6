"""What smooth answers are tested against: programs solved by HiGHS, and sums over assignments."""

from __future__ import annotations

import itertools
import math

import highspy
import numpy as np

from treaty._native.graph import Kind
from treaty.graph._meaning import MEANING
from treaty.solve._relaxation import relax


def program(graph):
    """The local polytope as dense rows, with a column for each configuration where there are none.

    Returns cost, offset, column bounds, rows and row bounds.
    """
    lp = relax(graph.native)
    rows = np.zeros((len(lp.row_lower), len(lp.cost)))
    np.add.at(rows, (lp.row, lp.column), lp.coefficient)
    cost, lower, upper = [lp.cost], [lp.lower], [lp.upper]
    blocks = [rows]
    for factor, waiting in lp.priced.items():
        degree = len(waiting) - 1
        for y in itertools.product([0, 1], repeat=degree):
            own = graph.native.evaluate(factor, np.array(y, np.int8))
            if own == -np.inf:
                continue
            column = np.zeros((len(rows), 1))
            column[[*waiting], 0] = [*y, 1]
            blocks.append(column)
            cost.append([own]), lower.append([0.0]), upper.append([1.0])
    columns = [np.concatenate(part) for part in (cost, lower, upper)]
    return columns[0], lp.offset, *columns[1:], np.hstack(blocks), lp.row_lower, lp.row_upper


def highs(cost, lower, upper, rows, row_lower, row_upper, quadratic=None):
    """Maximize by HiGHS; None if there is no solution."""
    model = highspy.HighsModel()
    lp = model.lp_
    lp.num_col_, lp.num_row_ = len(cost), len(row_lower)
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = -cost, lower, upper
    lp.row_lower_, lp.row_upper_ = row_lower, row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    kept = [np.flatnonzero(row) for row in rows]
    lp.a_matrix_.start_ = np.cumsum([0, *map(len, kept)]).astype(np.int32)
    lp.a_matrix_.index_ = np.concatenate([np.zeros(0, int), *kept]).astype(np.int32)
    lp.a_matrix_.value_ = np.concatenate([np.zeros(0), *map(np.take, rows, kept)])
    if quadratic is not None:
        model.hessian_.dim_ = len(cost)
        model.hessian_.format_ = highspy.HessianFormat.kTriangular
        model.hessian_.start_ = np.arange(len(cost) + 1, dtype=np.int32)
        model.hessian_.index_ = np.arange(len(cost), dtype=np.int32)
        model.hessian_.value_ = quadratic
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("primal_feasibility_tolerance", 1e-9)
    solver.setOptionValue("dual_feasibility_tolerance", 1e-9)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return np.array(solver.getSolution().col_value)


def quadratic_twin(graph, strength):
    """The smooth values by HiGHS' solver of quadratic programs."""
    cost, _, *rest = program(graph)
    quadratic = np.where(np.arange(len(cost)) < len(graph), strength, 0.0)
    solution = highs(cost, *rest, quadratic)
    return None if solution is None else solution[: len(graph)]


def optimality_gap(graph, values, strength):
    """By how much a linear program improves on values along the gradient there.

    Values outside of the polytope have an infinite gap; None if the polytope is empty.
    """
    cost, _, lower, upper, *rows = program(graph)
    n = len(graph)
    if highs(np.zeros(len(cost)), lower, upper, *rows) is None:
        return None
    at = highs(
        cost,
        np.concatenate([np.maximum(values - 1e-7, lower[:n]), lower[n:]]),
        np.concatenate([np.minimum(values + 1e-7, upper[:n]), upper[n:]]),
        *rows,
    )
    if at is None:
        return np.inf
    slope = cost.copy()
    slope[:n] -= strength * values
    return slope @ highs(slope, lower, upper, *rows) - slope @ at


def sums(graph, parameters):
    """The log-partition and the marginals, assignment by assignment."""
    n = len(graph)
    every = np.array(list(itertools.product([0, 1], repeat=n)), bool).reshape(-1, n)
    score = every @ parameters[:n]
    for factor in graph.factors:
        on = every[:, factor.codes >> 1] != (factor.codes & 1).astype(bool)
        place = graph.slice_of(factor)
        data = parameters[place] if place.stop > place.start else factor.data
        if factor.kind == "custom":
            score = score + [graph.native.evaluate(factor.index, y.astype(np.int8)) for y in on]
        else:
            meaning = MEANING[Kind[factor.kind]]
            score = score + meaning(on, np.asarray(data, float)[None], factor.shape)
    for c in graph.categoricals:
        score[every[:, c.first : c.first + c.size].sum(axis=1) != 1] = -np.inf
    fixed = graph.evidence >= 0
    score[(every[:, fixed] != graph.evidence[fixed]).any(axis=1)] = -np.inf
    top = score.max()
    if top == -np.inf:
        return -np.inf, None
    weight = np.exp(score - top)
    return top + np.log(weight.sum()), weight @ every / weight.sum()


def differences(values, parameters, cotangent, step=1e-6):
    """Central differences of ``cotangent · values``, and whether both sides agree.

    `values` takes a matrix of parameters.
    """
    steps = step * np.eye(len(parameters))
    up, down = values(parameters + steps), values(parameters - steps)
    here = values(parameters[None])
    forward, backward = ((up - here) / step) @ cotangent, ((here - down) / step) @ cotangent
    return (forward + backward) / 2, np.abs(forward - backward) < 1e-4


def tree_log_partition(powers):
    """Of trees with one root, roots on the diagonal, weights ``2 ** power``, in whole numbers."""
    n, least = len(powers), int(powers.min())
    weight = [[1 << (int(p) - least) for p in row] for row in powers]
    rows = [[-weight[h][m] if h != m else 0 for m in range(n)] for h in range(n)]
    for m in range(n):
        rows[m][m] = -sum(rows[h][m] for h in range(n))
    rows[0] = [weight[m][m] for m in range(n)]  # instead of the first head's row
    before = 1
    for k in range(n - 1):  # Bareiss: every division is exact
        for i in range(k + 1, n):
            rows[i] = [
                (a * rows[k][k] - rows[i][k] * b) // before
                for a, b in zip(rows[i], rows[k], strict=True)
            ]
        before = rows[k][k]
    return math.log(abs(rows[-1][-1])) + n * least * math.log(2.0)
