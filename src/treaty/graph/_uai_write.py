"""Writing UAI files: every factor becomes a table of potentials."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._factors import Factor, Floats, Ints
from treaty.graph._graph import FactorGraph
from treaty.graph._meaning import MEANING

__all__ = ["write_uai"]

# That of a logic factor of sixteen binary variables. Tables of the graph may be larger.
MOST_CELLS = 2**16


def write_uai(graph: FactorGraph) -> str:
    """Write a graph as a Markov network: potentials are exp(score), 0 if forbidden.

    A binary variable becomes a variable with two states (off, on). A sequence becomes a table per
    neighboring pair; other factors become tables of every joint state, so they must be small.
    """
    layout = _Layout.of(graph)
    tables = list(_unary_tables(graph, layout))
    for factor in graph.factors:
        tables += [_Table(*_tabulate(factor, part, layout)) for part in _parts(factor)]
    lines = ["MARKOV", str(len(layout.sizes)), " ".join(map(str, layout.sizes)), str(len(tables))]
    lines += [" ".join(map(str, [len(table.scope), *table.scope])) for table in tables]
    for table in tables:
        lines += ["", str(table.scores.size), " ".join(map(repr, _potentials(table).tolist()))]
    return "\n".join([*lines, ""])


class _Table(NamedTuple):
    scope: list[int]
    scores: Floats


class _Part(NamedTuple):
    """A factor, or a link of a sequence, that becomes one table."""

    kind: Kind
    codes: Ints
    data: Floats
    shape: Ints


class _Layout(NamedTuple):
    """Where the binary variables are among the network's variables."""

    sizes: list[int]
    variable: Ints  # the network's variable of each binary one
    state: Ints  # the state that means "on"

    @classmethod
    def of(cls, graph: FactorGraph) -> _Layout:
        sizes: list[int] = []
        variable = np.empty(len(graph), np.int32)
        state = np.ones(len(graph), np.int32)
        cardinality = {c.first: c.size for c in graph.categoricals}
        v = 0
        while v < len(graph):
            size = cardinality.get(v)
            step = size or 1
            variable[v : v + step] = len(sizes)
            if size is not None:
                state[v : v + step] = np.arange(step)
            sizes.append(size or 2)
            v += step
        return cls(sizes, variable, state)


def _unary_tables(graph: FactorGraph, layout: _Layout) -> Iterator[_Table]:
    """One table per variable: the scores of its states, and its evidence."""
    rows = [np.zeros(size) for size in layout.sizes]
    on_states = zip(layout.variable, layout.state, graph.scores, graph.evidence, strict=True)
    for variable, state, score, evidence in on_states:
        rows[variable][state] += score
        if evidence == 0:
            rows[variable][state] = -math.inf
        elif evidence == 1:
            rows[variable][np.arange(len(rows[variable])) != state] = -math.inf
    return (_Table([i], row) for i, row in enumerate(rows))


def _parts(factor: Factor) -> Iterator[_Part]:
    kind, codes, data, shape = Kind[factor.kind], factor.codes, factor.data, factor.shape
    if kind not in MEANING:
        raise UsageError(f"{factor!r} cannot be stored in a .uai file")
    if kind != Kind.sequence:
        yield _Part(kind, codes, data, shape)
        return
    begin = np.concatenate([[0], np.cumsum(shape)])
    sizes = [shape[0], *(shape[:-1] * shape[1:]), shape[-1]]
    pieces = np.split(data, np.cumsum(sizes)[:-1])
    first, last = codes[: begin[1]], codes[begin[-2] :]
    yield _Part(Kind.table, first, pieces[0], shape[:1])
    for i, piece in enumerate(pieces[1:-1]):
        yield _Part(Kind.table, codes[begin[i] : begin[i + 2]], piece, shape[i : i + 2])
    yield _Part(Kind.table, last, pieces[-1], shape[-1:])


def _tabulate(factor: Factor, part: _Part, layout: _Layout) -> tuple[list[int], Floats]:
    """Find the scope of a factor and its score for every joint state."""
    owners = layout.variable[part.codes >> 1]
    scope = list(dict.fromkeys(owners.tolist()))
    sizes = [layout.sizes[v] for v in scope]
    cells, most = 1, max(MOST_CELLS, len(part.data))
    stride = {}
    for variable, size in zip(reversed(scope), reversed(sizes), strict=True):  # last runs fastest
        stride[variable] = cells
        cells *= size
        if cells > most:
            raise UsageError(
                f"{factor!r} would need a table of more than {most} potentials in a .uai file; "
                "save the graph as .fg"
            )
    on = np.empty((cells, len(owners)), bool)
    for column, owner, code in zip(on.T, owners.tolist(), part.codes.tolist(), strict=True):
        states = np.arange(cells) // stride[owner] % layout.sizes[owner]
        column[:] = (states == layout.state[code >> 1]) != (code & 1)
    return scope, MEANING[part.kind](on, part.data[None], part.shape)


def _potentials(table: _Table) -> Floats:
    with np.errstate(over="ignore", under="ignore"):
        potentials = np.exp(table.scores)
    lost = np.isinf(potentials) | ((potentials == 0) & np.isfinite(table.scores))
    if lost.any():
        raise UsageError(
            f"the score {table.scores[lost][0]} has no potential in double precision "
            "(exp overflows or underflows); save the graph as .fg"
        )
    return potentials
