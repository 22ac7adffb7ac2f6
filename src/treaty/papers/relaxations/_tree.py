"""Nodes of the search tree, and the branching step (Gormley & Eisner 2013, section 3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.induce._features import Floats
from treaty.papers.relaxations._bounding import Bounded, Box
from treaty.papers.relaxations._cuts import Cut
from treaty.papers.relaxations._program import Program
from treaty.papers.relaxations._simplex import STATUSES, Basis

__all__ = ["ROOT", "Branch", "Node", "Path", "box_of", "choose_branch", "pack", "unpack"]

FRACTION = 1e-6  # arcs closer than this to 0 or 1 count as integral
PASSES = 2  # passes of sum-to-one over the bounds of parameters
SLACK = 1e-6  # tolerance for rounding errors of counts, which are whole numbers
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


def box_of(program: Program, path: Path, *, counts: bool = False) -> Box | None:
    """Apply the branchings, and the bounds they imply by sum-to-one (eq. 2); None if empty.

    The probabilities of a distribution sum to at least 1 and at most their capacity, so each is
    bounded by the bounds of the others. The relaxation has only the upper limit, so this tightens
    it.

    With `counts`, the box has only parameters that are best for their counts, which are relative
    frequencies: a probability of at most 0.1 leaves no more than two of 20 counts.
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
    if counts and not _bound_counts(program, lower, upper):
        return None
    return Box(lower, upper)


def _bound_counts(program: Program, lower: Floats, upper: Floats) -> bool:
    """Bound the counts by the probabilities of a box; return False if none are left."""
    k, distribution, extra = program.parameters, program.distribution, program.smoothing
    known = program.totals[distribution]
    smoothed = extra * np.bincount(distribution)[distribution]
    low, high = np.exp(lower[:k]), np.exp(upper[:k])
    low[low <= program.floor * (1.0 + SLACK)] = 0.0  # counts of zero are at the floor
    fewest, most = lower[k : 2 * k], upper[k : 2 * k]  # views
    for _ in range(PASSES):
        total = np.minimum(np.bincount(distribution, most)[distribution], known) + smoothed
        np.minimum(most, np.floor(high * total - extra + SLACK), out=most)
        total = np.bincount(distribution, fewest)[distribution]
        total = np.where(np.isfinite(known), known, total) + smoothed
        np.maximum(fewest, np.ceil(low * total - extra - SLACK), out=fewest)
    return not np.any(fewest > most)


def choose_branch(program: Program, box: Box, bounded: Bounded, tolerance: float) -> Branch | None:
    """Choose a branching: on the parameter with the highest regret, ``z - theta f``.

    A linear program often has many optimal `theta`: where ``z`` is at its limit for the count, the
    parameter may be anywhere. Regrets at such a point say little, so they are computed at the
    parameters that suit the relaxed counts, and at those of the relaxation only if there are none.

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
    for theta in (_best_parameters(program, box, bounded.x), bounded.x[:k]):
        regret = np.where(wide, bounded.objective - theta * bounded.x[k : 2 * k], -math.inf)
        most = int(np.argmax(regret))
        if regret[wide].clip(0.0).sum() > tolerance:
            return _split(box, most, float(theta[most]))
    column = _most_fractional(program, bounded.x)
    if column is not None:
        return Branch(column, 0.0, 1.0, bool(bounded.x[column] > 0.5))
    return _split(box, most, float(theta[most])) if regret[most] > FRACTION else None


def _best_parameters(program: Program, box: Box, x: Floats) -> Floats:
    """Return the logarithms of the relative frequencies of relaxed counts, moved into the box."""
    k = program.parameters
    count = x[k : 2 * k].clip(0.0)
    total = np.bincount(program.distribution, count)[program.distribution]
    share = np.divide(count, total, out=np.zeros(k), where=total > 0.0)
    best: Floats = np.log(np.maximum(share, program.floor)).clip(box.lower[:k], box.upper[:k])
    return best


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


def unpack(arrays: Arrays, root: Box, shape: tuple[int, int]) -> tuple[list[Node], list[Cut]]:
    """Restore the nodes and the pool of a search.

    Parameters
    ----------
    arrays
        What `pack` has made.
    root
        The box of the whole space.
    shape
        Numbers of rows and columns of the linear program of a box.

    Raises
    ------
    ValueError
        If the arrays are not those of such a program.
    """

    def lists(name: str) -> list[npt.NDArray[Any]]:
        ends = arrays[f"{name}_ends"]
        damaged = np.any(ends < 0) or np.any(np.diff(ends, prepend=0) < 0)
        if damaged or (ends[-1:] != len(arrays[name])).any():
            raise ValueError("it is damaged")
        return np.split(arrays[name], ends)[:-1]

    rights = arrays["cut_right"].tolist()
    cuts = [
        Cut(column, probability, right)
        for column, probability, right in zip(
            lists("cut_column"), lists("cut_probability"), rights, strict=True
        )
    ]
    used, pool = lists("basis_cuts"), arrays["pool"].tolist()
    if not all(0 <= i < len(cuts) for own in (*used, pool) for i in own):
        raise ValueError("it is damaged")
    bases = [
        Basis(of_columns, rows.astype(np.intp), tuple(cuts[i] for i in own), statuses)
        for of_columns, rows, own, statuses in zip(
            lists("basis_columns"), lists("basis_rows"), used, lists("basis_statuses"), strict=True
        )
    ]
    records, rest = arrays["node"].tolist(), iter(bases)
    if sum(has_basis for *_, has_basis in records) != len(bases):
        raise ValueError("it is damaged")
    nodes = [
        Node(bound, path, Branch(*branch), next(rest) if has_basis else None)
        for (bound, *branch, has_basis), path in zip(records, lists("path"), strict=True)
    ]
    sound = all(_is_sound(cut, len(root.lower)) for cut in cuts)
    sound = sound and all(_fits(basis, *shape) for basis in bases)
    if not (sound and all(_is_within(node, root) for node in nodes)):
        raise ValueError("it is damaged")
    return nodes, [cuts[i] for i in pool]


def _is_within(node: Node, root: Box) -> bool:
    """Tell whether a node's branchings are of columns that there are, and within their bounds."""
    path, branch, most = node.path, node.branch, len(root.lower)
    if path.dtype != (STEP if len(path) else path.dtype):
        return False
    steps = [(step["column"], step["value"]) for step in path] if len(path) else []
    steps += [(branch.column, branch.below), (branch.column, branch.above)]
    return math.isfinite(node.bound) and all(
        0 <= column < most and root.lower[column] - NARROW <= value <= root.upper[column] + NARROW
        for column, value in steps
    )


def _is_sound(cut: Cut, columns: int) -> bool:
    return (
        cut.column.dtype.kind == "i"
        and len(cut.column) > 0
        and bool(((cut.column >= 0) & (cut.column < columns)).all())
        and len(np.unique(cut.column)) == len(cut.column) == len(cut.probability)
        and math.isfinite(cut.right)
        and bool(((cut.probability >= 0.0) & (cut.probability <= 1.0)).all())
    )


def _fits(basis: Basis, rows: int, columns: int) -> bool:
    """Tell whether a basis is one of a program of this shape."""
    known = range(len(STATUSES))
    return (
        len(basis.columns) == columns
        and len(basis.statuses) == len(basis.rows) + len(basis.cuts)
        and len(np.unique(basis.rows)) == len(basis.rows)
        and bool(((basis.rows >= 0) & (basis.rows < rows)).all())
        and {*basis.columns.tolist(), *basis.statuses.tolist()} <= {*known}
    )
