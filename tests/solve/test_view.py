"""A graph's flat arrays: what each factor owns, and sums by index."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.solve.random_graphs import graphs

from treaty.solve._view import KINDS, GraphView, add_up, ranges

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
