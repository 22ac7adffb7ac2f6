"""The reformulation-linearization technique: products of constraints (section 4.3, eqs. 22-26).

Constraints have the form ``g_i - G_i x >= 0``: first the rows ``C x <= d``, then the upper bounds
``U - x >= 0``, then the lower bounds ``x - L >= 0``. Their products are nonnegative, too; with a
column ``w_kl`` for each product of two columns they are linear. An equality is multiplied by
columns instead.

Only g depends on the box of a node, so the structure of the products is computed once, and each
node fills in its values. The concave envelopes of the objective (eqs. 20 and 21) are products as
well, of a parameter's lower and its count's upper bound, and vice versa. They are always included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treaty.induce._features import Floats, Ints
from treaty.papers.relaxations._program import Program
from treaty.papers.relaxations._sparse import Sparse
from treaty.solve._view import add_up, ranges

__all__ = ["Constraints", "Products", "lay_out"]

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Constraints:
    """All inequalities of a program in one form, ``g - G x >= 0``."""

    matrix: Sparse
    rows: int
    columns: int
    right: Floats
    """The constants of the rows; those of the bounds are the box."""

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
        """Return the constraints ``U - x >= 0``."""
        return self.rows + column

    def lower(self, column: Ints) -> Ints:
        """Return the constraints ``x - L >= 0``."""
        return self.rows + self.columns + column

    def g(self, lower: Floats, upper: Floats) -> Floats:
        """Compute the constants for a box."""
        return np.concatenate([self.right, upper, -lower])


@dataclass(frozen=True, eq=False)
class Products:
    """Linearized products: rows over the columns of the program and of the products.

    Row r is ``sum of value * scale[term] * column``, where `scale` is g of a node with a final 1.
    """

    one: Ints
    """The factors of each product of inequalities: constraints `one` and `other`."""
    other: Ints
    equality: Ints
    """The factors of the others: equality rows, and columns `factor`."""
    factor: Ints
    left: Ints
    """The columns ``left <= right`` whose product each new column represents."""
    right: Ints
    pattern: Sparse
    """The entries; `value` is unused."""
    term_entry: Ints
    term_value: Floats
    term_scale: Ints
    """Each entry is a sum of terms: a value times an element of `scale`."""
    chosen: int
    """The number of products including those that were left out because they do not matter."""

    @property
    def rows(self) -> int:
        """The number of products."""
        return len(self.one) + len(self.equality)

    def matters(self, columns: int, parameters: int) -> Bools:
        """Return which products are linked to the objective by the new columns they share.

        No others can tighten a bound: if each of their columns is the true product of two columns
        of the program, which is within its bounds, all of them hold; and no row of the rest has
        these columns. Such are the products of two constraints on parameters or two on parses, and
        most of those of one on each if they are few.
        """
        new = self.pattern.column >= columns
        row, column = self.pattern.row[new], self.pattern.column[new] - columns
        linked = np.arange(len(self.left)) < parameters
        while True:
            rows = np.bincount(row, linked[column], self.rows) > 0
            further = linked | (np.bincount(column, rows[row], len(linked)) > 0)
            if np.array_equal(further, linked):
                return rows
            linked = further

    def values(self, g: Floats) -> Floats:
        """Compute the entries for a box."""
        scale = np.append(g, 1.0)
        terms = self.term_value * scale[self.term_scale]
        return add_up(self.term_entry, terms, len(self.pattern.column))

    def row_bounds(self, g: Floats) -> tuple[Floats, Floats]:
        """Compute the bounds of the rows for a box."""
        zeros = np.zeros(len(self.equality))
        at_least = np.concatenate([-g[self.one] * g[self.other], zeros])
        return at_least, np.concatenate([np.full(len(self.one), np.inf), zeros])

    def column_bounds(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Compute the minimum and maximum of each product in a box."""
        corners = np.stack(
            [a[self.left] * b[self.right] for a in (lower, upper) for b in (lower, upper)]
        )
        square = self.left == self.right
        least = np.where(square & (corners[1] < 0), 0.0, corners.min(axis=0))
        return least, corners.max(axis=0)


def lay_out(
    program: Program,
    constraints: Constraints,
    pairs: tuple[Ints, Ints],
    equality_pairs: tuple[Ints, Ints],
) -> Products:
    """Multiply out pairs of inequalities, and equalities with columns.

    The first columns of the products are those of the objective, parameter times count.
    """
    (one, other), (equality, factor) = pairs, equality_pairs
    n, k, matrix = program.columns, program.parameters, constraints.matrix
    # G_ik G_jl w_kl, and A_ej w_jk of the equalities, whose rows follow
    squares = [
        _multiply(matrix, one, matrix, other),
        _multiply(program.equal, equality, _columns(n), factor, first_row=len(one)),
    ]
    code = np.concatenate([square.code(n) for square in squares])
    objective = np.arange(k) * n + k + np.arange(k)
    known = np.concatenate([objective, np.setdiff1d(code, objective)])
    always = len(constraints)  # the final 1 of `scale`
    terms = [
        _Terms(
            np.concatenate([square.row for square in squares]),
            n + _positions(known, code),
            np.concatenate([square.value for square in squares]),
            np.full(len(code), always),
        ),
        _linear(matrix, one, other),
        _linear(matrix, other, one),
        _Terms(  # - b_e x_k
            len(one) + np.arange(len(factor)),
            factor,
            -program.equal_right[equality],
            np.full(len(factor), always),
        ),
    ]
    pattern, term_entry = _summed(terms, len(one) + len(equality), n + len(known))
    return Products(
        one=one,
        other=other,
        equality=equality,
        factor=factor,
        left=known // n,
        right=known % n,
        pattern=pattern,
        term_entry=term_entry,
        term_value=np.concatenate([own.value for own in terms]),
        term_scale=np.concatenate([own.scale for own in terms]),
        chosen=len(one) + len(equality),
    )


@dataclass(frozen=True, eq=False)
class _Squares:
    """Quadratic terms: in `row`, `value` times the product of two columns."""

    row: Ints
    left: Ints
    right: Ints
    value: Floats

    def code(self, columns: int) -> Ints:
        """Encode products as numbers, the same for both orders of their factors."""
        return np.minimum(self.left, self.right) * columns + np.maximum(self.left, self.right)


@dataclass(frozen=True, eq=False)
class _Terms:
    """Linear terms: in `row`, `value` times the number at `scale` times a column."""

    row: Ints
    column: Ints
    value: Floats
    scale: Ints


def _multiply(
    first: Sparse, one: Ints, second: Sparse, other: Ints, first_row: int = 0
) -> _Squares:
    """Multiply row ``one[r]`` of a matrix with row ``other[r]`` of another, for all r."""
    a, row = ranges(first.begin[one], first.begin[one + 1])
    b, owner = ranges(second.begin[other[row]], second.begin[other[row] + 1])
    a = a[owner]
    value = first.value[a] * second.value[b]
    return _Squares(first_row + row[owner], first.column[a], second.column[b], value)


def _columns(count: int) -> Sparse:
    """Return the identity matrix."""
    return Sparse(np.arange(count + 1), np.arange(count), np.ones(count))


def _linear(matrix: Sparse, rows: Ints, by: Ints) -> _Terms:
    """Multiply rows by the constants of others: - g_j G_ik x_k."""
    entry, row = ranges(matrix.begin[rows], matrix.begin[rows + 1])
    return _Terms(row, matrix.column[entry], -matrix.value[entry], by[row])


def _positions(known: Ints, wanted: Ints) -> Ints:
    """Return the index in `known` of each wanted number."""
    order = np.argsort(known)
    return order[np.searchsorted(known, wanted, sorter=order)]


def _summed(terms: list[_Terms], rows: int, columns: int) -> tuple[Sparse, Ints]:
    """Merge terms of the same cell: the cells, and the cell of each term."""
    row = np.concatenate([own.row for own in terms])
    column = np.concatenate([own.column for own in terms])
    places, entry = np.unique(row * columns + column, return_inverse=True)
    place_row, place_column = np.divmod(places, columns)
    begin = np.concatenate([[0], np.cumsum(np.bincount(place_row, minlength=rows))])
    return Sparse(begin, place_column, np.zeros(len(places))), entry
