"""Nodes of the search tree, and the branching step (Gormley & Eisner 2013, section 3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treaty.induce.relaxation._bounding import Bounded, Box
from treaty.induce.relaxation._layout import Doubles, Ints
from treaty.induce.relaxation._program import Program
from treaty.induce.relaxation._simplex import Basis

__all__ = ["Branch", "Node", "Path", "box_of", "choose_branch"]

FRACTION = 1e-6  # arcs nearer than this to 0 or 1 count as integral
PASSES = 2  # of sum-to-one over the bounds of parameters
SAFETY = 1e-12  # for the rounding of sums of probabilities
NARROW = 1e-9  # parameters between probabilities nearer than this are not split again


@dataclass(frozen=True, eq=False)
class Path:
    """The branchings that lead from the root to a node: new bounds of columns, in order."""

    column: Ints
    is_upper: npt.NDArray[np.bool_]
    value: Doubles

    @classmethod
    def empty(cls) -> Path:
        """Make the root's."""
        return cls(np.zeros(0, np.int32), np.zeros(0, np.bool_), np.zeros(0))

    def __len__(self) -> int:
        return len(self.column)

    def then(self, column: int, is_upper: bool, value: float) -> Path:
        """Go one branching further."""
        return Path(
            np.append(self.column, np.int32(column)),
            np.append(self.is_upper, is_upper),
            np.append(self.value, value),
        )


@dataclass(frozen=True)
class Branch:
    """How a node is divided: below and above a value of a column."""

    column: int
    below: float
    above: float
    above_first: bool
    """Whether the relaxed answer lies in the upper part, where a plunge goes on."""


@dataclass(frozen=True, eq=False)
class Node:
    """A leaf of the tree so far, which is bounded and waits to be divided."""

    bound: float
    path: Path
    branch: Branch
    basis: Basis | None

    def children(self) -> tuple[Path, Path]:
        """Divide: the part that a plunge prefers is the first."""
        column = self.branch.column
        below = self.path.then(column, True, self.branch.below)
        above = self.path.then(column, False, self.branch.above)
        return (above, below) if self.branch.above_first else (below, above)


def box_of(program: Program, path: Path) -> Box | None:
    """Apply the branchings, and what they imply by sum-to-one (eq. 2); None if nothing is left.

    The probabilities of a distribution sum to at least 1 and at most their capacity: the bounds of
    the others bound each. The relaxation has only the latter, so that this tightens it.
    """
    lower, upper = program.lower.copy(), program.upper.copy()
    upper[path.column[path.is_upper]] = path.value[path.is_upper]
    lower[path.column[~path.is_upper]] = path.value[~path.is_upper]
    k = program.parameters
    low, high = np.exp(lower[:k]), np.exp(upper[:k])
    distribution = program.distribution
    for _ in range(PASSES):
        others = (np.bincount(distribution, low)[distribution]) - low
        high = np.minimum(high, program.capacity[distribution] - others + SAFETY)
        others = np.bincount(distribution, high)[distribution] - high
        low = np.maximum(low, 1.0 - others - SAFETY)
    if np.any(low > high):
        return None
    lower[:k] = np.maximum(lower[:k], np.log(low))
    upper[:k] = np.minimum(upper[:k], np.log(high))
    return Box(lower, upper)


def choose_branch(program: Program, box: Box, bounded: Bounded, tolerance: float) -> Branch | None:
    """Choose what to divide: the parameter of the highest regret, ``z - theta f``.

    Parameters
    ----------
    program, box, bounded
        The node and its relaxed answer.
    tolerance
        When all regrets together are less, dividing parameters would not help any more: what keeps
        the bound up are fractional parses, and the most fractional arc, or decision to have a
        child, is divided. (The paper has no such rule; without it the search need not end.)

    Returns
    -------
    Branch
        None if nothing is left to divide: the relaxed answer is feasible, up to rounding.
    """
    k = program.parameters
    low, high = np.exp(box.lower[:k]), np.exp(box.upper[:k])
    wide = high - low > NARROW
    if bounded.x is None or bounded.objective is None:  # there is no answer to learn from
        return _split(box, int(np.argmax(high - low)), 0.0) if wide.any() else None
    theta, count = bounded.x[:k], bounded.x[k : 2 * k]
    regret = np.where(wide, bounded.objective - theta * count, -math.inf)
    most = int(np.argmax(regret))
    if regret[wide].clip(0.0).sum() > tolerance:
        return _split(box, most, float(theta[most]))
    column = _most_fractional(program, bounded.x)
    if column is not None:
        return Branch(column, 0.0, 1.0, bool(bounded.x[column] > 0.5))
    return _split(box, most, float(theta[most])) if regret[most] > FRACTION else None


def _split(box: Box, parameter: int, value: float) -> Branch:
    """Divide at the midpoint in probability space."""
    middle = (math.exp(box.lower[parameter]) + math.exp(box.upper[parameter])) / 2.0
    cut = math.log(middle)
    return Branch(parameter, cut, cut, value > cut)


def _most_fractional(program: Program, x: Doubles) -> int | None:
    values = x[program.integral]
    distance = np.abs(values - np.round(values))
    most = int(np.argmax(distance))
    return int(program.integral[most]) if distance[most] > FRACTION else None
