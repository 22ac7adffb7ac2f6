"""The reformulation-linearisation technique: products of constraints (section 4.3, eqs. 22-26).

Constraints are written ``g_i - G_i x >= 0``: first the rows ``C x <= d``, then the upper bounds
``U - x >= 0``, then the lower bounds ``x - L >= 0``. Their products are nonnegative too; with a
column ``w_kl`` for each product of two columns they are linear. An equality is multiplied by
columns instead.

Only g depends on the box of a node, so a set of products is laid out once; each node puts its own
numbers in. The concave envelopes of the objective (eqs. 20 and 21) are products as well, of a
parameter's lower and its count's upper bound, and the other way round. They are in every set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treaty.induce.relaxation._layout import Doubles, Ints
from treaty.induce.relaxation._program import Program
from treaty.induce.relaxation._sparse import Sparse, add_up, ranges

__all__ = ["Constraints", "Products", "lay_out"]


@dataclass(frozen=True, eq=False)
class Constraints:
    """All inequalities of a program in one form, ``g - G x >= 0``."""

    matrix: Sparse
    rows: int
    columns: int
    right: Doubles
    """Of the rows; the others' g is the box."""

    @classmethod
    def of(cls, program: Program) -> Constraints:
        """List a program's rows, upper bounds and lower bounds."""
        n = program.columns
        each = np.arange(n)
        upper = Sparse(np.arange(n + 1), each, np.ones(n))
        lower = Sparse(np.arange(n + 1), each, -np.ones(n))
        matrix = Sparse.stacked([program.at_most, upper, lower])
        return cls(matrix, program.at_most.rows, n, program.at_most_right)

    def __len__(self) -> int:
        return self.matrix.rows

    def upper(self, column: Ints) -> Ints:
        """Find the constraints ``U - x >= 0``."""
        return self.rows + column

    def lower(self, column: Ints) -> Ints:
        """Find the constraints ``x - L >= 0``."""
        return self.rows + self.columns + column

    def g(self, lower: Doubles, upper: Doubles) -> Doubles:
        """Compute the constants for a box."""
        return np.concatenate([self.right, upper, -lower])


@dataclass(frozen=True, eq=False)
class Products:
    """Linearised products: rows over the program's columns and the products' own columns.

    Row r is ``sum of value * scale[term] * column``, where `scale` is g of a node with a final 1.
    """

    one: Ints
    """The factors of each product of inequalities: constraints `one` and `other`."""
    other: Ints
    equality: Ints
    """The factors of the others: equality rows, and columns `factor`."""
    factor: Ints
    left: Ints
    """The columns ``left <= right`` whose product each new column stands for."""
    right: Ints
    pattern: Sparse
    """The entries; `value` is unused."""
    term_entry: Ints
    term_value: Doubles
    term_scale: Ints
    """Each entry sums terms: a value times a number out of `scale`."""

    @property
    def rows(self) -> int:
        """How many products there are."""
        return len(self.one) + len(self.equality)

    def values(self, g: Doubles) -> Doubles:
        """Compute the entries for a box."""
        scale = np.append(g, 1.0)
        terms = self.term_value * scale[self.term_scale]
        return add_up(self.term_entry, terms, len(self.pattern.column))

    def row_bounds(self, g: Doubles) -> tuple[Doubles, Doubles]:
        """Compute the sides of the rows for a box."""
        zeros = np.zeros(len(self.equality))
        at_least = np.concatenate([-g[self.one] * g[self.other], zeros])
        return at_least, np.concatenate([np.full(len(self.one), np.inf), zeros])

    def column_bounds(self, lower: Doubles, upper: Doubles) -> tuple[Doubles, Doubles]:
        """Compute the least and the most that each product can be in a box."""
        corners = np.stack(
            [a[self.left] * b[self.right] for a in (lower, upper) for b in (lower, upper)]
        )
        square = self.left == self.right
        least = np.where(square & (corners[1] < 0), 0.0, corners.min(axis=0))
        return least, corners.max(axis=0)

    def columns(self, x: Doubles) -> Doubles:
        """Compute the products at a point."""
        return x[self.left] * x[self.right]


def lay_out(
    program: Program,
    constraints: Constraints,
    pairs: tuple[Ints, Ints],
    equality_pairs: tuple[Ints, Ints],
) -> Products:
    """Multiply out pairs of inequalities, and equalities with columns.

    The first columns of the products are those of the objective, parameter times count.
    """
    one, other = pairs
    equality, factor = equality_pairs
    n, k = program.columns, program.parameters
    one_constant, other_constant = one, other
    matrix = constraints.matrix
    # G_ik G_jl w_kl
    a, b, row_w = _cross(matrix, one, matrix, other)
    quadratic = _Terms(row_w, matrix.column[a], matrix.column[b], matrix.value[a] * matrix.value[b])
    # - g_j G_ik x_k - g_i G_jk x_k
    linear = [
        (*_entries(matrix, one), -1.0, other_constant),
        (*_entries(matrix, other), -1.0, one_constant),
    ]
    # The equalities: sum of A_ej w_jk - b_e x_k = 0.
    entry, row_e = ranges(program.equal.begin[equality], program.equal.begin[equality + 1])
    times = _Terms(
        len(one) + row_e, program.equal.column[entry], factor[row_e], program.equal.value[entry]
    )
    objective = np.arange(k) * n + k + np.arange(k)
    code = np.concatenate([quadratic.code(n), times.code(n)])
    extra = np.setdiff1d(code, objective)
    known = np.concatenate([objective, extra])
    order = np.argsort(known)
    w_column = n + order[np.searchsorted(known, code, sorter=order)]

    row = np.concatenate(
        [quadratic.row, times.row, *(r for _, r, _, _ in linear), len(one) + np.arange(len(factor))]
    )
    column = np.concatenate([w_column, *(matrix.column[e] for e, _, _, _ in linear), factor])
    value = np.concatenate(
        [
            quadratic.value,
            times.value,
            *(sign * matrix.value[e] for e, _, sign, _ in linear),
            -program.equal_right[equality],
        ]
    )
    always = len(constraints)  # the final 1 of `scale`
    scale = np.concatenate(
        [
            np.full(len(code), always),
            *(by[r] for _, r, _, by in linear),
            np.full(len(factor), always),
        ]
    )
    place = row * (n + len(known)) + column
    places, term_entry = np.unique(place, return_inverse=True)
    rows = len(one) + len(equality)
    entry_row, entry_column = np.divmod(places, n + len(known))
    begin = np.concatenate([[0], np.cumsum(np.bincount(entry_row, minlength=rows))])
    return Products(
        one=one,
        other=other,
        equality=equality,
        factor=factor,
        left=known // n,
        right=known % n,
        pattern=Sparse(begin, entry_column, np.zeros(len(places))),
        term_entry=term_entry,
        term_value=value,
        term_scale=scale,
    )


@dataclass(frozen=True, eq=False)
class _Terms:
    """Quadratic terms: in `row`, `value` times the product of two columns."""

    row: Ints
    left: Ints
    right: Ints
    value: Doubles

    def code(self, columns: int) -> Ints:
        """Give products numbers, the same for both orders of their factors."""
        return np.minimum(self.left, self.right) * columns + np.maximum(self.left, self.right)


def _entries(matrix: Sparse, rows: Ints) -> tuple[Ints, Ints]:
    """List the entries of some rows, and the position of each one's row among them."""
    return ranges(matrix.begin[rows], matrix.begin[rows + 1])


def _cross(first: Sparse, one: Ints, second: Sparse, other: Ints) -> tuple[Ints, Ints, Ints]:
    """All pairs of an entry of row ``one[r]`` and an entry of row ``other[r]``, and r."""
    a, row = _entries(first, one)
    b, owner = ranges(second.begin[other[row]], second.begin[other[row] + 1])
    return a[owner], b, row[owner]
