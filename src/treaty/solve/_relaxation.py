"""The linear relaxation of a graph: every factor's local polytope, as sparse rows.

This is the relaxation AD3 solves (Martins et al. 2011); with its variables held to 0 and 1 it is
the problem itself. Everything is written in literals: fresh columns get literals too, and only
`Rows` knows that a negated literal is ``1 - x``.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treaty._native.graph import Graph, Kind
from treaty.solve._automata import add_automata
from treaty.solve._meaning import ROUNDING as SUM_ROUNDING
from treaty.solve._rows import Rows
from treaty.solve._view import Bits, Doubles, GraphView, Ints, add_up, ranges

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["Relaxation", "linear_relaxation", "relax"]

# Tables of one shape, a row each: literals, scores, and whether a sum of one must be asked for.
Tables = tuple[Ints, Doubles, Bits]

ROUNDING = 1e-9  # sums that differ by less count as equal


@dataclasses.dataclass(frozen=True, eq=False)
class Relaxation:
    """Maximize ``cost @ x + offset`` in ``lower <= x <= upper``, ``row_lower <= Ax <= row_upper``.

    The first columns are the graph's variables. ``A`` is kept by rows: entry i has `column[i]` and
    `coefficient[i]`, and row r owns entries ``begin[r] .. begin[r + 1] - 1``.

    `priced` holds the factors without compact form, and the rows of each that wait for columns, one
    per configuration of the factor: for every slot ``columns with the slot on - its literal = 0``,
    and at last ``all columns = 1``.
    """

    variables: int
    cost: Doubles
    offset: float
    lower: Doubles
    upper: Doubles
    row_lower: Doubles
    row_upper: Doubles
    begin: Ints
    column: Ints
    coefficient: Doubles
    priced: dict[int, range]
    seconds: float
    """Wall time it took to build."""

    @cached_property
    def row(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.row_lower)), np.diff(self.begin))

    def activity(self, x: Doubles) -> Doubles:
        """Compute ``A x``."""
        return add_up(self.row, self.coefficient * x[self.column], len(self.row_lower))

    def value(self, x: Doubles) -> float:
        """Compute the objective at a point."""
        return float(self.cost @ x) + self.offset

    def violation(self, x: Doubles, *, added: Doubles | float = 0.0) -> float:
        """How far a point is from satisfying the worst of bounds and rows.

        `added` is what columns that are not in the relaxation add to the rows.
        """
        activity = self.activity(x) + added
        excess = [
            self.lower - x,
            x - self.upper,
            self.row_lower - activity,
            activity - self.row_upper,
        ]
        return float(max(part.max(initial=0.0) for part in excess))

    def has_impossible_row(self) -> bool:
        """Whether some row cannot be met by any point between the columns' bounds."""
        ends = self.coefficient * np.stack([self.lower[self.column], self.upper[self.column]])
        least = add_up(self.row, ends.min(axis=0), len(self.row_lower))
        most = add_up(self.row, ends.max(axis=0), len(self.row_lower))
        return bool(
            np.any((least > self.row_upper + ROUNDING) | (most < self.row_lower - ROUNDING))
        )

    def without_priced(self) -> Relaxation:
        """Leave out the factors that have no compact form."""
        row_lower, row_upper = self.row_lower.copy(), self.row_upper.copy()
        for waiting in self.priced.values():
            row_lower[waiting], row_upper[waiting] = -np.inf, np.inf
        return dataclasses.replace(self, row_lower=row_lower, row_upper=row_upper, priced={})

    def bound(self, multipliers: Doubles, *, cost: Doubles | None = None) -> float:
        """Compute the Lagrangian bound: no feasible point is worth more, whatever the multipliers.

        That makes it a certificate: it holds even when the solver that chose the multipliers was
        wrong. With a `cost` of zero, a negative bound proves that there is no feasible point.
        """
        side = np.where(multipliers > 0, self.row_upper, self.row_lower)
        y = np.where(np.isfinite(side), multipliers, 0.0)
        rows = float(y @ np.where(np.isfinite(side), side, 0.0))
        reduced = self.cost if cost is None else cost
        reduced = reduced - add_up(self.column, self.coefficient * y[self.row], len(self.cost))
        columns = float(np.sum(np.where(reduced > 0, reduced * self.upper, reduced * self.lower)))
        return rows + columns + (self.offset if cost is None else 0.0)


def linear_relaxation(graph: FactorGraph) -> Relaxation:
    """Write the relaxation of a graph, the one AD3 solves, as a linear program.

    For a solver of your own; ``solve(graph, "lp")`` gives it to HiGHS. Factors in `priced` have no
    compact form: without their columns the program has no solution.

    Parameters
    ----------
    graph
        The problem.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> tea, coffee = graph.variables([1.0, 1.5])
    >>> _ = graph.at_most_one(tea, coffee)
    >>> program = linear_relaxation(graph)
    >>> program.cost, program.row_upper, program.value([0.0, 1.0])
    (array([1. , 1.5]), array([1.]), 1.5)
    """
    return relax(graph.native)


def relax(graph: Graph, *, flow: bool = False) -> Relaxation:
    """Write a graph as a linear program.

    Parameters
    ----------
    graph
        The factor graph.
    flow
        Write arborescences compactly as a single-commodity flow. That polytope is larger than the
        factor's own, but has the same integral points: right for an ILP, wrong for an LP.
    """
    started = time.perf_counter()
    view = GraphView.of(graph)
    rows = Rows(view.scores, view.evidence)
    first = view.categorical_first.astype(np.int64)
    where, row = ranges(first, first + view.categorical_size)
    rows.add(row, 2 * where, 1.0, np.ones(len(first)), 1.0)
    _add_counts(rows, view)
    _add_outputs(rows, view)
    _add_rewards(rows, view)
    _add_tables(rows, view)
    _add_compression_trees(rows, view)
    add_automata(rows, view)
    without_form = view.of_kind(Kind.custom).tolist()
    if flow:
        for factor in view.of_kind(Kind.arborescence).tolist():
            _add_flow(rows, view.literals_of(factor), view.shape_of(factor))
    else:
        without_form += view.of_kind(Kind.arborescence).tolist()
    priced = {factor: _add_priced(rows, view.literals_of(factor)) for factor in without_form}
    return Relaxation(
        variables=view.variables,
        **rows.finish(),
        priced=priced,
        seconds=time.perf_counter() - started,
    )


def _add_counts(rows: Rows, view: GraphView) -> None:
    """One row per factor: exactly, at most or at least so many, XOR with output, knapsack."""
    infinity = np.inf
    for kind, least, most in [
        (Kind.exactly_one, 1.0, 1.0),
        (Kind.at_most_one, -infinity, 1.0),
        (Kind.at_least_one, 1.0, infinity),
    ]:
        factors = view.of_kind(kind)
        where, row = view.slots(factors)
        rows.add(row, view.literals[where], 1.0, np.full(len(factors), least), most)
    for kind in (Kind.exactly, Kind.at_most):
        factors = view.of_kind(kind)
        where, row = view.slots(factors)
        k = view.shape[view.shape_begin[factors]].astype(float)
        fewest = k if kind == Kind.exactly else np.full(len(k), -infinity)
        rows.add(row, view.literals[where], 1.0, fewest, k)

    factors = view.of_kind(Kind.xor_with_output)
    where, row = view.slots(factors)
    is_output = where == view.literal_begin[factors + 1][row] - 1
    rows.add(row, view.literals[where], np.where(is_output, -1.0, 1.0), np.zeros(len(factors)), 0.0)

    factors = view.of_kind(Kind.knapsack)
    where, row = view.slots(factors)
    cost = view.data[where - view.literal_begin[factors][row] + view.data_begin[factors][row]]
    capacity = view.data[view.data_begin[factors + 1] - 1]
    # In units of the largest cost: HiGHS' tolerances are absolute.
    unit = np.zeros(len(factors))
    np.maximum.at(unit, row, cost)
    unit[unit == 0.0] = 1.0
    most_spent = np.where(capacity < 0.0, -1.0, capacity / (unit * (1.0 - SUM_ROUNDING)))
    rows.add(
        row, view.literals[where], cost / unit[row], np.full(len(factors), -infinity), most_spent
    )


def _add_at_least_each(rows: Rows, row: Ints, inputs: Ints, outputs: Ints) -> None:
    """Write ``output >= input`` for every input; `row` gives the output of each."""
    each = np.arange(len(row))
    literal = np.concatenate([outputs[row], inputs])
    sign = np.repeat([1.0, -1.0], len(row))
    rows.add(np.concatenate([each, each]), literal, sign, np.zeros(len(row)), np.inf)


def _add_at_most_sum(rows: Rows, row: Ints, inputs: Ints, outputs: Ints) -> None:
    """Write ``output <= sum of inputs`` for every output."""
    each = np.arange(len(outputs))
    literal = np.concatenate([inputs, outputs])
    sign = np.repeat([1.0, -1.0], [len(row), len(each)])
    rows.add(np.concatenate([row, each]), literal, sign, np.zeros(len(each)), np.inf)


def _add_outputs(rows: Rows, view: GraphView) -> None:
    """OR with output; AND with output is the same among the negated literals (de Morgan)."""
    for kind, flip in ((Kind.or_with_output, 0), (Kind.and_with_output, 1)):
        factors = view.of_kind(kind)
        output = view.literal_begin[factors + 1] - 1
        where, row = ranges(view.literal_begin[factors], output)
        inputs, outputs = view.literals[where] ^ flip, view.literals[output] ^ flip
        _add_at_least_each(rows, row, inputs, outputs)
        _add_at_most_sum(rows, row, inputs, outputs)


def _add_rewards(rows: Rows, view: GraphView) -> None:
    """Add a column for the AND of the literals, closed on the side its score pushes it to."""
    every = view.of_kind(Kind.reward)
    score = view.data[view.data_begin[every]]
    for chosen, add in ((score > 0, _add_at_least_each), (score < 0, _add_at_most_sum)):
        where, row = view.slots(every[chosen])
        conjunction = rows.fresh(score[chosen])
        add(rows, row, view.literals[where] ^ 1, conjunction ^ 1)


def _add_tables(rows: Rows, view: GraphView) -> None:
    """Tables, and sequences as chains of tables, gathered by shape."""
    groups: dict[tuple[int, ...], list[Tables]] = {}
    for shape, factors in view.tables_by_shape():
        literals = view.literals[view.literal_begin[factors][:, None] + np.arange(sum(shape))]
        scores = view.data[view.data_begin[factors][:, None] + np.arange(np.prod(shape))]
        loose = ~_is_categorical(view, literals[:, : shape[0]])
        groups.setdefault(shape, []).append((literals, scores, loose))
    for factor in view.of_kind(Kind.sequence).tolist():
        for shape, part in _sequence_tables(view, factor):
            groups.setdefault(shape, []).append(part)
    for shape, parts in groups.items():
        literals, scores, loose = (np.concatenate(each) for each in zip(*parts, strict=True))
        _add_tables_of(rows, shape, literals, scores, loose)


def _is_categorical(view: GraphView, literals: Ints) -> Bits:
    """Which rows are the states of one categorical variable, and so sum to one anyway."""
    size = np.zeros(view.variables, dtype=np.int64)
    size[view.categorical_first] = view.categorical_size
    fits = size[literals[:, 0] >> 1] == literals.shape[1]
    expected = (literals[:, :1] & ~1) + 2 * np.arange(literals.shape[1])
    return np.asarray(fits & np.all(literals == expected, axis=1))


def _sequence_tables(view: GraphView, factor: int) -> list[tuple[tuple[int, ...], Tables]]:
    """Split a sequence into a table per edge; the outer ones take start and stop scores."""
    literals, data = view.literals_of(factor), view.data_of(factor)
    sizes = view.shape_of(factor).tolist()
    start, edges, stop = np.split(data, [sizes[0], len(data) - sizes[-1]])
    loose = ~_is_categorical(view, literals[None, : sizes[0]])
    if len(sizes) == 1:
        return [((sizes[0],), (literals[None], (start + stop)[None], loose))]
    tables: list[tuple[tuple[int, ...], Tables]] = []
    slot = cell = 0
    for left, right in itertools.pairwise(sizes):
        scores = edges[cell : cell + left * right].reshape(left, right)
        if slot == 0:
            scores = scores + start[:, None]
        if cell + left * right == len(edges):
            scores = scores + stop
        part = literals[None, slot : slot + left + right]
        # Each position sums to what the one before it sums to: one normalized table is enough.
        tables.append(((left, right), (part, scores.reshape(1, -1), loose & (slot == 0))))
        slot, cell = slot + left, cell + left * right
    return tables


def _add_tables_of(
    rows: Rows, shape: tuple[int, ...], literals: Ints, scores: Doubles, loose: Bits
) -> None:
    """Add a column per allowed cell; cells with a state in common sum to its literal."""
    slots = sum(shape)
    table, cell = np.nonzero(scores > -np.inf)
    columns = rows.fresh(scores[table, cell])
    first_slot = np.cumsum((0, *shape[:-1]))
    slot_of = np.indices(shape).reshape(len(shape), -1) + first_slot[:, None]
    row = np.concatenate([table * slots + slot_of[i, cell] for i in range(len(shape))])
    every_slot = np.arange(literals.size)
    rows.add(
        np.concatenate([row, every_slot]),
        np.concatenate([np.tile(columns, len(shape)), literals.ravel()]),
        np.repeat([1.0, -1.0], [len(row), literals.size]),
        np.zeros(literals.size),
        0.0,
    )
    number = np.cumsum(loose) - 1
    to_normalize = loose[table]
    row = number[table[to_normalize]]
    rows.add(row, columns[to_normalize], 1.0, np.ones(int(loose.sum())), 1.0)


def _add_compression_trees(rows: Rows, view: GraphView) -> None:
    """Allow a child only with its parent; a cut scores ``d (parent - child)``."""
    factors = view.of_kind(Kind.compression_tree)
    where, tree = view.slots(factors)
    offset = where - view.literal_begin[factors][tree]
    parent = view.shape[view.shape_begin[factors][tree] + offset]
    literal = view.literals[where]
    cut = view.data[view.data_begin[factors][tree] + offset]
    is_root = parent < 0
    above = view.literals[view.literal_begin[factors][tree] + parent]

    rows.score(literal, -cut)
    rows.score(above[~is_root], cut[~is_root])
    rows.offset += float(cut[is_root].sum())
    _add_at_least_each(rows, np.arange(int((~is_root).sum())), literal[~is_root], above[~is_root])

    needs_child = view.shape[view.shape_begin[factors + 1] - 1][tree] == 1
    root = np.flatnonzero(is_root & needs_child)
    number = np.full(len(where), -1)
    number[root] = np.arange(len(root))
    parent_number = np.where(is_root, -1, number[np.arange(len(where)) - offset + parent])
    child = parent_number >= 0
    _add_at_most_sum(rows, parent_number[child], literal[child], literal[root])


def _add_flow(rows: Rows, literals: Ints, shape: Ints) -> None:
    """Send one unit from the root to every other node, along arcs that are on."""
    nodes, single_root = int(shape[0]), bool(shape[1])
    head, modifier = shape[2::2], shape[3::2]
    others = nodes - 1
    flow = rows.fresh(np.zeros(len(literals)), upper=others)
    arcs = np.arange(len(literals))
    one = np.ones(others)
    rows.add(modifier - 1, literals, 1.0, one, 1.0)
    inner = head > 0
    rows.add(
        np.concatenate([modifier, head[inner]]) - 1,
        np.concatenate([flow, flow[inner]]),
        np.repeat([1.0, -1.0], [len(arcs), int(inner.sum())]),
        one,
        1.0,
    )
    rows.add(
        np.concatenate([arcs, arcs]),
        np.concatenate([literals, flow]),
        np.repeat([float(others), -1.0], len(arcs)),
        np.zeros(len(arcs)),
        np.inf,
    )
    if single_root and others:
        from_root = literals[head == 0]
        rows.add(np.zeros(len(from_root), dtype=int), from_root, 1.0, np.ones(1), 1.0)


def _add_priced(rows: Rows, literals: Ints) -> range:
    """Add the rows of a factor whose columns come later."""
    first = rows.count
    rows.add(np.arange(len(literals)), literals, -1.0, np.zeros(len(literals)), 0.0)
    rows.add(np.zeros(0, dtype=int), literals[:0], 1.0, np.ones(1), 1.0)
    return range(first, rows.count)
