"""Nodes of the search tree, and the branching step (Gormley & Eisner 2013, section 3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.induce._features import Floats
from treaty.induce.relaxation._bounding import Bounded, Box
from treaty.induce.relaxation._cuts import Cut
from treaty.induce.relaxation._program import Program
from treaty.induce.relaxation._simplex import Basis

__all__ = ["ROOT", "Branch", "Node", "Path", "box_of", "choose_branch", "pack", "unpack"]

FRACTION = 1e-6  # arcs closer than this to 0 or 1 count as integral
PASSES = 2  # passes of sum-to-one over the bounds of parameters
SAFETY = 1e-12  # tolerance for rounding errors of sums of probabilities
NARROW = 1e-9  # parameters with a narrower interval of probabilities are not split
NODE_BYTES = 500  # overhead of Python objects per node


STEP = np.dtype([("column", np.int32), ("is_upper", np.bool_), ("value", np.float64)])
Path = npt.NDArray[np.void]
"""The branchings from the root to a node: new bounds of columns (`STEP`), in order."""
ROOT: Path = np.zeros(0, STEP)


@dataclass(frozen=True)
class Branch:
    """The division of a node: below and above a value of a column."""

    column: int
    below: float
    above: float
    above_first: bool
    """Whether the relaxed solution is in the upper part, where a plunge continues."""


@dataclass(frozen=True, eq=False)
class Node:
    """An open leaf of the tree, which has been bounded but not divided."""

    bound: float
    path: Path
    branch: Branch
    basis: Basis | None

    def children(self) -> tuple[Path, Path]:
        """Return the paths of both children; the part that a plunge prefers is first."""
        branch = self.branch
        steps = [(branch.column, True, branch.below), (branch.column, False, branch.above)]
        below, above = (np.append(self.path, np.array([step], STEP)) for step in steps)
        return (above, below) if branch.above_first else (below, above)

    @property
    def bytes(self) -> int:
        """Approximate memory of the node in bytes."""
        if self.basis is None:
            return NODE_BYTES + self.path.nbytes
        cuts = sum(cut.column.nbytes + cut.probability.nbytes for cut in self.basis.cuts)
        return NODE_BYTES + self.path.nbytes + self.basis.nbytes + cuts


def box_of(program: Program, path: Path) -> Box | None:
    """Apply the branchings, and the bounds they imply by sum-to-one (eq. 2); None if empty.

    The probabilities of a distribution sum to at least 1 and at most their capacity, so each is
    bounded by the bounds of the others. The relaxation has only the upper limit, so this tightens
    it.
    """
    lower, upper = program.lower.copy(), program.upper.copy()
    for bounds, steps in ((upper, path[path["is_upper"]]), (lower, path[~path["is_upper"]])):
        bounds[steps["column"]] = steps["value"]
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
    """Choose a branching: on the parameter with the highest regret, ``z - theta f``.

    Parameters
    ----------
    program, box, bounded
        The node and its relaxed solution.
    tolerance
        If the sum of all regrets is less, dividing parameters would not help any more: the bound
        depends on fractional parses, so the most fractional arc, or decision to have a child, is
        divided. (The paper has no such rule; without it the search may not end.)

    Returns
    -------
    Branch
        None if nothing is left to divide: the relaxed solution is feasible, up to rounding.
    """
    k = program.parameters
    low, high = np.exp(box.lower[:k]), np.exp(box.upper[:k])
    wide = high - low > NARROW
    if bounded.x is None or bounded.objective is None:  # there is no relaxed solution
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


def _most_fractional(program: Program, x: Floats) -> int | None:
    values = x[program.integral]
    distance = np.abs(values - np.round(values))
    most = int(np.argmax(distance))
    return int(program.integral[most]) if distance[most] > FRACTION else None


RECORD = np.dtype(
    [
        ("bound", np.float64),
        ("column", np.int64),
        ("below", np.float64),
        ("above", np.float64),
        ("above_first", np.bool_),
        ("has_basis", np.bool_),
    ]
)
Arrays = Mapping[str, npt.NDArray[Any]]


def pack(nodes: Sequence[Node], pool: Iterable[Cut] = ()) -> Arrays:
    """Store nodes and the pool of cuts in arrays; a cut that several share is stored once."""
    bases = [node.basis for node in nodes if node.basis is not None]
    pooled = list(pool)
    cuts = {id(cut): cut for own in (*(basis.cuts for basis in bases), pooled) for cut in own}
    number = {key: i for i, key in enumerate(cuts)}
    records = [(node.bound, *astuple(node.branch), node.basis is not None) for node in nodes]
    lists: dict[str, list[npt.NDArray[Any]]] = {
        "path": [node.path for node in nodes],
        "basis_columns": [basis.columns for basis in bases],
        "basis_rows": [basis.rows for basis in bases],
        "basis_statuses": [basis.statuses for basis in bases],
        "basis_cuts": [np.array([number[id(c)] for c in b.cuts], np.int64) for b in bases],
        "cut_column": [cut.column for cut in cuts.values()],
        "cut_probability": [cut.probability for cut in cuts.values()],
    }
    arrays = {
        "node": np.array(records, RECORD),
        "cut_right": np.array([cut.right for cut in cuts.values()], np.float64),
        "pool": np.array([number[id(cut)] for cut in pooled], np.int64),
    }
    for name, parts in lists.items():
        arrays[name] = np.concatenate(parts) if parts else np.zeros(0)
        arrays[f"{name}_ends"] = np.cumsum([len(part) for part in parts], dtype=np.int64)
    return arrays


def unpack(arrays: Arrays) -> tuple[list[Node], list[Cut]]:
    """Restore the nodes and the pool."""

    def lists(name: str) -> list[npt.NDArray[Any]]:
        return np.split(arrays[name], arrays[f"{name}_ends"])[:-1]

    rights = arrays["cut_right"].tolist()
    cuts = list(map(Cut, lists("cut_column"), lists("cut_probability"), rights))
    used = (tuple(cuts[i] for i in own) for own in lists("basis_cuts"))
    rows = (own.astype(np.intp) for own in lists("basis_rows"))
    bases = map(Basis, lists("basis_columns"), rows, used, lists("basis_statuses"))
    nodes = [
        Node(bound, path, Branch(*branch), next(bases) if has_basis else None)
        for (bound, *branch, has_basis), path in zip(
            arrays["node"].tolist(), lists("path"), strict=True
        )
    ]
    return nodes, [cuts[i] for i in arrays["pool"].tolist()]
