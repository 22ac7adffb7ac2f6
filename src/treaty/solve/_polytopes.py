"""The polytopes of the factors as sparse rows: what each kind asks of its literals in the LP.

Factors of kinds without rows here wait for column generation.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from treaty._native.graph import Kind
from treaty.graph._counting import ROUNDING
from treaty.solve._automata import add_head_automata, add_tri_sibling_automata
from treaty.solve._rows import Rows
from treaty.solve._view import Bits, Doubles, GraphView, Ints, ranges

__all__ = ["POLYTOPES", "add_flows"]

FAR = 1e18  # times the largest cost: no sum of costs comes near such a capacity

AddRows = Callable[[Rows, GraphView, Ints], None]
# Tables of one shape, a row each: literals, scores, and whether a sum of one must be asked for.
Tables = tuple[Ints, Doubles, Bits]
SplitTables = Callable[[GraphView, int], Iterator[tuple[tuple[int, ...], Tables]]]


def _add_counts(rows: Rows, view: GraphView, factors: Ints, *, least: float, most: float) -> None:
    where, row = view.slots(factors)
    rows.add(row, view.literals[where], 1.0, np.full(len(factors), least), most)


def _add_budgets(rows: Rows, view: GraphView, factors: Ints, *, exactly: bool) -> None:
    where, row = view.slots(factors)
    k = view.shape[view.shape_begin[factors]].astype(float)
    rows.add(row, view.literals[where], 1.0, k if exactly else np.full(len(k), -np.inf), k)


def _add_xors_with_output(rows: Rows, view: GraphView, factors: Ints) -> None:
    where, row = view.slots(factors)
    is_output = where == view.literal_begin[factors + 1][row] - 1
    rows.add(row, view.literals[where], np.where(is_output, -1.0, 1.0), np.zeros(len(factors)), 0.0)


def _add_knapsacks(rows: Rows, view: GraphView, factors: Ints) -> None:
    where, row = view.slots(factors)
    cost = view.data[where - view.literal_begin[factors][row] + view.data_begin[factors][row]]
    capacity = view.data[view.data_begin[factors + 1] - 1]
    # What can never fit is off. Its cost, large as it may be, would hide the others.
    fits = cost <= np.maximum(capacity, 0.0)[row] * (1.0 + 2.0 * ROUNDING)
    off = view.literals[where][~fits]
    rows.add(np.arange(len(off)), off, 1.0, np.zeros(len(off)), 0.0)
    where, row, cost = where[fits], row[fits], cost[fits]
    # In units of the largest cost: HiGHS' tolerances are absolute.
    unit = np.zeros(len(factors))
    np.maximum.at(unit, row, cost)
    unit[unit == 0.0] = 1.0
    ratio = np.ones(len(factors))  # no cost is larger than the capacity, but by rounding
    np.divide(capacity, unit, out=ratio, where=unit * FAR > capacity)
    loose = (capacity >= 0.0) & (unit * FAR <= capacity)
    most_spent = np.where(capacity < 0.0, -1.0, ratio / (1.0 - ROUNDING))
    most_spent[loose] = np.inf
    rows.add(
        row, view.literals[where], cost / unit[row], np.full(len(factors), -np.inf), most_spent
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


def _add_outputs(rows: Rows, view: GraphView, factors: Ints, *, flip: int) -> None:
    """OR with output; AND with output is the same among the negated literals (de Morgan)."""
    output = view.literal_begin[factors + 1] - 1
    where, row = ranges(view.literal_begin[factors], output)
    inputs, outputs = view.literals[where] ^ flip, view.literals[output] ^ flip
    _add_at_least_each(rows, row, inputs, outputs)
    _add_at_most_sum(rows, row, inputs, outputs)


def _add_rewards(rows: Rows, view: GraphView, factors: Ints) -> None:
    """Add a column for the AND of the literals, closed on the side its score pushes it to."""
    score = view.data[view.data_begin[factors]]
    for chosen, add in ((score > 0, _add_at_least_each), (score < 0, _add_at_most_sum)):
        where, row = view.slots(factors[chosen])
        conjunction = rows.fresh(score[chosen])
        add(rows, row, view.literals[where] ^ 1, conjunction ^ 1)


def _add_tables(rows: Rows, view: GraphView, factors: Ints) -> None:
    for _, shape, tables in view.alike(factors):
        literals = view.literals_of_alike(tables)
        loose = ~_is_categorical(view, literals[:, : shape[0]])
        _add_tables_of(rows, shape, literals, view.data_of_alike(tables), loose)


def _add_split(rows: Rows, view: GraphView, factors: Ints, *, split: SplitTables) -> None:
    """Add sequences or trees as tables, gathered by shape."""
    groups: dict[tuple[int, ...], list[Tables]] = {}
    for factor in factors.tolist():
        for shape, part in split(view, factor):
            rows.check()
            groups.setdefault(shape, []).append(part)
    for shape, parts in groups.items():
        literals, scores, loose = (np.concatenate(each) for each in zip(*parts, strict=True))
        _add_tables_of(rows, shape, literals, scores, loose)


def _is_categorical(view: GraphView, literals: Ints) -> Bits:
    """Which rows are the states of one categorical variable, and so sum to one anyway."""
    fits = view.states_from[literals[:, 0] >> 1] == literals.shape[1]
    expected = (literals[:, :1] & ~1) + 2 * np.arange(literals.shape[1])
    return np.asarray(fits & np.all(literals == expected, axis=1))


def _tree_tables(view: GraphView, factor: int) -> Iterator[tuple[tuple[int, ...], Tables]]:
    """Split a tree into a table per edge, that of a parent's states with a node's."""
    literals, data = view.literals_of(factor), view.data_of(factor)
    sizes, parents = np.split(view.shape_of(factor), 2)
    states = np.split(literals, np.cumsum(sizes)[:-1])
    loose = ~_is_categorical(view, states[0][None])
    if len(sizes) == 1:
        yield (int(sizes[0]),), (literals[None], np.zeros((1, len(literals))), loose)
    cell = 0
    for node in range(1, len(sizes)):
        above, own = int(sizes[parents[node]]), int(sizes[node])
        part = np.concatenate([states[parents[node]], states[node]])[None]
        scores = data[None, cell : cell + above * own]
        # A tree is connected: all nodes sum to what the root sums to.
        yield (above, own), (part, scores, loose & (node == 1))
        cell += above * own


def _sequence_tables(view: GraphView, factor: int) -> Iterator[tuple[tuple[int, ...], Tables]]:
    """Split a sequence into a table per edge; the outer ones take start and stop scores."""
    literals, data = view.literals_of(factor), view.data_of(factor)
    sizes = view.shape_of(factor).tolist()
    start, edges, stop = np.split(data, [sizes[0], len(data) - sizes[-1]])
    loose = ~_is_categorical(view, literals[None, : sizes[0]])
    if len(sizes) == 1:
        yield (sizes[0],), (literals[None], (start + stop)[None], loose)
    slot = cell = 0
    for left, right in itertools.pairwise(sizes):
        scores = edges[cell : cell + left * right].reshape(left, right)
        if slot == 0:
            scores = scores + start[:, None]
        if cell + left * right == len(edges):
            scores = scores + stop
        part = literals[None, slot : slot + left + right]
        # Each position sums to what the one before it sums to: one normalized table is enough.
        yield (left, right), (part, scores.reshape(1, -1), loose & (slot == 0))
        slot, cell = slot + left, cell + left * right


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


def _add_compression_trees(rows: Rows, view: GraphView, factors: Ints) -> None:
    """Allow a child only with its parent; a cut scores ``d (parent - child)``."""
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


def add_flows(rows: Rows, view: GraphView, factors: Ints) -> None:
    """Write arborescences as single-commodity flows, whose polytope is larger than theirs."""
    for factor in factors.tolist():
        _add_flow(rows, view.literals_of(factor), view.shape_of(factor))


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


# In the order of the rows.
POLYTOPES: dict[Kind, AddRows] = {
    Kind.exactly_one: partial(_add_counts, least=1.0, most=1.0),
    Kind.at_most_one: partial(_add_counts, least=-np.inf, most=1.0),
    Kind.at_least_one: partial(_add_counts, least=1.0, most=np.inf),
    Kind.exactly: partial(_add_budgets, exactly=True),
    Kind.at_most: partial(_add_budgets, exactly=False),
    Kind.xor_with_output: _add_xors_with_output,
    Kind.knapsack: _add_knapsacks,
    Kind.or_with_output: partial(_add_outputs, flip=0),
    Kind.and_with_output: partial(_add_outputs, flip=1),
    Kind.reward: _add_rewards,
    Kind.table: _add_tables,
    Kind.sequence: partial(_add_split, split=_sequence_tables),
    Kind.general_tree: partial(_add_split, split=_tree_tables),
    Kind.compression_tree: _add_compression_trees,
    Kind.head_automaton: add_head_automata,
    Kind.tri_sibling_automaton: add_tri_sibling_automata,
}
