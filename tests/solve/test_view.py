"""A graph's flat arrays: what each factor owns, and sums by index."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.solve.random_graphs import build, graphs

from treaty._native.graph import Kind
from treaty.solve._view import KINDS, GraphView, add_up, equal_rows, ranges

SPANS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=6)


@given(spans=SPANS)
def test_ranges_one_after_the_other(spans):
    begin = np.array([b for b, _ in spans], np.int64)
    size = np.array([n for _, n in spans], np.int64)
    positions, rows = ranges(begin, begin + size)
    assert positions.tolist() == [b + k for b, n in spans for k in range(n)]
    assert rows.tolist() == [i for i, (_, n) in enumerate(spans) for _ in range(n)]


def test_sums_by_index():
    found = add_up(np.array([2, 0, 2]), [1.0, 2.0, 4.0], 4)
    assert found.tolist() == [2.0, 0.0, 5.0, 0.0]
    assert add_up(np.array([], int), [], 2).dtype == np.float64


def test_kinds_are_in_the_order_of_their_numbers():
    assert [kind.value for kind in KINDS] == list(range(len(KINDS)))


@given(graphs())
def test_every_factor_owns_what_the_native_graph_says(graph):
    view = GraphView.of(graph)
    assert view.variables == graph.variables
    assert view.degree.tolist() == [len(view.literals_of(f)) for f in range(graph.factors)]
    pieces = [
        (view.literals_of(f), view.data_of(f), view.shape_of(f)) for f in range(graph.factors)
    ]
    for k, whole in enumerate((graph.literals, graph.data, graph.shape)):
        assert [x for piece in pieces for x in piece[k].tolist()] == whole.tolist()
    for kind in KINDS:
        assert all(view.kind_of(f) == kind for f in view.of_kind(kind))
    slots, owner = view.slots(np.arange(graph.factors))
    assert slots.tolist() == list(range(len(graph.literals)))
    assert np.bincount(owner, minlength=graph.factors).tolist() == view.degree.tolist()


def test_factors_are_gathered_by_kind_degree_and_shape():
    small, large = [2, 2], [2, 3]
    graph = build(
        [0.0] * 5,
        (Kind.table, [0, 2, 4, 6], [0.0] * 4, small),
        (Kind.table, [0, 2, 4, 6, 8], [0.0] * 6, large),
        (Kind.exactly_one, [0]),
        (Kind.table, [4, 6, 0, 2], [1.0] * 4, small),
        (Kind.exactly_one, [0, 2]),
        (Kind.at_most, [0, 2], [], [1]),
        (Kind.at_most, [0, 4], [], [0]),
    )
    view = GraphView.of(graph)
    found = [(kind, shape, group.tolist()) for kind, shape, group in view.alike(np.arange(7))]
    assert sorted(found, key=lambda group: group[2]) == [
        (Kind.table, (2, 2), [0, 3]),
        (Kind.table, (2, 3), [1]),
        (Kind.exactly_one, (), [2]),
        (Kind.exactly_one, (), [4]),
        (Kind.at_most, (1,), [5]),
        (Kind.at_most, (0,), [6]),
    ]
    some = [group.tolist() for _, _, group in view.alike(np.array([3, 1]))]
    assert sorted(some) == [[1], [3]]
    alike = np.array([0, 3])
    assert view.literals_of_alike(alike).tolist() == [[0, 2, 4, 6], [4, 6, 0, 2]]
    assert view.data_of_alike(alike).tolist() == [[0.0] * 4, [1.0] * 4]


@given(rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=8))
def test_equal_rows_are_gathered_in_the_order_of_the_first(rows):
    matrix = np.array(rows, np.int64).reshape(len(rows), 2)
    expected = [[i for i, row in enumerate(rows) if row == one] for one in dict.fromkeys(rows)]
    assert [group.tolist() for group in equal_rows(matrix)] == expected
    assert [g.tolist() for g in equal_rows(matrix[:, :0])] == (
        [[*range(len(rows))]] if rows else []
    )
