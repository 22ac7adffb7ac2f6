"""Sparse matrices against dense ones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treaty.papers.relaxations._sparse import Sparse


def dense(matrix, columns):
    made = np.zeros((matrix.rows, columns))
    np.add.at(made, (matrix.row, matrix.column), matrix.value)
    return made


@given(st.integers(0, 10**6), st.integers(0, 12), st.integers(1, 5))
def test_entries_are_sorted_into_rows_and_matrices_stacked(seed, entries, rows):
    random = np.random.default_rng(seed)
    parts, made = [], []
    for _ in range(2):
        row, column = random.integers(0, rows, entries), random.integers(0, 4, entries)
        value = random.integers(-3, 4, entries).astype(float)
        expected = np.zeros((rows, 4))
        np.add.at(expected, (row, column), value)
        parts.append(Sparse.of(row, column, value, rows))
        made.append(expected)
        assert np.array_equal(dense(parts[-1], 4), expected)
    assert np.array_equal(dense(Sparse.stacked(parts), 4), np.vstack(made))
