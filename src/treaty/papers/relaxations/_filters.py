"""The choice of products of a relaxation: only envelopes, those of the objective, or a sample."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from treaty.errors import UsageError
from treaty.induce._features import Ints
from treaty.papers.relaxations._products import Constraints, Products, lay_out
from treaty.papers.relaxations._program import Program

__all__ = ["Choice", "choose_products", "possible_products"]

Pairs = tuple[Ints, Ints]
COUNTS = "+counts"


@dataclass(frozen=True)
class Choice:
    """The products to include in addition to the envelopes of the objective.

    Examples
    --------
    >>> Choice.named("rlt-max-10k")
    Choice(objective=False, most=10000, share=0.0, counts=False)
    >>> Choice.named("mccormick+counts").counts
    True
    >>> Choice.named("rlt-30%").share
    0.3
    """

    objective: bool = False
    """All products in which a parameter meets its own count (Obj.Filter in the paper)."""
    most: int = 0
    """This number of others, drawn at random (Max.1k, Max.10k and so on)."""
    share: float = 0.0
    """Each of the others with this probability."""
    counts: bool = False
    """Whether the bounds of parameters bound the counts, too (not in the paper); see `box_of`."""

    @classmethod
    def named(cls, name: str) -> Choice:
        """Parse ``mccormick``, ``rlt-obj``, ``rlt-max-0k`` to ``-100k``, ``rlt-30%``.

        With ``+counts`` at the end, counts are bounded, too.
        """
        base = name.removesuffix(COUNTS)
        counts = base != name
        if base == "mccormick":
            return cls(counts=counts)
        if base == "rlt-obj":
            return cls(objective=True, counts=counts)
        if match := re.fullmatch(r"rlt-max-([0-9]{1,9})(k?)", base):
            return cls(most=int(match[1]) * (1000 if match[2] else 1), counts=counts)
        if (match := re.fullmatch(r"rlt-([0-9]{1,9}(?:\.[0-9]{1,9})?)%", base)) and float(
            match[1]
        ) <= 100:
            return cls(share=float(match[1]) / 100, counts=counts)
        raise UsageError(
            f"unknown relaxation {name!r}: expected chords, mccormick, rlt-obj, rlt-max-1k (or "
            "another number), or rlt-30% (or another share); all but chords may end in +counts"
        )


def possible_products(program: Program) -> int:
    """Count the possible products: of two inequalities, or of an equality and a column.

    Examples
    --------
    >>> from treaty.papers.relaxations._program import build_program
    >>> possible_products(build_program(2, [[0, 1], [1]]))
    4959
    """
    constraints = len(Constraints.of(program))
    return constraints * (constraints + 1) // 2 + program.equal.rows * program.columns


def choose_products(
    program: Program, choice: Choice, seed: int = 0, *, idle: bool = False
) -> Products:
    """Construct the envelopes of the objective and the chosen products.

    Products that cannot tighten the bound of any box (`Products.matters`) are left out, unless
    `idle`: most of those that are drawn at random.
    """
    constraints = Constraints.of(program)
    envelopes = _envelopes(program, constraints)
    nothing: Pairs = (np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp))
    chosen, equalities = [envelopes], [nothing]
    if choice.objective:
        chosen.append(_objective_pairs(program, constraints))
        equalities.append(_objective_equalities(program))
    if choice.most or choice.share:
        pairs, products = _sample(program, constraints, choice, seed)
        chosen.append(pairs)
        equalities.append(products)
    one, other = _distinct(chosen, len(constraints), ordered=False)
    equality, factor = _distinct(equalities, program.columns, ordered=True)
    whole = lay_out(program, constraints, (one, other), (equality, factor))
    if idle:
        return whole
    kept = whole.matters(program.columns, program.parameters)
    first, last = kept[: len(one)], kept[len(one) :]
    found = lay_out(
        program, constraints, (one[first], other[first]), (equality[last], factor[last])
    )
    return replace(found, chosen=whole.rows)


def _envelopes(program: Program, constraints: Constraints) -> Pairs:
    """List the pairs of eqs. 20 and 21."""
    theta = np.arange(program.parameters)
    count = program.parameters + theta
    one = np.concatenate([constraints.lower(theta), constraints.upper(theta)])
    other = np.concatenate([constraints.upper(count), constraints.lower(count)])
    return one, other


def _objective_pairs(program: Program, constraints: Constraints) -> Pairs:
    """List all pairs of a constraint on a parameter and one on its count.

    Their product contains the objective's column unless two of its terms cancel, which they do
    not: no inequality has both parameters and counts.
    """
    k = program.parameters
    column, owner = constraints.matrix.column, constraints.matrix.row
    has_theta, has_count = column < k, (column >= k) & (column < 2 * k)
    of_theta = [owner[has_theta & (column == m)] for m in range(k)]
    of_count = [owner[has_count & (column == k + m)] for m in range(k)]
    one = [np.repeat(a, len(b)) for a, b in zip(of_theta, of_count, strict=True)]
    other = [np.tile(b, len(a)) for a, b in zip(of_theta, of_count, strict=True)]
    return np.concatenate(one), np.concatenate(other)


def _objective_equalities(program: Program) -> Pairs:
    """Multiply the definition of each count by its parameter."""
    each = np.arange(program.parameters)
    return each, each


def _sample(
    program: Program, constraints: Constraints, choice: Choice, seed: int
) -> tuple[Pairs, Pairs]:
    """Draw from all possible products, each at most once."""
    random = np.random.default_rng(seed)
    total = possible_products(program)
    most = choice.most or random.binomial(total, choice.share)
    drawn = np.sort(random.choice(total, min(int(most), total), replace=False))
    of_inequalities = len(constraints) * (len(constraints) + 1) // 2
    pairs = _unrank(drawn[drawn < of_inequalities])
    equality, column = np.divmod(drawn[drawn >= of_inequalities] - of_inequalities, program.columns)
    return pairs, (equality, column)


def _unrank(number: Ints) -> Pairs:
    """Convert numbers to pairs ``one <= other``, ordered by `other` first."""
    other = ((np.sqrt(8.0 * number + 1.0) - 1.0) / 2.0).astype(np.intp)
    other -= other * (other + 1) // 2 > number  # the square root may have been rounded
    other += (other + 1) * (other + 2) // 2 <= number
    return number - other * (other + 1) // 2, other


def _distinct(parts: list[Pairs], base: int, *, ordered: bool) -> Pairs:
    """Concatenate lists of pairs and drop duplicates."""
    one = np.concatenate([part[0] for part in parts])
    other = np.concatenate([part[1] for part in parts])
    if not ordered:
        one, other = np.minimum(one, other), np.maximum(one, other)
    code = np.unique(one * base + other)
    return code // base, code % base
