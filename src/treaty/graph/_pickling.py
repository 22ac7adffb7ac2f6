"""Pickling of graphs: the arrays of the native graph, the names, and a user's own oracles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treaty._native.graph import Graph
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.graph._graph import FactorGraph
    from treaty.graph._names import Names

__all__ = ["COMPILED", "restored", "state_of"]

COMPILED = "compiled"
"""What stands for the oracle of a compiled factor, whose address is that of one process."""
ARRAYS = (
    "scores", "evidence", "categorical_first", "categorical_size", "kinds", "literals",
    "literal_begin", "data", "data_begin", "shape", "shape_begin",
)  # fmt: skip


def state_of(graph: FactorGraph, oracles: dict[int, Any]) -> dict[str, Any]:
    """Return everything that a graph consists of.

    Raises
    ------
    UsageError
        When it has a compiled factor.
    """
    if any(oracle is COMPILED for oracle in oracles.values()):
        raise UsageError(
            "a graph with a compiled factor cannot be pickled: its address is valid in this "
            "process only; add the factor again where the graph is needed"
        )
    return {name: np.array(getattr(graph.native, name)) for name in ARRAYS}


def restored(
    cls: type[FactorGraph], arrays: dict[str, Any], names: Names, oracles: dict[int, Any]
) -> FactorGraph:
    """Build the graph that `state_of` describes."""
    native, scores = Graph(), arrays["scores"]
    done = 0
    for first, size in zip(
        arrays["categorical_first"].tolist(), arrays["categorical_size"].tolist(), strict=True
    ):
        native.add_variables(scores[done:first])
        native.add_categorical(scores[first : first + size])
        done = first + size
    native.add_variables(scores[done:])
    for variable in np.flatnonzero(arrays["evidence"] >= 0).tolist():
        native.fix(variable, int(arrays["evidence"][variable]))
    begin = 0
    for number in [*sorted(oracles), len(arrays["kinds"])]:
        _add(native, arrays, begin, number)
        if number in oracles:
            places = slice(*arrays["literal_begin"][number : number + 2].tolist())
            native.add_python_oracle(arrays["literals"][places], oracles[number])
        begin = number + 1
    graph = cls._of(native)
    graph._names, graph._oracles = names, dict(oracles)
    return graph


def _add(native: Graph, arrays: dict[str, Any], first: int, last: int) -> None:
    """Add the factors from `first` up to `last`."""
    parts = []
    for values, name in (("literals", "literal"), ("data", "data"), ("shape", "shape")):
        begin = arrays[f"{name}_begin"][first : last + 1]
        parts += [arrays[values][begin[0] : begin[-1]], begin - begin[0]]
    native.add_many(arrays["kinds"][first:last], *parts)
