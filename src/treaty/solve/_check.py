"""The independent checker: feasibility and objective from the definitions alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, Kind, configuration_score
from treaty.errors import UsageError
from treaty.graph._meaning import MEANING
from treaty.solve._view import Doubles, GraphView

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
    on = (values[view.literals >> 1] ^ (view.literals & 1)).astype(bool)
    score = np.empty(len(view.kinds))
    for kind, shape, factors in view.alike(np.arange(len(score))):
        degree = view.degree[factors[0]]
        y = on[view.literal_begin[factors][:, None] + np.arange(degree)]
        if kind == Kind.custom:
            chosen = [np.flatnonzero(row).astype(np.int32) for row in y]
            score[factors] = [
                configuration_score(graph, f, slots)
                for f, slots in zip(factors.tolist(), chosen, strict=True)
            ]
        else:
            score[factors] = MEANING[kind](y, view.data_of_alike(factors), np.array(shape, int))
    return score
