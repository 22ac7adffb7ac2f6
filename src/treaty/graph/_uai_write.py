"""Writing UAI files: every factor becomes a table of potentials.

Factors of one kind and form (the same numbers of states, the same negations) have tables of one
shape: they are computed together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._factors import Floats, Ints
from treaty.graph._graph import FactorGraph
from treaty.graph._meaning import MEANING

__all__ = ["tables_of", "write_uai"]

# That of a logic factor of sixteen binary variables. Tables of the graph may be larger.
MOST_CELLS = 2**16
# Cells and pairs of literals that are computed together.
CHUNK = 2**22

Indices = npt.NDArray[np.int64]


def write_uai(graph: FactorGraph) -> str:
    """Write a graph as a Markov network: potentials are exp(score), 0 if forbidden.

    A binary variable becomes a variable with two states (off, on). A sequence becomes a table per
    neighboring pair; other factors become tables of every joint state, so they must be small.
    """
    if not len(graph):
        raise UsageError("a .uai file has at least one variable; save the graph as .fg")
    layout = _Layout.of(graph)
    if not len(layout.sizes):
        raise UsageError("a .uai file needs at least one variable; save the graph as .fg")
    tables = list(_unary_tables(graph, layout))
    tables += [table for part in _parts(graph) for table in _tabulate(graph, part, layout)]
    order = np.argsort(np.concatenate([t.order for t in tables]), kind="stable").tolist()
    scopes = [line for table in tables for line in table.written_scopes()]
    potentials = [text for table in tables for text in table.written_potentials()]
    sizes = " ".join(map(str, layout.sizes.tolist()))
    lines = ["MARKOV", str(len(layout.sizes)), sizes, str(len(order))]
    lines += [scopes[i] for i in order]
    lines += [potentials[i] for i in order]
    return "\n".join([*lines, ""])


def tables_of(graph: FactorGraph) -> tuple[list[int], list[tuple[tuple[int, ...], Floats]]]:
    """Write a graph as tables: the number of states of each variable, scopes and log-potentials.

    Variables are those of `FactorGraph.whole_variables`.
    """
    layout = _Layout.of(graph)
    groups = list(_unary_tables(graph, layout))
    groups += [table for part in _parts(graph) for table in _tabulate(graph, part, layout)]
    tables = [
        (tuple(scope), scores)
        for group in groups
        for scope, scores in zip(group.scopes.tolist(), group.scores, strict=True)
    ]
    return layout.sizes.tolist(), tables


class _Tables(NamedTuple):
    """Tables of the same size, a row for each."""

    order: Indices  # in the file: by factor, variables before (negative)
    scopes: Indices
    scores: Floats

    def written_scopes(self) -> Iterable[str]:
        """Write the size of each scope and its variables."""
        size = self.scopes.shape[1]
        form = f"{size}" + " %d" * size
        if not size:
            return [form] * len(self.order)
        return [form % scope for scope in zip(*self.scopes.T.tolist(), strict=True)]

    def written_potentials(self) -> Iterable[str]:
        """Write the size of each table and its potentials, after a blank line."""
        scores = self.scores
        if len(scores) > 1 and not scores.strides[0]:  # the same row many times
            one = _Tables(self.order[:1], self.scopes[:1], scores[:1])
            return [*one.written_potentials()] * len(scores)
        with np.errstate(over="ignore", under="ignore"):
            potentials = np.exp(scores)
        lost = np.isinf(potentials) | ((potentials == 0) & np.isfinite(scores))
        if lost.any():
            raise UsageError(
                f"the score {scores[lost][0]} has no potential in double precision "
                "(exp overflows or underflows); save the graph as .fg"
            )
        head = f"\n{scores.shape[1]}\n"
        return [head + " ".join(map(repr, row)) for row in potentials.tolist()]


class _Part(NamedTuple):
    """Factors, or links of a sequence, of the same kind, shape and number of literals."""

    kind: Kind
    factors: Indices
    codes: Ints
    data: Floats
    shape: Ints

    def rows(self, which: slice | Indices) -> _Part:
        """Take some of the factors."""
        return _Part(
            self.kind, self.factors[which], self.codes[which], self.data[which], self.shape
        )


class _Layout(NamedTuple):
    """Where the binary variables are among the network's variables."""

    sizes: Ints
    variable: Ints  # the network's variable of each binary one
    state: Ints  # the state that means "on"

    @classmethod
    def of(cls, graph: FactorGraph) -> _Layout:
        first, size = graph.native.categorical_first, graph.native.categorical_size
        is_first = np.ones(len(graph), bool)
        state = np.ones(len(graph), np.int32)
        states = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        inside = np.repeat(first, size) + states
        is_first[inside[states > 0]] = False
        state[inside] = states
        variable = (np.cumsum(is_first) - 1).astype(np.int32)
        sizes = np.full(np.count_nonzero(is_first), 2, np.int32)
        sizes[variable[first]] = size
        return cls(sizes, variable, state)


def _unary_tables(graph: FactorGraph, layout: _Layout) -> Iterator[_Tables]:
    """One table per variable: the scores of its states, and its evidence."""
    evidence = graph.evidence
    first = np.concatenate([[0], np.cumsum(layout.sizes, dtype=np.int64)])
    place = first[layout.variable] + layout.state
    scores, ons = np.zeros(first[-1]), np.zeros(first[-1], np.int64)
    scores[place] = graph.scores
    ons[place] = evidence == 1
    chosen = np.add.reduceat(ons, first[:-1]) if len(layout.sizes) else ons
    # A state that is on excludes the others; two of them exclude all.
    scores[np.repeat(chosen, layout.sizes) > ons] = -np.inf
    scores[place[evidence == 0]] = -np.inf
    for size in np.unique(layout.sizes).tolist():
        members = np.flatnonzero(layout.sizes == size)
        rows = scores[first[members][:, None] + np.arange(size)]
        yield _Tables(members - len(layout.sizes), members[:, None], rows)


def _parts(graph: FactorGraph) -> Iterator[_Part]:
    """Gather factors of the same kind, shape and number of literals."""
    arrays = graph.arrays
    for f in np.flatnonzero(~np.isin(arrays.kinds, [kind.value for kind in MEANING])).tolist():
        raise UsageError(f"{graph.factors[f]!r} cannot be stored in a .uai file")
    sizes = np.stack([np.diff(arrays.literal_begin), np.diff(arrays.data_begin)], axis=1)
    groups: dict[tuple[int, int, int, bytes], list[int]] = {}
    begins, shape = arrays.shape_begin.tolist(), arrays.shape.tobytes()
    for f, (kind, (literals, data)) in enumerate(
        zip(arrays.kinds.tolist(), sizes.tolist(), strict=True)
    ):
        own = shape[4 * begins[f] : 4 * begins[f + 1]]
        groups.setdefault((kind, literals, data, own), []).append(f)
    for (kind, literals, data, own), members in groups.items():
        factors = np.array(members)
        part = _Part(
            Kind(kind),
            factors,
            arrays.literals[arrays.literal_begin[factors][:, None] + np.arange(literals)],
            arrays.data[arrays.data_begin[factors][:, None] + np.arange(data)],
            np.frombuffer(own, np.int32),
        )
        yield from _links(part) if part.kind == Kind.sequence else [part]


def _links(part: _Part) -> Iterator[_Part]:
    """Split sequences into tables: start, each pair of neighbors, stop."""
    shape = part.shape.astype(np.int64)
    begin = np.concatenate([[0], np.cumsum(shape)])
    sizes = [shape[0], *(shape[:-1] * shape[1:]), shape[-1]]
    pieces = np.split(part.data, np.cumsum(sizes)[:-1], axis=1)
    spans = [(0, 1), *((i, i + 2) for i in range(len(shape) - 1)), (len(shape) - 1, len(shape))]
    for (first, last), piece in zip(spans, pieces, strict=True):
        codes = part.codes[:, begin[first] : begin[last]]
        yield _Part(Kind.table, part.factors, codes, piece, part.shape[first:last])


def _tabulate(graph: FactorGraph, part: _Part, layout: _Layout) -> Iterator[_Tables]:
    """Find scopes and scores of every joint state, for factors of the same form together."""
    width = part.codes.shape[1]
    step = max(1, CHUNK // max(1, width * width))
    for first in range(0, len(part.factors), step):
        some = part.rows(slice(first, first + step))
        owners = layout.variable[some.codes >> 1]
        # The first literal of the same variable, the state that it names, and its sign.
        # (A factor may have no literals: an arborescence of the root alone.)
        same = owners[:, :, None] == owners[:, None, :]
        first_of = same.argmax(axis=2) if width else np.zeros(owners.shape, np.intp)
        means = layout.state[some.codes >> 1]
        form = np.concatenate([first_of, means, some.codes & 1, layout.sizes[owners]], axis=1)
        # Rows as opaque bytes sort faster than rows of numbers.
        key = np.ascontiguousarray(form).view(f"V{max(1, form.itemsize * form.shape[1])}")
        if not width:
            key = np.zeros((len(form), 1), "V1")
        _, index, group = np.unique(key[:, 0], return_index=True, return_inverse=True)
        for g, example in enumerate(index.tolist()):
            rows = np.flatnonzero(group == g) if len(index) > 1 else np.arange(len(group))
            yield from _tabulate_alike(graph, some.rows(rows), owners[rows], means[example], layout)


def _tabulate_alike(
    graph: FactorGraph, part: _Part, owners: Ints, means: Ints, layout: _Layout
) -> Iterator[_Tables]:
    """Tabulate factors of one form."""
    columns = list({owner: i for i, owner in reversed(list(enumerate(owners[0].tolist())))}.items())
    columns.sort(key=lambda item: item[1])
    stride: dict[int, int] = {}
    cells, most = 1, max(MOST_CELLS, part.data.shape[1])
    for owner, _ in reversed(columns):  # the last runs fastest
        stride[owner] = cells
        cells *= int(layout.sizes[owner])
        if cells > most:
            raise UsageError(
                f"{graph.factors[int(part.factors[0])]!r} would need a table of more than {most} "
                "potentials in a .uai file; save the graph as .fg"
            )
    on = np.empty((cells, owners.shape[1]), bool)
    for i, (owner, code) in enumerate(zip(owners[0].tolist(), part.codes[0].tolist(), strict=True)):
        states = np.arange(cells) // stride[owner] % layout.sizes[owner]
        on[:, i] = (states == means[i]) != (code & 1)
    scopes = owners[:, [i for _, i in columns]].astype(np.int64)
    step = max(1, CHUNK // max(1, cells * max(owners.shape[1], part.data.shape[1])))
    for first in range(0, len(part.factors), step):
        data = part.data[first : first + step]
        if data.shape[1]:
            count = len(data)
            given = np.repeat(data, cells, axis=0) if count > 1 else data
            scores = MEANING[part.kind](np.tile(on, (count, 1)), given, part.shape)
            scores = scores.reshape(count, cells)
        else:  # all the same
            count = len(part.factors[first : first + step])
            alone = MEANING[part.kind](on, data[:1], part.shape)
            scores = np.broadcast_to(alone, (count, cells))
        yield _Tables(part.factors[first : first + step], scopes[first : first + step], scores)
