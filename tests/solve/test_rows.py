"""Rows over literals: negations, repeated terms, and what they mean for any point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.solve._rows import Rows

NUMBERS = st.integers(-3, 3).map(float)
TERMS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 7), NUMBERS), max_size=9)


def ints(values):
    return np.array(values, np.int64)


@given(terms=TERMS, point=st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=4, max_size=4))
def test_rows_say_of_a_point_what_their_literals_say(terms, point):
    """A row's slack at a point is the same in literals and in the finished, sparse rows."""
    rows = Rows(np.zeros(4), np.full(4, -1))
    row, literal, coefficient = ([t[k] for t in terms] for k in range(3))
    lower, upper = np.array([-1.0, 0.0, -np.inf]), np.array([1.0, 2.0, 0.5])
    rows.add(ints(row), ints(literal), np.array(coefficient), lower, upper)
    rows.add(ints([0]), ints([1]), 2.0, np.zeros(1), 5.0)  # another block
    done = rows.finish()
    assert rows.count == 4 and len(done["begin"]) == 5
    value = [1.0 - point[code // 2] if code & 1 else point[code // 2] for code in range(8)]
    for r in range(3):
        meant = sum(c * value[code] for i, code, c in terms if i == r)
        span = slice(done["begin"][r], done["begin"][r + 1])
        columns = done["column"][span].tolist()
        assert columns == sorted(set(columns))
        found = sum(c * point[j] for c, j in zip(done["coefficient"][span], columns, strict=True))
        assert meant - lower[r] == pytest.approx(found - done["row_lower"][r])
        assert upper[r] - meant == pytest.approx(done["row_upper"][r] - found)
    assert not (done["coefficient"] == 0.0).any()


def test_columns_have_bounds_by_evidence_and_new_ones_follow():
    rows = Rows(np.array([1.0, 2.0, 3.0]), ints([-1, 0, 1]))
    fresh = rows.fresh(np.array([4.0, 5.0]), upper=2.0)
    assert fresh.tolist() == [6, 8]
    done = rows.finish()
    assert done["cost"].tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert done["lower"].tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert done["upper"].tolist() == [1.0, 0.0, 1.0, 2.0, 2.0]
    assert len(done["begin"]) == 1 and len(done["row_lower"]) == 0


def test_scores_of_literals_count_for_variables_and_the_constant():
    rows = Rows(np.array([1.0, 2.0]), ints([-1, -1]))
    rows.score(ints([0, 3, 3]), np.array([10.0, 5.0, 0.5]))
    done = rows.finish()
    assert done["cost"].tolist() == [11.0, -3.5]
    assert done["offset"] == 5.5
