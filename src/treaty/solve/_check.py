"""The independent checker: feasibility and objective from the definitions alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, Kind, configuration_score
from treaty.errors import UsageError
from treaty.solve._meaning import COUNTING, STRUCTURED, fits, table_cells
from treaty.solve._view import Doubles, GraphView, add_up

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["Check", "check"]


@dataclass(frozen=True)
class Check:
    """What the checker found.

    Attributes
    ----------
    feasible
        Whether the assignment satisfies every factor, categorical variable and piece of evidence.
    objective
        Its score, ``-inf`` when it is not feasible.
    violated
        The factors it violates, by index.
    messages
        Everything it violates, in words.
    """

    feasible: bool
    objective: float
    violated: tuple[int, ...]
    messages: tuple[str, ...]


def check(graph: FactorGraph | Graph, values: npt.ArrayLike) -> Check:
    """Recompute feasibility and objective of an assignment, trusting no solver.

    Only a user's own factor is asked itself; all others are read off their definitions in numpy.

    Parameters
    ----------
    graph
        The factor graph.
    values
        0 or 1 per binary variable.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> sun, rain = graph.variables([1.0, 2.0])
    >>> _ = graph.exactly_one(sun, rain)
    >>> check(graph, [0, 1]).objective
    2.0
    >>> check(graph, [1, 1]).messages
    ('factor 0 (exactly_one) is violated',)
    """
    native = graph if isinstance(graph, Graph) else graph.native
    view = GraphView.of(native)
    values = _zeros_and_ones(values, view.variables)
    messages = _violated_evidence(view, values) + _violated_categoricals(view, values)
    own = _own_scores(native, view, values)
    violated = np.flatnonzero(np.isneginf(own)).tolist()
    messages += [f"factor {f} ({view.kind_of(f).name}) is violated" for f in violated]
    objective = -math.inf if messages else float(np.sum(view.scores * values) + np.sum(own))
    return Check(not messages, objective, tuple(violated), tuple(messages))


def _zeros_and_ones(values: npt.ArrayLike, variables: int) -> npt.NDArray[np.int8]:
    array = np.asarray(values)
    if array.shape != (variables,):
        raise UsageError(
            f"an assignment has one value for each of the {variables} binary variables; "
            f"got an array of shape {array.shape}"
        )
    if not np.all((array == 0) | (array == 1)):
        raise UsageError("the values of an assignment are 0 or 1")
    return array.astype(np.int8)


def _violated_evidence(view: GraphView, values: npt.NDArray[np.int8]) -> list[str]:
    wrong = (view.evidence >= 0) & (view.evidence != values)
    return [
        f"variable {v} is {values[v]} against the evidence" for v in np.flatnonzero(wrong).tolist()
    ]


def _violated_categoricals(view: GraphView, values: npt.NDArray[np.int8]) -> list[str]:
    before = np.concatenate([[0], np.cumsum(values)])
    first = view.categorical_first
    on = before[first + view.categorical_size] - before[first]
    return [
        f"categorical variable {c} has {on[c]} states on" for c in np.flatnonzero(on != 1).tolist()
    ]


def _own_scores(graph: Graph, view: GraphView, values: npt.NDArray[np.int8]) -> Doubles:
    """Each factor's own score, -inf where it is violated."""
    slot = values[view.literals >> 1] ^ (view.literals & 1)
    begin, end = view.literal_begin[:-1], view.literal_begin[1:]
    before = np.concatenate([[0], np.cumsum(slot)])
    on = before[end] - before[begin]  # how many literals of each factor are on
    score = np.zeros(len(view.kinds))

    for kind, allows in COUNTING.items():
        f = view.of_kind(kind)
        limited = kind in (Kind.at_most, Kind.exactly)
        limit = view.shape[view.shape_begin[f]] if limited and len(f) else 0
        score[f[~allows(on[f], view.degree[f], slot[end[f] - 1], limit)]] = -np.inf

    f = view.of_kind(Kind.reward)
    score[f] = np.where(on[f] == view.degree[f], view.data[view.data_begin[f]], 0.0)

    f = view.of_kind(Kind.knapsack)
    where, row = view.slots(f)
    costs = view.data[where - begin[f][row] + view.data_begin[f][row]]
    spent = add_up(row, costs * slot[where], len(f))
    score[f[~fits(spent, view.data[view.data_begin[f + 1] - 1])]] = -np.inf

    for shape, f in view.tables_by_shape():
        y = slot[begin[f][:, None] + np.arange(sum(shape))].astype(bool)
        cell, one_each = table_cells(y, np.array(shape))
        score[f] = np.where(one_each, view.data[view.data_begin[f] + cell], -np.inf)

    for kind in STRUCTURED.keys() - {Kind.table}:
        for i in view.of_kind(kind).tolist():
            y = slot[None, begin[i] : end[i]].astype(bool)
            score[i] = STRUCTURED[kind](y, view.data_of(i), view.shape_of(i))[0]

    for i in view.of_kind(Kind.custom).tolist():
        chosen = np.flatnonzero(slot[begin[i] : end[i]]).astype(np.int32)
        score[i] = configuration_score(graph, i, chosen)
    return score
