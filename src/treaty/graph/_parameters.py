"""All scores of a graph as one vector, and the checks of scores that are given as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treaty.errors import UsageError
from treaty.graph._factors import Factor, Floats, why_no_array
from treaty.graph._variables import Categorical, Literal, check_owner

if TYPE_CHECKING:
    from treaty.graph._graph import FactorGraph

__all__ = ["name_of_parameter", "rows_of_scores", "slice_of"]


def slice_of(graph: FactorGraph, what: Factor | Literal | Categorical) -> slice:
    """Find where the scores of a variable or factor are among the parameters."""
    if isinstance(what, Factor):
        if what.graph is not graph:
            raise UsageError(f"slice_of: {what!r} belongs to another graph")
        begin = graph.native.parameter_begin
        return slice(int(begin[what.index]), int(begin[what.index + 1]))
    if isinstance(what, Categorical):
        check_owner(graph, what)
        return slice(what.first, what.first + what.size)
    if isinstance(what, Literal):
        check_owner(graph, what)
        return slice(what.variable, what.variable + 1)
    raise UsageError(f"slice_of: expected a factor or a variable, got {what!r}")


def name_of_parameter(graph: FactorGraph, index: int) -> str:
    """Say in words which parameter this is.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> sun, hat = graph.variables([1.2, -0.1], names=["sun", "hat"])
    >>> _ = graph.reward(sun, hat, 0.4)
    >>> name_of_parameter(graph, 1), name_of_parameter(graph, 2)
    ('the score of hat', 'score 0 of <Factor 0: reward(sun, hat)>')
    """
    if index < graph.native.variables:
        return f"the score of {graph.name_of(index)}"
    begin = graph.native.parameter_begin
    factor = int(np.searchsorted(begin, index, side="right")) - 1
    return f"score {index - int(begin[factor])} of {graph.factors[factor]!r}"


def rows_of_scores(what: str, graph: FactorGraph, scores: Any) -> Floats:
    """Convert scores to a checked matrix with a row per item.

    Parameters
    ----------
    what
        The name of the argument in messages.
    graph
        The graph they are for.
    scores
        Of the variables or of all parameters; one row or several. None: those of the graph.

    Raises
    ------
    UsageError
        For wrong shapes and types, NaN and infinities, with item and parameter.
    """
    if scores is None:
        return graph.native.parameters[None]
    array = _numbers(what, scores)
    rows = array[None] if array.ndim == 1 else array
    variables = graph.native.variables
    if rows.ndim != 2 or rows.shape[1] not in (variables, len(graph.native.parameters)):
        raise UsageError(
            f"{what}: expected a score for each of the {variables} variables, or for each of the "
            f"{len(graph.native.parameters)} parameters, and a row of them for each item; "
            f"got an array of shape {array.shape}"
        )
    bad = graph.native.first_invalid(rows)
    if bad is not None:
        item, column = bad
        where = f"item {item}: " if array.ndim == 2 else ""
        raise UsageError(
            f"{what}: {where}{name_of_parameter(graph, column)} is {rows[item, column]}; expected "
            "a finite number of at most 1e100 in size"
        )
    return rows


def _numbers(what: str, values: Any) -> Floats:
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "bfiuO":
            raise TypeError(f"got {array.dtype}")
        return np.ascontiguousarray(array, np.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise UsageError(f"{what}: expected an array of numbers ({why_no_array(error)})") from error
